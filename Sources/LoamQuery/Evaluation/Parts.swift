import Foundation
import LoamStorage

// What a collection has, in the order in which it lies there: the elements of an array, the characters of a string, as
// Swift counts them, and the bytes of data; and the pairs of a dictionary, each a structure of a key and a value, which
// have no order. Each way to have them exists for values and for where they lie.

extension Value {
    /// Nil for what is no such collection.
    var parts: [Value]? {
        switch self {
        case .array(let elements): elements
        case .dictionary(let pairs):
            pairs.map { .structure([PairMember.key: $0.key, PairMember.value: $0.value]) }
        case .string(let text): text.map { .string(String($0)) }
        case .data(let bytes): bytes.map { .uint(UInt64($0)) }
        default: nil
        }
    }

    /// Whether the parts of another collection lie in this one, one behind the other: at its beginning, at its end, or
    /// anywhere. What is no collection has none, not even those of an empty one.
    func has(_ other: Value, _ place: TextOperator, form: StringForm) -> Bool {
        guard let parts, let run = other.parts, run.count <= parts.count else { return false }
        let last = parts.count - run.count
        let starts =
            switch place {
            case .beginsWith: 0...0
            case .endsWith: last...last
            default: 0...last
            }
        return starts.contains { start in
            zip(parts[start...], run).allSatisfy {
                TypedPredicate.compare($0, comparison: .equal, right: $1, form: form)
            }
        }
    }
}

extension UnboxedValue {
    /// The number of parts; nil for nil. O(1), but O(bytes) for a string that is not plain.
    ///
    /// - Throws: `damagedRecord` where the bytes are impossible, and for what is no collection.
    var partCount: Int? {
        get throws {
            guard kind == .string || kind == .data else { return try elementOrPairCount }
            guard kind == .string, !isPlain else { return text.count }
            var count = 0
            try forEachCharacter { _ in
                count += 1
                return true
            }
            return count
        }
    }

    /// Calls a closure with each part, where it lies, until it returns false. Nil has none. O(bytes).
    ///
    /// - Throws: `damagedRecord` where the bytes are impossible, and for what is no collection; what the closure throws.
    func forEachPart(_ body: (UnboxedValue) throws -> Bool) throws {
        switch kind {
        case .data: for byte in text where try !body(.uint(UInt64(byte))) { return }
        case .string: try forEachCharacter(body)
        default: try forEachElementOrPair(body)
        }
    }

    private func forEachCharacter(_ body: (UnboxedValue) throws -> Bool) throws {
        let text = text
        guard !isPlain else {
            for place in text.indices {
                let character = UnsafeRawBufferPointer(rebasing: text[place...place])
                guard try body(.text(.string, character, isPlain: true)) else { return }
            }
            return
        }
        try text.withMemoryRebound(to: UInt8.self) { bytes in
            guard let span = try? UTF8Span(validating: bytes.span) else {
                throw StorageError(.damagedRecord("a string is not UTF-8"))
            }
            var (characters, start) = (span.makeCharacterIterator(), 0)
            while characters.skipForward() != 0 {
                let end = characters.currentCodeUnitOffset
                let character = UnsafeRawBufferPointer(rebasing: text[start..<end])
                start = end
                guard try body(.text(.string, character, isPlain: StringForms.isPlain(character))) else { return }
            }
        }
    }

    /// What ``Value/has(_:_:form:)`` says. O(parts of both, multiplied); nothing is taken from the heap where the other
    /// one has up to 64.
    ///
    /// - Throws: `damagedRecord` where the bytes are impossible, and for what is no collection.
    func has(_ other: UnboxedValue, _ place: TextOperator, form: StringForm) throws -> Bool {
        guard let count = try partCount, let length = try other.partCount, length <= count else { return false }
        guard length > 0 else { return true }
        guard length <= UInt64.bitWidth else { return try boxed().has(other.boxed(), place, form: form) }
        let last = UInt64(1) << UInt64(length - 1)
        // Bit n: the last n + 1 parts that were seen are the first of the other one.
        var states: UInt64 = 0
        var (seen, isFound) = (0, false)
        try forEachPart { part in
            states = try self.states(part, after: states << 1 | 1, of: other, form: form)
            seen += 1
            isFound = states & last != 0
            switch place {
            case .beginsWith: return seen < length
            case .endsWith: return true
            default: return !isFound
            }
        }
        return isFound
    }

    /// The states that a part leaves of those in which it may stand.
    private func states(
        _ part: UnboxedValue, after possible: UInt64, of other: UnboxedValue, form: StringForm
    ) throws -> UInt64 {
        var (states, bit) = (possible, UInt64(1))
        try other.forEachPart { wanted in
            if states & bit != 0, try !part.isTrue(.equal, wanted, form: form) { states &= ~bit }
            bit <<= 1
            return bit != 0
        }
        return states
    }
}
