import LMDB

extension Store {
    /// Changes the schema as a closure decides: all of it with one commit, or nothing.
    ///
    /// The closure is called with the schema as it is now; what it throws leaves the file as it is, byte for byte, and
    /// where it changes nothing, nothing is written. Otherwise it is called again inside the write transaction, with
    /// the schema as it is *there*: several processes and threads may do this at once. Indexes over rows that are there
    /// are built afterwards, while saves go on; the call returns when they are ready. Only those that relationships are
    /// read by, and unique ones over references that are moved, are made in the transaction.
    ///
    /// Where a property becomes required, or a relationship gets an inverse or comes to lead to several rows, its
    /// entity's rows or links are read inside the write transaction, and what has to be kept elsewhere is written:
    /// O(rows). What is written is sorted first, in a temporary file where it takes more than `sortBudget` bytes.
    ///
    /// Where somebody else changes the schema while an index of this change is built, and takes it out or puts another
    /// in its place, all begins again: the closure then sees what the other has made.
    ///
    /// - Parameters:
    ///   - progress: for building each index: rows read, and of how many.
    ///   - sortBudget: bytes of what is moved, and of the entries of indexes that are made with the change, that may lie
    ///     in memory at a time. Links that are made of it, and the sort itself, take about as much again. Indexes that
    ///     are built afterwards have a budget of their own.
    /// - Throws: what the closure throws, `uniqueViolation` where rows break a unique index that is to be made,
    ///   `rowWithoutValue` where a row has nil of what is to be required, and `severalReferences` where several rows
    ///   lead to one that is to lead back to one only.
    package func changeSchema(
        progress: ((Int, Int) -> Void)? = nil, sortBudget: Int = 32 << 20,
        _ body: @escaping @Sendable (inout SchemaDraft) throws -> Void
    ) throws {
        while try !changeOnce(sortBudget, progress, body).isEmpty {}
    }

    /// - Returns: the indexes that others have taken out of the catalog while they were built.
    private func changeOnce(
        _ sortBudget: Int, _ progress: ((Int, Int) -> Void)?,
        _ body: @escaping @Sendable (inout SchemaDraft) throws -> Void
    ) throws -> [IndexID] {
        let isChanged = try read { snapshot in
            var draft = try SchemaDraft(snapshot)
            try body(&draft)
            try draft.finish()
            try draft.requireValues(snapshot.catalog, in: snapshot.transaction)
            for move in RelationshipMove.all(from: snapshot.catalog.document, to: draft.document) {
                try move.require(snapshot.catalog, sortBudget: sortBudget, in: snapshot.transaction)
            }
            try snapshot.requireUniqueness(in: draft)
            return draft.document != snapshot.catalog.document
        }
        try takeAwayLeftovers()
        guard isChanged else { return [] }
        let process = ProcessMark.begin()
        defer { process.end() }
        let building = Box<[IndexID]>()
        try run(
            WriterJob { transaction, state in
                building.value = []
                let draft = try SchemaDraft(in: transaction, state: state, deciding: body)
                guard draft.document != state.catalog.document else { return }
                building.value = draft.building
                let before = state.catalog
                let moves = RelationshipMove.all(from: before.document, to: draft.document)
                // They are held together until the catalog is changed.
                let budget = sortBudget / max(moves.count, 1)
                let related = try moves.map { try $0.read(before, sortBudget: budget, in: transaction) }
                try CatalogStorage.change(in: &transaction, state: state) { document in
                    document = draft.document
                    for id in draft.building { document.builders[id] = process }
                }
                for (move, pairs) in zip(moves, related) {
                    try move.put(pairs, by: state.catalog, in: &transaction)
                }
                for id in draft.filling { try state.fill(index: id, sortBudget: sortBudget, in: &transaction) }
            })
        return try build(building.value ?? [], as: process, progress)
    }
}

extension SchemaDraft {
    fileprivate init(_ snapshot: Snapshot) throws {
        self.init(snapshot.catalog.document) { id in
            guard let entity = snapshot.catalog.entities[id] else { return false }
            return try snapshot.transaction.statistics(of: entity.records).entries > 0
        }
    }

