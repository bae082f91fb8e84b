import LMDB

/// What the jobs of one write transaction share: the catalog as it stands in the transaction, and the counters.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | everything here | confinement: one attempt, one thread | the jobs of the attempt | commit or abort |
final class WriterState {
    let databases: StoreDatabases
    var catalog: Catalog
    var counters: StoreCounters
    /// Whether the job that runs has changed the transaction: its failure then undoes its neighbours too.
    var hasWritten = false
    /// Run after the commit, before anybody learns of it.
    var didCommit: [@Sendable () -> Void] = []
    /// Seconds since 2001, one time for all saves of a transaction.
    let time: Double

    let retention: HistoryRetention

    init(
        databases: StoreDatabases, catalog: Catalog, counters: StoreCounters, time: Double,
        retention: HistoryRetention
    ) {
        self.retention = retention
        self.databases = databases
        self.catalog = catalog
        self.counters = counters
        self.time = time
    }
}

/// The databases that every store has.
struct StoreDatabases: Sendable {
    let catalog: Database
    let indexes: Database
    let counters: Database
    let history: Database

    var blocks: IndexDatabases { IndexDatabases(indexes: indexes, counters: counters) }
}
