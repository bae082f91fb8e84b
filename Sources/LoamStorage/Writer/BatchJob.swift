import LMDB
import Synchronization

/// Saves a batch inside a write transaction: first every row is decided and checked, then everything is written.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `result` | its mutex | the writer, at each attempt | the caller takes it after the commit |
final class BatchJob: Sendable {
    private let batch: WriteBatch
    /// Whether all is decided and checked, and nothing written.
    private let isRehearsal: Bool
    private let result = Mutex<SaveResult?>(nil)

    init(_ batch: WriteBatch, isRehearsal: Bool = false) {
        self.batch = batch
        self.isRehearsal = isRehearsal
    }

    func takeResult() -> SaveResult? { result.withLock { $0 } }

    var isDeletion: Bool {
        batch.places.isEmpty && batch.links.allSatisfy { $0.place == nil }
            && batch.rows.allSatisfy { if case .delete = $0.change { true } else { false } }
    }

    func run(in transaction: inout WriteTransaction, state: WriterState) throws {
        if let known = batch.generation, known != state.catalog.generation {
            throw StorageError(.newerSchema(found: state.catalog.generation, known: known))
        }
        if let known = batch.lastSave, known != state.counters.lastSave { throw StorageError(.savedMeanwhile) }
        let reached = state.catalog.relationships.reach(of: entities)
        try StaleIndexes.mark(for: reached, in: &transaction, state)
        let save = try state.counters.nextSave()
        state.comparedRecords = 0
        let buffers = IndexBuffers()
        var (decision, fresh, records) = try decide(save, buffers: buffers, in: transaction, state: state)
        let links = decision.draft?.linkDrafts ?? []
        var outcomes = decision.takeOutcomes()
        do {
            try UniquenessCheck.run(outcomes, state: state, in: transaction)
        } catch let error as StorageError {
            throw batch.naming(error, in: state.catalog)
        }
        try buffers.add(outcomes)
        if isRehearsal { return }
        let changes = buffers.sorted()
        state.hasWritten = true
        state.counters.lastSave = save
        state.changes.longValueBytes +=
            fresh.longValueBytes + outcomes.reduce(0) { $1.longValues.reduce($0) { $0 + $1.bytes.count } }
        try fresh.write(records, in: &transaction)
        for position in Self.writingOrder(of: outcomes) {
            try outcomes[position].store(save: save, in: &transaction)
        }
        for (index, buffer) in changes {
            try state.apply(buffer, to: index, in: &transaction)
        }
        for draft in links { try draft.write(in: &transaction) }
        let linkChanges = links.flatMap { $0.changes() }
        outcomes.removeAll(where: \.isQuiet)
        if state.retention.isKept {
            let chunks = try HistoryWriter.write(
                outcomes, fresh: fresh, links: linkChanges,
                of: Set(links.flatMap { [$0.access.source, $0.access.destination] }),
                save: save,
                author: batch.author, time: state.time, to: state.databases.history, in: &transaction)
            try HistoryTrimmer.trim(in: &transaction, state: state, retention: state.retention, after: chunks)
        } else {
            try HistoryTrimmer.end(in: &transaction, state: state)
        }
        var rows = Self.results(of: outcomes)
        fresh.append(records, to: &rows)
        let saved = SaveResult(
            save: save, rows: rows, links: linkChanges, linked: linked(in: links),
            mapping: decision.mapping, comparedRecords: state.comparedRecords,
            dropped: decision.dropped.list)
        state.changes.results.append(saved)
        result.withLock { $0 = saved }
    }

    /// Rows in which the same fields changed share the list of them.
    private static func results(of outcomes: [RowOutcome]) -> [SaveResult.Row] {
        var changed: (mask: FieldMask, slots: [Int]) = ([], [])
        return outcomes.map { outcome in
            if outcome.changed != changed.mask { changed = (outcome.changed, outcome.changed.slots) }
            return SaveResult.Row(
                entity: outcome.access.entity.id, rowID: outcome.rowID, old: outcome.old?.bytes,
                new: outcome.new?.bytes, changed: changed.slots)
        }
    }

    private func linked(in drafts: [LinkDraft]) -> [EntityID: Set<PropertyID>] {
        var linked: [EntityID: Set<PropertyID>] = [:]
        for access in drafts.filter({ !$0.changes().isEmpty }).map(\.access) {
            linked[access.source, default: []].insert(access.forward.id)
            if let backward = access.backward { linked[access.destination, default: []].insert(backward.id) }
        }
        return linked
    }

    /// The entities that the batch names.
    private var entities: Set<EntityID> {
        var entities = Set(batch.links.map(\.entity))
        var last: EntityID?
        for row in batch.rows where row.entity != last {
            entities.insert(row.entity)
            last = row.entity
        }
        return entities
    }

    /// What is decided row by row.
    private struct Decision {
        var outcomes: [RowOutcome]
        var mapping: [RowID: RowID]
        let dropped: DroppedChanges
        /// The relationships that the batch changes; nil where it has none.
        var draft: BatchDraft?

