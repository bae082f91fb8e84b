import LoamStorage

/// A model class joined to its entity in one generation of a store's catalog.
final class EntityBinding: Sendable {
    let model: ModelType
    let entity: Entity
    let catalog: Catalog
    let storeID: String
    /// The origin of the entity's identifiers.
    let origin: PersistentIdentifier.Origin
    /// For each ordinal the position in `entity.properties` of the attribute, or of the reference that a to-one keeps
    /// in the record; -1 for relationships that are not kept in the record.
    let positions: [Int]
    /// For each ordinal the relationship; nil for attributes.
    let relationships: [LoamStorage.Relationship?]
    /// The layout of new records, and by ordinal the slot in it, or -1.
    let layout: RecordLayout
    let slots: [Int]
    /// Ordinals of the properties that an object must have a value for: all but optional ones and to-many relationships.
    let required: FieldMask
    /// Whether there are relationships.
    let hasRelationships: Bool
    /// Whether saving a new row may find one that is stored already.
    let hasUniqueIndex: Bool
    /// Whether some property has no value to give when its row is gone, so that objects read their record at once.
    let readsAtOnce: Bool
    /// Whether some relationship may lead to rows of this entity that are gone: one whose inverse has the delete rule
    /// `noAction`.
    let mayBeDangling: Bool
    /// What the store keeps of the entity and the model lacks; nil where it lacks nothing.
    let unclaimed: UnclaimedParts?

    /// - Parameter version: of the models.
    /// - Throws: ``SwiftDataError`` where the store lacks what the model declares, or has it with another type.
    init(_ model: ModelType, entity: Entity, catalog: Catalog, version: SchemaVersion) throws {
        self.model = model
        self.entity = entity
        self.catalog = catalog
        storeID = catalog.storeID
        origin = PersistentIdentifier.Origin(store: catalog.storeID, entity: entity.name)
        let layout = try catalog.currentLayout(of: entity.id)
        self.layout = layout
        let relationships = try model.properties.map { property in
            try model.requireStored(property, in: entity, rules: catalog.rules(of: entity.id), version: version)
        }
        self.relationships = relationships
        required = FieldMask(model.properties.indices.filter { model.properties[$0].isRequired })
        hasRelationships = relationships.contains { $0 != nil }
        let positions = model.properties.enumerated().map { ordinal, property in
            let id =
                property.destination == nil
                ? model.storedProperty(property, in: entity)?.id : relationships[ordinal]?.referenceProperty
            return id.flatMap { id in entity.properties.firstIndex { $0.id == id } } ?? -1
        }
        self.positions = positions
        slots = positions.map { $0 < 0 ? -1 : layout.slot(of: entity.properties[$0].id) ?? -1 }
        let declared = model.indexes.filter { $0.kind == .unique }
        let constraints = Set(declared.compactMap { model.storedIndex($0, in: entity)?.id })
        hasUniqueIndex = !constraints.isEmpty
        unclaimed = try UnclaimedParts(
            of: entity, claimed: Set(positions), constraints: constraints, catalog: catalog, layout: layout)
        mayBeDangling = entity.relationships.contains { $0.deleteRule == .noAction }
        readsAtOnce = model.properties.contains { $0.destination == nil && ZeroValue.of($0.valueType) == nil }
    }

    /// Whether the model's properties stand where they stand in another binding of it. They cease to when a property
    /// goes, or what a relationship leads to is kept elsewhere.
    func isStored(like other: EntityBinding) -> Bool {
        entity.id == other.entity.id && positions == other.positions && firstMoved(since: other) == nil
    }

    /// A relationship of the model that is kept elsewhere than in another binding of it; nil where none is.
    func firstMoved(since other: EntityBinding) -> String? {
        model.properties.indices
            .first { relationships[$0]?.storage.location != other.relationships[$0]?.storage.location }
            .map { model.properties[$0].name }
    }

