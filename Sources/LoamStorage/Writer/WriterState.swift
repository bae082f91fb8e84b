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
    /// The generation of the catalog that the transaction began with.
    private let firstGeneration: UInt64
    /// One writer per index, which jobs that share the transaction use one after the other.
    private var indexWriters: [IndexID: IndexWriterReference]

    /// - Parameter indexWriters: those of earlier transactions, for their memory.
    init(
        databases: StoreDatabases, catalog: Catalog, counters: StoreCounters, time: Double,
        retention: HistoryRetention, indexWriters: IndexWriters
    ) {
        firstGeneration = catalog.generation
        self.indexWriters = indexWriters.take(generation: catalog.generation)
        self.retention = retention
        self.databases = databases
        self.catalog = catalog
        self.counters = counters
        self.time = time
    }
}

extension WriterState {
    /// The runs of blocks, by index, whose sums the jobs have put or deleted through ``apply(_:to:in:)``.
    var writtenRuns: [IndexID: [[UInt8]]] {
        indexWriters.compactMapValues { $0.writer.writtenRuns.isEmpty ? nil : $0.writer.writtenRuns }
    }

    /// The writers, which it then has no more; none where a job has changed the schema.
    fileprivate func giveIndexWriters() -> [IndexID: IndexWriterReference] {
        defer { indexWriters = [:] }
        return catalog.generation == firstGeneration ? indexWriters : [:]
    }

    /// Makes changes, which are sorted, to an index.
    func apply(_ changes: EntryBuffer, to index: IndexAccess, in transaction: inout WriteTransaction) throws {
        let reference: IndexWriterReference
        if let known = indexWriters[index.index.id] {
            reference = known
        } else {
            reference = IndexWriterReference(index, databases: databases.blocks)
            indexWriters[index.index.id] = reference
        }
        try reference.writer.apply(changes, isTolerant: index.index.state == .building, in: &transaction)
    }
}

/// The writers of indexes between two transactions: what they have grown to is not allocated for each save anew.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `kept` | confinement: the store's writer, one transaction at a time | it, around each | a transaction that fails or changes the schema, another process that does, or the store is closed |
final class IndexWriters: @unchecked Sendable {
    private var kept: (generation: UInt64, writers: [IndexID: IndexWriterReference]) = (0, [:])

    /// What the writers may hold together: enough for a dozen indexes and more, and not for what a large batch takes.
    private static let mostBytes = 1 << 20

    /// Hands over the writers to a transaction that begins with this generation of the catalog. Those of one that fails
    /// do not come back.
    fileprivate func take(generation: UInt64) -> [IndexID: IndexWriterReference] {
        defer { kept = (0, [:]) }
        return kept.generation == generation ? kept.writers : [:]
    }

    /// Takes over the writers of a transaction that is committed, once its ``WriterState/writtenRuns`` are read; where
    /// they hold too much together, the smallest of them. O(indexes), and O(indexes x log indexes) for too much.
    func keep(_ state: WriterState) {
        var writers = state.giveIndexWriters()
        for reference in writers.values { reference.writer.forgetWrittenRuns() }
        if writers.values.reduce(0, { $0 + $1.writer.byteCount }) > Self.mostBytes {
            var byteCount = 0
            for (id, reference) in writers.sorted(by: { $0.value.writer.byteCount < $1.value.writer.byteCount }) {
                byteCount += reference.writer.byteCount
                if byteCount > Self.mostBytes { writers[id] = nil }
            }
        }
        kept = (state.catalog.generation, writers)
    }
}

private final class IndexWriterReference {
    // Nobody else has it while the writer of a transaction uses it.
    @exclusivity(unchecked) var writer: IndexWriter

    init(_ index: IndexAccess, databases: IndexDatabases) {
        writer = IndexWriter(shape: index.blockShape, databases: databases)
    }
}
