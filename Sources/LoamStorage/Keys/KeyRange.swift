/// A half-open range of keys: component bytes, then row id bytes, compared as bytes.
package struct KeyRange: Sendable {
    /// The first key inside; empty for the start of the index.
    private var first: KeyBytes
    private var end: End

    private enum End: Sendable {
        /// At the end of the index.
        case open
        /// Before a key, which lies here and not apart: most ends are short.
        case before(KeyBytes)
        /// Behind the last key that begins with the first one, which has a byte below 0xFF. Most ranges that are made are
        /// only counted and compared, which needs no other bytes.
        case behindPrefix
        /// The same, where these keys are those of one value of a component.
        case behindValue
        /// At the end of the index, where all keys from the first one on are those of one value of a component: nil comes
        /// last where an index descends, and all its bytes are 0xFF.
        case behindLastValue
    }

    package init(lower: [UInt8] = [], upper: [UInt8]? = nil) {
        first = KeyBytes(lower)
        end = upper.map { .before(KeyBytes($0)) } ?? .open
    }

    /// The keys from one on, below another or up to the end of the index.
    init(from first: KeyBytes, to upper: KeyBytes?) {
        self.first = first
        end = upper.map(End.before) ?? .open
    }

    /// Every key that begins with these bytes.
    ///
    /// - Parameter isPoint: whether these are the keys of one value of a component (``isPoint``).
    init(prefix: UnsafeRawBufferPointer, isPoint: Bool = false) {
        first = KeyBytes(prefix)
        let isLast = prefix.allSatisfy { $0 == 0xFF }
        end =
            switch (isLast, isPoint) {
            case (false, false): .behindPrefix
            case (false, true): .behindValue
            case (true, false): .open
            case (true, true): .behindLastValue
            }
    }

    /// The first key inside; empty for the start of the index. Costs an allocation where it is short: ask once.
    package var lower: [UInt8] { first.array }

    /// The first key beyond; nil for the end of the index. Costs an allocation where the range is a prefix: ask once.
    package var upper: [UInt8]? {
        get {
            switch end {
            case .open, .behindLastValue: nil
            case .before(let upper): upper.array
            case .behindPrefix, .behindValue: Self.successor(of: first.array)
            }
        }
        set { end = newValue.map { .before(KeyBytes($0)) } ?? .open }
    }

    package var hasLower: Bool { !first.isEmpty }

    /// Its place among ranges by their first keys, as numbers; nil for a long key.
    package var place: (UInt64, UInt64, UInt64, UInt8)? { first.place }

    /// As ``place`` where the range is all keys that begin with its first one.
    package var prefixPlace: (UInt64, UInt64, UInt64, UInt8)? { isPrefix ? first.place : nil }

    /// How many bytes all keys of the range begin with that its first one has; nil where the range is not all of these.
    var prefixCount: Int? { isPrefix ? first.count : nil }

    private var isPrefix: Bool {
        switch end {
        case .behindPrefix, .behindValue: true
        case .open, .behindLastValue, .before: false
        }
    }

    /// Whether it was made as the keys of one value of a component, which is no part of what the range is.
    package var isPoint: Bool {
        switch end {
        case .behindValue, .behindLastValue: true
        case .open, .before, .behindPrefix: false
        }
    }

    /// The same range, of which it is known that its keys are those of one value of a component: all that begin with
    /// ``lower``.
    package var ofOneValue: KeyRange {
        switch end {
        case .behindPrefix: KeyRange(first, .behindValue)
        case .open where !first.isEmpty && first.successor == nil: KeyRange(first, .behindLastValue)
        case .open, .behindValue, .behindLastValue, .before: self
        }
    }

    package var hasUpper: Bool {
        switch end {
        case .open, .behindLastValue: false
        case .before, .behindPrefix, .behindValue: true
        }
    }

    package static let all = KeyRange()
    package static let none = KeyRange(lower: [], upper: [])

    /// Every key that begins with these bytes.
    package static func prefix(_ bytes: [UInt8]) -> KeyRange {
        bytes.withUnsafeBytes { KeyRange(prefix: $0) }
    }

    /// The smallest key above everything that begins with a prefix; nil when there is none.
    package static func successor(of prefix: [UInt8]) -> [UInt8]? {
        guard let last = prefix.lastIndex(where: { $0 != 0xFF }) else { return nil }
        var successor = prefix
        if last + 1 < prefix.count { successor.removeSubrange((last + 1)...) }
        successor[last] += 1
        return successor
    }

    package var isEmpty: Bool {
        if case .before(let upper) = end { !first.isBelow(upper) } else { false }
    }

    package func intersection(_ other: KeyRange) -> KeyRange {
        var common = endsBefore(other) ? self : other
        let start = first.isBelow(other.first) ? other.first : first
        if start != common.first {
            // What is behind a prefix or a value is not behind another beginning.
            switch common.end {
            case .behindPrefix, .behindValue: common.upper = common.upper
            case .behindLastValue: common.end = .open
            case .open, .before: break
            }
            common.first = start
        }
        return common
    }

    package func contains(_ key: some Collection<UInt8>) -> Bool {
        guard !key.lexicographicallyPrecedes(lower) else { return false }
        guard let upper else { return true }
        return key.lexicographicallyPrecedes(upper)
    }
}

