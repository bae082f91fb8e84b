/// Rows of a batch that have one key in a unique index. There are several only where values are longer than the key's
/// share and begin alike: then a table of the whole values tells them apart, each row read once.
struct RowsOfKey {
    private var unread: [RowID] = []
    private var rows: [[Value]: RowID] = [:]

    mutating func append(_ row: RowID) { unread.append(row) }

    /// The row that has these values now; nil where there is none. Constant time for each row, whatever their number.
    ///
    /// - Parameter read: a row's values; nil for one that is gone.
    mutating func row(with values: [Value], read: (RowID) throws -> [Value]?) rethrows -> RowID? {
        for row in unread {
            if let values = try read(row) { rows[values] = row }
        }
        unread.removeAll()
        // A row that was read may have other values since.
        guard let row = rows[values], try read(row) == values else { return nil }
        return row
    }
}
