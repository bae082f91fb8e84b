import LMDB

extension StoreCheck {
    /// Whether what is known of indexes is whole, and of indexes that there are. Whether it is still true is no matter.
    mutating func checkStatistics(in transaction: borrowing ReadTransaction) {
        let document = snapshot.catalog.document
        let indexes = snapshot.catalog.entities.values.flatMap(\.entity.indexes)
        var known = Dictionary(indexes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for id in document.retiredIndexes { known[id] = nil }
        do {
            guard let database = try transaction.database(snapshot.catalog.statistics) else { return }
            var cursor = try transaction.cursor(in: database)
            var isAtEntry = try cursor.moveToFirst()
            while isAtEntry {
                let key = cursor.key.withUnsafeBytes { Array($0) }
                let id = key.count == 4 ? key.reduce(IndexID(0)) { $0 << 8 | IndexID($1) } : 0
                if let index = known[id] {
                    try check(cursor.value.withUnsafeBytes { Array($0) }, key: key, of: index)
                } else if !document.retiredIndexes.contains(id) {
                    report.add(.init("There are statistics of an unknown index, \(id)."))
                }
                isAtEntry = try cursor.next()
            }
        } catch {
            report.add(error)
        }
    }

    private mutating func check(_ value: [UInt8], key: [UInt8], of index: Index) throws {
        do {
            let distribution = try IndexDistribution.decode(value, key: key)
            guard distribution.distinct.count == index.components.count else {
                throw StorageError(.damagedStatistics("they are of other components"))
            }
        } catch {
            report.add(error, index: index.name)
        }
    }
}
