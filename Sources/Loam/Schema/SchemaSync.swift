import LoamStorage

/// Brings a store's schema to a container's: adds what is missing, renames what says so, and makes relationships what
/// they may become. Nothing goes: what the models lack is unclaimed, and stays for those who declare it.
///
/// A function from one schema to the next, called inside the write transaction with the schema as it is there.
struct SchemaSync: Sendable {
    private let schema: Schema
    private let pairs: RelationshipPairs
    private let version: SchemaVersion

    init(_ schema: Schema) throws {
        self.schema = schema
        pairs = try RelationshipPairs(schema.types)
        version = SchemaVersion(schema.version)
    }

    /// Makes in the draft what the models declare and the store lacks.
    ///
    /// - Throws: ``SwiftDataError`` where the store keeps something of another type, naming it.
    func decide(_ draft: inout SchemaDraft) throws {
        try addEntities(&draft)
        for type in schema.types { try claimAttributes(of: type, &draft) }
        for type in schema.types { try claimRelationships(of: type, &draft) }
        for type in schema.types { try checkRelationships(of: type, &draft) }
        for type in schema.types { try addIndexes(of: type, &draft) }
        for type in schema.types where try draft.acceptsRules(of: version, for: type.entityName) {
            try draft.noteRules(of: version, for: type.entityName)
        }
    }

    private func addEntities(_ draft: inout SchemaDraft) throws {
        let known = Set(draft.schema.entities.map(\.name))
        let new = schema.types.filter { !known.contains($0.entityName) }
        guard !new.isEmpty else { return }
        let names = Set(new.map(\.entityName))
        try draft.apply(
            .addEntities(
                new.map { type in
                    EntityDefinition(
                        type.entityName,
                        properties: type.properties.compactMap(\.definition),
                        // A pair with an entity that is there already is added as a pair, afterwards.
                        relationships: pairs.definitions(of: type).filter {
                            names.contains($0.destination) || $0.inverse == nil
                        })
                }))
    }

    // MARK: Attributes

    private func claimAttributes(of type: ModelType, _ draft: inout SchemaDraft) throws {
        let name = type.entityName
        for property in type.properties {
            guard let definition = property.definition else { continue }
            switch type.claim(property, in: try draft.entity(name)) {
            case .missing: try draft.apply(.addProperty(definition, to: name))
            case .renamed(let former): try draft.apply(.renameProperty(former, to: property.name, in: name))
            case .stored: break
            }
            guard let stored = type.storedProperty(property, in: try draft.entity(name)) else { continue }
            try change(stored, to: definition, of: name, draft: &draft)
        }
    }

    /// Brings an attribute to the type of the models where that has all values of its own, and to their word on nil and
    /// on what the history keeps.
    private func change(
        _ stored: Property, to definition: PropertyDefinition, of entity: String, draft: inout SchemaDraft
    ) throws {
        let isAccepted = try draft.acceptsRules(of: version, for: entity)
        if isAccepted, stored.type.widens(to: definition.type) {
            try draft.apply(.widen(stored.name, to: definition.type, in: entity))
        } else {
            try SchemaValidation.requireType(
                of: stored, declared: definition.type, named: definition.name, entity: entity,
                rules: try draft.rules(of: entity), version: version)
        }
        if isAccepted, stored.isPreserved != definition.isPreserved {
            try draft.apply(.preserve(stored.name, definition.isPreserved, in: entity))
        }
        guard isAccepted, stored.isOptional != definition.isOptional else { return }
        try draft.apply(
            definition.isOptional
                ? .makeOptional(stored.name, in: entity)
                : .makeRequired(stored.name, nilValue: definition.initialValue, in: entity))
    }

    // MARK: Relationships

    private func claimRelationships(of type: ModelType, _ draft: inout SchemaDraft) throws {
        let name = type.entityName
        for definition in pairs.definitions(of: type) {
            guard let property = type.properties.first(where: { $0.name == definition.name }) else { continue }
            switch type.claim(property, in: try draft.entity(name)) {
            case .missing: try add(definition, of: name, draft: &draft)
            case .renamed(let former): try draft.apply(.renameRelationship(former, to: property.name, in: name))
            case .stored: break
            }
            guard definition.isToMany,
                let stored = type.storedRelationship(property, in: try draft.entity(name)), !stored.isToMany,
                try draft.acceptsRules(of: version, for: name)
            else { continue }
            try draft.apply(.makeToMany(stored.name, in: name))
        }
    }

    private func add(_ definition: RelationshipDefinition, of entity: String, draft: inout SchemaDraft) throws {
        guard let known = try storedInverse(of: definition, draft) else {
            try draft.apply(.addRelationship(definition, to: entity, inverse: inverse(of: definition)))
            return
        }
        guard known.inverse == nil else {
            throw SchemaValidation.error(
                "\(entity).\(definition.name) is to be the inverse of \(definition.destination).\(known.name), which has "
                    + "another inverse in the store. Give both sides new names, or declare the new one without an inverse."
            )
        }
        try draft.apply(.addInverse(definition, to: entity, of: known.name))
    }

    /// The other side of a relationship that is to be added, where the store has it already.
    private func storedInverse(
        of definition: RelationshipDefinition, _ draft: SchemaDraft
    ) throws -> LoamStorage.Relationship? {
        guard let name = definition.inverse,
            let other = schema.types.first(where: { $0.entityName == definition.destination }),
            let property = other.properties.first(where: { $0.name == name })
        else { return nil }
        let known = other.storedRelationship(property, in: try draft.entity(other.entityName))
        // One that the model is about to claim under a new name is that, too.
        if known == nil, case .renamed(let former) = other.claim(property, in: try draft.entity(other.entityName)) {
            return try draft.entity(other.entityName).relationship(named: former)
        }
        return known
    }

