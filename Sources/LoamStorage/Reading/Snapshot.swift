import LMDB

/// One consistent state of a store: rows by id, rows in order, and indexes by range, position and section.
///
/// Everything that it hands to a closure is borrowed from the file and gone when the closure returns. A snapshot is
/// used by one thread at a time. It holds back the reuse of pages that later saves free, so it should be short.
package final class Snapshot {
    package let catalog: Catalog
    let transaction: ReadTransaction
    let databases: StoreDatabases
    private var sums: [IndexID: IndexSums] = [:]
    /// The indexes of which entries were counted, with their sums: few, so that looking through them costs less than
    /// looking them up.
    private var counted: [(access: IndexAccess, sums: IndexSums)] = []
    private let keptSums: KeptSums
    /// Runs of blocks whose sums were read from the file.
    package private(set) var runsRead = 0
    /// Ranges whose entries were counted for an estimate, by a look at their blocks.
    package internal(set) var rangesCounted = 0
    private var knownSave: UInt64?
    /// The entity that was asked for last, which is mostly the next one too.
    private var recent: EntityAccess?
    /// What the catalog has attached, once it was asked for.
    private var attached: AnyObject?
    /// The memory of scans that are over; more of it is behind the first.
    private var idleMemory: BatchMemory?

    init(
        in transaction: consuming ReadTransaction, catalog: Catalog, databases: StoreDatabases, keptSums: KeptSums
    ) {
        self.keptSums = keptSums
        self.transaction = transaction
        self.catalog = catalog
        self.databases = databases
    }

    package var schema: Schema { catalog.schema }

    /// What is attached to the catalog (``Catalog/attachment(_:)``), looked up once for a snapshot.
    package func attachment<A: AnyObject & Sendable>(_ make: () -> A) -> A {
        if let known = attached as? A { return known }
        let found = catalog.attachment(make)
        attached = found
        return found
    }

    /// The entity with a name, as this state of the store has it.
    ///
    /// - Throws: `unknownEntity` where there is none.
    package func entity(named name: String) throws -> Entity {
        try catalog.access(named: name).entity
    }

    /// The number of the last save in this state, which is read once.
    ///
    /// - Throws: `damagedCatalog` where the number is missing or its checksum is wrong.
    package func lastSave() throws -> UInt64 {
        if let knownSave { return knownSave }
        let save = try StoreCounters.read(in: transaction, from: databases.counters).lastSave
        knownSave = save
        return save
    }

    func access(_ entity: Entity) throws -> EntityAccess { try access(entity.id) }

    func access(_ entity: EntityID) throws -> EntityAccess {
        if let recent, recent.entity.id == entity { return recent }
        let access = try catalog.access(entity)
        recent = access
        return access
    }

    func sums(of index: IndexAccess) throws -> IndexSums {
        if let known = sums[index.index.id] { return known }
        let known = try keptSums.sums(
            of: index.index.id, in: transaction, databases: databases.blocks, runsRead: &runsRead)
        sums[index.index.id] = known
        return known
    }

    /// An index that can be read, with its sums.
    func accessWithSums(_ index: Index) throws -> (access: IndexAccess, sums: IndexSums) {
        counted[try place(of: index)]
    }

    /// The place of an index in ``counted``.
    private func place(of index: Index) throws -> Int {
        // By position, so that what is only compared is not copied.
        if let known = counted.indices.first(where: { counted[$0].access.blockShape.id == index.id }) { return known }
        let access = try access(index)
        let found = (access: access, sums: try sums(of: access))
        if counted.count < Self.mostCounted { counted.append(found) } else { counted[counted.count - 1] = found }
        return counted.count - 1
    }

    private static var mostCounted: Int { 8 }

    /// The entries of an index in some ranges where its sums alone tell them (``IndexSums/knownCount``), and
    /// whether some of its keys were cut.
    func knownCount(
        in index: Index, ranges: [KeyRange], uncounted: Int
    ) throws -> (entries: Int, isInexact: Bool)? {
        let sums = counted[try place(of: index)].sums
        guard let entries = sums.knownCount(ranges, uncounted: uncounted) else { return nil }
        return (entries, sums.total.inexact > 0)
    }

    /// Lends the memory for a scan of an index. A scan within another one gets memory of its own.
    func withBatchMemory<R>(_ body: (BatchMemory) throws -> R) rethrows -> R {
        let memory = idleMemory ?? BatchMemory()
        idleMemory = memory.next
        memory.next = nil
        defer {
            memory.next = idleMemory
            idleMemory = memory
        }
        return try body(memory)
    }

    /// The index as the catalog knows it; it must be readable.
    func access(_ index: Index) throws -> IndexAccess {
        guard let (entity, access) = catalog.access(index: index.id) else {
            let isForeign = schema.entities.contains { $0.indexes.contains { $0.id == index.id } }
            let kind: StorageError.Kind = isForeign ? .indexNotReady(state: IndexState.stale.rawValue) : .unknownIndex
            throw StorageError(kind, index: index.name)
        }
        guard access.isReadable else {
            throw StorageError(
                .indexNotReady(state: access.index.currentState.rawValue), entity: entity.entity.name,
                index: index.name)
        }
        return access
    }
}
