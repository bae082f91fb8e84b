package import Foundation

/// What a query asks of one component of an index. Values have the component's type (see ``NumericBound``).
package enum KeyCondition: Hashable, Sendable {
    /// Equal as keys are: nil to nil, NaN to NaN, strings in the component's form.
    case equal(Value)
    case isNull
    case isNotNull
    /// Between two bounds, either of which may be absent. Never nil, never NaN; a bound of nil or NaN finds nothing.
    case ordered(lower: KeyBound?, upper: KeyBound?)
    /// A string that begins with this one in the component's form.
    case hasPrefix(String)
    /// Data that begins with these bytes.
    case hasBytes(Data)
}

/// A bound of an ordered comparison.
package struct KeyBound: Hashable, Sendable {
    package var value: Value
    package var isInclusive: Bool

    package init(_ value: Value, isInclusive: Bool) {
        self.value = value
        self.isInclusive = isInclusive
    }
}

/// A range of an index that holds every entry which meets some conditions.
package struct MatchingRange: Hashable, Sendable {
    package var range: KeyRange
    /// Whether it holds no other entries; inexact ones are no exception.
    ///
    /// False when a constant's own key was cut, and for string prefixes (a prefix of bytes may end inside a character).
    /// Then each row has to be looked at.
    package var isExact: Bool

    package init(range: KeyRange, isExact: Bool) {
        self.range = range
        self.isExact = isExact
    }

    package static let nothing = MatchingRange(range: .none, isExact: true)
}

extension IndexKeyShape {
    /// The range of entries whose leading components equal some values, and whose next one meets a condition.
    ///
    /// ```swift
    /// // origin = 'JFK' AND time_hour >= date
    /// let from = KeyBound(.date(date), isInclusive: true)
    /// shape.range(equalTo: [.string("JFK")], next: .ordered(lower: from, upper: nil))
    /// ```
    /// - Returns: nil when no range serves the condition: a string prefix on a component that is no string, or in the
    ///   localized form, or bytes on a component that is no data.
    /// - Throws: `StorageError.typeMismatch` for values of another type than the component's, or too many of them.
    package func range(equalTo values: [Value], next: KeyCondition? = nil) throws -> MatchingRange? {
        guard values.count + (next == nil ? 0 : 1) <= components.count else {
            throw StorageError(.typeMismatch(expected: "\(components.count) values", found: "\(values.count)"))
        }
        var bytes: [UInt8] = []
        var isExact = true
        for (component, value) in zip(components, values) {
            if value.isNull && !component.isOptional { return .nothing }
            isExact = try component.append(value, to: &bytes) && isExact
        }
        guard let next else { return MatchingRange(range: .prefix(bytes), isExact: isExact) }
        guard var result = try components[values.count].range(after: bytes, next) else { return nil }
        result.isExact = result.isExact && isExact
        return result
    }
}

extension KeyComponent {
    /// The range of keys that begin with `bytes` and whose next component, this one, meets a condition.
    ///
    /// - Returns: nil when no range serves the condition.
    /// - Throws: `StorageError.typeMismatch` for values of another type.
    package func range(after bytes: [UInt8], _ condition: KeyCondition) throws -> MatchingRange? {
        switch condition {
        case .isNull, .equal(.null):
            return isOptional ? MatchingRange(range: .prefix(bytes + [inverts ? 0xFF : 0x00]), isExact: true) : .nothing
        case .isNotNull:
            return MatchingRange(range: .prefix(bytes + [valueTag]), isExact: true)
        case .equal(let value):
            let (range, isWhole) = try range(equalTo: value, after: bytes)
            return MatchingRange(range: range, isExact: isWhole)
        case .ordered(let lower, let upper):
            return try range(after: bytes, lower: lower, upper: upper)
        case .hasPrefix(let prefix):
            return range(after: bytes, hasPrefix: prefix)
        case .hasBytes(let beginning):
            return range(after: bytes, hasBytes: beginning)
        }
    }

    /// The range of keys that begin with `bytes` and whose next component, this one, has a value, or is nil. A short key
    /// takes nothing from the heap.
    ///
    /// - Returns: the range, and whether the key holds the whole value.
    /// - Throws: `StorageError.typeMismatch` for a value of another type or out of range, `missingValue` for nil where
    ///   the component is not optional.
    package func range(equalTo value: Value, after bytes: [UInt8]) throws -> (range: KeyRange, isWhole: Bool) {
        try withUnsafeTemporaryAllocation(byteCount: bytes.count + share, alignment: 8) { scratch in
            scratch.copyBytes(from: bytes)
            guard let start = scratch.baseAddress else { return (.all, true) }
            let (count, isWhole) = try write(value, at: start + bytes.count)
            let prefix = UnsafeRawBufferPointer(start: start, count: bytes.count + count)
            return (KeyRange(prefix: prefix, isPoint: isWhole), isWhole)
        }
    }

