/// Relationships that get their other side later.
extension CatalogDocument {
    /// Gives a one-way to-one its other side, a to-many, and an order of its rows.
    ///
    /// - Parameter inverse: the to-one's name in the destination.
    /// - Returns: the index that it is read by from now on, which has no entries yet.
    mutating func addInverse(
        _ definition: RelationshipDefinition, to name: String, of inverse: String
    ) throws -> IndexID {
        let known = try relationship(inverse, of: definition.destination)
        var (owner, child) = (try entity(name), try entity(definition.destination))
        guard case .reference(let reference, nil, let oldIndex) = known.storage, known.inverse == nil,
            known.destination == owner.id, definition.isToMany
        else {
            throw StorageError(
                .invalidSchema("only a to-many is added as the inverse of a to-one that leads one way to its entity"),
                entity: name, property: definition.name)
        }
        try Self.validateName(definition.name)
        let position = Property(
            id: newPropertyID(), name: Self.positionName(of: known.name), type: .int64, isOptional: true,
            role: .position(known.id))
        child.properties.append(position)
        guard let number = child.indexes.firstIndex(where: { $0.id == oldIndex }) else {
            throw StorageError(.damagedCatalog("a relationship names an unknown index"), entity: child.name)
        }
        let old = child.indexes[number].definition
        let ordered = IndexDefinition(
            old.components + [IndexDefinition.Component(names: [position.name])], name: old.name, kind: .reference,
            isSectioned: true)
        child.indexes[number] = try Index(id: newIndexID(), ordered, of: child)
        let index = child.indexes[number].id
        retiredIndexes.append(oldIndex)
        builders[oldIndex] = nil
        try addLayout(of: child)
        try update(child.name) { $0 = child }
        owner = try entity(name)
        try requireFree(definition.name, in: owner)
        let id = newPropertyID()
        let formerNames = owner.free(definition.formerNames)
        var made = Relationship(
            id: id, name: definition.name, destination: child.id, isToMany: true, isOptional: definition.isOptional,
            deleteRule: definition.deleteRule, minimumCount: definition.minimumCount,
            maximumCount: definition.maximumCount, storage: .inverseOfReference(known.id))
        made.inverse = known.id
        if !formerNames.isEmpty { made.formerNames = formerNames }
        try update(name) { entity in
            entity.forgetFormerName(definition.name)
            entity.relationships.append(made)
        }
        try updateRelationship(known.name, of: child.name) { side in
            side.inverse = id
            side.storage = .reference(property: reference, position: position.id, index: index)
        }
        return index
    }
}
