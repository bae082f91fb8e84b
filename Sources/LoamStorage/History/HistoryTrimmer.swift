import LMDB

/// Keeps the history within its age and size, a few saves at a time, inside the writer's transactions.
enum HistoryTrimmer {
    /// Saves between two looks at the history's age and size.
    private static let interval: UInt64 = 64
    /// The most chunks deleted at a time: what bounds the pages that one save pays for others.
    private static let stepChunks = 512

    static func trim(
        _ transaction: inout WriteTransaction, _ state: WriterState, retention: HistoryRetention
    ) throws {
        guard state.counters.lastSave % interval == 0 else { return }
        let database = state.databases.history
        var excess = try transaction.statistics(of: database).bytes - retention.bytes
        var keys: [[UInt8]] = []
        do {
            var cursor = try transaction.cursor(in: database)
            var isPlaced = try cursor.moveToFirst()
            var isOld = false
            while isPlaced, keys.count < stepChunks {
                let key = cursor.key.withUnsafeBytes { Array($0) }
                if key.suffix(4) == [0, 0, 0, 0] {
                    let chunk = cursor.value.withUnsafeBytes { Array($0) }
                    let content = SealedChunk.content(of: chunk, key: key)
                    let time = content.flatMap { HistoryEntry.time(ofFirstChunk: Array($0)) }
                    isOld = time.map { state.time - $0 > retention.seconds } ?? false
                }
                guard isOld || excess > 0 else { break }
                excess -= cursor.value.byteCount
                keys.append(key)
                isPlaced = try cursor.next()
            }
        }
        for key in keys { _ = try transaction.delete(key.span.bytes, in: database) }
    }
}

/// How much history a store keeps.
struct HistoryRetention: Sendable, Hashable {
    var seconds: Double
    var bytes: Int
}
