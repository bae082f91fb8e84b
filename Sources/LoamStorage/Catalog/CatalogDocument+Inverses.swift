/// Relationships that get their other side later, or lead to more rows than one. What they relate is moved afterwards,
/// in the same transaction, as ``RelationshipMove`` finds it changed.
extension CatalogDocument {
    /// Gives a one-way relationship its other side.
    ///
    /// - Parameter inverse: the known side's name in the destination.
    /// - Returns: the index that the two are read by from now on, where it has no entries yet.
    mutating func addInverse(
        _ definition: RelationshipDefinition, to name: String, of inverse: String
    ) throws -> IndexID? {
        let known = try relationship(inverse, of: definition.destination)
        guard known.inverse == nil, try known.destination == entity(name).id else {
            throw StorageError(
                .invalidSchema("only a relationship that leads one way to its entity can be given an inverse"),
                entity: name, property: definition.name)
        }
        try Self.validateName(definition.name)
        try requireFree(definition.name, in: try entity(name))
        switch (known.storage, definition.isToMany) {
        case (.reference, true):
            let kept = try orderReference(known, of: definition.destination)
            try attach(definition, to: name, as: newPropertyID(), storage: .inverseOfReference(known.id), of: known)
            return kept.index
        case (.reference, false):
            try attach(definition, to: name, as: newPropertyID(), storage: .inverseOfReference(known.id), of: known)
            return nil
        case (.links(let table, _), true):
            try attach(
                definition, to: name, as: newPropertyID(), storage: .links(table: table, isForward: false),
                of: known)
            return nil
        case (.links(let table, _), false):
            let id = newPropertyID()
            let formerNames = try entity(name).free(definition.formerNames)
            let kept = try holdReference(
                of: id, definition.name, isOptional: definition.isOptional, formerNames: formerNames, in: name)
            try attach(definition, to: name, as: id, storage: kept.storage, of: known)
            try updateRelationship(known.name, of: definition.destination) { $0.storage = .inverseOfReference(id) }
            retiredLinks = (retiredLinks ?? []) + [table]
            return kept.index
        case (.inverseOfReference, _):
            throw StorageError(.damagedCatalog("a relationship without an inverse is kept by one"), entity: name)
        }
    }

    /// Lets a to-one relationship lead to several rows.
    ///
    /// - Returns: the index that it is read by from now on, where it has no entries yet.
    mutating func makeToMany(_ name: String, of entityName: String) throws -> IndexID? {
        let known = try relationship(name, of: entityName)
        guard !known.isToMany else {
            throw StorageError(
                .invalidSchema("it is a to-many relationship already"), entity: entityName, property: known.name)
        }
        let other = known.inverse.flatMap(schema.relationship(withID:))
        var index: IndexID?
        switch (known.storage, other) {
        case (.reference, let other?) where !other.relationship.isToMany:
            try dropReference(of: known, in: entityName)
            let kept = try holdReference(
                of: other.relationship.id, other.relationship.name, isOptional: other.relationship.isOptional,
                formerNames: other.relationship.formerNames ?? [], in: other.entity.name)
            try updateRelationship(other.relationship.name, of: other.entity.name) { $0.storage = kept.storage }
            try updateRelationship(known.name, of: entityName) {
                $0.storage = .inverseOfReference(other.relationship.id)
            }
            index = kept.index
        case (.reference, let other):
            try dropReference(of: known, in: entityName)
            let table = known.id
            try updateRelationship(known.name, of: entityName) { $0.storage = .links(table: table, isForward: true) }
            guard let other else { break }
            try updateRelationship(other.relationship.name, of: other.entity.name) {
                $0.storage = .links(table: table, isForward: false)
            }
        case (.inverseOfReference, let other?):
            index = try orderReference(other.relationship, of: other.entity.name).index
        case (.inverseOfReference, nil), (.links, _):
            throw StorageError(.damagedCatalog("a to-one relationship is kept as none"), entity: entityName)
        }
        try updateRelationship(known.name, of: entityName) { $0.isToMany = true }
        return index
    }

    /// Adds the other side of a relationship that has none.
    private mutating func attach(
        _ definition: RelationshipDefinition, to name: String, as id: PropertyID, storage: Relationship.Storage,
        of known: Relationship
    ) throws {
        let child = try entity(definition.destination)
        let formerNames = try entity(name).free(definition.formerNames)
        var made = Relationship(
            id: id, name: definition.name, destination: child.id, isToMany: definition.isToMany,
            isOptional: definition.isOptional, deleteRule: definition.deleteRule,
            minimumCount: definition.minimumCount, maximumCount: definition.maximumCount, storage: storage)
        made.inverse = known.id
        if !formerNames.isEmpty { made.formerNames = formerNames }
        try update(name) { entity in
            entity.forgetFormerName(definition.name)
            entity.relationships.append(made)
        }
        try updateRelationship(known.name, of: child.name) { $0.inverse = id }
    }

    /// Gives a reference an order of the rows that have the same target: those that are there stand by their ids.
    private mutating func orderReference(_ known: Relationship, of name: String) throws -> KeptReference {
        var child = try entity(name)
        guard case .reference(let reference, nil, let oldIndex) = known.storage,
            let oldReference = child.indexes.first(where: { $0.id == oldIndex })
        else { throw StorageError(.damagedCatalog("a relationship names an unknown index"), entity: name) }
        let position = Property(
            id: newPropertyID(), name: Self.positionName(of: known.name), type: .int64, isOptional: true,
            role: .position(known.id))
        child.properties.append(position)
        retireReplacements(of: oldReference, in: &child)
        let old = oldReference.definition
        let ordered = IndexDefinition(
            old.components + [IndexDefinition.Component(names: [position.name])], name: old.name, kind: .reference,
            isSectioned: true)
        let index = try Index(id: newIndexID(), ordered, of: child)
        for number in child.indexes.indices where child.indexes[number].id == oldIndex { child.indexes[number] = index }
        let kept = KeptReference(property: reference, position: position.id, index: index.id)
        retiredIndexes.append(oldIndex)
        builders[oldIndex] = nil
        try addLayout(of: child)
        try update(name) { $0 = child }
        try updateRelationship(known.name, of: name) { $0.storage = kept.storage }
        return kept
    }

    /// Makes room for an ordered reference in the records of an entity.
    private mutating func holdReference(
        of id: PropertyID, _ property: String, isOptional: Bool, formerNames: [String], in name: String
    ) throws -> KeptReference {
        var entity = try entity(name)
        let kept = try appendReference(
            of: id, property, isOptional: isOptional, hasPosition: true, formerNames: formerNames, to: &entity)
        try addLayout(of: entity)
        try update(name) { $0 = entity }
        return kept
    }

    private mutating func dropReference(of known: Relationship, in name: String) throws {
        var entity = try entity(name)
        let properties = [known.referenceProperty, known.positionProperty].compactMap(\.self)
        try removeProperties(Set(properties), from: &entity)
        try update(name) { $0 = entity }
    }
}