    /// The draft as the closure leaves it.
    fileprivate init(
        in transaction: borrowing WriteTransaction, state: WriterState,
        deciding body: (inout SchemaDraft) throws -> Void
    ) throws {
        var filled: Set<EntityID> = []
        for (id, entity) in state.catalog.entities
        where try transaction.statistics(of: entity.records).entries > 0 { filled.insert(id) }
        self.init(state.catalog.document) { [filled] in filled.contains($0) }
        try body(&self)
        try finish()
        try requireValues(state.catalog, in: transaction)
    }

    /// Throws where a row has nil of what is to be required.
    ///
    /// - Parameter catalog: of before.
    fileprivate func requireValues(
        _ catalog: Catalog, in transaction: borrowing some Transaction & ~Copyable
    ) throws {
        for (id, property) in required {
            guard let access = catalog.entities[id],
                let position = access.entity.properties.firstIndex(where: { $0.id == property }),
                let row = try access.firstRow(withoutValueAt: position, in: transaction)
            else { continue }
            throw StorageError(
                .rowWithoutValue, entity: access.entity.name, property: access.entity.properties[position].name,
                rowID: row)
        }
    }

    /// What models make of a new store; it has no rows.
    init(newStore document: CatalogDocument, deciding body: (inout SchemaDraft) throws -> Void) throws {
        self.init(document) { _ in false }
        try body(&self)
        try finish()
    }
}

extension WriterState {
    /// Bytes of entries that are put at a time.
    private static var stepBytes: Int { 1 << 20 }

    /// Makes the entries of an index that has none, from all rows that are there, in bounded memory.
    fileprivate func fill(index id: IndexID, sortBudget: Int, in transaction: inout WriteTransaction) throws {
        guard let (entity, index) = catalog.access(index: id) else {
            throw StorageError(.unknownIndex, index: "#\(id)")
        }
        let sorter = EntrySorter(shape: index.blockShape, budget: sortBudget)
        try entity.scanImages(in: transaction) { try index.forEachEntry(of: $0) { try sorter.append($0) } }
        if index.index.kind == .unique {
            try sorter.requireUniqueness(of: index, entity, in: transaction)
        }
        let buffer = EntryBuffer(shape: index.blockShape)
        try sorter.forEachSorted { sorted in
            buffer.append(sorted.entry)
            guard buffer.byteCount >= Self.stepBytes else { return }
            try apply(buffer, to: index, in: &transaction)
            buffer.removeAll()
        }
        if buffer.count > 0 { try apply(buffer, to: index, in: &transaction) }
    }
}

extension EntrySorter {
    /// Throws where rows break a unique index whose entries these are.
    fileprivate func requireUniqueness(
        of index: IndexAccess, _ entity: EntityAccess, in transaction: borrowing some Transaction & ~Copyable
    ) throws {
        var check = SortedUniquenessCheck(index: index, entity: entity)
        try forEachSorted { sorted in
            try check.add(key: sorted.key, rowID: sorted.rowID) { try RowImage.read($0, of: entity, in: transaction) }
        }
    }
}

extension Snapshot {
    /// Throws where rows that are there break a unique index that a draft adds. Reads and sorts the entity's rows for
    /// each: only then is it known that the change can be made whole.
    fileprivate func requireUniqueness(in draft: SchemaDraft) throws {
        for id in draft.building {
            guard
                let entity = draft.schema.entities.first(where: { entity in
                    entity.indexes.contains { $0.id == id && $0.kind == .unique }
                }),
                let stored = catalog.entities[entity.id]
            else { continue }
            let access = try EntityAccess(entity, in: draft.document) { _ in stored.records }
            guard let index = access.indexes.first(where: { $0.index.id == id }) else { continue }
            try IndexBuilder.requireUniqueness(of: index, access, in: transaction)
        }
    }
}

extension IndexBuilder {
    /// Throws where rows of a snapshot would not be unique in an index that is not there yet.
    fileprivate static func requireUniqueness(
        of index: IndexAccess, _ entity: EntityAccess, in transaction: borrowing ReadTransaction
    ) throws {
        let sorter = EntrySorter(shape: index.blockShape, budget: 128 << 20)
        try entity.scanImages(in: transaction) { try sorter.append(try index.entry(of: $0)) }
        try sorter.requireUniqueness(of: index, entity, in: transaction)
    }
}