    private func range(after bytes: [UInt8], lower: KeyBound?, upper: KeyBound?) throws -> MatchingRange {
        if lower?.findsNothing ?? false || upper?.findsNothing ?? false { return .nothing }
        // Nothing is above the greatest value but a NaN, which no comparison holds for.
        let upper = upper ?? notANumber.map { KeyBound($0, isInclusive: false) }
        let (first, last) = inverts ? (upper, lower) : (lower, upper)
        var isExact = true
        let start = try edge(first, after: bytes, &isExact)
        let end = try edge(last, after: bytes, &isExact)
        let range = KeyRange(
            from: start.holdsEqual ? start.key : start.key.successor ?? start.key,
            to: end.holdsEqual ? end.key.successor : end.key)
        return MatchingRange(range: range, isExact: isExact)
    }

    /// Where a range ends that a bound cuts, or all values where there is none: the bytes that all keys equal to the
    /// bound begin with, and whether these keys are inside. Where the bytes were cut, keys that only begin like the
    /// bound share them too, and stay inside. So do keys that agree up to where a hash may begin.
    private func edge(
        _ bound: KeyBound?, after bytes: [UInt8], _ isExact: inout Bool
    ) throws -> (key: KeyBytes, holdsEqual: Bool) {
        try withUnsafeTemporaryAllocation(byteCount: bytes.count + share, alignment: 8) { scratch in
            scratch.copyBytes(from: bytes)
            func key(_ count: Int) -> KeyBytes {
                KeyBytes(UnsafeRawBufferPointer(rebasing: scratch[..<(bytes.count + count)]))
            }
            guard let bound, let start = scratch.baseAddress else {
                scratch[bytes.count] = valueTag
                return (key(1), true)
            }
            let (count, isWritten) = try write(bound.value, at: start + bytes.count)
            let isWhole = isWritten && count <= orderedShare
            isExact = isExact && isWhole
            return (key(min(count, orderedShare)), bound.isInclusive || !isWhole)
        }
    }

    /// The value that no ordered comparison holds for, as the component's type writes it.
    private var notANumber: Value? {
        switch kind {
        case .float: .float(.nan)
        case .double: .double(.nan)
        case .date: .date(.init(timeIntervalSinceReferenceDate: .nan))
        case .decimal: .decimal(.nan)
        default: nil
        }
    }

    private func range(after bytes: [UInt8], hasPrefix prefix: String) -> MatchingRange? {
        guard kind == .string, !form.isCollated else { return nil }
        let (range, _) = range(after: bytes, beginningWith: StringForms.bytes(of: prefix, form: form))
        return MatchingRange(range: range, isExact: prefix.isEmpty)
    }

    private func range(after bytes: [UInt8], hasBytes beginning: Data) -> MatchingRange? {
        guard kind == .data else { return nil }
        let (range, isWhole) = range(after: bytes, beginningWith: beginning)
        return MatchingRange(range: range, isExact: isWhole)
    }

    /// The keys whose content begins with some bytes, and whether all these bytes are in the range's ends.
    private func range(
        after bytes: [UInt8], beginningWith beginning: some Sequence<UInt8>
    ) -> (range: KeyRange, isWhole: Bool) {
        var key: [UInt8] = [0x01]
        for byte in beginning where key.count <= orderedShare {
            key.append(contentsOf: byte > 1 ? [byte] : [0x01, byte + 1])
        }
        let cut = key.prefix(orderedShare).map { inverts ? ~$0 : $0 }
        return (.prefix(bytes + cut), key.count <= orderedShare)
    }
}

extension KeyBound {
    /// Whether no value lies on either side of it.
    fileprivate var findsNothing: Bool { value.isNull || value.isNaN }
}

extension Value {
    /// Whether the value is a NaN of any type: no comparison holds for it but `!=`.
    package var isNaN: Bool {
        switch self {
        case .float(let value): value.isNaN
        case .double(let value): value.isNaN
        case .decimal(let value): value.isNaN
        case .date(let value): value.seconds.isNaN
        default: false
        }
    }
}
