import LMDB

/// Some saves of the history, one after another.
package struct HistoryBatch: Sendable {
    package var entries: [HistoryEntry] = []
    /// The first save that the store keeps; nil where it keeps none.
    package var firstKept: UInt64?
    /// The last save of the store, kept or not.
    package var lastSave: UInt64
}

extension HistoryReader {
    /// Bytes behind which a batch ends; one save alone may be longer.
    private static let batchBytes = 1 << 20

    /// The next saves above a number, decoded, in order, about 1 MiB of them; none where there are no more.
    ///
    /// Throws `damagedHistory`. O(bytes of the batch).
    package static func batch(in snapshot: Snapshot, after save: UInt64) throws -> HistoryBatch {
        var batch = HistoryBatch(lastSave: try snapshot.lastSave())
        batch.firstKept = try firstSave(in: snapshot.transaction, snapshot.databases.history)
        var byteCount = 0
        try forEachSave(in: snapshot.transaction, snapshot.databases.history, after: save) { save, bytes in
            batch.entries.append(try HistoryEntry.decode(bytes, save: save))
            byteCount += bytes.count
            return byteCount < batchBytes
        }
        return batch
    }

    /// The first save that is kept; nil where none is.
    static func firstSave(
        in transaction: borrowing some Transaction & ~Copyable, _ history: Database
    ) throws -> UInt64? {
        var cursor = try transaction.cursor(in: history)
        guard try cursor.moveToFirst() else { return nil }
        return try numbers(inKey: cursor.key.withUnsafeBytes { Array($0) }).save
    }
}
