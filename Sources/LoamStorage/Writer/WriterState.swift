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
    /// Records that the job that runs has read to tell apart rows with the same key in a unique index.
    var comparedRecords = 0
    /// What the hub tells of the commit: each save adds its own.
    var changes = CommitChanges()
    /// The number under which the commit was announced to the hub.
    var announcement: UInt64?
    /// The number of the transaction, where it is sure to be used up by the commit, and ``writtenRuns`` are all runs of
    /// blocks that change with it.
    var savedIn: Int?
    /// Run after the commit, before anybody learns of it.
    var didCommit: [@Sendable () -> Void] = []
    /// Seconds since 2001, one time for all saves of a transaction.
    let time: Double

    let retention: HistoryRetention
    /// The memory of one writer per index, which jobs that share the transaction use one after the other.
    private var indexWriters: [IndexID: IndexWriterReference] = [:]

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

extension WriterState {
    /// The runs of blocks, by index, whose sums the jobs have put or deleted through ``apply(_:to:in:)``.
    var writtenRuns: [IndexID: [[UInt8]]] { indexWriters.mapValues { $0.writer.writtenRuns } }

    /// Makes changes, which are sorted, to an index.
    func apply(_ changes: EntryBuffer, to index: IndexAccess, in transaction: inout WriteTransaction) throws {
        let reference = indexWriters[index.index.id] ?? IndexWriterReference(index, databases: databases.blocks)
        indexWriters[index.index.id] = reference
        try reference.writer.apply(changes, isTolerant: index.index.state == .building, in: &transaction)
    }
}

private final class IndexWriterReference {
    var writer: IndexWriter

    init(_ index: IndexAccess, databases: IndexDatabases) {
        writer = IndexWriter(shape: index.blockShape, databases: databases)
    }
}
