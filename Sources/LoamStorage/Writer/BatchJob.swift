import LMDB
import Synchronization

/// Saves a batch inside a write transaction: first every row is decided and checked, then everything is written.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `result` | its mutex | the writer, at each attempt | the caller takes it after the commit |
final class BatchJob: Sendable {
    private let batch: WriteBatch
    private let result = Mutex<SaveResult?>(nil)

    init(_ batch: WriteBatch) {
        self.batch = batch
    }

    func takeResult() -> SaveResult? { result.withLock { $0 } }

    var isDeletion: Bool {
        batch.places.isEmpty && batch.links.allSatisfy { $0.place == nil }
            && batch.rows.allSatisfy { if case .delete = $0.change { true } else { false } }
    }

    func run(_ transaction: inout WriteTransaction, _ state: WriterState) throws {
        let reached = state.catalog.relationships.reach(of: Set(batch.rows.map(\.entity) + batch.links.map(\.entity)))
        try StaleIndexes.mark(for: reached, in: &transaction, state)
        var (outcomes, links, mapping) = try decide(transaction, state)
        let changes = try indexChanges(of: outcomes, transaction, state)
        state.hasWritten = true
        let save = state.counters.lastSave + 1
        state.counters.lastSave = save
        for position in outcomes.indices {
            try write(&outcomes[position], save: save, &transaction)
        }
        for (index, changes) in changes {
            try state.apply(changes, to: index, in: &transaction)
        }
        for draft in links { try draft.write(&transaction) }
        let linkChanges = links.flatMap { $0.changes() }
        outcomes.removeAll(where: \.isQuiet)
        if state.retention.isKept {
            let chunks = try HistoryWriter.write(
                outcomes, linkChanges, of: Set(links.flatMap { [$0.access.source, $0.access.destination] }), save: save,
                author: batch.author, time: state.time, in: state.databases.history, &transaction)
            try HistoryTrimmer.trim(&transaction, state, retention: state.retention, after: chunks)
        }
        let rows = outcomes.map { outcome in
            SaveResult.Row(
                entity: outcome.access.entity.id, rowID: outcome.rowID, old: outcome.old?.bytes,
                new: outcome.new?.bytes, changed: outcome.changed.sorted())
        }
        let saved = SaveResult(
            save: save, rows: rows, links: linkChanges, linked: linked(in: links), mapping: mapping)
        state.changes.results.append(saved)
        result.withLock { $0 = saved }
    }

    private func linked(in drafts: [LinkDraft]) -> [EntityID: Set<PropertyID>] {
        var linked: [EntityID: Set<PropertyID>] = [:]
        for access in drafts.filter({ !$0.changes().isEmpty }).map(\.access) {
            linked[access.source, default: []].insert(access.forward.id)
            if let backward = access.backward { linked[access.destination, default: []].insert(backward.id) }
        }
        return linked
    }

    /// What the batch does to rows and links, its own and those that follow from relationships.
    private func decide(
        _ transaction: borrowing WriteTransaction, _ state: WriterState
    ) throws -> (outcomes: [RowOutcome], links: [LinkDraft], mapping: [RowID: RowID]) {
        let (outcomes, mapping) = try resolve(transaction, state)
        let hasRelationships =
            !batch.links.isEmpty || !batch.places.isEmpty
            || batch.rows.contains { state.catalog.relationships.concerns($0.entity) }
        guard hasRelationships else { return (outcomes, [], mapping) }
        let draft = BatchDraft(outcomes, state)
        try draft.decide(batch.patched(mapping), transaction)
        return (draft.outcomes, draft.linkDrafts, mapping)
    }

    /// What the batch does to the rows that it names. Upserts come last: they depend on the others' final values.
    private func resolve(
        _ transaction: borrowing WriteTransaction, _ state: WriterState
    ) throws -> (outcomes: [RowOutcome], mapping: [RowID: RowID]) {
        let resolver = OutcomeResolver(state: state, policy: batch.policy)
        var outcomes: [RowOutcome] = []
        var inserts: [RowOutcome] = []
        outcomes.reserveCapacity(batch.rows.count)
        var seen: Set<RowID> = []
        for write in batch.rows {
            guard seen.insert(write.rowID).inserted else {
                throw StorageError(.inconsistent("a batch names a row twice"), rowID: write.rowID)
            }
            guard let outcome = try resolver.resolve(write, transaction) else { continue }
            if case .insert(_, upserts: true) = write.change {
                inserts.append(outcome)
            } else {
                outcomes.append(outcome)
            }
        }
        guard !inserts.isEmpty else { return (outcomes, [:]) }
        var upserts = Upserts(outcomes, state)
        for insert in inserts { try upserts.add(insert, resolver, transaction) }
        outcomes = upserts.outcomes
        if !upserts.mapping.isEmpty {
            for position in outcomes.indices {
                try state.catalog.patchReferences(of: &outcomes[position], upserts.mapping)
            }
        }
        return (outcomes, upserts.mapping)
    }

    /// All changes by index, each index's sorted, after the unique ones were checked.
    private func indexChanges(
        of outcomes: [RowOutcome], _ transaction: borrowing WriteTransaction, _ state: WriterState
    ) throws -> [(index: IndexAccess, changes: [IndexChange])] {
        var changes: [IndexID: (entity: EntityAccess, index: IndexAccess, changes: [IndexChange])] = [:]
        var images: [IndexID: [(removed: IndexEntry?, inserted: IndexEntry?, image: RowImage?)]] = [:]
        for outcome in outcomes {
            for (index, removed, inserted) in try outcome.indexChanges() {
                let id = index.index.id
                var list = changes[id] ?? (outcome.access, index, [])
                changes[id] = nil
                if let removed { list.changes.append(IndexChange(.remove, removed)) }
                if let inserted { list.changes.append(IndexChange(.insert, inserted)) }
                changes[id] = list
                if index.index.isUnique { images[id, default: []].append((removed, inserted, outcome.new)) }
            }
        }
        for (id, rows) in images {
            guard let (entity, index, _) = changes[id], index.index.state == .ready else { continue }
            var check = UniquenessCheck(index: index, entity: entity, databases: state.databases.blocks)
            for row in rows { try check.add(removed: row.removed, inserted: row.inserted, image: row.image) }
            try check.run(transaction)
        }
        return changes.keys.sorted().compactMap { id in
            guard let (_, index, unsorted) = changes[id] else { return nil }
            var list = unsorted
            list.sortForIndex(invertsRowID: index.blockShape.invertsRowID)
            return (index, list)
        }
    }

    private func write(_ outcome: inout RowOutcome, save: UInt64, _ transaction: inout WriteTransaction) throws {
        let access = outcome.access
        for property in outcome.droppedLongValues {
            try LongValues.delete(
                row: outcome.rowID, property: property, in: access.longValues, transaction: &transaction)
        }
        guard let new = outcome.new else {
            _ = try transaction.delete(outcome.rowID, in: access.records)
            return
        }
        for long in outcome.longValues {
            try LongValues.write(
                long.bytes, row: outcome.rowID, property: long.property, in: access.longValues,
                transaction: &transaction)
        }
        var bytes = new.bytes
        try RecordHeader.seal(&bytes, save: outcome.isQuiet ? new.save : save, rowID: outcome.rowID)
        try transaction.put(bytes.span.bytes, for: outcome.rowID, in: access.records)
        var image = try RowImage(rowID: outcome.rowID, bytes: bytes, access: access)
        image.longValues = new.longValues
        outcome.new = image
    }
}
