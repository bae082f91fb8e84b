import LMDB

/// Keeps the history within its age and size, a few saves at a time, inside the writer's transactions.
enum HistoryTrimmer {
    /// Saves between two looks at the history's age and size.
    private static let interval: UInt64 = 64
    /// The chunks deleted at a time: what bounds the pages that one save pays for others. A save goes wholly or not
    /// at all, so the last one may exceed it.
    private static let stepChunks = 512

    /// - Parameter chunks: what the save at hand has written; a long one trims at once, more than it adds.
    static func trim(
        in transaction: inout WriteTransaction, state: WriterState, retention: HistoryRetention, after chunks: Int
    ) throws {
        let isLong = chunks >= stepChunks / Int(interval)
        guard state.counters.lastSave % interval == 0 || isLong else { return }
        let mostChunks = max(stepChunks, 2 * chunks)
        let database = state.databases.history
        var excess = try transaction.statistics(of: database).bytes - retention.bytes
        var keys: [[UInt8]] = []
        do {
            var cursor = try transaction.cursor(in: database)
            var isAtEntry = try cursor.moveToFirst()
            var isOld = false
            while isAtEntry {
                let key = cursor.key.withUnsafeBytes { Array($0) }
                if key.suffix(4) == [0, 0, 0, 0] {
                    let chunk = cursor.value.withUnsafeBytes { Array($0) }
                    let content = SealedChunk.content(of: chunk, key: key)
                    let time = content.flatMap { HistoryEntry.time(ofFirstChunk: Array($0)) }
                    isOld = time.map { state.time - $0 > retention.seconds } ?? false
                    guard keys.count < mostChunks, isOld || excess > 0 else { break }
                }
                excess -= cursor.value.byteCount
                keys.append(key)
                isAtEntry = try cursor.next()
            }
        }
        for key in keys { _ = try transaction.delete(key.span.bytes, in: database) }
    }

    /// Forgets all saves before one that is not kept: whoever reads on from an older save is told that the history does
    /// not have it, where a hole would be passed over. O(pages of the history), once.
    static func end(in transaction: inout WriteTransaction, state: WriterState) throws {
        let database = state.databases.history
        if try transaction.statistics(of: database).entries > 0 { try transaction.empty(database) }
    }
}

/// How much history a store keeps.
struct HistoryRetention: Sendable, Hashable {
    var seconds: Double
    var bytes: Int

    /// Whether saves are written down at all.
    var isKept: Bool { bytes > 0 }
}
