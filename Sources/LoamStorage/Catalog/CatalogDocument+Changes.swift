import Foundation

/// Schema changes as functions from one document to the next. Nothing here touches the store.
extension CatalogDocument {
    mutating func addEntities(_ definitions: [EntityDefinition]) throws {
        let planned = try RelationshipPlan.plan(definitions.map { ($0.name, $0.relationships) })
        for definition in definitions {
            guard schema.entity(named: definition.name) == nil else {
                throw StorageError(.entityExists, entity: definition.name)
            }
            schema.entities.append(try makeEntity(definition, planned[definition.name] ?? []))
        }
        for definition in definitions { try attach(planned[definition.name] ?? [], to: definition.name) }
        try connectInverses(of: planned)
    }

    /// Gives ids to a new entity, its properties and its indexes without making it part of the schema.
    ///
    /// - Parameter planned: its relationships, of which only what lies in records is made; the rest when all entities
    ///   are there (``attach(_:to:)``).
    mutating func makeEntity(_ definition: EntityDefinition, _ planned: [PlannedRelationship] = []) throws -> Entity {
        try Self.validateName(definition.name)
        guard planned.count == definition.relationships.count else {
            throw StorageError(.invalidSchema("its relationships need all their entities"), entity: definition.name)
        }
        var entity = Entity(id: nextEntity, name: definition.name, properties: [])
        nextEntity += 1
        for property in definition.properties {
            try append(property, to: &entity)
        }
        for relationship in planned { try appendReference(relationship, to: &entity) }
        addLayout(of: entity)
        for definition in definition.indexes {
            entity.indexes.append(try makeIndex(definition, of: entity))
        }
        return entity
    }

    mutating func renameEntity(_ name: String, to newName: String) throws {
        try Self.validateName(newName)
        guard schema.entity(named: newName) == nil else { throw StorageError(.entityExists, entity: newName) }
        try update(name) { $0.name = newName }
    }

    mutating func removeEntity(_ name: String) throws {
        for relationship in try entity(name).relationships
        where try entity(name).relationship(withID: relationship.id) != nil {
            try removeRelationship(relationship.name, from: name, withInverse: true)
        }
        let id = try entity(name).id
        for other in schema.entities {
            for relationship in other.relationships where relationship.destination == id {
                try removeRelationship(relationship.name, from: other.name, withInverse: true)
            }
        }
        let entity = try entity(name)
        schema.entities.removeAll { $0.id == entity.id }
        retiredIndexes += entity.indexes.map(\.id)
        retiredEntities.append(entity.id)
        currentLayouts[entity.id] = nil
        layouts.removeAll { $0.entity == entity.id }
        for property in entity.properties { initialValues[property.id] = nil }
    }

    mutating func addProperty(_ definition: PropertyDefinition, to name: String) throws {
        var entity = try entity(name)
        guard definition.isOptional || !definition.initialValue.isNull else {
            throw StorageError(.missingValue, entity: name, property: definition.name)
        }
        try append(definition, to: &entity)
        if let property = entity.properties.last {
            initialValues[property.id] = Data(try CompositeCodec.encode(definition.initialValue, as: property.type))
        }
        addLayout(of: entity)
        try update(name) { $0 = entity }
    }

    mutating func renameProperty(_ property: String, to newName: String, in name: String) throws {
        try Self.validateName(newName)
        let entity = try entity(name)
        guard let position = entity.position(of: property) else {
            throw StorageError(.unknownProperty, entity: name, property: property)
        }
        try requireFree(newName, in: entity)
        try requireAttribute(entity.properties[position], of: entity)
        try update(name) { $0.properties[position].name = newName }
    }

    mutating func removeProperty(_ property: String, from name: String) throws {
        var entity = try entity(name)
        guard let position = entity.position(of: property) else {
            throw StorageError(.unknownProperty, entity: name, property: property)
        }
        try requireAttribute(entity.properties[position], of: entity)
        removeProperties([entity.properties[position].id], from: &entity)
        try update(name) { $0 = entity }
    }

