import LMDB

/// Where a bulk load puts its rows.
package enum LoadTarget: Sendable {
    /// An entity that comes into being with the load.
    case newEntity(EntityDefinition)
    /// Rows are added to those that are there.
    case existingEntity(String)
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
/// the next one that writes to the store takes the leftovers away.
///
/// One thread drives a load. Cost: about the time to encode and sort, plus writing each page once.
package final class BulkLoad {
    private let store: Store
    private let target: LoadTarget
    private let load: LoadRecord
    private let access: EntityAccess
    private let baseSave: UInt64
    private let progress: ((LoadProgress) -> Void)?
    private var sorters: [EntrySorter] = []
    private var available: Range<RowID>
    private var pending: [PendingRow] = []
    private var pendingBytes = 0
    private(set) var rowCount = 0

    private struct PendingRow {
        let rowID: RowID
        let record: EncodedRecord
    }

    /// Bytes of records per transaction.
    private static let stepBytes = 16 << 20
    /// Row ids taken when more rows come than were announced.
    private static let leaseSize: UInt64 = 1 << 20

    /// - Parameter rowCount: how many rows will come, where it is known: so many ids are leased at once.
    fileprivate init(
        _ target: LoadTarget, rowIDs: Range<RowID>?, rowCount: Int?, sortBudget: Int, store: Store,
        progress: ((LoadProgress) -> Void)?
    ) throws {
        self.store = store
        self.target = target
        self.progress = progress
        available = try rowIDs ?? store.leaseRowIDs(rowCount.map { UInt64(max($0, 1)) } ?? Self.leaseSize)
        (load, access, baseSave) = try store.beginLoad(target, rows: available)
        if load.isNewEntity {
            let budget = sortBudget / max(1, access.indexes.count)
            sorters = access.indexes.map { EntrySorter(shape: $0.blockShape, budget: budget) }
        }
    }

    /// The entity that rows are encoded for.
    package var entity: Entity { access.entity }

    /// Adds a row: its values in the order of ``entity``'s properties.
    package func append(_ values: [Value]) throws {
        try append(access.encode(values))
    }

    /// Adds a row under an id of the load's `rowIDs`. Ids ascend.
    package func append(_ values: [Value], rowID: RowID) throws {
        guard load.isNewEntity, available.contains(rowID) else {
            throw StorageError(.rowIDTaken, entity: access.entity.name, rowID: rowID)
        }
        available = rowID..<available.upperBound
        try append(values)
    }

    func append(_ record: EncodedRecord) throws {
        if available.isEmpty {
            let rows = try store.leaseRowIDs(Self.leaseSize)
            try flush()
            let id = load.id
            try store.changeCatalog { try $0.updateLoad(id) { $0.rows.append(rows.lowerBound...rows.upperBound - 1) } }
            available = rows
        }
        let rowID = available.lowerBound
        available = (rowID + 1)..<available.upperBound
        var record = record
        try RecordHeader.seal(&record.bytes, save: baseSave, rowID: rowID)
        if load.isNewEntity {
            var image = try RowImage(rowID: rowID, bytes: record.bytes, access: access)
            for long in record.longValues { image.longValues[long.property] = long.bytes }
            for (index, sorter) in zip(access.indexes, sorters) { try sorter.append(index.entry(of: image)) }
        }
        pendingBytes += record.bytes.count + record.longValues.reduce(0) { $0 + $1.bytes.count } + 16
        pending.append(PendingRow(rowID: rowID, record: record))
        rowCount += 1
        if pendingBytes >= Self.stepBytes { try flush() }
    }

    private func flush() throws {
        guard !pending.isEmpty else { return }
        let (rows, access) = (pending, access)
        pending = []
        pendingBytes = 0
        try store.run(
            WriterJob { transaction, state in
                state.hasWritten = true
                for row in rows {
                    try transaction.put(row.record.bytes.span.bytes, for: row.rowID, in: access.records)
                    for long in row.record.longValues {
                        try LongValues.write(
                            long.bytes, row: row.rowID, property: long.property, in: access.longValues,
                            transaction: &transaction)
                    }
                }
            })
        progress?(.rows(rowCount))
    }

    fileprivate func finish() throws -> LoadResult {
        try flush()
        let built = load.isNewEntity ? try feedSorted() : try buildReplacements()
        let save = try store.finishLoad(load, rowCount: rowCount, indexes: built)
        return LoadResult(entity: access.entity.id, rowCount: rowCount, save: save)
    }

    fileprivate func abandon() {
        try? store.abandonLoad(load.id)
    }

    /// A new entity: every entry has gone through the sorters.
    private func feedSorted() throws -> [IndexID] {
        for (index, sorter) in zip(access.indexes, sorters) {
            var feed = IndexFeed(store, index: index.index.id, baseSave: .max, stepBytes: 3 * Self.stepBytes)
            var check = UniqueRunCheck(index: index, entity: access)
            var entries = 0
            try sorter.drain { entry in
                if index.index.isUnique {
                    try check.add(entry) { row in
                        try store.environment.read { try RowImage.read(row, of: access, in: $0) }
                    }
                }
                try feed.add(entry)
                entries += 1
                if entries % 65_536 == 0 { progress?(.index(name: index.index.name, entries: entries)) }
            }
            try feed.flush()
        }
        return access.indexes.map(\.index.id)
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
    /// Loads rows in bulk: all of what the closure appends, or nothing when it throws.
    ///
    /// - Parameters:
    ///   - rowIDs: the ids that rows of a new entity are given one by one, from ``reserveRowIDs(through:)``.
    ///   - rowCount: how many rows will come, if that is known.
    ///   - sortBudget: bytes of index entries held in memory before they are sorted in temporary files.
    /// - Throws: ``StorageError/Kind/uniqueViolation(existing:)`` and type mismatches, naming the place.
    package func load(
        _ target: LoadTarget, rowIDs: Range<RowID>? = nil, rowCount: Int? = nil, sortBudget: Int = 512 << 20,
        progress: ((LoadProgress) -> Void)? = nil, _ body: (BulkLoad) throws -> Void
    ) throws -> LoadResult {
        try abandonDeadLoads()
        let load = try BulkLoad(
            target, rowIDs: rowIDs, rowCount: rowCount, sortBudget: sortBudget, store: self, progress: progress)
        do {
            try body(load)
            return try load.finish()
        } catch {
            load.abandon()
            throw error
        }
    }
}
