import LMDB

extension Snapshot {
    /// The rows that a row's relationship leads to, in order; of a to-one 0 or 1. O(log n + rows).
    ///
    /// - Throws: `unknownEntity` or `unknownRelationship` where this state of the store does not have them,
    ///   `indexNotReady` where the index behind the relationship cannot be read, and damage of what is read.
    package func relatedRowIDs(of row: RowID, _ relationship: Relationship, in entity: Entity) throws -> [RowID] {
        var rows: [RowID] = []
        try scanRelated(of: row, relationship, in: entity) {
            rows.append($0)
            return true
        }
        return rows
    }

    /// How many rows a row's relationship leads to. For the inverse of a reference O(log n): few are counted in the
    /// block that they are in, more from the sums of the index, which a snapshot reads once: O(runs). Else
    /// O(log n + rows).
    ///
    /// - Throws: `unknownEntity` or `unknownRelationship` where this state of the store does not have them,
    ///   `indexNotReady` where the index behind the relationship cannot be read, and damage of what is read.
    package func relatedCount(of row: RowID, _ relationship: Relationship, in entity: Entity) throws -> Int {
        if case .inverseOfReference = relationship.storage {
            let reference = try referenceIndex(behind: relationship)
            _ = try access(reference.index.index)
            if let few = try reference.shortCount(of: row, in: transaction) { return few }
            return try count(in: reference.index.index, range: ReferenceIndex.range(row))
        }
        var count = 0
        try scanRelated(of: row, relationship, in: entity) { _ in
            count += 1
            return true
        }
        return count
    }

    /// Walks the rows that a row's relationship leads to, in order. The closure returns false to stop.
    ///
    /// Rows that were deleted under the rule *no action* are passed over.
    ///
    /// Costs O(log n + rows), and a look-up more for each row where deleted ones may be among them.
    ///
    /// - Throws: `unknownEntity` or `unknownRelationship` where this state of the store does not have them,
    ///   `indexNotReady` where the index behind the relationship cannot be read, and damage of what is read, and what
    ///   the closure throws.
    package func scanRelated(
        of row: RowID, _ relationship: Relationship, in entity: Entity, reversed: Bool = false,
        _ body: (RowID) throws -> Bool
    ) throws {
        let destination = catalog.mayDangle(relationship) ? try catalog.access(relationship.destination) : nil
        func hand(_ member: RowID) throws -> Bool {
            if let destination, try !transaction.contains(member, in: destination.records) { return true }
            return try body(member)
        }
        switch relationship.storage {
        case .reference(let property, _, _):
            let position = try access(entity).position(of: property)
            let target = try withRow(row, of: entity) { try $0.uint64(position) } ?? nil
            if let target { _ = try hand(target) }
        case .inverseOfReference:
            let reference = try referenceIndex(behind: relationship)
            _ = try access(reference.index.index)
            try withBatchMemory { memory in
                try reference.scan(of: row, reversed: reversed, in: transaction, memory: memory) { try body($0.rowID) }
            }
        case .links(let table, let isForward):
            guard let database = catalog.links[table] else {
                throw StorageError(.relationshipMoved, entity: entity.name, property: relationship.name)
            }
            try LinkTable(number: table, database: database).scan(
                isForward ? .forward : .backward, of: row, reversed: reversed, in: transaction
            ) { try hand($0.member) }
        }
    }

    /// Walks the rows whose reference holds a row's id: the other way along a relationship that is kept as a reference,
    /// whether or not the schema has its inverse. In the order of the reference's index. The closure returns false to stop.
    ///
    /// Costs O(log n + rows), and takes nothing from the heap from row to row.
    ///
    /// - Throws: `damagedCatalog` where the relationship is not kept as a reference, `indexNotReady` where its index
    ///   cannot be read, damage of what is read, and what the closure throws.
    package func scanReferrers(
        of target: RowID, _ relationship: Relationship, _ body: (RowID) throws -> Bool
    ) throws {
        let reference = try catalog.referenceIndex(of: relationship, databases.blocks)
        _ = try access(reference.index.index)
        try withBatchMemory { memory in
            try reference.scan(of: target, in: transaction, memory: memory) { try body($0.rowID) }
        }
    }

    private func referenceIndex(behind relationship: Relationship) throws -> ReferenceIndex {
        guard let inverse = catalog.inverse(of: relationship) else {
            throw StorageError(.unknownRelationship, property: relationship.name)
        }
        guard inverse.relationship.referenceProperty != nil else {
            throw StorageError(.relationshipMoved, property: relationship.name)
        }
        return try catalog.referenceIndex(of: inverse.relationship, databases.blocks)
    }
}
