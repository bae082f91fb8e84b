/// Relationships in the catalog: what lies in records, the indexes over it, and the two sides of each pair.
extension CatalogDocument {
    /// Makes the properties and the index of a relationship that the entity's records keep, before its layout is made.
    /// Gives the index of an entity that has rows, which has to be built.
    @discardableResult
    mutating func appendReference(
        _ planned: PlannedRelationship, to entity: inout Entity, state: IndexState = .ready
    ) throws -> IndexID? {
        let (name, isOptional) = (planned.definition.name, planned.definition.isOptional)
        try Self.validateName(name)
        try requireFree(name, in: entity)
        entity.forgetFormerName(name)
        guard case .reference(let hasPosition) = planned.storage else { return nil }
        let kept = try appendReference(
            of: newPropertyID(), name, isOptional: isOptional, hasPosition: hasPosition,
            formerNames: entity.free(planned.definition.formerNames), to: &entity, state: state)
        return kept.index
    }

    /// Where a reference is kept.
    struct KeptReference {
        let property: PropertyID
        let position: PropertyID?
        let index: IndexID

        var storage: Relationship.Storage { .reference(property: property, position: position, index: index) }
    }

    /// Makes the properties and the index of the relationship with an id.
    mutating func appendReference(
        of id: PropertyID, _ name: String, isOptional: Bool, hasPosition: Bool, formerNames: [String],
        to entity: inout Entity, state: IndexState = .ready
    ) throws -> KeptReference {
        let reference = Property(
            id: newPropertyID(), name: name, type: .uint64, isOptional: isOptional, role: .reference(id),
            formerNames: formerNames)
        entity.properties.append(reference)
        var components = [IndexDefinition.Component(names: [name])]
        if hasPosition {
            // A name that no property of a user's can have.
            let position = Property(
                id: newPropertyID(), name: Self.positionName(of: name), type: .int64, isOptional: true,
                role: .position(id))
            entity.properties.append(position)
            components.append(IndexDefinition.Component(names: [position.name]))
        }
        let definition = IndexDefinition(
            components, name: Self.indexName(of: name), kind: .reference, isSectioned: hasPosition)
        let index = try Index(id: newIndexID(), definition, of: entity, state: state)
        entity.indexes.append(index)
        let position = hasPosition ? entity.properties.last?.id : nil
        return KeptReference(property: reference.id, position: position, index: index.id)
    }

    static func positionName(of relationship: String) -> String { "\(relationship).position" }
    static func indexName(of relationship: String) -> String { "ref(\(relationship))" }

    /// Adds relationships to an entity of the schema whose properties are there; inverses are connected afterwards.
    mutating func attach(_ planned: [PlannedRelationship], to name: String) throws {
        for relationship in planned {
            let definition = relationship.definition
            let entity = try entity(name)
            guard !entity.relationships.contains(where: { $0.name == definition.name }) else {
                throw StorageError(.propertyExists, entity: name, property: definition.name)
            }
            guard let destination = schema.entity(named: definition.destination) else {
                throw StorageError(.unknownEntity, entity: definition.destination)
            }
            guard definition.minimumCount >= 0, definition.maximumCount >= 0 else {
                throw StorageError(
                    .invalidSchema("a limit is negative"), entity: name, property: definition.name)
            }
            let (id, storage) = try storage(of: relationship, in: entity)
            var made = Relationship(
                id: id, name: definition.name, destination: destination.id, isToMany: definition.isToMany,
                isOptional: definition.isOptional, deleteRule: definition.deleteRule,
                minimumCount: definition.minimumCount, maximumCount: definition.maximumCount, storage: storage)
            // Its reference has them already, where it keeps one.
            let reference = made.referenceProperty.flatMap { entity.property(withID: $0) }
            let formerNames = reference?.formerNames ?? entity.free(definition.formerNames)
            if !formerNames.isEmpty { made.formerNames = formerNames }
            try update(name) { entity in
                // Nothing was once called what is there from now on; its own reference has the name as its name.
                entity.forgetFormerName(definition.name)
                entity.relationships.append(made)
            }
        }
    }

    private mutating func storage(
        of planned: PlannedRelationship, in entity: Entity
    ) throws -> (id: PropertyID, storage: Relationship.Storage) {
        let name = planned.definition.name
        switch planned.storage {
        case .reference:
            guard let property = entity.properties.first(where: { $0.name == name }),
                case .reference(let id) = property.role,
                let index = entity.indexes.first(where: { $0.name == Self.indexName(of: name) })
            else { throw StorageError(.invalidSchema("its reference is missing"), entity: entity.name, property: name) }
            let position = entity.properties.first { $0.role == .position(id) }?.id
            return (id, .reference(property: property.id, position: position, index: index.id))
        case .inverseOfReference:
            return (newPropertyID(), .inverseOfReference(0))
        case .links(let isForward):
            let id = newPropertyID()
            return (id, .links(table: isForward ? id : 0, isForward: isForward))
        }
    }

