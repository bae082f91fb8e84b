import LMDB

/// Decides whether a batch's final state keeps an index unique.
///
/// Two rows conflict when all their components are equal and none is nil. What the batch itself removes does not
/// count, so rows may swap their values. Where keys are cut, the records decide: each row of a run of equal keys is
/// read once, and a table of whole values tells them apart.
struct UniquenessCheck: ~Copyable {
    let index: IndexAccess
    let entity: EntityAccess
    let state: WriterState
    private var inserted: [[UInt8]: [RowImage]] = [:]
    private var removed: Set<RowID> = []

    init(index: IndexAccess, entity: EntityAccess, state: WriterState) {
        self.index = index
        self.entity = entity
        self.state = state
    }

    private var databases: IndexDatabases { state.databases.blocks }

    /// Checks every unique index that the rows of a batch change.
    static func run(
        _ outcomes: [RowOutcome], state: WriterState, in transaction: borrowing WriteTransaction
    ) throws {
        var indexes: [IndexID: (index: IndexAccess, entity: EntityAccess)] = [:]
        var last: EntityAccess?
        for position in outcomes.indices where outcomes[position].access !== last {
            let access = outcomes[position].access
            for index in access.indexes where index.isEnforced {
                indexes[index.index.id] = (index, access)
            }
            last = access
        }
        for (index, entity) in indexes.values {
            var check = UniquenessCheck(index: index, entity: entity, state: state)
            try check.add(outcomes, in: transaction)
            try check.run(in: transaction)
        }
    }

    /// The most rows of which each is looked up on its own.
    private static var fewRows: Int { 32 }

    /// Notes what rows do to the index. Of many new entries only those are kept that another one, stored or new, may
    /// equal.
    private mutating func add(_ outcomes: [RowOutcome], in transaction: borrowing WriteTransaction) throws {
        var inserting: [Int] = []
        for position in outcomes.indices
        where outcomes[position].access === entity && outcomes[position].touches(index) {
            if outcomes[position].old != nil { removed.insert(outcomes[position].rowID) }
            if outcomes[position].new != nil { inserting.append(position) }
        }
        if inserting.count > Self.fewRows {
            let equal = try mayEqual(inserting, outcomes: outcomes, in: transaction)
            inserting.removeAll { !equal.contains(outcomes[$0].rowID) }
        }
        for position in inserting {
            guard let new = outcomes[position].new, try !index.hasNil(new) else { continue }
            let entry = try index.entry(of: new)
            // Entries that are cut may be equal where the values are not.
            if !entry.isInexact, let old = outcomes[position].old, try index.entry(of: old) == entry {
                removed.remove(new.rowID)
                continue
            }
            inserted[entry.key, default: []].append(new)
        }
    }

    private func mayEqual(
        _ inserting: [Int], outcomes: [RowOutcome], in transaction: borrowing WriteTransaction
    ) throws -> Set<RowID> {
        let buffer = EntryBuffer(shape: index.blockShape)
        var key = KeyBuffer()
        for position in inserting {
            guard let new = outcomes[position].new, try !index.hasNil(new) else { continue }
            try buffer.append(new, index: index, flags: [], key: &key)
        }
        buffer.sort()
        var equal: Set<RowID> = []
        let reader = IndexReader(shape: index.blockShape, databases: databases)
        try buffer.withItems { items in
            items.collectEqualNeighbours(into: &equal)
            try StoredKeys.collectRows(of: items, likeThoseIn: reader, into: &equal, in: transaction)
        }
        return equal
    }

    /// Throws ``StorageError/Kind/uniqueViolation(existing:)`` for the first conflict.
    consuming func run(in transaction: borrowing WriteTransaction) throws {
        for (key, images) in inserted {
            var rows: [[Value]: RowID] = [:]
            for image in images {
                let values = try index.componentValues(of: image)
                if let other = rows.updateValue(image.rowID, forKey: values) {
                    throw violation(image.rowID, existing: other)
                }
            }
            state.comparedRecords += images.count - 1
            for row in try storedRows(withKey: key, in: transaction) where !removed.contains(row) {
                if let equal = rows[try storedValues(row, in: transaction)] { throw violation(equal, existing: row) }
            }
        }
    }

    private func storedRows(withKey key: [UInt8], in transaction: borrowing WriteTransaction) throws -> [RowID] {
        var rows: [RowID] = []
        let reader = IndexReader(shape: index.blockShape, databases: databases)
        try reader.scan(.prefix(key), reversed: false, in: transaction) { batch in
            for position in 0..<batch.count { rows.append(batch.rowID(at: position)) }
            return true
        }
        return rows
    }

    private func storedValues(_ row: RowID, in transaction: borrowing WriteTransaction) throws -> [Value] {
        state.comparedRecords += 1
        guard let image = try RowImage.read(row, of: entity, in: transaction) else {
            throw StorageError(
                .inconsistent("an index entry has no record"), entity: entity.entity.name, index: index.index.name,
                rowID: row)
        }
        return try index.componentValues(of: image)
    }

    private func violation(_ row: RowID, existing: RowID) -> StorageError {
        StorageError(
            .uniqueViolation(existing: existing), entity: entity.entity.name, index: index.index.name, rowID: row)
    }
}
