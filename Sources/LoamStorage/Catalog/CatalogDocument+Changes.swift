import Foundation

/// Schema changes as functions from one document to the next. Nothing here touches the store.
extension CatalogDocument {
    mutating func addEntities(_ definitions: [EntityDefinition]) throws {
        let planned = try RelationshipPlan.plan(definitions.map { ($0.name, $0.relationships) })
        for definition in definitions {
            guard schema.entity(named: definition.name) == nil else {
                throw StorageError(.entityExists, entity: definition.name)
            }
            schema.entities.append(try makeEntity(definition, planned: planned[definition.name] ?? []))
        }
        for definition in definitions { try attach(planned[definition.name] ?? [], to: definition.name) }
        try connectInverses(of: planned)
    }

    /// Gives ids to a new entity, its properties and its indexes without making it part of the schema.
    ///
    /// - Parameter planned: its relationships, of which only what lies in records is made; the rest when all entities
    ///   are there (``attach(_:to:)``).
    mutating func makeEntity(_ definition: EntityDefinition, planned: [PlannedRelationship] = []) throws -> Entity {
        try Self.validateName(definition.name)
        guard planned.count == definition.relationships.count else {
            throw StorageError(.invalidSchema("its relationships need all their entities"), entity: definition.name)
        }
        var entity = Entity(id: nextEntity, name: definition.name, properties: [])
        nextEntity += 1
        try append(definition.properties, toNew: &entity)
        for relationship in planned { try appendReference(relationship, to: &entity) }
        try addLayout(of: entity)
        for definition in definition.indexes {
            entity.indexes.append(try makeIndex(definition, of: entity))
        }
        if let version = definition.rulesVersion {
            ruleVersions = (ruleVersions ?? [:]).merging([entity.id: version]) { $1 }
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
        forget(entity)
    }

    /// Forgets what is known of an entity besides its description.
    mutating func forget(_ entity: Entity) {
        currentLayouts[entity.id] = nil
        layouts.removeAll { $0.entity == entity.id }
        forgetValues(of: Set(entity.properties.map(\.id)))
        ruleVersions?[entity.id] = nil
    }

    private mutating func forgetValues(of properties: Set<PropertyID>) {
        for id in properties {
            initialValues[id] = nil
            nilValues?[id] = nil
        }
        if nilValues?.isEmpty == true { nilValues = nil }
        let left = (fillers ?? []).subtracting(properties)
        fillers = left.isEmpty ? nil : left
    }

    mutating func addProperty(_ definition: PropertyDefinition, to name: String) throws {
        var entity = try entity(name)
        guard definition.isOptional || !definition.initialValue.isNull || !definition.filler.isNull else {
            throw StorageError(.missingValue, entity: name, property: definition.name)
        }
        let id = try append(definition, to: &entity)
        if definition.initialValue.isNull, !definition.filler.isNull {
            initialValues[id] = Data(try CompositeCodec.encode(definition.filler, as: definition.type))
            fillers = (fillers ?? []).union([id])
        }
        try addLayout(of: entity)
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
        try update(name) {
            $0.forgetFormerName(newName)
            $0.rename(position, to: newName)
        }
    }

    mutating func removeProperty(_ property: String, from name: String) throws {
        var entity = try entity(name)
        guard let position = entity.position(of: property) else {
            throw StorageError(.unknownProperty, entity: name, property: property)
        }
        try requireAttribute(entity.properties[position], of: entity)
        try removeProperties([entity.properties[position].id], from: &entity)
        try update(name) { $0 = entity }
    }

    /// Takes properties and the indexes that use them out of an entity.
    mutating func removeProperties(_ ids: Set<PropertyID>, from entity: inout Entity) throws {
        let affected = entity.indexes.filter { !ids.isDisjoint(with: $0.properties) }
        retiredIndexes += affected.map(\.id)
        entity.indexes.removeAll { affected.contains($0) }
        entity.properties.removeAll { ids.contains($0.id) }
        forgetValues(of: ids)
        try addLayout(of: entity)
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

    private mutating func append(_ definition: PropertyDefinition, to entity: inout Entity) throws -> PropertyID {
        try Self.validateName(definition.name)
        try requireFree(definition.name, in: entity)
        entity.forgetFormerName(definition.name)
        return try append(definition, formerNames: entity.free(definition.formerNames), to: &entity)
    }

    /// Adds the properties of an entity that has none yet, in time that follows their number: a table may have
    /// thousands of columns.
    private mutating func append(_ definitions: [PropertyDefinition], toNew entity: inout Entity) throws {
        var names: Set<String> = []
        for definition in definitions {
            try Self.validateName(definition.name)
            guard names.insert(definition.name).inserted else {
                throw StorageError(.propertyExists, entity: entity.name, property: definition.name)
            }
        }
        for definition in definitions {
            let formerNames = definition.formerNames.filter { names.insert($0).inserted }
            try append(definition, formerNames: formerNames, to: &entity)
        }
    }

    @discardableResult
    private mutating func append(
        _ definition: PropertyDefinition, formerNames: [String], to entity: inout Entity
    ) throws -> PropertyID {
        let id = newPropertyID()
        entity.properties.append(
            Property(
                id: id, name: definition.name, type: definition.type, isOptional: definition.isOptional,
                formerNames: formerNames, isPreserved: definition.isPreserved))
        if !definition.initialValue.isNull {
            initialValues[id] = Data(try CompositeCodec.encode(definition.initialValue, as: definition.type))
        }
        return id
    }

    mutating func newPropertyID() -> PropertyID {
        defer { nextProperty += 1 }
        return nextProperty
    }

    /// Throws where a property or a relationship of the entity has the name.
    func requireFree(_ name: String, in entity: Entity) throws {
        let isTaken =
            entity.properties.contains { $0.name == name } || entity.relationships.contains { $0.name == name }
        guard !isTaken else {
            throw StorageError(.propertyExists, entity: entity.name, property: name)
        }
    }

    func requireAttribute(_ property: Property, of entity: Entity) throws {
        guard property.role == .attribute else {
            throw StorageError(
                .invalidSchema("it belongs to a relationship; change that"), entity: entity.name,
                property: property.name)
        }
    }

    /// Lets new records of an entity have its present properties: in a layout that it had before, unless nil means
    /// something else in it, or in a new one.
    mutating func addLayout(of entity: Entity) throws {
        let fields = entity.properties.map {
            RecordLayout.Field(property: $0.id, type: $0.type, isOptional: $0.isOptional)
        }
        let known = layouts.filter { $0.entity == entity.id }
        let lastFilled = entity.properties.compactMap { nilValues?[$0.id]?.last?.lastLayout }.max() ?? 0
        if let same = known.first(where: { $0.fields == fields && $0.id > lastFilled }) {
            currentLayouts[entity.id] = same.id
            return
        }
        let last = known.map(\.id).max() ?? 0
        guard last < .max else { throw StorageError(.noMoreLayouts, entity: entity.name) }
        layouts.append(RecordLayout.Description(id: last + 1, entity: entity.id, fields: fields))
        currentLayouts[entity.id] = last + 1
    }

    /// Checks a name: it has 1 to 255 bytes of UTF-8, and no dot, control character or comma. Dots separate the names
    /// of a key path, commas the components of an index.
    ///
    /// - Throws: `invalidSchema` for a name that the catalog does not take.
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

extension Entity {
    /// The names among these that no property or relationship has or once had.
    func free(_ names: [String]) -> [String] {
        names.filter { position(of: $0) == nil && relationship(named: $0) == nil }
    }

    /// A name that is given to something new leads to that, not to what once had it.
    mutating func forgetFormerName(_ name: String) {
        for position in properties.indices { properties[position].formerNames.removeAll { $0 == name } }
        for position in relationships.indices {
            let left = (relationships[position].formerNames ?? []).filter { $0 != name }
            relationships[position].formerNames = left.isEmpty ? nil : left
        }
    }
}

extension Entity {
    /// Gives a property another name, in the definitions of indexes too; the old one still leads to it.
    mutating func rename(_ position: Int, to newName: String) {
        let name = properties[position].name
        properties[position].formerNames = properties[position].formerNames.filter { $0 != newName } + [name]
        setName(newName, at: position)
    }

    /// Gives a property another name, and forgets the old one.
    mutating func setName(_ name: String, at position: Int) {
        properties[position].name = name
        for index in indexes.indices { indexes[index].rename(properties[position].id, to: name) }
    }
}
