import LMDB

/// Where a bulk load puts its rows.
package enum LoadTarget: Sendable {
    /// An entity that comes into being with the load.
    case newEntity(EntityDefinition)
    /// Rows are added to those that are there.
    case existingEntity(String)
}

/// Row ids for the rows of a load, taken before it with ``Store/reserveRowIDs(through:)``.
package struct LoadedRowIDs: Sendable {
    let range: Range<RowID>
    /// Whether no other load has used any: then they are given back when this one is abandoned.
    let isUnused: Bool

    package init(range: Range<RowID>, isUnused: Bool) {
        (self.range, self.isUnused) = (range, isUnused)
    }
}

/// How far a bulk load is.
package enum LoadProgress: Sendable, Hashable {
    case rows(Int)
    case index(name: String, entries: Int)
}

/// What a bulk load did.
package struct LoadResult: Sendable, Hashable {
    package let entity: EntityID
    package let rowCount: Int
    package let save: UInt64
}

/// Loads many rows in bounded memory; they become visible with the one commit at the end, or not at all.
///
/// Records are appended in steps under leased row ids that nobody else sees: for a new entity because the catalog does
/// not list it yet, for an existing one because the catalog lists the ids as hidden. Index entries are sorted, in a
/// temporary file beyond `sortBudget`, and put in under new index ids. Saves of others go on. When the process dies,
/// the leftovers stay until the next change of the schema, load or erasing in any process takes them away; a save does
/// not.
///
/// One thread drives a load. Cost: about the time to encode and sort, plus writing each page once.
package final class BulkLoad {
    private let store: Store
    private let load: LoadRecord
    private let access: EntityAccess
    private let baseSave: UInt64
    private let progress: ((LoadProgress) -> Void)?
    private var sorters: [EntrySorter] = []
    private var available: Range<RowID>
    private var writer = RecordWriter()
    private var key = KeyBuffer()
    /// The positions of relationships in the entity's properties.
    private let references: [Int]
    private var pending = PendingRows()
    /// Why a row could not be added: parts of it may be here already, so nothing of the load is kept.
    private var failure: (any Error)?
    package private(set) var rowCount = 0

    /// Bytes of records per transaction.
    private static let stepBytes = 16 << 20
    /// Row ids taken when more rows come than were announced.
    private static let leaseSize: UInt64 = 1 << 20
    /// Bytes of entries that are put in with one transaction: about 64 MiB of dirty pages.
    private static let appendBytes = 96 << 20

    /// - Parameter rowCount: how many rows will come, where it is known: so many ids are leased at once.
    fileprivate init(
        _ target: LoadTarget, rowIDs: LoadedRowIDs?, rowCount: Int?, sortBudget: Int, store: Store,
        progress: ((LoadProgress) -> Void)?
    ) throws {
        self.store = store
        self.progress = progress
        let rows = try rowIDs?.range ?? store.leaseRowIDs(rowCount.map { UInt64(max($0, 1)) } ?? Self.leaseSize)
        available = rows
        do {
            (load, access, baseSave) = try store.beginLoad(target, rows: rows, isLease: rowIDs?.isUnused ?? true)
        } catch {
            if rowIDs?.isUnused ?? true { try? store.giveBackRowIDs(rows) }
            throw error
        }
        references = access.entity.properties.indices.filter { [access] in
            access.entity.properties[$0].role != .attribute
        }
        if load.isNewEntity {
            let budget = sortBudget / max(1, access.indexes.count)
            sorters = access.indexes.map { EntrySorter(shape: $0.blockShape, budget: budget) }
        }
    }

    /// The entity that rows are encoded for.
    package var entity: Entity { access.entity }

    /// Adds a row: its values in the order of ``entity``'s properties.
    ///
    /// - Throws: `typeMismatch` for a wrong number of values, before anything is added; else as ``appendRow(_:)``.
    package func append(_ values: [Value]) throws {
        guard values.count == access.entity.properties.count else {
            throw StorageError(
                .typeMismatch(expected: "\(access.entity.properties.count) values", found: "\(values.count) values"),
                entity: access.entity.name)
        }
        try appendRow { writer in
            for (slot, value) in values.enumerated() where !value.isNull { try writer.set(value: value, at: slot) }
        }
    }

    /// Adds a row under an id of the load's `rowIDs`. Ids ascend.
    ///
    /// - Throws: `rowIDTaken` for an id that is not one of those, or not above the last; else as ``append(_:)``.
    package func append(_ values: [Value], rowID: RowID) throws {
        guard load.isNewEntity, available.contains(rowID) else {
            throw StorageError(.rowIDTaken, entity: access.entity.name, rowID: rowID)
        }
        available = rowID..<available.upperBound
        try append(values)
    }

    /// Adds a row that the closure writes field by field, by position in ``entity``'s properties: the fast way.
    ///
    /// A row that cannot be added fails the whole load, also when its error is caught.
    ///
    /// - Throws: what the closure throws; `missingValue` for a property that must not be nil and was not set;
    ///   `invalidSchema` for a relationship that is set, in an entity that has rows; and what writing to the store
    ///   throws. From then on every call throws the first error again.
    package func appendRow(_ body: (inout RecordWriter) throws -> Void) throws {
        if let failure { throw failure }
        if available.isEmpty { try leaseMore() }
        let rowID = available.lowerBound
        do {
            writer.begin(access.currentLayout)
            try body(&writer)
            try finishRow(rowID)
        } catch {
            failure = located(error)
            throw located(error)
        }
        available = (rowID + 1)..<available.upperBound
        rowCount += 1
        if pending.byteCount >= Self.stepBytes { try flush() }
    }

    private func located(_ error: any Error) -> any Error {
        guard var error = error as? StorageError else { return error }
        error.entity = error.entity ?? access.entity.name
        return error
    }

    private func leaseMore() throws {
        let rows = try store.leaseRowIDs(Self.leaseSize)
        try flush()
        let id = load.id
        try store.changeCatalog {
            try $0.updateLoad(id) { load in
                load.rows.append(rows.lowerBound...rows.upperBound - 1)
                load.leases = (load.leases ?? []) + [rows]
            }
        }
        available = rows
    }

    private func finishRow(_ rowID: RowID) throws {
        try pending.append(rowID) { try writer.finish(save: baseSave, rowID: rowID, appendingTo: &$0) }
        if !load.isNewEntity, !references.isEmpty { try pending.withLastRecord(requireNoReferences) }
        if !sorters.isEmpty { try pending.withLastRecord { try addEntries(rowID, bytes: $0) } }
        if !writer.longValues.isEmpty { pending.append(rowID, values: writer.longValues, layout: access.currentLayout) }
    }

    /// The rows of a load are saved by nobody, so nobody would have chosen their places or checked what they lead to.
    private func requireNoReferences(_ bytes: UnsafeRawBufferPointer) throws {
        let view = try RecordView(RawSpan(_unsafeBytes: bytes), layout: access.currentLayout)
        for position in references where try !view.isNull(access.current.slots[position]) {
            throw StorageError(
                .invalidSchema("a bulk load sets no relationships; save rows that have some"),
                property: access.entity.properties[position].name)
        }
    }

    private func addEntries(_ rowID: RowID, bytes: UnsafeRawBufferPointer) throws {
        let layout = access.currentLayout
        let view = try RecordView(RawSpan(_unsafeBytes: bytes), layout: layout)
        func value(_ position: Int) throws -> Value {
            let slot = access.current.slots[position]
            guard let long = writer.longValues.first(where: { $0.slot == slot }) else { return try view.value(slot) }
            return try RecordView.decode(long.bytes.span.bytes, as: access.entity.properties[position].type)
        }
        for (index, sorter) in zip(access.indexes, sorters) {
            if index.hasTrigrams {
                try index.forEachTrigramKey(of: view, access.current, key: &key, value: value) {
                    try sorter.append(key: $0, rowID: rowID, isInexact: false)
                }
                continue
            }
            key.removeAll()
            let isExact = try index.appendKey(of: view, access.current, to: &key, value: value)
            let included = try index.includedPositions.isEmpty ? [] : index.included(value: value, of: access)
            try key.withBytes { try sorter.append(key: $0, rowID: rowID, isInexact: !isExact, included: included) }
        }
    }

    private func flush() throws {
        guard !pending.isEmpty else { return }
        let (rows, id, entity) = (pending, load.id, access.entity.id)
        pending = PendingRows()
        try store.run(
            WriterJob { transaction, state in
                // The ids of a load that was abandoned are hidden no longer.
                _ = try state.catalog.document.position(ofLoad: id)
                let access = try state.catalog.access(entity)
                state.hasWritten = true
                try rows.write(to: access, in: &transaction)
            })
        progress?(.rows(rowCount))
    }

    fileprivate func finish() throws -> LoadResult {
        if let failure { throw failure }
        try flush()
        let built = load.isNewEntity ? try feedSorted() : try buildReplacements()
        let save = try store.finishLoad(load, rowCount: rowCount, indexes: built)
        return LoadResult(entity: access.entity.id, rowCount: rowCount, save: save)
    }

    /// What cannot be taken away now, the next load or change of the schema takes away.
    fileprivate func abandon() { try? store.abandonLoad(load.id) }

    fileprivate func end() { load.process.end() }

    /// A new entity: every entry has gone through the sorters, and nobody else writes to the indexes.
    private func feedSorted() throws -> [IndexID] {
        EntrySorter.sort(sorters)
        for (index, sorter) in zip(access.indexes, sorters) {
            if index.index.kind == .unique { try checkUniqueness(of: index, sorter) }
            if let bytes = sorter.memoryBytes, bytes <= Self.appendBytes {
                try append(sorter, to: index)
            } else {
                try feed(sorter, to: index)
            }
            progress?(.index(name: index.index.name, entries: sorter.count))
        }
        sorters = []
        return access.indexes.map(\.index.id)
    }

    private func checkUniqueness(of index: IndexAccess, _ sorter: EntrySorter) throws {
        var check = SortedUniquenessCheck(index: index, entity: access)
        try sorter.forEachSorted { entry in
            try check.add(key: entry.key, rowID: entry.rowID) { row in
                try store.environment.read { try RowImage.read(row, of: access, in: $0) }
            }
        }
    }

    /// All entries in one transaction, block after block.
    private func append(_ sorter: EntrySorter, to index: IndexAccess) throws {
        nonisolated(unsafe) let sorter = sorter
        let id = load.id
        try store.run(
            WriterJob(isExclusive: true) { transaction, state in
                _ = try state.catalog.document.position(ofLoad: id)
                state.hasWritten = true
                var appender = IndexAppender(shape: index.blockShape, databases: state.databases.blocks)
                try sorter.forEachSorted { entry in
                    try appender.append(
                        key: entry.key, rowID: entry.rowID, isInexact: entry.isInexact, included: entry.included,
                        in: &transaction)
                }
                try appender.finish(in: &transaction)
            })
    }

    /// More than one transaction should hold: in steps.
    private func feed(_ sorter: EntrySorter, to index: IndexAccess) throws {
        var feed = IndexFeed(store, index: index.index.id, baseSave: nil, stepBytes: 3 * Self.stepBytes)
        try sorter.forEachSorted { try feed.add($0.entry) }
        try feed.flush()
    }

    /// An entity with rows: its indexes are built anew over old and new rows.
    private func buildReplacements() throws -> [IndexID] {
        for (old, new) in load.replacements.sorted(by: { $0.key < $1.key }) {
            let name = access.entity.indexes.first { $0.id == old }?.name ?? ""
            try IndexBuilder(store: store).build(new) { [progress] entries, _ in
                progress?(.index(name: name, entries: entries))
            }
        }
        return load.replacements.values.sorted()
    }
}

extension Store {
    /// Loads rows in bulk: all of what the closure appends, or nothing when it throws; then its row ids are given back,
    /// unless others were given out since. Costs what ``BulkLoad`` says.
    ///
    /// - Parameters:
    ///   - rowIDs: the ids that rows of a new entity are given one by one, from ``reserveRowIDs(through:)``.
    ///   - rowCount: how many rows will come, if that is known.
    ///   - sortBudget: bytes of index entries held in memory before they are sorted in temporary files.
    /// - Throws: ``StorageError/Kind/uniqueViolation(existing:)`` and type mismatches, naming the place.
    package func load(
        _ target: LoadTarget, rowIDs: LoadedRowIDs? = nil, rowCount: Int? = nil, sortBudget: Int = 512 << 20,
        progress: ((LoadProgress) -> Void)? = nil, _ body: (BulkLoad) throws -> Void
    ) throws -> LoadResult {
        try takeAwayLeftovers()
        let load = try BulkLoad(
            target, rowIDs: rowIDs, rowCount: rowCount, sortBudget: sortBudget, store: self, progress: progress)
        defer { load.end() }
        do {
            try body(load)
            return try load.finish()
        } catch {
            load.abandon()
            throw error
        }
    }
}