    /// Lets the two sides of each pair know each other, after all of them are attached.
    mutating func connectInverses(of planned: [String: [PlannedRelationship]]) throws {
        for (name, relationships) in planned {
            for relationship in relationships {
                guard let inverseName = relationship.definition.inverse else { continue }
                guard
                    let inverse = schema.entity(named: relationship.definition.destination)?
                        .relationship(named: inverseName)
                else {
                    throw StorageError(
                        .invalidSchema("its inverse is missing"), entity: name, property: relationship.definition.name)
                }
                try updateRelationship(relationship.definition.name, of: name) { side in
                    side.inverse = inverse.id
                    switch side.storage {
                    case .reference: break
                    case .inverseOfReference: side.storage = .inverseOfReference(inverse.id)
                    case .links(_, let isForward) where !isForward:
                        side.storage = .links(table: inverse.id, isForward: false)
                    case .links: break
                    }
                }
            }
        }
    }

    /// Returns the indexes that have to be built, over rows that have no reference yet.
    ///
    /// - Parameter isEmpty: whether an entity has no records: its index is ready at once, and its rows may be required
    ///   to refer to one.
    mutating func addRelationship(
        _ definition: RelationshipDefinition, to name: String, inverse: RelationshipDefinition?,
        isEmpty: (EntityID) throws -> Bool = { _ in false }
    ) throws -> [IndexID] {
        var definition = definition
        var sides: [(name: String, relationships: [RelationshipDefinition])] = [(name, [definition])]
        if let inverse {
            definition.inverse = inverse.name
            let isSame = definition.destination == name
            sides =
                isSame
                ? [(name, [definition, inverse])] : [(name, [definition]), (definition.destination, [inverse])]
        }
        let planned = try RelationshipPlan.plan(sides)
        var indexes: [IndexID] = []
        for side in sides {
            try requireNoLoad(of: side.name)
            var entity = try entity(side.name)
            let isReady = try isEmpty(entity.id)
            for relationship in planned[side.name] ?? [] {
                let state = isReady ? IndexState.ready : .building
                guard let index = try appendReference(relationship, to: &entity, state: state), !isReady else {
                    continue
                }
                guard relationship.definition.isOptional else {
                    throw StorageError(.missingValue, entity: side.name, property: relationship.definition.name)
                }
                indexes.append(index)
            }
            if entity != (try self.entity(side.name)) { try addLayout(of: entity) }
            try update(side.name) { $0 = entity }
        }
        for side in sides { try attach(planned[side.name] ?? [], to: side.name) }
        try connectInverses(of: planned)
        return indexes
    }

    mutating func removeRelationship(_ name: String, from entityName: String, withInverse: Bool) throws {
        let relationship = try relationship(name, of: entityName)
        let other =
            relationship.inverse == relationship.id ? nil : relationship.inverse.flatMap(schema.relationship(withID:))
        if let other, !withInverse {
            guard relationship.referenceProperty == nil, relationship.storage != Self.forwardLinks(of: relationship)
            else {
                throw StorageError(
                    .invalidSchema("it keeps what its inverse reads; remove both"), entity: entityName, property: name)
            }
            try updateRelationship(other.relationship.name, of: other.entity.name) { $0.inverse = nil }
        }
        try takeOut(relationship, of: entityName)
        if let other, withInverse { try takeOut(other.relationship, of: other.entity.name) }
        if let table = relationship.linkTable, !linkTables.contains(table) {
            retiredLinks = (retiredLinks ?? []) + [table]
        }
    }

    private mutating func takeOut(_ relationship: Relationship, of name: String) throws {
        var entity = try entity(name)
        entity.relationships.removeAll { $0.id == relationship.id }
        let properties = [relationship.referenceProperty, relationship.positionProperty].compactMap { $0 }
        if !properties.isEmpty { try removeProperties(Set(properties), from: &entity) }
        try update(name) { $0 = entity }
    }

    mutating func renameRelationship(_ name: String, to newName: String, in entityName: String) throws {
        try Self.validateName(newName)
        let relationship = try relationship(name, of: entityName)
        let name = relationship.name
        try requireFree(newName, in: try entity(entityName))
        try update(entityName) { entity in
            entity.forgetFormerName(newName)
            for position in entity.properties.indices {
                switch entity.properties[position].role {
                case .reference(relationship.id): entity.rename(position, to: newName)
                case .position(relationship.id): entity.setName(Self.positionName(of: newName), at: position)
                default: break
                }
            }
            for position in entity.indexes.indices where entity.indexes[position].name == Self.indexName(of: name) {
                entity.indexes[position].name = Self.indexName(of: newName)
            }
        }
        try updateRelationship(name, of: entityName) {
            $0.formerNames = ($0.formerNames ?? []).filter { $0 != newName } + [name]
            $0.name = newName
        }
    }

