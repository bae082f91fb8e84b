import LMDB

extension StoreCheck {
    /// Whether keys are in order, and searches lead where they lie, in every database that somebody reads. A walk goes from page to page:
    /// it does not see that the pages above lead a search elsewhere. Two searches for each page, beside a walk over all
    /// keys.
    mutating func checkSearches(in transaction: borrowing ReadTransaction) {
        progress?("searches")
        do {
            let retired = Set(snapshot.catalog.document.retiredDatabases)
            for name in try transaction.databaseNames() where !retired.contains(name) {
                guard let database = try transaction.database(named: name) else { continue }
                if try !searchesLeadHome(in: database, transaction) {
                    report.add(
                        .init("The pages of database \(name) are damaged: a search does not find a key that is there."))
                }
            }
        } catch {
            report.add(error)
        }
    }

    private func searchesLeadHome(in database: Database, _ transaction: borrowing ReadTransaction) throws -> Bool {
        var walk = try transaction.cursor(in: database)
        var previous: UnsafeRawBufferPointer?
        var isAtEntry = try walk.moveToFirst()
        while isAtEntry {
            let key = walk.key.withUnsafeBytes { $0 }
            guard !database.hasIntegerKeys || key.count == MemoryLayout<UInt64>.size else { return false }
            if let previous {
                let isAbove =
                    database.hasIntegerKeys
                    ? previous.loadUnaligned(as: UInt64.self) < key.loadUnaligned(as: UInt64.self)
                    : previous.isBelow(key)
                guard isAbove else { return false }
                // The last key of a page, and the first of the next: the bounds above lie between them.
                let isOnePage = UInt(bitPattern: previous.baseAddress) >> 12 == UInt(bitPattern: key.baseAddress) >> 12
                if !isOnePage {
                    guard try finds(previous, in: database, transaction), try finds(key, in: database, transaction)
                    else { return false }
                }
            } else {
                guard try finds(key, in: database, transaction) else { return false }
            }
            previous = key
            isAtEntry = try walk.next()
        }
        guard let previous else { return true }
        return try finds(previous, in: database, transaction)
    }

    /// Whether a search ends at the very bytes of a key. Keys lie in the map for as long as the transaction.
    private func finds(
        _ key: UnsafeRawBufferPointer, in database: Database, _ transaction: borrowing ReadTransaction
    ) throws -> Bool {
        var cursor = try transaction.cursor(in: database)
        let isFound =
            database.hasIntegerKeys
            ? try cursor.seek(to: key.loadUnaligned(as: UInt64.self)) : try cursor.seek(to: key.bytes)
        return isFound && cursor.key.withUnsafeBytes { $0.baseAddress == key.baseAddress }
    }
}
