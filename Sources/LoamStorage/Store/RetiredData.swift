import LMDB

/// Deletes the blocks of dropped indexes and the databases of removed entities.
enum RetiredData {
    /// Values deleted per transaction: each dirties a page at most.
    private static let stepValues = 512

    /// Deletes as much as one transaction may. Returns whether nothing is left to delete.
    static func sweep(in transaction: inout WriteTransaction, state: WriterState) throws -> Bool {
        let document = state.catalog.document
        if let index = document.retiredIndexes.first {
            state.hasWritten = true
            let isDone = try IndexWriter.removeAll(
                of: index, in: &transaction, databases: state.databases.blocks, atMost: stepValues)
            guard isDone else { return false }
            try IndexDistribution.delete(index, from: state.catalog.statistics, in: &transaction)
            try CatalogStorage.change(in: &transaction, state: state) { $0.retiredIndexes.removeAll { $0 == index } }
            return false
        }
        if let entity = document.retiredEntities.first {
            state.hasWritten = true
            for name in [Keyspace.records(of: entity), Keyspace.longValues(of: entity)] {
                if let database = try transaction.database(named: name) { try transaction.drop(database) }
            }
            try CatalogStorage.change(in: &transaction, state: state) { $0.retiredEntities.removeAll { $0 == entity } }
            return false
        }
        if let table = document.retiredLinks?.first {
            state.hasWritten = true
            if let database = try transaction.database(named: Keyspace.links(table)) { try transaction.drop(database) }
            try CatalogStorage.change(in: &transaction, state: state) { document in
                let left = (document.retiredLinks ?? []).filter { $0 != table }
                document.retiredLinks = left.isEmpty ? nil : left
            }
            return false
        }
        return true
    }
}
