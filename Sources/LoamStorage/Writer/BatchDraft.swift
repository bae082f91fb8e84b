import LMDB

/// The rows and links of a batch as they will be, with everything that follows from relationships.
///
/// Decided inside the write transaction, against what is stored, before anything is written:
///
/// 1. every reference and link leads to a row that exists, or comes into being with the batch;
/// 2. a one-to-one lets go of who referred to its target before;
/// 3. deletions follow the delete rules, until nothing more follows;
/// 4. rows with a new target get a position, links theirs;
/// 5. limits hold.
final class BatchDraft {
    let state: WriterState
    /// Told of changes that are left out.
    let dropped: DroppedChanges
    /// Rows of the batch that come into being without being decided here.
    private let fresh: FreshRows
    private(set) var outcomes: [RowOutcome]
    private var outcomeNumbers: [RowID: Int]
    /// Rows that are gone after the batch.
    private(set) var deleted: Set<RowID> = []
    private var references: [PropertyID: ReferenceDraft] = [:]
    private(set) var links: [UInt32: LinkDraft] = [:]
    /// For each entity the rows that are known to be stored, or known not to be.
    private var existing: [EntityID: [RowID: Bool]] = [:]

    /// - Parameter outcomes: what the batch does to the rows that it names.
    init(_ outcomes: [RowOutcome], fresh: FreshRows, state: WriterState, dropped: DroppedChanges) {
        self.state = state
        self.dropped = dropped
        self.fresh = fresh
        self.outcomes = outcomes
        outcomeNumbers = Dictionary(uniqueKeysWithValues: outcomes.enumerated().map { ($1.rowID, $0) })
        for outcome in outcomes where outcome.new == nil { deleted.insert(outcome.rowID) }
    }

    /// The outcomes that are left to do, for one who changes them; the draft is done with.
    func takeOutcomes() -> [RowOutcome] {
        defer { outcomes = [] }
        return outcomes.filter { !$0.isVoid }
    }

    var map: RelationshipMap { state.catalog.relationships }

    /// - Parameter batch: with the ids that upserts mapped already patched.
    func decide(_ batch: WriteBatch, in transaction: borrowing WriteTransaction) throws {
        try noteReferences()
        try requireTargets(batch.policy, in: transaction)
        try applyLinks(batch.links, policy: batch.policy, in: transaction)
        try releaseOneToOnes(in: transaction)
        try followDeletions(in: transaction)
        try applyPlaces(batch.places, in: transaction)
        try requireReferences()
        try checkLimits(in: transaction)
    }

    // MARK: Rows

    func outcome(of row: RowID) -> RowOutcome? { outcomeNumbers[row].map { outcomes[$0] } }

    /// The row's outcome; that of a stored one which the batch does not name is made. Nil where there is no such row.
    func outcome(
        of row: RowID, entity: EntityID, in transaction: borrowing WriteTransaction
    ) throws -> RowOutcome? {
        if let known = outcome(of: row) { return known }
        let access = try state.catalog.access(entity)
        guard !access.isHidden(row), let stored = try RowImage.read(row, of: access, in: transaction) else {
            return nil
        }
        // What is kept of the record gets a new checksum, so damage must not get past here.
        try stored.verifyChecksum()
        let outcome = RowOutcome.unchanged(stored)
        outcomeNumbers[row] = outcomes.count
        outcomes.append(outcome)
        return outcome
    }

    /// Changes the outcome of a row that has one.
    func update(_ row: RowID, _ change: (RowOutcome) throws -> Void) rethrows {
        guard let number = outcomeNumbers[row] else { return }
        try change(outcomes[number])
    }

    /// Makes the row one that is deleted. Nil where it is, or does not exist.
    func delete(
        _ row: RowID, entity: EntityID, in transaction: borrowing WriteTransaction
    ) throws -> RowOutcome? {
        guard !deleted.contains(row), let before = try outcome(of: row, entity: entity, in: transaction) else {
            return nil
        }
        deleted.insert(row)
        if let number = outcomeNumbers[row] {
            // The one before stays as it is, for whoever follows what it led to.
            outcomes[number] =
                try before.old.map(RowOutcome.deletion)
                ?? RowOutcome(
                    access: before.access, rowID: row, old: nil, new: nil, changed: [], longValues: [],
                    droppedLongValues: [])
        }
        return before
    }

    /// Whether a row exists before the batch or comes into being with it; the batch may delete it.
    func exists(_ row: RowID, entity: EntityID, in transaction: borrowing WriteTransaction) throws -> Bool {
        if let known = outcome(of: row) { return known.access.entity.id == entity }
        if fresh.contains(row) { return fresh.contains(row, of: entity) }
        if let known = existing[entity]?[row] { return known }
        let access = try state.catalog.access(entity)
        let exists = try !access.isHidden(row) && transaction.contains(row, in: access.records)
        existing[entity, default: [:]][row] = exists
        return exists
    }

    // MARK: Relationships

    func draft(_ access: ReferenceAccess) throws -> ReferenceDraft {
        if let known = references[access.relationship.id] { return known }
        let index = try state.catalog.referenceIndex(of: access.relationship, state.databases.blocks)
        let draft = ReferenceDraft(access, index: index)
        references[access.relationship.id] = draft
        return draft
    }

    var referenceDrafts: [ReferenceDraft] {
        references.sorted { $0.key < $1.key }.map(\.value)
    }

    func draft(_ access: LinkAccess) throws -> LinkDraft {
        if let known = links[access.table] { return known }
        let draft = LinkDraft(access, table: try state.catalog.links(access.table))
        links[access.table] = draft
        return draft
    }

    var linkDrafts: [LinkDraft] { links.sorted { $0.key < $1.key }.map(\.value) }

    func error(_ kind: StorageError.Kind, entity: EntityID, row: RowID) -> StorageError {
        StorageError(kind, entity: state.catalog.entities[entity]?.entity.name, rowID: row)
    }
}
