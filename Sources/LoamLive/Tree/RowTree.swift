package import LoamStorage

/// The rows of a result, in order.
package typealias RowTree = CountedTree<RowLeaf>

extension TreeCapacity {
    /// Leaves of about 64 rows: the keys of a leaf are read one after another.
    package static let rows = TreeCapacity(leaf: 64, inner: 64)
}

extension RowLeaf {
    /// The first position whose row does not come before another one. O(rows of the leaf).
    func firstPosition(of row: ResultRow, _ order: ResultOrder) -> Int {
        guard let storage else { return 0 }
        return row.key.withUnsafeBytes { key in
            storage.withKeys { reader in
                // How many bytes of the key the last one that was read begins with.
                var common = 0
                for position in 0..<storage.count {
                    let part = reader.read()
                    // It differs from the key where the last one does, and that comes before.
                    if part.shared > common { continue }
                    // It comes behind the last one by a byte that this has in common with the key.
                    if part.shared < common { return position }
                    let (suffix, rest) = (part.suffix, UnsafeRawBufferPointer(rebasing: key[common...]))
                    let more = suffix.commonCount(with: rest)
                    common += more
                    if more < suffix.count {
                        if more == rest.count || suffix[more] > rest[more] { return position }
                    } else if more == rest.count, !order.precedes(storage.rowID(position), row.rowID) {
                        return position
                    }
                }
                return storage.count
            }
        }
    }

    /// Whether the first row comes before another one.
    func begins(before row: ResultRow, _ order: ResultOrder) -> Bool {
        guard let storage else { return false }
        return row.key.withUnsafeBytes { key in
            storage.withKeys { reader in
                let first = reader.read().suffix
                let common = first.commonCount(with: key)
                if common < first.count { return common < key.count && first[common] < key[common] }
                return common < key.count || order.precedes(storage.rowID(0), row.rowID)
            }
        }
    }
}

extension CountedTree where Leaf == RowLeaf {
    /// The position at which a row stands, or at which it would stand. O(log n).
    func position(of row: ResultRow, _ order: ResultOrder) -> Int {
        firstPosition {
            $0.begins(before: row, order)
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
            leaf.storage?.withRowIDs { id in
                for offset in range {
                    let rowID = id(offset)
                    guard least <= rowID, rowID <= greatest else { continue }
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
    private var rows = RowEncoder()
    private var leaves: [RowLeaf] = []

    init(capacity: TreeCapacity) { self.capacity = capacity }

    /// The rows of a leaf that is built: there is room for some more before it is split.
    private var usual: Int { max(2, capacity.leaf * 9 / 10) }

    /// - Parameter key: without zeros at its end.
    mutating func append(_ rowID: RowID, key: UnsafeRawBufferPointer) {
        if rows.count == usual { close() }
        rows.append(rowID, key: key)
    }

    private mutating func close() {
        guard let storage = rows.finish() else { return }
        leaves.append(RowLeaf(storage))
    }

    consuming func finish() -> RowTree {
        close()
        if leaves.count > 1, let last = leaves.last, last.count < max(2, capacity.leaf / 2) {
            leaves.removeLast()
            leaves[leaves.count - 1].append(last)
            let joined = leaves[leaves.count - 1]
            if joined.count > capacity.leaf {
                leaves.append(leaves[leaves.count - 1].split(at: joined.count / 2))
            }
        }
        return RowTree(leaves: leaves, capacity: capacity)
    }
}
