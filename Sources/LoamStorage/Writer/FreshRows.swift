import LMDB

/// The rows of a large batch that are new and meet nothing on their way in: what makes such a batch fast.
///
/// Each is inserted under an id that no row has, and equals no other row in a unique index, be it stored or of the
/// batch. Of relationships it has at most references that any number of rows may share. So nothing has to be decided
/// about it, and nothing is kept for it but its record. All other rows are decided one by one (``RowOutcome``); those
/// of them that take a value which a fresh row has make all rows go that way.
struct FreshRows {
    /// The fresh rows of one entity.
    struct Group {
        let access: EntityAccess
        let references: [ReferenceAccess]
        /// Positions in the batch, by ascending row ids.
        var rows: [Int] = []
        var rowIDs: [RowID] = []
        /// Unique indexes with all entries of the rows, sorted.
        var unique: [(index: IndexAccess, buffer: EntryBuffer)] = []
        var hasLongValues = false
        /// Whether all ids are above those of the stored rows.
        var isAppended = true
    }

    let batch: WriteBatch
    private(set) var groups: [Group] = []
    /// For each position in the batch whether its row is fresh; empty where there are no fresh rows.
    private var isFresh: [Bool] = []

    /// The fewest rows of a batch that gains by this.
    private static let leastRows = 64

    /// No fresh rows: everything is decided row by row.
    init(none batch: WriteBatch) { self.batch = batch }

    /// Finds the fresh rows. Reads only. A sort of the unique indexes' entries, and a pass over what is stored beside.
    init(_ batch: WriteBatch, state: WriterState, in transaction: borrowing WriteTransaction) throws {
        self.batch = batch
        guard batch.rows.count >= Self.leastRows, !batch.decidesEachRow else { return }
        collect(state)
        for number in groups.indices {
            try dropStored(number, in: transaction)
            try dropEqual(number, state: state, in: transaction)
        }
        groups = groups.filter { !$0.rows.isEmpty && placesAreFresh($0) }
        guard !groups.isEmpty else { return }
        isFresh = Array(repeating: false, count: batch.rows.count)
        for group in groups { for position in group.rows { isFresh[position] = true } }
    }

    var isEmpty: Bool { groups.isEmpty }
    var count: Int { groups.reduce(0) { $0 + $1.rows.count } }

    /// Whether the row at a position of the batch is fresh.
    @inline(__always)
    func isFresh(_ position: Int) -> Bool { !isFresh.isEmpty && isFresh[position] }

    func contains(_ row: RowID) -> Bool { groups.contains { $0.rowIDs.containsSorted(row) } }

    func contains(_ row: RowID, of entity: EntityID) -> Bool {
        groups.contains { $0.access.entity.id == entity && $0.rowIDs.containsSorted(row) }
    }

    /// The bytes of a new row's record, as the batch has them.
    func record(_ position: Int) -> [UInt8] {
        guard case .insert(let record, _) = batch.rows[position].change else { return [] }
        return record.bytes
    }

    // MARK: Finding them

    /// Inserts by entity, where the entity's relationships allow it.
    private mutating func collect(_ state: WriterState) {
        var numbers: [EntityID: Int?] = [:]
        var last: (entity: EntityID, number: Int?)?
        var least: RowID = 0
        let rules = Rules(batch, map: state.catalog.relationships)
        for position in batch.rows.indices {
            guard case .insert(let record, _) = batch.rows[position].change else { continue }
            let (entity, row) = (batch.rows[position].entity, batch.rows[position].rowID)
            if last?.entity != entity {
                if numbers[entity] == nil { numbers[entity] = .some(makeGroup(of: entity, rules: rules, state: state)) }
                last = (entity, numbers[entity] ?? nil)
            }
            guard let number = last?.number else { continue }
            // Ids that do not ascend are rare; those rows go one by one.
            guard row > least, row < state.counters.nextRow, !groups[number].access.isHidden(row),
                Self.isFit(record, access: groups[number].access, references: groups[number].references)
            else { continue }
            least = row
            if !record.longValues.isEmpty { groups[number].hasLongValues = true }
            groups[number].rows.append(position)
            groups[number].rowIDs.append(row)
        }
    }

    /// Whether a record is one of the entity, and references and positions lie where they can be written. What is
    /// wrong with one that is not, the decision of each row says.
    private static func isFit(
        _ record: EncodedRecord, access: EntityAccess, references: [ReferenceAccess]
    ) -> Bool {
        guard let header = try? RecordHeader.read(record.bytes.span.bytes), record.entity == access.entity.id,
            record.longValues.allSatisfy({ $0.bytes.count <= LongValues.maximumBytes })
        else { return false }
        return header.layout == access.current.layout.id
            || references.isEmpty && access.layouts[header.layout]?.hasRequiredValues == true
    }

    /// What of a batch keeps rows with relationships from being fresh.
    private struct Rules {
        let map: RelationshipMap
        let hasDeletions: Bool
        /// Entities of rows that are put at other places than the end.
        let placed: Set<EntityID>

        init(_ batch: WriteBatch, map: RelationshipMap) {
            self.map = map
            hasDeletions = batch.rows.contains { if case .delete = $0.change { true } else { false } }
            placed = Set(batch.places.lazy.filter { $0.place != .append }.map(\.entity))
        }

        func allow(_ entity: EntityID) -> Bool {
            guard map.concerns(entity) else { return true }
            return map.limited.isEmpty && !hasDeletions && !placed.contains(entity)
                && !map.references(of: entity).contains(where: \.isOneToOne)
        }
    }

