import Foundation
import LoamStorage

/// Brings a store's schema to a container's: makes what is missing, renames what says so, and takes away properties that the
/// models no longer have. No record is rewritten. Entities that the container does not know stay as they are, and so do
/// indexes that somebody added by hand, but for unique ones, which would refuse what the models allow.
struct SchemaSync {
    private let schema: Schema
    private let store: Store
    private let pairs: RelationshipPairs

    init(_ schema: Schema, _ store: Store) throws {
        self.schema = schema
        self.store = store
        pairs = try RelationshipPairs(schema)
    }

    func run() throws {
        try addEntities()
        for type in schema.types { try updateAttributes(of: type) }
        for type in schema.types { try updateRelationships(of: type) }
        for type in schema.types { try updateIndexes(of: type) }
    }

    private func entity(_ name: String) throws -> LoamStorage.Entity? {
        try store.catalog().schema.entity(named: name)
    }

    private func addEntities() throws {
        let known = Set(try store.catalog().schema.entities.map(\.name))
        let new = schema.types.filter { !known.contains($0.entityName) }
        guard !new.isEmpty else { return }
        let names = Set(new.map(\.entityName))
        try store.apply(
            .addEntities(
                try new.map { type in
                    EntityDefinition(
                        type.entityName,
                        properties: type.properties.compactMap(\.definition),
                        // A pair with an entity that is there already is added as a pair, afterwards.
                        relationships: try pairs.definitions(of: type).filter {
                            names.contains($0.destination) || $0.inverse == nil
                        })
                }))
    }

    // MARK: Attributes

    private func updateAttributes(of type: ModelType) throws {
        guard let entity = try entity(type.entityName) else { return }
        let wanted = type.properties.filter { $0.destination == nil }
        for property in wanted where entity.position(of: property.name) == nil {
            let original = property.originalName
            if original != property.name, entity.position(of: original) != nil,
                !wanted.contains(where: { $0.name == original })
            {
                try store.apply(.renameProperty(original, to: property.name, in: entity.name))
            } else if let definition = property.definition {
                try store.apply(.addProperty(definition, to: entity.name))
            }
        }
        try removeAttributes(of: type, wanted)
        try requireTypes(of: type, wanted)
    }

    private func removeAttributes(of type: ModelType, _ wanted: [ModelProperty]) throws {
        guard let entity = try entity(type.entityName) else { return }
        let names = Set(wanted.map(\.name))
        for property in entity.properties where property.role == .attribute && !names.contains(property.name) {
            try store.apply(.removeProperty(property.name, from: entity.name))
        }
    }

    private func requireTypes(of type: ModelType, _ wanted: [ModelProperty]) throws {
        guard let entity = try entity(type.entityName) else { return }
        for property in wanted {
            guard let stored = entity.properties.first(where: { $0.name == property.name }),
                let definition = property.definition
            else { continue }
            guard stored.type == definition.type, stored.isOptional == definition.isOptional else {
                throw SchemaValidation.error(
                    "\(entity.name).\(property.name) is stored as \(stored.type)\(stored.isOptional ? "?" : "") and the "
                        + "model has \(definition.type)\(definition.isOptional ? "?" : ""). Give the new property another "
                        + "name, or move the values over in a store of the new type.")
            }
        }
    }

    // MARK: Relationships

    private func updateRelationships(of type: ModelType) throws {
        for definition in try pairs.definitions(of: type) {
            guard let entity = try entity(type.entityName) else { continue }
            let property = type.properties.first { $0.name == definition.name }
            if let stored = entity.relationships.first(where: { $0.name == definition.name }) {
                try require(definition, sameAs: stored, of: entity)
            } else if let original = property?.originalName, original != definition.name,
                entity.relationships.contains(where: { $0.name == original })
            {
                try store.apply(.renameRelationship(original, to: definition.name, in: entity.name))
            } else {
                let inverse = try definition.inverse.flatMap { name in
                    try schema.types.first { $0.entityName == definition.destination }
                        .flatMap { try pairs.definitions(of: $0).first { $0.name == name } }
                }
                try store.apply(.addRelationship(definition, to: entity.name, inverse: inverse))
            }
        }
        try removeRelationships(of: type)
    }

