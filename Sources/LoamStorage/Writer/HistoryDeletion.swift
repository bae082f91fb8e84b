import LMDB

/// Takes saves out of the history, a few at a time, inside the writer's transactions.
///
/// What is kept has no gaps: those who follow the store by the numbers of saves tell from that whether they were told
/// of all. So the first saves go as such, and any other stays as a mark of a few bytes without author, rows and links,
/// which tells followers that its entities were rewritten.
enum HistoryDeletion {
    /// The chunks deleted at a time: what bounds the pages that a waiting save pays for. One save may exceed it.
    private static let stepChunks = 512

    /// Deletes or empties the first of the saves. Those that the history does not have are passed over.
    ///
    /// - Parameter saves: ascending.
    /// - Returns: how many of them are done.
    static func step(
        _ saves: ArraySlice<UInt64>, of state: WriterState, in transaction: inout WriteTransaction
    ) throws -> Int {
        let history = state.databases.history
        var (done, chunks) = (0, 0)
        for save in saves where chunks < stepChunks {
            let keys = try keys(of: save, in: transaction, history)
            if !keys.isEmpty {
                let isFirst = try HistoryReader.firstSave(in: transaction, history) == save
                let mark = isFirst ? nil : try mark(of: save, state, in: transaction)
                state.hasWritten = true
                for key in keys { _ = try transaction.delete(key.span.bytes, in: history) }
                if let mark { try HistoryWriter.write(mark, to: history, in: &transaction) }
            }
            done += 1
            chunks += keys.count
        }
        return done
    }

    private static func keys(
        of save: UInt64, in transaction: borrowing WriteTransaction, _ history: Database
    ) throws -> [[UInt8]] {
        var keys: [[UInt8]] = []
        var cursor = try transaction.cursor(in: history)
        let first = Keyspace.history(save: save, chunk: 0)
        var isAtEntry = try cursor.seek(atLeast: first.span.bytes)
        while isAtEntry {
            let key = cursor.key.withUnsafeBytes { Array($0) }
            guard try HistoryReader.numbers(inKey: key).save == save else { break }
            keys.append(key)
            isAtEntry = try cursor.next()
        }
        return keys
    }

    /// What stays of a save that others stand before.
    private static func mark(
        of save: UInt64, _ state: WriterState, in transaction: borrowing WriteTransaction
    ) throws -> HistoryEntry {
        var mark = HistoryEntry(save: save, author: nil, time: state.time)
        try HistoryReader.forEachSave(
            in: transaction, state.databases.history, after: save - 1, through: save
        ) { _, bytes in
            let entry = try HistoryEntry.decode(bytes, save: save)
            mark.time = entry.time
            var entities = Set(entry.rewritten).union(entry.rows.lazy.map(\.entity))
            for relationship in Set(entry.links.lazy.map(\.relationship)) {
                guard let side = state.catalog.schema.relationship(withID: relationship) else { continue }
                entities.formUnion([side.entity.id, side.relationship.destination])
            }
            mark.rewritten = entities.sorted()
            return false
        }
        mark.isEmptied = true
        return mark
    }
}