    private mutating func makeGroup(of entity: EntityID, rules: Rules, state: WriterState) -> Int? {
        guard let access = state.catalog.entities[entity], rules.allow(entity) else { return nil }
        groups.append(Group(access: access, references: rules.map.references(of: entity)))
        return groups.count - 1
    }

    /// Leaves out rows whose ids are taken, and ones that places do not tell apart from others.
    private mutating func dropStored(_ number: Int, in transaction: borrowing WriteTransaction) throws {
        guard let least = groups[number].rowIDs.first else { return }
        if !placesAreFresh(groups[number]) {
            (groups[number].rows, groups[number].rowIDs) = ([], [])
            return
        }
        var cursor = try transaction.cursor(in: groups[number].access.records)
        guard try cursor.moveToLast(), cursor.integerKey >= least else { return }
        groups[number].isAppended = false
        var isAtEntry = try cursor.seek(atLeast: least)
        var taken: Set<RowID> = []
        for row in groups[number].rowIDs {
            while isAtEntry, cursor.integerKey < row { isAtEntry = try cursor.seek(atLeast: row) }
            guard isAtEntry else { break }
            if cursor.integerKey == row { taken.insert(row) }
        }
        drop(taken, number: number)
    }

    /// Whether the places that the batch gives in an entity with references are those of fresh rows alone: among the
    /// same members, who is put where depends on all.
    private func placesAreFresh(_ group: Group) -> Bool {
        if group.references.isEmpty { return true }
        return batch.places.allSatisfy { $0.entity != group.access.entity.id || group.rowIDs.containsSorted($0.rowID) }
    }

    /// Leaves out rows that have the key of another row in a unique index.
    private mutating func dropEqual(
        _ number: Int, state: WriterState, in transaction: borrowing WriteTransaction
    ) throws {
        let access = groups[number].access
        let indexes = access.indexes.filter(\.isEnforced)
        guard !indexes.isEmpty, !groups[number].rows.isEmpty else { return }
        groups[number].unique = indexes.map { ($0, EntryBuffer(shape: $0.blockShape)) }
        let unique = FreshEntries(
            access, indexes: groups[number].unique, notesNil: true, reserving: groups[number].rows.count)
        for start in stride(from: 0, to: groups[number].rows.count, by: FreshEntries.chunkRows) {
            let chunk = groups[number].rows[start...].prefix(FreshEntries.chunkRows)
            try unique.append(batch, positions: chunk, records: chunk.lazy.map(record))
        }
        EntryBuffer.sort(groups[number].unique.map(\.buffer))
        var equal: Set<RowID> = []
        for (index, buffer) in groups[number].unique {
            let reader = IndexReader(shape: index.blockShape, databases: state.databases.blocks)
            try buffer.withItems { items in
                items.collectEqualNeighbours(into: &equal)
                try StoredKeys.collectRows(of: items, likeThoseIn: reader, into: &equal, in: transaction)
            }
        }
        drop(equal, number: number)
    }

    private mutating func drop(_ dropped: Set<RowID>, number: Int) {
        guard !dropped.isEmpty else { return }
        let batch = batch
        groups[number].rows.removeAll { dropped.contains(batch.rows[$0].rowID) }
        groups[number].rowIDs.removeAll { dropped.contains($0) }
        for (_, buffer) in groups[number].unique { buffer.removeAll(of: dropped) }
    }

    // MARK: Meeting the others

    /// Whether a row that was decided has, after the batch, the values of a fresh row in a unique index, or may have
    /// them since references were mapped.
    func meet(_ outcomes: [RowOutcome], mapping: [RowID: RowID]) throws -> Bool {
        if !mapping.isEmpty, groups.contains(where: \.hasUniqueReference) { return true }
        var key = KeyBuffer()
        for outcome in outcomes {
            guard let new = outcome.new, let group = groups.first(where: { $0.access === outcome.access }) else {
                continue
            }
            for (index, buffer) in group.unique where outcome.touches(index) {
                guard try !index.hasNil(new) else { continue }
                key.removeAll()
                _ = try index.appendKey(of: new, to: &key)
                if buffer.withItems({ $0.contains(key: key.pointer) }) { return true }
            }
        }
        return false
    }
}

extension FreshRows.Group {
    fileprivate var hasUniqueReference: Bool {
        unique.contains { index, _ in
            (index.componentPositions + index.includedPositions).contains { position in
                references.contains { $0.property == position }
            }
        }
    }
}

extension EntryItems {
    /// Adds the rows of entries that have the same component bytes, none of them nil. The buffer is sorted.
    func collectEqualNeighbours(into rows: inout Set<RowID>) {
        guard count > 1 else { return }
        for position in 1..<count where self[position].hasKey(of: self[position - 1]) {
            guard !self[position].flags.contains(.hasNil) else { continue }
            rows.insert(self[position].rowID)
            rows.insert(self[position - 1].rowID)
        }
    }

    /// Whether an entry has these component bytes. The buffer is sorted.
    fileprivate func contains(key: UnsafeRawBufferPointer) -> Bool {
        let position = end(from: 0, below: key)
        guard position < count else { return false }
        let found = self[position].key
        return found.count == key.count && !found.isBelow(key) && !key.isBelow(found)
    }
}

extension [RowID] {
    /// Whether an ascending list has a row. O(log n).
    func containsSorted(_ row: RowID) -> Bool { firstIndexSorted(row) != nil }

    /// The position of a row in an ascending list. O(log n).
    func firstIndexSorted(_ row: RowID) -> Int? {
        guard let first, let last, row >= first, row <= last else { return nil }
        let index = indices.partitionPoint { self[$0] < row }
        return index < count && self[index] == row ? index : nil
    }
}
