package import LoamStorage

/// The rows of a result, in order.
package typealias RowTree = CountedTree<RowLeaf>

extension TreeCapacity {
    /// Leaves of 4 KiB for rows.
    package static let rows = TreeCapacity(leaf: 256, inner: 64)
}

extension RowLeaf {
    /// The first position whose row does not come before another one.
    func firstPosition(of row: ResultRow, _ order: ResultOrder) -> Int {
        guard let storage else { return 0 }
        return row.key.withUnsafeBytes { key in
            let prefix = storage.header.prefix
            let side = prefix.withUnsafeBytes { $0.paddedOrder(against: key, count: prefix.count) }
            if side != 0 { return side < 0 ? count : 0 }
            let remainder = key.remainder(behind: prefix.count)
            let tail = key.tail(behind: prefix.count)
            return (0..<count).partitionPoint { position in
                let entry = storage.entry(position)
                if entry.remainder != remainder { return entry.remainder < remainder }
                let behind = storage.header.tails.withTail(position) { $0.paddedOrder(against: tail) }
                if behind != 0 { return behind < 0 }
                return order.precedes(entry.rowID, row.rowID)
            }
        }
    }

    /// Whether all rows come before another one.
    func isPassed(by row: ResultRow, _ order: ResultOrder) -> Bool { firstPosition(of: row, order) == count }
}

extension UnsafeRawBufferPointer {
    /// Compares bytes that zeros follow without end: negative, zero or positive.
    ///
    /// - Parameter count: how many are compared; as many as one of them has where nothing is said.
    func paddedOrder(against other: UnsafeRawBufferPointer, count limit: Int? = nil) -> Int {
        let end = limit ?? Swift.max(count, other.count)
        for position in 0..<end {
            let left = position < count ? self[position] : 0
            let right = position < other.count ? other[position] : 0
            if left != right { return left < right ? -1 : 1 }
        }
        return 0
    }
}

extension CountedTree where Leaf == RowLeaf {
    /// The position at which a row stands, or at which it would stand. O(log n).
    func position(of row: ResultRow, _ order: ResultOrder) -> Int {
        firstPosition {
            $0.isPassed(by: row, order)
        } in: {
            $0.firstPosition(of: row, order)
        }
    }

    /// The position of a row; nil where it is not among them with this key. O(log n).
    func index(of row: ResultRow, _ order: ResultOrder) -> Int? {
        let position = position(of: row, order)
        guard position < count, self[position] == row else { return nil }
        return position
    }

    /// The id of the row at a position. O(log n).
    package func rowID(at position: Int) -> RowID {
        let (leaf, offset) = location(of: position)
        return leaf.rowID(offset)
    }

    /// Calls the closure with the ids of the rows in a range, in order. O(log n + range).
    package func forEachRowID(in range: Range<Int>, _ body: (RowID) throws -> Void) rethrows {
        try forEachLeaf(in: range) { leaf, range in
            for offset in range { try body(leaf.rowID(offset)) }
        }
    }

    /// The rows with these ids, each with its position. O(n): the tree is searched for them from end to end.
    func find(_ wanted: [RowID]) -> [(index: Int, row: ResultRow)] {
        let wanted = wanted.sorted()
        guard let least = wanted.first, let greatest = wanted.last else { return [] }
        var found: [(index: Int, row: ResultRow)] = []
        var start = 0
        forEachLeaf(in: 0..<count) { leaf, range in
            guard let storage = leaf.storage else { return }
            storage.withUnsafeMutablePointerToElements { entries in
                for offset in range where least <= entries[offset].rowID && entries[offset].rowID <= greatest {
                    let rowID = entries[offset].rowID
                    let position = wanted.indices.partitionPoint { wanted[$0] < rowID }
                    if wanted[position] == rowID { found.append((start + offset, leaf[offset])) }
                }
            }
            start += range.count
        }
        return found
    }
}

/// Makes a tree of rows that come in order, one after another.
struct RowTreeBuilder: ~Copyable {
    private let capacity: TreeCapacity
    private var rows = RowBuffer()
    private var leaves: [RowLeaf] = []

    init(capacity: TreeCapacity) { self.capacity = capacity }

    /// The rows of a leaf that is built: there is room for some more before it is split.
    private var usual: Int { max(2, capacity.leaf * 9 / 10) }

    mutating func append(_ rowID: RowID, key: UnsafeRawBufferPointer) {
        if rows.count == usual { close() }
        rows.append(rowID, key: key)
    }

    private mutating func close() {
        guard rows.count > 0 else { return }
        leaves.append(RowLeaf(RowStorage.make(rows, 0..<rows.count, capacity: capacity.leaf)))
        rows.removeAll()
    }

    consuming func finish() -> RowTree {
        close()
        if leaves.count > 1, let last = leaves.last, last.count < max(2, capacity.leaf / 2) {
            leaves.removeLast()
            leaves[leaves.count - 1].append(last, capacity: capacity.leaf)
            let joined = leaves[leaves.count - 1]
            if joined.count > capacity.leaf {
                leaves.append(leaves[leaves.count - 1].split(at: joined.count / 2, capacity: capacity.leaf))
            }
        }
        return RowTree(leaves: leaves, capacity: capacity)
    }
}
