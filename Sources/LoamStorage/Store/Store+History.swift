import LMDB

extension Store {
    /// Takes saves out of the history, in steps between which others may save. Those that are trimmed already, or are
    /// not there, are passed over.
    ///
    /// - Parameter saves: their numbers, in any order.
    /// - Throws: ``StorageError`` where the store cannot be written; what was taken out by then stays out.
    package func deleteHistory(of saves: [UInt64]) throws {
        let sorted = saves.sorted()
        var left = sorted[...]
        while !left.isEmpty {
            let (step, done) = (left, Box<Int>())
            try run(
                WriterJob(isDeletion: true) { transaction, state in
                    done.value = try HistoryDeletion.step(step, of: state, in: &transaction)
                })
            left = left.dropFirst(max(done.value ?? 0, 1))
        }
    }
}