    /// Takes properties and the indexes that use them out of an entity.
    mutating func removeProperties(_ ids: Set<PropertyID>, from entity: inout Entity) {
        let affected = entity.indexes.filter { index in
            !ids.isDisjoint(with: index.included) || index.components.contains { ids.contains($0.property) }
        }
        retiredIndexes += affected.map(\.id)
        entity.indexes.removeAll { affected.contains($0) }
        entity.properties.removeAll { ids.contains($0.id) }
        for id in ids { initialValues[id] = nil }
        addLayout(of: entity)
    }

    mutating func addIndex(_ definition: IndexDefinition, to name: String, state: IndexState) throws -> Index {
        let entity = try entity(name)
        var index = try makeIndex(definition, of: entity)
        index.state = state
        try update(name) { $0.indexes.append(index) }
        return index
    }

    mutating func dropIndex(_ indexName: String, from name: String) throws {
        let entity = try entity(name)
        guard let index = entity.indexes.first(where: { $0.name == indexName }) else {
            throw StorageError(.unknownIndex, entity: name, index: indexName)
        }
        guard relationship(keptInIndex: index.id) == nil else {
            throw StorageError(
                .invalidIndex("a relationship is kept in it; remove that"), entity: name, index: indexName)
        }
        retiredIndexes.append(index.id)
        try update(name) { $0.indexes.removeAll { $0.id == index.id } }
    }

    func entity(_ name: String) throws -> Entity {
        guard let entity = schema.entity(named: name) else { throw StorageError(.unknownEntity, entity: name) }
        return entity
    }

    mutating func update(_ name: String, _ change: (inout Entity) -> Void) throws {
        guard let position = schema.entities.firstIndex(where: { $0.name == name }) else {
            throw StorageError(.unknownEntity, entity: name)
        }
        change(&schema.entities[position])
    }

    mutating func newIndexID() -> IndexID {
        defer { nextIndex += 1 }
        return nextIndex
    }

    private mutating func append(_ definition: PropertyDefinition, to entity: inout Entity) throws {
        try Self.validateName(definition.name)
        try requireFree(definition.name, in: entity)
        entity.properties.append(
            Property(
                id: newPropertyID(), name: definition.name, type: definition.type, isOptional: definition.isOptional))
    }

    mutating func newPropertyID() -> PropertyID {
        defer { nextProperty += 1 }
        return nextProperty
    }

    /// Throws where a property or a relationship of the entity has the name.
    func requireFree(_ name: String, in entity: Entity) throws {
        guard entity.position(of: name) == nil, entity.relationship(named: name) == nil else {
            throw StorageError(.propertyExists, entity: entity.name, property: name)
        }
    }

    private func requireAttribute(_ property: Property, of entity: Entity) throws {
        guard property.role == .attribute else {
            throw StorageError(
                .invalidSchema("it belongs to a relationship; change that"), entity: entity.name,
                property: property.name)
        }
    }

    mutating func addLayout(of entity: Entity) {
        layouts.append(
            RecordLayout.Description(
                id: nextLayout, entity: entity.id,
                fields: entity.properties.map {
                    .init(property: $0.id, type: $0.type, isOptional: $0.isOptional)
                }))
        currentLayouts[entity.id] = nextLayout
        nextLayout += 1
    }

    /// A name is any text that is not empty and has neither a dot nor a control character nor a comma: dots separate
    /// the names of a key path, commas the components of an index.
    static func validateName(_ name: String) throws {
        let isValid =
            !name.isEmpty && name.utf8.count <= 255
            && name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && $0 != "." && $0 != "," }
        guard isValid else {
            throw StorageError(
                .invalidSchema("a name is empty, too long, or holds a dot, a comma or a control character"))
        }
    }
}