    /// The position of an ordinal's property; nil where the record does not keep it.
    @inline(__always)
    func position(_ ordinal: Int) -> Int? {
        guard UInt(bitPattern: ordinal) < UInt(bitPattern: positions.count), positions[ordinal] >= 0 else { return nil }
        return positions[ordinal]
    }

    /// The model's properties with these ids, of attributes, references or relationships.
    func ordinals(of ids: Set<PropertyID>) -> [Int] {
        model.properties.indices.filter { ordinal in
            if let position = position(ordinal), ids.contains(entity.properties[position].id) { return true }
            return relationships[ordinal].map { ids.contains($0.id) } ?? false
        }
    }
}

extension LoamStorage.Relationship.Storage {
    /// Where a relationship is read, whatever orders it.
    fileprivate var location: [UInt32] {
        switch self {
        case .reference(let property, _, _): [0, property]
        case .inverseOfReference(let other): [1, other]
        case .links(let table, let isForward): [2, table, isForward ? 1 : 0]
        }
    }
}

extension ModelType {
    /// The stored relationship that a declared one is; nil for attributes.
    ///
    /// - Throws: where the store lacks the property, or has it with another type.
    fileprivate func requireStored(
        _ property: ModelProperty, in entity: Entity, rules: SchemaVersion?, version: SchemaVersion
    ) throws -> LoamStorage.Relationship? {
        if let declared = property.relationship, let relationship = storedRelationship(property, in: entity) {
            guard relationship.isToMany != declared.isToOneRelationship else {
                throw SwiftDataError(
                    .unknownSchema,
                    detail:
                        "\(entity.name).\(property.name) leads to \(relationship.isToMany ? "several models" : "one model") in the "
                        + "store, and not in this program's models. Another program has changed it: update this one.")
            }
            return relationship
        }
        guard let type = property.storage?.type, let stored = storedProperty(property, in: entity) else {
            throw SwiftDataError(
                .unknownSchema,
                detail:
                    "The store has no \(entity.name).\(property.name), which the model declares. Where another program has "
                    + "dropped it, update this one; else open the store with allowsSave, which adds it.")
        }
        try SchemaValidation.requireType(
            of: stored, declared: type, named: property.name, entity: entity.name, rules: rules, version: version)
        return nil
    }
}

/// What a store keeps of an entity and a model lacks, because a newer one declares it.
struct UnclaimedParts: Sendable {
    /// What new rows get, by slot of the layout.
    let values: [(slot: Int, value: Value)]
    /// A property that must have a value and has no default: no row can be inserted.
    let missing: String?
    let parts: Unclaimed

    /// Finds what the model lacks; nil where it lacks nothing.
    init?(
        of entity: Entity, claimed: Set<Int>, constraints: Set<IndexID>, catalog: Catalog, layout: RecordLayout
    ) throws {
        let others = entity.indexes.filter { $0.kind == .unique && !constraints.contains($0.id) }
        let positions = entity.properties.indices.filter {
            !claimed.contains($0) && !entity.properties[$0].isHidden
        }
        guard !others.isEmpty || !positions.isEmpty else { return nil }
        // A default that was made once, as that of an identifier, would make all new rows but one break the constraint.
        let unique = Set(others.flatMap(\.components).map(\.property))
        var values: [(slot: Int, value: Value)] = []
        var missing: String?
        for position in positions {
            let property = entity.properties[position]
            if property.isOptional, unique.contains(property.id) { continue }
            let value = try catalog.initialValue(of: position, in: entity.id)
            if !value.isNull, let slot = layout.slot(of: property.id) {
                values.append((slot, value))
            } else if !property.isOptional {
                missing = missing ?? property.name
            }
        }
        self.values = values
        self.missing = missing
        parts = Unclaimed(
            properties: Set(positions.map { entity.properties[$0].id }), constraints: Set(others.map(\.id)))
    }
}
