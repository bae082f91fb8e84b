import LoamStorage

/// Rows of a result in order, with their whole keys.
///
/// Of each key only what it has behind the bytes that the key before begins with, too, is kept. `campaigns footprint`
/// tells what a row takes: 8 bytes by a number of which many rows have the same, 18 by places of some 20 letters and, of
/// one place, by codes of ten. Keys are compared as if zeros
/// followed them without end: no key of an order is the beginning of another one, so zeros never decide, and none is
/// kept at a key's end.
///
/// One allocation, of the size that the rows take. Copies share it: a change makes another one.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `storage` | nobody: it is not written once it is made | whoever makes it | the last leaf goes |
package struct RowLeaf: CountedLeaf, @unchecked Sendable {
    private(set) var storage: RowStorage?

    package init() {}

    init(_ storage: RowStorage?) { self.storage = storage }

    package var count: Int { storage?.count ?? 0 }
    package var weight: Int { count }

    package func weight(before position: Int) -> Int { position }

    /// The row at a position, with its key: a copy. O(position).
    package subscript(position: Int) -> ResultRow {
        guard let storage else { preconditionFailure("There is no such position.") }
        return ResultRow(rowID: storage.rowID(position), key: storage.key(position))
    }

    /// The id of the row at a position. O(1).
    func rowID(_ position: Int) -> RowID {
        guard let storage else { preconditionFailure("There is no such position.") }
        return storage.rowID(position)
    }

    // MARK: Changes

    package mutating func insert(_ element: ResultRow, at position: Int) {
        precondition(0...count ~= position, "There is no such position.")
        let longer = element.key.withUnsafeBytes { storage?.inserting(element.rowID, key: $0, at: position) }
        if let longer {
            storage = longer
            return
        }
        var rows = RowEncoder()
        rows.append(0..<position, of: storage)
        element.key.withUnsafeBytes { rows.append(element.rowID, key: $0) }
        rows.append(position..<count, of: storage)
        storage = rows.finish()
    }

    package mutating func remove(at position: Int) {
        precondition(0..<count ~= position, "There is no such position.")
        storage = count > 1 ? storage?.removing(at: position) : nil
    }

    package mutating func replace(at position: Int, with element: ResultRow) {
        remove(at: position)
        insert(element, at: position)
    }

    package mutating func split(at position: Int) -> Self {
        let all = storage
        let count = count
        var rows = RowEncoder()
        rows.append(0..<position, of: all)
        storage = rows.finish()
        rows.append(position..<count, of: all)
        return Self(rows.finish())
    }

    package mutating func append(_ other: Self) {
        var rows = RowEncoder()
        rows.append(0..<count, of: storage)
        rows.append(0..<other.count, of: other.storage)
        storage = rows.finish()
    }
}
