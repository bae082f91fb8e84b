import LMDB

/// Reads the history by save number.
package enum HistoryReader {
    /// Calls the closure with every save, or every one above a number and up to another, and its bytes, the chunks
    /// joined, in order, until it returns false.
    static func forEachSave(
        in transaction: borrowing some Transaction & ~Copyable, _ history: Database, after save: UInt64? = nil,
        through last: UInt64 = .max, _ body: (_ save: UInt64, _ bytes: [UInt8]) throws -> Bool
    ) throws {
        var current: UInt64?
        var chunks: UInt32 = 0
        var bytes: [UInt8] = []
        var cursor = try transaction.cursor(in: history)
        var isAtEntry: Bool
        if let save {
            let first = Keyspace.history(save: save == .max ? save : save + 1, chunk: 0)
            isAtEntry = try cursor.seek(atLeast: first.span.bytes)
        } else {
            isAtEntry = try cursor.moveToFirst()
        }
        while isAtEntry {
            let key = cursor.key.withUnsafeBytes { Array($0) }
            let (number, chunk) = try numbers(inKey: key)
            if number > last { break }
            guard let content = SealedChunk.content(of: cursor.value.withUnsafeBytes { Array($0) }, key: key) else {
                throw StorageError(.damagedHistory("the checksum of a part of save \(number) is wrong"))
            }
            if number != current {
                if let current, try !body(current, bytes) { return }
                (current, chunks) = (number, 0)
                bytes.removeAll(keepingCapacity: true)
            }
            guard chunk == chunks else { throw StorageError(.damagedHistory("save \(number) lacks a chunk")) }
            chunks &+= 1
            bytes += content
            isAtEntry = try cursor.next()
        }
        if let current { _ = try body(current, bytes) }
    }

    /// The numbers of the save and the chunk in a key.
    static func numbers(inKey key: [UInt8]) throws -> (save: UInt64, chunk: UInt32) {
        guard key.count == 12 else { throw StorageError(.damagedHistory("a key has a wrong length")) }
        return (
            key.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) },
            key.suffix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        )
    }

    /// The saves above a number, decoded, in order. O(bytes of their entries), all in memory.
    ///
    /// - Throws: `damagedHistory` where a chunk is missing or its checksum is wrong, or an entry cannot be read.
    package static func entries(in snapshot: Snapshot, after save: UInt64) throws -> [HistoryEntry] {
        var entries: [HistoryEntry] = []
        try forEachSave(in: snapshot.transaction, snapshot.databases.history, after: save) { save, bytes in
            entries.append(try HistoryEntry.decode(bytes, save: save))
            return true
        }
        return entries
    }

    /// The saves after the lower bounds and up to the upper ones, decoded, in order. Nil where the history does not
    /// have them all, or where they, their rows and their links together are more than 65,536, so that a follower does
    /// not read more than that and one save. O(bytes of the entries between the first and the last).
    ///
    /// - Throws: `damagedHistory` where a chunk between the first and the last save is missing or its checksum is
    ///   wrong, or an entry cannot be read.
    package static func entries(in snapshot: Snapshot, of gaps: [Range<UInt64>]) throws -> [HistoryEntry]? {
        let gaps = merged(gaps)
        guard let first = gaps.first?.lowerBound, let last = gaps.last?.upperBound else { return [] }
        var entries: [HistoryEntry] = []
        var (rowCount, gap) = (0, 0)
        try forEachSave(in: snapshot.transaction, snapshot.databases.history, after: first, through: last) {
            save, bytes in
            while gap < gaps.count, gaps[gap].upperBound < save { gap += 1 }
            guard gap < gaps.count, rowCount <= HistoryEntry.mostRows else { return false }
            guard gaps[gap].lowerBound < save else { return true }
            entries.append(try HistoryEntry.decode(bytes, save: save))
            rowCount += 1 + (entries.last.map { $0.rows.count + $0.links.count } ?? 0)
            return true
        }
        let wanted = gaps.reduce(UInt64(0)) { $0 + ($1.upperBound - $1.lowerBound) }
        return rowCount <= HistoryEntry.mostRows && UInt64(entries.count) == wanted ? entries : nil
    }

    /// The ranges of the same saves that do not overlap or touch, ascending.
    private static func merged(_ ranges: [Range<UInt64>]) -> [Range<UInt64>] {
        var merged: [Range<UInt64>] = []
        for range in ranges.filter({ !$0.isEmpty }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return merged
    }
}
