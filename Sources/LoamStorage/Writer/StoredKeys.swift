import LMDB

/// Asks an index for many keys at once, in their order: each block is looked at once.
enum StoredKeys {
    /// Adds the rows of sorted entries whose component bytes a stored entry has, or may have. Entries with a
    /// nil component are passed over.
    static func collectRows(
        of items: EntryItems, likeThoseIn reader: IndexReader, into rows: inout Set<RowID>,
        in transaction: borrowing WriteTransaction
    ) throws {
        guard items.count > 0 else { return }
        var cursor = IndexCursor(overBlocks: try transaction.cursor(in: reader.databases.indexes), of: reader.shape.id)
        guard try cursor.moveToLast() else { return }
        var view = try BlockView(cursor.block, shape: reader.shape)
        if try view.lowerBound(of: items[0].key) == view.count { return }
        /// The separator of the block behind the one that is looked at.
        var upper: UnsafeRawBufferPointer?
        var isAtBlock = false
        for position in 0..<items.count {
            let entry = items[position]
            guard !entry.flags.contains(.hasNil) else { continue }
            let key = entry.key
            if !isAtBlock || upper.map({ !key.isBelow($0) }) ?? false {
                guard try cursor.seek(containing: key) else { continue }
                view = try BlockView(cursor.block, shape: reader.shape)
                upper = try cursor.next() ? cursor.separator : nil
                isAtBlock = true
            }
            let found = try view.lowerBound(of: key)
            let isEqual =
                try found < view.count
                ? view.key(at: found, begins: key, isWhole: true) : upper?.starts(with: key) ?? false
            if isEqual { rows.insert(entry.rowID) }
        }
    }
}
