import Foundation
import LMDB

/// An open store: entities in one LMDB file, read by snapshots on any thread and written by one writer.
///
/// ```swift
/// let store = try Store.open(path: "flights.loam")
/// try store.apply(.addEntity(EntityDefinition("Flight", properties: [PropertyDefinition("dest", .string)])))
/// let flight = try store.catalog().entity(named: "Flight")
/// var batch = WriteBatch(author: "example")
/// let record = try store.catalog().encode(["dest": .string("HNL")], as: "Flight")
/// batch.insert(record, into: flight.id, rowID: try store.makeRowID())
/// try store.save(batch)
/// ```
///
/// One file is opened once per process: a second `open` of it, also by another path, shares the environment. A forked
/// child is refused. The store is closed when the last reference to it goes. All methods may be called on any thread.
package final class Store: Sendable {
    package let path: String
    package let options: StoreOptions
    let environment: Environment
    let cache: CatalogCache
    let writer: Writer
    /// Tells of every commit that this process makes to the file, through whichever store.
    package let changes: ChangeHub
    private let lease = RowIDLease()
    /// The sums of indexes, from snapshot to snapshot.
    private let sums = KeptSums()

    /// - Parameter changes: who is told of its commits; the file's hub where nil.
    init(
        path: String, options: StoreOptions, environment: Environment, cache: CatalogCache, changes: ChangeHub? = nil
    ) {
        self.path = path
        self.options = options
        self.environment = environment
        self.cache = cache
        let changes = changes ?? ChangeHub.of(environment)
        self.changes = changes
        let indexWriters = IndexWriters()
        writer = Writer(
            environment: environment, durability: options.durability, hub: changes,
            makeState: { try cache.writerState(in: &$0, indexWriters: indexWriters) },
            didCommit: { [sums] state in
                cache.replace(state.catalog)
                if let transaction = state.savedIn { sums.note(state.writtenRuns, transaction: transaction) }
                indexWriters.keep(state)
            })
    }

    var databases: StoreDatabases { cache.databases }

    /// The catalog as the store has it now, also when another process changed it.
    ///
    /// - Throws: as ``read(_:)``.
    package func catalog() throws -> Catalog {
        try read { $0.catalog }
    }

    /// Runs the closure over one consistent state of the store, the newest.
    ///
    /// Costs about a microsecond besides the closure. The snapshot must not be kept; a save inside the closure throws.
    ///
    /// - Throws: what the closure throws; ``LMDBError`` where no read can be begun (`forked`, `readersFull`,
    ///   `panic`); `damagedCatalog`, `newerStore` or `olderStore` where another process has written a catalog that
    ///   cannot be read.
    package func read<R>(_ body: (Snapshot) throws -> R) throws -> R {
        try body(snapshot())
    }

    /// A copy of the newest state of a record; nil where there is no such row. As ``Snapshot/detachedRecord(_:of:)``,
    /// without making a snapshot for one look-up.
    ///
    /// - Throws: as ``read(_:)``; `unknownEntity`; `damagedRecord` where the record's header, layout, length or
    ///   checksum is wrong.
    package func detachedRecord(_ rowID: RowID, of entity: EntityID) throws -> DetachedRecord? {
        if let record = try knownRecord(rowID, of: entity) { return record }
        return try read { try $0.detachedRecord(rowID, of: entity) }
    }

    /// The record of a row; nil where the row, or what it takes to read it, is not there.
    private func knownRecord(_ rowID: RowID, of entity: EntityID) throws -> DetachedRecord? {
        let transaction = try environment.beginRead()
        guard let access = try cache.catalog(in: transaction, environment: environment)?.access(entity),
            !access.isHidden(rowID), let bytes = try transaction.value(for: rowID, in: access.records)
        else { return nil }
        return try bytes.withUnsafeBytes { try DetachedRecord.Source(access).copy($0, rowID: rowID) }
    }

    func snapshot() throws -> Snapshot {
        for _ in 0..<2 {
            let transaction = try environment.beginRead()
            if let catalog = try cache.catalog(in: transaction, environment: environment) {
                return Snapshot(in: transaction, catalog: catalog, databases: databases, keptSums: sums)
            }
            _ = consume transaction
            try environment.openNewDatabases()
        }
        throw StorageError(.damagedCatalog("the databases of an entity are missing"))
    }

    // MARK: Saves

    /// Saves a batch and blocks until it is as durable as the store's options say.
    ///
    /// - Throws: what is wrong with this batch, which batches that shared its transaction do not see: `newerSchema`,
    ///   `conflict`, `rowMissing`, `rowExists`, `uniqueViolation`, `missingValue`, `targetMissing`, `deletionDenied`
    ///   and their kin; or why nothing could be saved: `readOnlyStore`, `saveInsideRead`, `noMoreSaves`, damage, and
    ///   ``LMDBError``. Nothing of the batch is stored then.
    @discardableResult
    package func save(_ batch: WriteBatch) throws -> SaveResult {
        let job = BatchJob(batch)
        try run(WriterJob(isDeletion: job.isDeletion, isSave: true, body: job.run))
        guard let result = job.takeResult() else { throw StorageError(.storeClosed) }
        return result
    }

    /// Saves a batch, as the form that blocks does. It suspends the task instead of holding the thread.
    ///
    /// - Throws: as the form that blocks. Cancellation is not looked at.
    @discardableResult
    package func save(_ batch: WriteBatch) async throws -> SaveResult {
        let job = BatchJob(batch)
        try requireWritable()
        try await writer.run(WriterJob(isDeletion: job.isDeletion, isSave: true, body: job.run))
        guard let result = job.takeResult() else { throw StorageError(.storeClosed) }
        return result
    }

    /// Throws what ``save(_:)`` would throw now by what the store holds, and writes none of the batch.
    ///
    /// Waits for the writer and costs what the checks of a save cost. Nothing is promised of a save that comes later:
    /// others may have saved in between, and there may be no room to write.
    package func rehearse(_ batch: WriteBatch) throws {
        try run(rehearsal(of: batch))
    }

    /// A job that changes no blocks of indexes, so that saves may share its transaction and stay known as such.
    func rehearsal(of batch: WriteBatch) -> WriterJob {
        WriterJob(isSave: true, body: BatchJob(batch, isRehearsal: true).run)
    }

    func run(_ job: WriterJob) throws {
        try requireWritable()
        guard !environment.isReadingOnThisThread else { throw StorageError(.saveInsideRead) }
        try writer.run(job)
    }

    /// A forked child is refused before it waits for a writer that is not there: threads are not inherited.
    func requireWritable() throws {
        try environment.checkProcess(thoroughly: true)
        guard !options.isReadOnly else { throw StorageError(.readOnlyStore) }
    }

    // MARK: Row ids

    /// A row id that no other row of the store has, had or will have.
    ///
    /// Ids are leased 4,096 at a time; the one call that finds the lease used up waits for a synced commit.
    ///
    /// - Throws: `readOnlyStore`, `saveInsideRead`, `noMoreRowIDs`, and what the synced commit throws, as a full
    ///   disk; only where the lease is used up. `forked` in a child process.
    package func makeRowID() throws -> RowID {
        // The ids that a forked child has inherited are its parent's.
        try environment.checkProcess()
        while true {
            switch lease.take() {
            case .rowID(let id, let shouldRenew):
                if shouldRenew { writer.enqueue(leaseJob { [lease] in lease.renewalFailed() }) }
                return id
            case .mustLease:
                try run(leaseJob {})
            }
        }
    }

    private func leaseJob(onFailure: @escaping @Sendable () -> Void) -> WriterJob {
        let lease = lease
        return WriterJob(mustBeDurable: true, isSave: true) { _, state in
            do {
                let range = try state.takeRowIDs(RowIDLease.size)
                state.didCommit.append { lease.add(range) }
            } catch {
                onFailure()
                throw error
            }
        }
    }

    /// Takes all row ids up to this one that were not given out yet, in one synced transaction. Returns an empty
    /// range where all of them were.
    ///
    /// - Throws: `readOnlyStore`, `saveInsideRead`, `noMoreRowIDs`, and what the commit throws; no id is taken then.
    package func reserveRowIDs(through last: RowID) throws -> Range<RowID> {
        let box = Box<Range<RowID>>()
        try run(
            WriterJob(mustBeDurable: true, isSave: true) { _, state in
                let next = state.counters.nextRow
                let range = try state.takeRowIDs(last < next ? 0 : last - next + 1)
                state.didCommit.append { box.value = range }
            })
        guard let range = box.value else { throw StorageError(.storeClosed) }
        return range
    }

    /// Gives row ids back that no row has. They are lost where others were given out since.
    func giveBackRowIDs(_ range: Range<RowID>) throws {
        guard !range.isEmpty else { return }
        try run(WriterJob { _, state in state.giveBack(range) })
    }

    /// Takes consecutive row ids in one synced transaction.
    func leaseRowIDs(_ count: UInt64) throws -> Range<RowID> {
        let box = Box<Range<RowID>>()
        try run(
            WriterJob(mustBeDurable: true, isSave: true) { _, state in
                let range = try state.takeRowIDs(count)
                state.didCommit.append { box.value = range }
            })
        guard let range = box.value else { throw StorageError(.storeClosed) }
        return range
    }
}

extension WriterState {
    /// Takes row ids that nobody has had, by raising the row-id mark.
    func takeRowIDs(_ count: UInt64) throws -> Range<RowID> {
        let (end, overflow) = counters.nextRow.addingReportingOverflow(count)
        guard !overflow else { throw StorageError(.noMoreRowIDs) }
        defer { counters.nextRow = end }
        return counters.nextRow..<end
    }

    /// Lowers the row-id mark again, where no others were given out since.
    func giveBack(_ rows: Range<RowID>) {
        if counters.nextRow == rows.upperBound { counters.nextRow = rows.lowerBound }
    }
}