    private func checkRelationships(of type: ModelType, _ draft: inout SchemaDraft) throws {
        let name = type.entityName
        for definition in pairs.definitions(of: type) {
            guard let property = type.properties.first(where: { $0.name == definition.name }) else { continue }
            guard let stored = type.storedRelationship(property, in: try draft.entity(name)) else { continue }
            try require(definition, sameAs: stored, of: type, found: draft.schema)
            try takeRules(of: definition, for: stored, of: name, &draft)
        }
    }

    private func inverse(of definition: RelationshipDefinition) -> RelationshipDefinition? {
        guard let name = definition.inverse else { return nil }
        return schema.types.first { $0.entityName == definition.destination }
            .flatMap { pairs.definitions(of: $0).first { $0.name == name } }
    }

    private func require(
        _ definition: RelationshipDefinition, sameAs stored: LoamStorage.Relationship, of type: ModelType,
        found: LoamStorage.Schema
    ) throws {
        if case .inverseOfReference(let id) = stored.storage, definition.inverse == nil {
            let keeper = found.relationship(withID: id).map { "\($0.entity.name).\($0.relationship.name)" } ?? "another"
            throw SchemaValidation.error(
                "\(type.entityName).\(definition.name) is kept by its inverse in the store, \(keeper), which these models "
                    + "lack: what they add would be lost. Update this program, or declare the inverse.")
        }
        guard let destination = found.entity(withID: stored.destination), destination.name == definition.destination,
            stored.isToMany == definition.isToMany, hasInverse(definition, stored: stored, destination: destination)
        else {
            throw SchemaValidation.error(
                "\(type.entityName).\(definition.name) is stored as a relationship of another kind than the model's. "
                    + "Give the new relationship another name.")
        }
    }

    /// Whether the other side is the model's, or one that the models lack.
    private func hasInverse(
        _ definition: RelationshipDefinition, stored: LoamStorage.Relationship, destination: LoamStorage.Entity
    ) -> Bool {
        guard let other = schema.types.first(where: { $0.entityName == destination.name }) else { return false }
        func storedID(_ property: ModelProperty) -> PropertyID? {
            other.storedRelationship(property, in: destination)?.id
        }
        if let name = definition.inverse {
            return stored.inverse != nil
                && other.properties.first { $0.name == name }.flatMap(storedID) == stored.inverse
        }
        guard let inverse = stored.inverse else { return true }
        return !other.properties.contains { storedID($0) == inverse }
    }

    private func takeRules(
        of definition: RelationshipDefinition, for stored: LoamStorage.Relationship, of entity: String,
        _ draft: inout SchemaDraft
    ) throws {
        let isSame =
            stored.deleteRule == definition.deleteRule && stored.isOptional == definition.isOptional
            && stored.minimumCount == definition.minimumCount && stored.maximumCount == definition.maximumCount
        guard !isSame, try draft.acceptsRules(of: version, for: entity) else { return }
        var definition = definition
        definition.name = stored.name
        try draft.apply(.changeRelationship(definition, of: entity))
    }

    // MARK: Indexes

    private func addIndexes(of type: ModelType, _ draft: inout SchemaDraft) throws {
        for index in type.indexes {
            let entity = try draft.entity(type.entityName)
            guard type.storedIndex(index, in: entity) == nil else { continue }
            var definition = type.storedDefinition(index, in: entity)
            definition.name = freeName(index.name, in: entity)
            try draft.apply(.addIndex(definition, to: type.entityName))
        }
    }

    /// An index over what once had the name of something else may have its name already.
    private func freeName(_ name: String, in entity: LoamStorage.Entity) -> String {
        let taken = Set(entity.indexes.map(\.name))
        guard taken.contains(name) else { return name }
        return (2...taken.count + 2).lazy.map { "\(name) (\($0))" }.first { !taken.contains($0) } ?? name
    }
}

extension SchemaVersion {
    init(_ version: Schema.Version) { self.init(version.major, version.minor, version.patch) }
}

extension SchemaDraft {
    fileprivate func entity(_ name: String) throws -> LoamStorage.Entity {
        guard let entity = schema.entity(named: name) else { throw StorageError(.unknownEntity, entity: name) }
        return entity
    }
}

extension ModelProperty {
    /// The attribute as the store is told of it; nil for relationships.
    var definition: PropertyDefinition? {
        storage.map {
            PropertyDefinition(
                name, type: $0.type, isOptional: $0.isOptional, initialValue: hasDefault ? initialValue : .null,
                filler: hasDefault ? .null : initialValue, formerNames: formerNames, isPreserved: isPreserved)
        }
    }

    /// Names that models of older versions know the property by.
    var formerNames: [String] { originalName == name ? [] : [originalName] }
}

extension ModelType {
    /// The stored index that is as the model declares it.
    func storedIndex(_ declared: IndexDefinition, in entity: LoamStorage.Entity) -> LoamStorage.Index? {
        let definition = storedDefinition(declared, in: entity)
        return entity.indexes.first { $0.definition.isSame(as: definition) }
    }

    /// A declared index by the names that the store has for the properties.
    fileprivate func storedDefinition(
        _ declared: IndexDefinition, in entity: LoamStorage.Entity
    ) -> IndexDefinition {
        var definition = declared
        for position in definition.components.indices {
            definition.components[position].names = [storedName(declared.properties[position], in: entity)]
        }
        return definition
    }
}
