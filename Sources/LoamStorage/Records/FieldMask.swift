/// A set of slots: the fields of a record that were changed. Slots below 64 need no memory of their own.
package struct FieldMask: Hashable, Sendable {
    private var first: UInt64 = 0
    /// Slots from 64 on, 64 to a word, without zero words at the end (so that equal sets are equal values).
    private var rest: [UInt64] = []

    package init() {}

    package init(_ slots: some Sequence<Int>) {
        for slot in slots { insert(slot) }
    }

    package var isEmpty: Bool { first == 0 && rest.isEmpty }

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
        if word >= rest.count { rest += [UInt64](repeating: 0, count: word + 1 - rest.count) }
        rest[word] |= 1 << UInt64(slot % 64)
    }

    package mutating func formUnion(_ other: FieldMask) {
        first |= other.first
        if other.rest.count > rest.count {
            rest += [UInt64](repeating: 0, count: other.rest.count - rest.count)
        }
        for (word, bits) in other.rest.enumerated() { rest[word] |= bits }
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
