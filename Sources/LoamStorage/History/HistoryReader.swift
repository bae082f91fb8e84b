import LMDB

/// Reads the history by save number.
package enum HistoryReader {
    /// The bytes of every save above a number, its chunks joined, in order.
    static func saves(
        in transaction: borrowing some Transaction & ~Copyable, _ history: Database, after save: UInt64 = 0
    ) throws -> [(save: UInt64, bytes: [UInt8])] {
        var result: [(save: UInt64, bytes: [UInt8])] = []
        var cursor = try transaction.cursor(in: history)
        let start = save == .max ? save : save + 1
        let first = Keyspace.history(save: start, chunk: 0)
        var isPlaced = try cursor.seek(atLeast: first.span.bytes)
        while isPlaced {
            let key = cursor.key.withUnsafeBytes { Array($0) }
            guard key.count == 12 else { throw StorageError(.damagedHistory("a key has a wrong length")) }
            let number = key.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let chunk = key.suffix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            guard let content = SealedChunk.content(of: cursor.value.withUnsafeBytes { Array($0) }, key: key) else {
                throw StorageError(.damagedHistory("the checksum of a part of save \(number) is wrong"))
            }
            if let last = result.last, last.save == number, chunk > 0 {
                result[result.count - 1].bytes += content
            } else {
                guard chunk == 0 else { throw StorageError(.damagedHistory("save \(number) lacks its beginning")) }
                result.append((number, Array(content)))
            }
            isPlaced = try cursor.next()
        }
        return result
    }

    /// The saves above a number, decoded, in order.
    package static func entries(in snapshot: Snapshot, after save: UInt64) throws -> [HistoryEntry] {
        try saves(in: snapshot.transaction, snapshot.databases.history, after: save)
            .map { try HistoryEntry.decode($0.bytes, save: $0.save) }
    }
}