    private func removeRelationships(of type: ModelType) throws {
        let names = Set(type.properties.filter { $0.destination != nil }.map(\.name))
        while let entity = try entity(type.entityName),
            let gone = entity.relationships.first(where: { !names.contains($0.name) })
        {
            try store.apply(.removeRelationship(gone.name, from: entity.name))
        }
    }

    private func require(
        _ definition: RelationshipDefinition, sameAs stored: LoamStorage.Relationship, of entity: LoamStorage.Entity
    ) throws {
        let schema = try store.catalog().schema
        let destination = schema.entities.first { $0.id == stored.destination }?.name
        let inverse = stored.inverse.flatMap { id in
            schema.entities.first { $0.id == stored.destination }?.relationships.first { $0.id == id }?.name
        }
        guard destination == definition.destination, stored.isToMany == definition.isToMany,
            inverse == definition.inverse
        else {
            throw SchemaValidation.error(
                "\(entity.name).\(definition.name) is stored as a relationship of another kind than the model's. Give the new "
                    + "relationship another name.")
        }
        guard
            stored.deleteRule == definition.deleteRule, stored.isOptional == definition.isOptional,
            stored.minimumCount == definition.minimumCount, stored.maximumCount == definition.maximumCount
        else {
            try store.apply(.changeRelationship(definition, of: entity.name))
            return
        }
    }

    // MARK: Indexes

    private func updateIndexes(of type: ModelType) throws {
        guard let entity = try entity(type.entityName) else { return }
        let wanted = type.indexes.map(\.definition)
        for index in entity.indexes where index.isUnique && !entity.isReferenceIndex(index) {
            if !wanted.contains(where: { index.isSame(as: $0, in: entity) }) {
                try store.apply(.dropIndex(index.name, from: entity.name))
            }
        }
        for definition in wanted where !entity.indexes.contains(where: { $0.isSame(as: definition, in: entity) }) {
            try store.apply(.addIndex(definition, to: entity.name))
        }
    }
}

extension ModelProperty {
    /// The attribute as the store is told of it; nil for relationships.
    fileprivate var definition: PropertyDefinition? {
        storage.map { PropertyDefinition(name, $0.type, isOptional: $0.isOptional, initialValue: initialValue) }
    }
}

extension ModelIndex {
    fileprivate var definition: IndexDefinition {
        IndexDefinition(
            names.map { .init($0, form: kind == .folded ? .caseAndDiacriticFolded : .exact) },
            name: (kind == .unique ? "unique " : kind == .sectioned ? "sections " : "")
                + names.map { kind == .folded ? "fold(\($0))" : $0 }.joined(separator: ","),
            isUnique: kind == .unique, isSectioned: kind == .sectioned)
    }
}

extension LoamStorage.Index {
    fileprivate func isSame(as definition: IndexDefinition, in entity: LoamStorage.Entity) -> Bool {
        guard isUnique == definition.isUnique, isSectioned == definition.isSectioned,
            components.count == definition.components.count
        else { return false }
        return zip(components, definition.components).allSatisfy { component, wanted in
            let name = entity.properties.first { $0.id == component.property }?.name ?? ""
            return ([name] + component.path).joined(separator: ".") == wanted.keyPath
                && component.direction == wanted.direction && component.form == wanted.form
        }
    }
}

extension LoamStorage.Entity {
    /// Whether the index belongs to a relationship.
    fileprivate func isReferenceIndex(_ index: LoamStorage.Index) -> Bool {
        relationships.contains {
            if case .reference(_, _, let id) = $0.storage { id == index.id } else { false }
        }
    }
}
