import Foundation
import LMDB
import Synchronization

/// The newest catalog that this process has met, and the way to another generation's.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `cached` | its mutex | whoever meets another generation; the writer after a commit | the store is closed |
/// | `newest` | itself | under that mutex | the store is closed |
final class CatalogCache: Sendable {
    let databases: StoreDatabases
    private let retention: HistoryRetention
    private let cached: Mutex<Catalog>
    /// The generation of what is cached, for those who have it already.
    private let newest: Atomic<UInt64>

    init(databases: StoreDatabases, catalog: Catalog, retention: HistoryRetention) {
        self.retention = retention
        self.databases = databases
        cached = Mutex(catalog)
        newest = Atomic(catalog.generation)
    }

    var knownGeneration: UInt64 { newest.load(ordering: .acquiring) }

    var known: Catalog { cached.withLock { $0 } }

    func replace(_ catalog: Catalog) {
        cached.withLock {
            guard catalog.generation > $0.generation else { return }
            $0 = catalog
            newest.store(catalog.generation, ordering: .releasing)
        }
    }

    /// The catalog of a read transaction: the cached one, unless its generation is another. Nil when the process has no
    /// handle yet for a database that the catalog names.
    func catalog(in transaction: borrowing ReadTransaction, environment: Environment) throws -> Catalog? {
        guard let generation = try CatalogStorage.generation(in: transaction, from: databases.catalog) else {
            throw StorageError(.notAStore)
        }
        let known = cached.withLock { $0 }
        if known.generation == generation { return known }
        let document = try CatalogStorage.document(in: transaction, from: databases.catalog)
        guard try document.recordDatabases.allSatisfy({ try environment.database(named: $0) != nil }) else {
            return nil
        }
        let catalog = try Catalog(document: document, generation: generation) {
            try environment.database(named: $0)
        }
        replace(catalog)
        return catalog
    }

    /// What the jobs of a write transaction begin with.
    ///
    /// - Parameter indexWriters: those that earlier transactions of the store have used.
    func writerState(in transaction: inout WriteTransaction, indexWriters: IndexWriters) throws -> WriterState {
        guard let generation = try CatalogStorage.generation(in: transaction, from: databases.catalog) else {
            throw StorageError(.notAStore)
        }
        var catalog = cached.withLock { $0 }
        if catalog.generation != generation {
            let document = try CatalogStorage.document(in: transaction, from: databases.catalog)
            catalog = try CatalogStorage.catalog(document, generation: generation, in: &transaction)
        }
        return WriterState(
            databases: databases, catalog: catalog,
            counters: try StoreCounters.read(in: transaction, from: databases.counters), time: Date().seconds,
            retention: retention, indexWriters: indexWriters)
    }
}
