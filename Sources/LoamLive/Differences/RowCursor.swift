import LoamStorage

/// Walks a range of a tree's rows without copying their keys.
struct RowCursor {
    private let parts: [(storage: RowStorage, range: Range<Int>)]
    private var part = 0
    private var offset = 0
    /// How many rows lie behind.
    private(set) var index = 0
    private var keys = RowKeys()

    /// O(leaves).
    init(_ tree: RowTree, in range: Range<Int>) {
        var parts: [(storage: RowStorage, range: Range<Int>)] = []
        tree.forEachLeaf(in: range) { leaf, range in
            if let storage = leaf.storage { parts.append((storage, range)) }
        }
        self.parts = parts
        offset = parts.first?.range.lowerBound ?? 0
    }

    var isAtEnd: Bool { part == parts.count }

    /// The id of the row; the cursor must not be at the end.
    var rowID: RowID { parts[part].storage.rowID(offset) }

    mutating func next() { advance(by: 1) }

    /// The row with its place in the range; moves behind it.
    mutating func take() -> PlacedRow {
        defer { next() }
        return PlacedRow(index: index, rowID: rowID)
    }

    private mutating func advance(by count: Int) {
        index += count
        offset += count
        guard offset == parts[part].range.upperBound else { return }
        part += 1
        if part < parts.count { offset = parts[part].range.lowerBound }
    }

    /// Passes over rows that both trees keep in one leaf; false where they stand at different ones.
    mutating func skipShared(with other: inout RowCursor) -> Bool {
        let (left, right) = (parts[part], other.parts[other.part])
        guard left.storage === right.storage, offset == other.offset else { return false }
        let count = min(left.range.upperBound, right.range.upperBound) - offset
        advance(by: count)
        other.advance(by: count)
        return true
    }

    /// Compares the keys of two rows: negative, zero or positive. All keys of a leaf are written out at the first of them.
    mutating func compare(_ other: inout RowCursor) -> Int {
        keys.read(parts[part].storage)
        other.keys.read(other.parts[other.part].storage)
        return keys.compare(offset, with: other.keys, other.offset)
    }
}
