import LMDB

/// Reads the history by save number.
package enum HistoryReader {
    /// Calls the closure with every save, or every one above a number, and its bytes, the chunks joined, in order.
    static func forEachSave(
        in transaction: borrowing some Transaction & ~Copyable, _ history: Database, after save: UInt64? = nil,
        _ body: (_ save: UInt64, _ bytes: [UInt8]) throws -> Void
    ) throws {
        var current: UInt64?
        var chunks: UInt32 = 0
        var bytes: [UInt8] = []
        var cursor = try transaction.cursor(in: history)
        var isPlaced: Bool
        if let save {
            let first = Keyspace.history(save: save == .max ? save : save + 1, chunk: 0)
            isPlaced = try cursor.seek(atLeast: first.span.bytes)
        } else {
            isPlaced = try cursor.moveToFirst()
        }
        while isPlaced {
            let key = cursor.key.withUnsafeBytes { Array($0) }
            let (number, chunk) = try numbers(inKey: key)
            guard let content = SealedChunk.content(of: cursor.value.withUnsafeBytes { Array($0) }, key: key) else {
                throw StorageError(.damagedHistory("the checksum of a part of save \(number) is wrong"))
            }
            if number != current {
                if let current { try body(current, bytes) }
                (current, chunks) = (number, 0)
                bytes.removeAll(keepingCapacity: true)
            }
            guard chunk == chunks else { throw StorageError(.damagedHistory("save \(number) lacks a chunk")) }
            chunks &+= 1
            bytes += content
            isPlaced = try cursor.next()
        }
        if let current { try body(current, bytes) }
    }

    /// Save and chunk number of a key.
    private static func numbers(inKey key: [UInt8]) throws -> (save: UInt64, chunk: UInt32) {
        guard key.count == 12 else { throw StorageError(.damagedHistory("a key has a wrong length")) }
        return (
            key.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) },
            key.suffix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        )
    }

    /// The saves above a number, decoded, in order.
    package static func entries(in snapshot: Snapshot, after save: UInt64) throws -> [HistoryEntry] {
        var entries: [HistoryEntry] = []
        try forEachSave(in: snapshot.transaction, snapshot.databases.history, after: save) { save, bytes in
            entries.append(try HistoryEntry.decode(bytes, save: save))
        }
        return entries
    }
}