        /// The outcomes, for one who changes them: nobody else keeps them.
        mutating func takeOutcomes() -> [RowOutcome] {
            if let draft { return draft.takeOutcomes() }
            defer { outcomes = [] }
            return outcomes
        }
    }

    /// What the batch does to rows and links, its own and those that follow from relationships, and the records of
    /// those about which nothing had to be decided.
    private func decide(
        _ save: UInt64, buffers: IndexBuffers, in transaction: borrowing WriteTransaction, state: WriterState
    ) throws -> (Decision, FreshRows, FreshRows.Records) {
        let fresh = try FreshRows(batch, state: state, in: transaction)
        let decision = try decide(fresh, in: transaction, state: state)
        let outcomes = decision.draft?.outcomes ?? decision.outcomes
        let meet = try fresh.meet(outcomes, mapping: decision.mapping) || decision.draft?.meets(fresh) ?? false
        guard !fresh.isEmpty, !meet else {
            let none = FreshRows(none: batch)
            return (fresh.isEmpty ? decision : try decide(none, in: transaction, state: state), none, [])
        }
        let records = try fresh.seal(
            save: save, mapping: decision.mapping, draft: decision.draft, to: buffers, in: transaction)
        return (decision, fresh, records)
    }

    private func decide(
        _ fresh: FreshRows, in transaction: borrowing WriteTransaction, state: WriterState
    ) throws -> Decision {
        let dropped = DroppedChanges()
        let (outcomes, mapping) = try resolve(fresh, dropped: dropped, in: transaction, state: state)
        let hasRelationships =
            !batch.links.isEmpty || !batch.places.isEmpty
            || entities.contains(where: state.catalog.relationships.concerns)
        guard hasRelationships else { return Decision(outcomes: outcomes, mapping: mapping, dropped: dropped) }
        let draft = BatchDraft(outcomes, fresh: fresh, state: state, dropped: dropped)
        try draft.decide(batch.patched(mapping).leavingOut(fresh), in: transaction)
        return Decision(outcomes: [], mapping: mapping, dropped: dropped, draft: draft)
    }

    private func requireDifferentRows(_ fresh: FreshRows) throws {
        let rows = batch.rows.indices.lazy.filter { !fresh.isFresh($0) }.map { self.batch.rows[$0].rowID }.sorted()
        for position in rows.indices {
            guard position == 0 || rows[position - 1] != rows[position], !fresh.contains(rows[position]) else {
                throw StorageError(.inconsistent("a batch names a row twice"), rowID: rows[position])
            }
        }
    }

    /// What the batch does to the rows that it names. Upserts come last: they depend on the others' final values.
    private func resolve(
        _ fresh: FreshRows, dropped: DroppedChanges, in transaction: borrowing WriteTransaction, state: WriterState
    ) throws -> (outcomes: [RowOutcome], mapping: [RowID: RowID]) {
        let resolver = OutcomeResolver(state: state, policy: batch.policy, dropped: dropped)
        var outcomes: [RowOutcome] = []
        var inserts: [RowOutcome] = []
        outcomes.reserveCapacity(batch.rows.count - fresh.count)
        try requireDifferentRows(fresh)
        for position in batch.rows.indices where !fresh.isFresh(position) {
            let write = batch.rows[position]
            guard let outcome = try resolver.resolve(write, in: transaction) else { continue }
            if case .insert(_, upserts: true) = write.change {
                inserts.append(outcome)
            } else {
                outcomes.append(outcome)
            }
        }
        guard !inserts.isEmpty else { return (outcomes, [:]) }
        var upserts = Upserts(outcomes, unclaimed: batch.unclaimed, state: state)
        for insert in inserts { try upserts.add(insert, resolver: resolver, in: transaction) }
        outcomes = upserts.outcomes
        if !upserts.mapping.isEmpty {
            for position in outcomes.indices {
                try state.catalog.patchReferences(of: outcomes[position], upserts.mapping)
            }
        }
        return (outcomes, upserts.mapping)
    }

    /// Rows in the order of their records: pages are then changed one after another.
    private static func writingOrder(of outcomes: [RowOutcome]) -> [Int] {
        guard outcomes.count > 1 else { return Array(outcomes.indices) }
        let keys = outcomes.indices.map { (outcomes[$0].access.entity.id, outcomes[$0].rowID, $0) }
        return keys.sorted { $0 < $1 }.map(\.2)
    }
}

extension WriteBatch {
    /// The error with what the batch's author has to know: that a constraint is not one of its own.
    fileprivate func naming(_ error: StorageError, in catalog: Catalog) -> StorageError {
        guard case .uniqueViolation(let existing) = error.kind,
            let entity = error.entity.flatMap(catalog.schema.entity(named:)),
            let index = entity.indexes.first(where: { $0.name == error.index }),
            unclaimed[entity.id]?.constraints.contains(index.id) == true
        else { return error }
        var error = error
        error.kind = .unclaimedConstraint(existing: existing)
        return error
    }
}
