/// What becomes of the rows that a row leads to when that row is deleted.
package enum DeleteRule: String, Codable, Hashable, Sendable, CaseIterable {
    /// Nothing becomes of them: their references stay, and lead to no row.
    case noAction
    /// Their references are set to nil, and links are taken away.
    case nullify
    /// They are deleted too, and so is what their own rules take along.
    case cascade
    /// The deletion fails while there are any that are not deleted with it.
    case deny
}

/// A relationship of an entity, as its catalog describes it: one side of a pair, or one that leads one way only.
package struct Relationship: Hashable, Sendable, Codable {
    /// The relationship's id. It comes from the counter that also numbers properties, and is never used twice.
    package var id: PropertyID
    package var name: String
    package var destination: EntityID
    package var isToMany: Bool
    /// Whether a to-one may lead nowhere; for a to-many, whether it may be empty whatever ``minimumCount``.
    package var isOptional: Bool
    /// What becomes of the destination rows when a row of this entity is deleted.
    package var deleteRule: DeleteRule
    /// The other side: a relationship of the destination entity.
    package var inverse: PropertyID?
    /// The fewest destination rows of a to-many; 0 without such a bound.
    package var minimumCount: Int
    /// The most destination rows of a to-many; 0 without such a bound.
    package var maximumCount: Int
    package var storage: Storage
    /// Names that it had before it was renamed, the oldest first; nil for none.
    package var formerNames: [String]?

    /// Where a relationship is kept.
    package enum Storage: Hashable, Sendable, Codable {
        /// To-one, in the record: `property` (uint64, named as the relationship) holds the target's row id, `position`
        /// (int64, hidden) the place among those that have the same target, where the inverse is to-many. `index` is on
        /// (target, position), or on (target) alone.
        case reference(property: PropertyID, position: PropertyID?, index: IndexID)
        /// The other side of a reference, read from that relationship's index: the to-many side, or the second side of
        /// a one-to-one.
        case inverseOfReference(PropertyID)
        /// Many-to-many and one-way to-many, in the database `l.<table>`; `isForward`: this side is the source of half
        /// 0.
        case links(table: UInt32, isForward: Bool)
    }

    package init(
        id: PropertyID, name: String, destination: EntityID, isToMany: Bool, isOptional: Bool = true,
        deleteRule: DeleteRule = .nullify, inverse: PropertyID? = nil, minimumCount: Int = 0, maximumCount: Int = 0,
        storage: Storage
    ) {
        self.id = id
        self.name = name
        self.destination = destination
        self.isToMany = isToMany
        self.isOptional = isOptional
        self.deleteRule = deleteRule
        self.inverse = inverse
        self.minimumCount = minimumCount
        self.maximumCount = maximumCount
        self.storage = storage
    }
}

extension Relationship {
    /// The property of this entity's records that holds the target; nil where another row or a link does.
    package var referenceProperty: PropertyID? {
        if case .reference(let property, _, _) = storage { property } else { nil }
    }

    /// The property of this entity's records that holds the place among those that have the same target.
    package var positionProperty: PropertyID? {
        if case .reference(_, let position, _) = storage { position } else { nil }
    }

    /// The number of the links database that keeps it.
    package var linkTable: UInt32? {
        if case .links(let table, _) = storage { table } else { nil }
    }

    /// Whether each of two linked rows is linked to the other, under this one relationship.
    package var isSymmetric: Bool { inverse == id }
}

extension Entity {
    /// The relationship of this name; where none has it, the one that once had it.
    package func relationship(named name: String) -> Relationship? {
        relationships.first { $0.name == name }
            ?? relationships.first { $0.formerNames?.contains(name) ?? false }
    }

    package func relationship(withID id: PropertyID) -> Relationship? {
        relationships.first { $0.id == id }
    }
}

extension Schema {
    package func entity(withID id: EntityID) -> Entity? {
        entities.first { $0.id == id }
    }

    /// The relationship with this id and the entity that has it.
    package func relationship(withID id: PropertyID) -> (entity: Entity, relationship: Relationship)? {
        for entity in entities {
            if let relationship = entity.relationship(withID: id) { return (entity, relationship) }
        }
        return nil
    }
}