extension KeyRange {
    /// The same range behind another key; nil where not both of its ends begin with the first one.
    package func moved(from beginning: [UInt8], to other: [UInt8]) -> KeyRange? {
        guard let first = withLower({ Self.moved($0, from: beginning, to: other) }) else { return nil }
        switch end {
        case .open: return nil
        case .behindPrefix: return first.withBytes { KeyRange(prefix: $0) }
        case .behindValue, .behindLastValue: return first.withBytes { KeyRange(prefix: $0, isPoint: true) }
        case .before(let upper):
            return upper.withBytes { Self.moved($0, from: beginning, to: other) }.map { KeyRange(first, .before($0)) }
        }
    }

    private static func moved(
        _ key: UnsafeRawBufferPointer, from beginning: [UInt8], to other: [UInt8]
    ) -> KeyBytes? {
        guard key.starts(with: beginning) else { return nil }
        let count = key.count - beginning.count + other.count
        return withUnsafeTemporaryAllocation(byteCount: count, alignment: 8) { moved in
            moved.copyBytes(from: other)
            UnsafeMutableRawBufferPointer(rebasing: moved[other.count...])
                .copyBytes(from: UnsafeRawBufferPointer(rebasing: key[beginning.count...]))
            return KeyBytes(UnsafeRawBufferPointer(moved))
        }
    }

    private init(_ first: KeyBytes, _ end: End) { (self.first, self.end) = (first, end) }

    /// Whether the range begins before another one does.
    package func begins(before other: KeyRange) -> Bool { first.isBelow(other.first) }

    /// Whether the range ends behind the beginning of another one.
    package func reachesInto(_ other: KeyRange) -> Bool {
        switch end {
        case .open, .behindLastValue: true
        case .before(let upper): other.first.isBelow(upper)
        case .behindPrefix, .behindValue: other.first.isBelowEnd(ofPrefix: first)
        }
    }

    /// Whether a key lies before the end of the range.
    package func endsBehind(_ key: [UInt8]) -> Bool { key.withUnsafeBytes { endsBehind($0) } }

    /// Whether a key lies before the end of the range.
    func endsBehind(_ key: UnsafeRawBufferPointer) -> Bool {
        switch end {
        case .open, .behindLastValue: true
        case .before(let upper): upper.withBytes { key.isBelow($0) }
        case .behindPrefix, .behindValue: first.withBytes { KeyBytes.isBelow(key, endOfPrefix: $0) }
        }
    }

    /// Whether the range ends before another one does.
    package func endsBefore(_ other: KeyRange) -> Bool {
        switch (end, other.end) {
        case (.open, _), (.behindLastValue, _): return false
        case (_, .open), (_, .behindLastValue): return true
        case (.before(let upper), .before(let otherUpper)): return upper.isBelow(otherUpper)
        default: break
        }
        return withUpper { upper in other.withUpper { other in other.map { upper?.isBelow($0) ?? false } ?? false } }
    }

    /// Lends the first key inside; empty for the start of the index. Allocates nothing.
    @inline(__always)
    func withLower<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { try first.withBytes(body) }

    /// Lends the first key beyond; nil for the end of the index. Allocates nothing.
    func withUpper<R>(_ body: (UnsafeRawBufferPointer?) throws -> R) rethrows -> R {
        switch end {
        case .open, .behindLastValue: return try body(nil)
        case .before(let upper): return try upper.withBytes { try body($0) }
        case .behindPrefix, .behindValue: return try first.withSuccessor(body)
        }
    }

    /// The first eight bytes of the first key beyond, as a number with zeros behind its end; nil for the end of the index.
    var endWord: UInt64? {
        switch end {
        case .open, .behindLastValue: nil
        case .before(let upper): upper.firstWord
        case .behindPrefix, .behindValue: first.withSuccessor { $0?.firstWord }
        }
    }

    /// Lends the first key inside, and the first one beyond; nil for the end of the index. Allocates nothing.
    func withBounds<R>(
        _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer?) throws -> R
    ) rethrows -> R {
        try withLower { lower in try withUpper { try body(lower, $0) } }
    }
}

extension KeyRange: Hashable {
    /// Whether the same keys lie in both, however the ranges were made.
    package static func == (left: KeyRange, right: KeyRange) -> Bool {
        guard left.first == right.first else { return false }
        switch (left.end, right.end) {
        case (.open, .open): return true
        case (.before(let upper), .before(let other)): return upper == other
        default: return left.isPrefix && right.isPrefix || left.upper == right.upper
        }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(lower)
        hasher.combine(upper)
    }
}
