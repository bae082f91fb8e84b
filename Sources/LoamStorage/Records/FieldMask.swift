/// A set of slots: the fields of a record that were changed. Slots below 64 need no memory of their own.
package struct FieldMask: Hashable, Sendable {
    private var first: UInt64 = 0
    /// Slots from 64 on, 64 to a word, without zero words at the end, and nil where there are none (so that equal sets
    /// are equal values, and an ordinary one costs no reference count).
    private var more: [UInt64]?
    private var rest: [UInt64] { more ?? [] }

    package init() {}

    package init(_ slots: some Sequence<Int>) {
        for slot in slots { insert(slot) }
    }

    package var isEmpty: Bool { first == 0 && more == nil }

    package var count: Int { rest.reduce(first.nonzeroBitCount) { $0 + $1.nonzeroBitCount } }

    /// Whether the slot is in the set; false for one that cannot exist.
    package func contains(_ slot: Int) -> Bool {
        guard slot >= 64 else { return slot >= 0 && first >> UInt64(slot) & 1 != 0 }
        let word = slot / 64 - 1
        return word < rest.count && rest[word] >> UInt64(slot % 64) & 1 != 0
    }

    /// Adds a slot of a layout: 0 to ``RecordLayout/maximumFieldCount`` - 1.
    package mutating func insert(_ slot: Int) {
        precondition(
            slot >= 0 && slot < RecordLayout.maximumFieldCount, "A slot is the position of a field in a layout.")
        guard slot >= 64 else {
            first |= 1 << UInt64(slot)
            return
        }
        let word = slot / 64 - 1
        withRest(word + 1) { $0[word] |= 1 << UInt64(slot % 64) }
    }

    package mutating func remove(_ slot: Int) {
        guard contains(slot) else { return }
        guard slot >= 64 else {
            first &= ~(1 << UInt64(slot))
            return
        }
        var words = more.take() ?? []
        words[slot / 64 - 1] &= ~(1 << UInt64(slot % 64))
        while words.last == 0 { words.removeLast() }
        if !words.isEmpty { more = words }
    }

    package mutating func formUnion(_ other: FieldMask) {
        first |= other.first
        guard let others = other.more else { return }
        withRest(others.count) { rest in
            for (word, bits) in others.enumerated() { rest[word] |= bits }
        }
    }

    /// Changes the words of slots from 64 on; there are at least so many.
    private mutating func withRest(_ count: Int, _ body: (inout [UInt64]) -> Void) {
        var words = more.take() ?? []
        if count > words.count { words += [UInt64](repeating: 0, count: count - words.count) }
        body(&words)
        more = words
    }

    /// The slots, ascending.
    package var slots: [Int] {
        var result: [Int] = []
        for (word, bits) in ([first] + rest).enumerated() {
            var bits = bits
            while bits != 0 {
                result.append(word * 64 + bits.trailingZeroBitCount)
                bits &= bits &- 1
            }
        }
        return result
    }
}

extension FieldMask: ExpressibleByArrayLiteral {
    package init(arrayLiteral slots: Int...) { self.init(slots) }
}
