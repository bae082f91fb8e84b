extension IndexBatch {
    @inline(__always)
    package func rowID(at index: Int) -> RowID { rowIDs[index] }

    /// A copy of an entry. Fields that were left out are nil.
    ///
    /// - Throws: `damagedBlock` where keys or columns of the block cannot be taken apart.
    package func entry(at index: Int) throws -> IndexEntry {
        let key = try key(at: index).withUnsafeBytes { Array($0) }
        let fields = try (0..<columnCount).map { column in
            try included(column, at: index)?.withUnsafeBytes { Array($0) }
        }
        return IndexEntry(key: key, rowID: rowID(at: index), isInexact: isInexact(at: index), included: fields)
    }
}
