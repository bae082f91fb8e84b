import LMDB

extension RowOutcome {
    /// Writes the row as it will be, or deletes it, with its long values; its indexes are left to the caller.
    ///
    /// - Parameter save: what the record says last changed it, unless the change is quiet.
    func store(save: UInt64, in transaction: inout WriteTransaction) throws {
        for property in droppedLongValues {
            try LongValues.delete(row: rowID, property: property, in: access.longValues, transaction: &transaction)
        }
        guard let new else {
            _ = try transaction.delete(rowID, in: access.records)
            return
        }
        for long in longValues {
            try LongValues.write(
                long.bytes, row: rowID, property: long.property, in: access.longValues, transaction: &transaction)
        }
        var bytes = new.bytes
        // A record that was encoded anew has no save of its own yet.
        let last = isQuiet ? try old?.save ?? new.save : save
        try RecordHeader.seal(&bytes, save: last, rowID: rowID, entity: access.entity.id)
        try transaction.put(bytes.span.bytes, for: rowID, in: access.records)
        var image = try RowImage(rowID: rowID, bytes: bytes, access: access)
        image.longValues = new.longValues
        self.new = image
    }
}
