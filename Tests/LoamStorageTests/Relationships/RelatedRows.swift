import LoamStorage

/// A store's rows with a name and relationships, by names instead of numbers.
struct RelatedRows {
    let store: Store

    func entity(_ name: String) throws -> Entity { try store.entity(name) }

    func relationship(_ name: String, of entity: String) throws -> Relationship {
        guard let relationship = try store.entity(entity).relationship(named: name) else {
            throw StorageError(.unknownRelationship, entity: entity, property: name)
        }
        return relationship
    }

    func related(_ row: RowID, _ name: String, of entity: String) throws -> [RowID] {
        try store.read { snapshot in
            let entity = try snapshot.entity(named: entity)
            guard let relationship = entity.relationship(named: name) else {
                throw StorageError(.unknownRelationship)
            }
            let rows = try snapshot.relatedRowIDs(of: row, relationship, in: entity)
            guard try snapshot.relatedCount(of: row, relationship, in: entity) == rows.count else {
                throw StorageError(.inconsistent("a count is not the number of rows"))
            }
            return rows
        }
    }

    /// The position that is stored for a row in its list.
    func position(_ row: RowID, _ name: String, of entity: String) throws -> Value? {
        let found = try store.entity(entity)
        guard let position = found.position(of: "\(name).position") else { return nil }
        return try store.values(row, of: entity)?[position]
    }

    func exists(_ row: RowID, _ entity: String) throws -> Bool { try store.record(row, of: entity) != nil }

    @discardableResult
    func save(
        _ policy: MergePolicy = .propertyByProperty, _ body: (inout RelatedBatch) throws -> Void
    ) throws -> SaveResult {
        var batch = RelatedBatch(rows: self, batch: WriteBatch(author: "test", policy: policy))
        try body(&batch)
        return try store.save(batch.batch)
    }

    @discardableResult
    func insert(_ entity: String, _ name: String, _ references: [String: RowID] = [:]) throws -> RowID {
        var row: RowID = 0
        try save { row = try $0.insert(entity, name, references) }
        return row
    }
}

struct RelatedBatch {
    let rows: RelatedRows
    var batch: WriteBatch

    mutating func insert(
        _ entity: String, _ name: String, _ references: [String: RowID] = [:], upserts: Bool = false
    ) throws -> RowID {
        let row = try rows.store.makeRowID()
        var values: [String: Value] = ["name": .string(name)]
        for (name, target) in references { values[name] = .uint(target) }
        batch.insert(
            try rows.store.catalog().encode(values, as: entity), into: try rows.entity(entity).id, rowID: row,
            upserts: upserts)
        return row
    }

    mutating func set(_ name: String, of row: RowID, _ entity: String, to target: RowID?, base: [UInt8]? = nil) throws {
        try update(row, entity, [name: target.map(Value.uint) ?? .null], base: base)
    }

    mutating func update(_ row: RowID, _ entity: String, _ values: [String: Value], base: [UInt8]? = nil) throws {
        let found = try rows.entity(entity)
        var changes: [PropertyID: Value] = [:]
        for (name, value) in values {
            guard let position = found.position(of: name) else { throw StorageError(.unknownProperty) }
            changes[found.properties[position].id] = value
        }
        batch.update(row, of: found.id, base: base, changes: changes)
    }

    mutating func delete(_ row: RowID, _ entity: String) throws { batch.delete(row, of: try rows.entity(entity).id) }

    mutating func place(_ row: RowID, _ entity: String, _ name: String, _ place: LinkPlace) throws {
        batch.place(row, of: try rows.entity(entity).id, in: try rows.relationship(name, of: entity).id, place: place)
    }

    mutating func link(
        _ name: String, of row: RowID, _ entity: String, to other: RowID, _ place: LinkPlace = .append
    ) throws {
        batch.link(
            try rows.relationship(name, of: entity).id, of: row, entity: try rows.entity(entity).id, to: other,
            place: place)
    }

    mutating func unlink(_ name: String, of row: RowID, _ entity: String, from other: RowID) throws {
        batch.unlink(
            try rows.relationship(name, of: entity).id, of: row, entity: try rows.entity(entity).id, from: other)
    }
}
