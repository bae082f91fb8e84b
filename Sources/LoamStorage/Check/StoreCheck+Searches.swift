import LMDB

extension StoreCheck {
    /// Whether keys are in order, and searches lead where they lie, in every database. A walk goes from page to page:
    /// it does not see that the pages above lead a search elsewhere. One search for each page, beside a walk over all
    /// keys.
    mutating func checkSearches(in transaction: borrowing ReadTransaction) {
        progress?("searches")
        do {
            for name in try transaction.databaseNames() {
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

    private func searchesLeadHome(
        in database: Database, _ transaction: borrowing ReadTransaction
    ) throws -> Bool {
        var walk = try transaction.cursor(in: database)
        var search = try transaction.cursor(in: database)
        var (page, previous) = (UInt(0), UnsafeRawBufferPointer(start: nil, count: 0))
        var previousNumber: UInt64?
        var isAtEntry = try walk.moveToFirst()
        while isAtEntry {
            // Lies in the map for as long as the transaction.
            let key = walk.key.withUnsafeBytes { $0 }
            if database.hasIntegerKeys {
                if let previousNumber, walk.integerKey <= previousNumber { return false }
                previousNumber = walk.integerKey
            } else {
                if previous.baseAddress != nil, !previous.isBelow(key) { return false }
                previous = key
            }
            let address = UInt(bitPattern: key.baseAddress)
            if address >> 12 != page {
                page = address >> 12
                let isFound =
                    database.hasIntegerKeys ? try search.seek(to: walk.integerKey) : try search.seek(to: walk.key)
                guard isFound, search.key.withUnsafeBytes({ UInt(bitPattern: $0.baseAddress) == address }) else {
                    return false
                }
            }
            isAtEntry = try walk.next()
        }
        return true
    }
}