    mutating func changeRelationship(_ definition: RelationshipDefinition, of entityName: String) throws {
        let old = try relationship(definition.name, of: entityName)
        guard try entity(definition.destination).id == old.destination, old.isToMany == definition.isToMany,
            old.isToMany || definition.isOptional || !old.isOptional || old.referenceProperty != nil
        else {
            throw StorageError(
                .invalidSchema("only its delete rule and its bounds can be changed"), entity: entityName,
                property: definition.name)
        }
        if definition.isOptional != old.isOptional, let property = old.referenceProperty {
            var entity = try entity(entityName)
            if let position = entity.properties.firstIndex(where: { $0.id == property }) {
                try setOptional(definition.isOptional, at: position, in: &entity)
            }
            try update(entityName) { $0 = entity }
        }
        try updateRelationship(old.name, of: entityName) { relationship in
            relationship.deleteRule = definition.deleteRule
            relationship.minimumCount = definition.minimumCount
            relationship.maximumCount = definition.maximumCount
            relationship.isOptional = definition.isOptional
        }
    }

    private static func forwardLinks(of relationship: Relationship) -> Relationship.Storage {
        .links(table: relationship.id, isForward: true)
    }

    /// The relationship whose references this index orders.
    func relationship(keptInIndex id: IndexID) -> (entity: Entity, relationship: Relationship)? {
        for entity in schema.entities {
            for relationship in entity.relationships {
                if case .reference(_, _, id) = relationship.storage { return (entity, relationship) }
            }
        }
        return nil
    }

    func relationship(_ name: String, of entityName: String) throws -> Relationship {
        guard let relationship = try entity(entityName).relationship(named: name) else {
            throw StorageError(.unknownRelationship, entity: entityName, property: name)
        }
        return relationship
    }

    func destination(of name: String, in entityName: String) throws -> String? {
        schema.entity(withID: try relationship(name, of: entityName).destination)?.name
    }

    mutating func updateRelationship(
        _ name: String, of entityName: String, _ change: (inout Relationship) -> Void
    ) throws {
        try update(entityName) { entity in
            for position in entity.relationships.indices where entity.relationships[position].name == name {
                change(&entity.relationships[position])
            }
        }
    }
}

extension CatalogDocument {
    /// Checks what reading and writing relationships rely on.
    func validateRelationships() throws {
        func require(_ condition: Bool, what: String) throws {
            guard condition else { throw StorageError(.damagedCatalog(what)) }
        }
        let ids = schema.entities.flatMap { $0.relationships.map(\.id) }
        try require(Set(ids).count == ids.count, what: "two relationships share an id")
        for entity in schema.entities {
            try require(
                Set(entity.relationships.map(\.name)).count == entity.relationships.count,
                what: "two relationships share a name")
            for relationship in entity.relationships {
                try require(relationship.id < nextProperty, what: "a relationship's id is above its mark")
                let destination = schema.entity(withID: relationship.destination)
                try require(destination != nil, what: "a relationship leads to an unknown entity")
                let inverse = relationship.inverse.flatMap { destination?.relationship(withID: $0) }
                try require(relationship.inverse == nil || inverse != nil, what: "a relationship's inverse is unknown")
                if let inverse {
                    try require(
                        inverse.inverse == relationship.id && inverse.destination == entity.id,
                        what: "a relationship is not its inverse's inverse")
                }
                switch relationship.storage {
                case .reference(let property, let position, let index):
                    try require(!relationship.isToMany, what: "a to-many relationship is kept in one reference")
                    try require(
                        entity.property(withID: property)?.role == .reference(relationship.id)
                            && entity.property(withID: property)?.type == .uint64,
                        what: "a relationship names an unknown property")
                    if let position {
                        try require(
                            entity.property(withID: position)?.role == .position(relationship.id)
                                && entity.property(withID: position)?.type == .int64,
                            what: "a relationship names an unknown position")
                    }
                    let components = entity.indexes.first { $0.id == index }?.components
                    try require(
                        components?.map(\.property) == [property] + (position.map { [$0] } ?? []),
                        what: "a relationship names an unknown index")
                case .inverseOfReference(let other):
                    try require(
                        other == relationship.inverse && inverse?.referenceProperty != nil,
                        what: "a relationship's other side keeps no reference")
                case .links(let table, let isForward):
                    try require(relationship.isToMany, what: "a to-one relationship is kept in links")
                    try require(
                        isForward || inverse?.storage == .links(table: table, isForward: true),
                        what: "a relationship's other side keeps other links")
                }
            }
        }
    }
}
