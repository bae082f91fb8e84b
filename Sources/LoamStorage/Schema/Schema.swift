/// Numeric names, given by the catalog and never used twice within a store.
package typealias EntityID = UInt32
package typealias PropertyID = UInt32
package typealias IndexID = UInt32
/// The id of a layout, counted up for each entity apart.
package typealias LayoutID = UInt16

/// A row of the store: counted up over all entities, never used twice.
package typealias RowID = UInt64

/// The entities of a store, as its catalog describes them.
package struct Schema: Hashable, Sendable, Codable {
    package var entities: [Entity]

    package init(entities: [Entity] = []) {
        self.entities = entities
    }

    package func entity(named name: String) -> Entity? {
        entities.first { $0.name == name }
    }
}

/// One entity: its properties in the order in which they were declared, its relationships, and its indexes.
package struct Entity: Hashable, Sendable {
    package var id: EntityID
    package var name: String
    /// Attributes first; then, for each relationship that is kept in the record, its reference and its position.
    package var properties: [Property]
    package var relationships: [Relationship]
    package var indexes: [Index]

    package init(
        id: EntityID, name: String, properties: [Property], relationships: [Relationship] = [], indexes: [Index] = []
    ) {
        self.id = id
        self.name = name
        self.properties = properties
        self.relationships = relationships
        self.indexes = indexes
    }

    /// The position in ``properties`` of the property with this name; where none has it, of the one that once had it.
    package func position(of name: String) -> Int? {
        properties.firstIndex { $0.name == name } ?? properties.firstIndex { $0.formerNames.contains(name) }
    }

    package func property(withID id: PropertyID) -> Property? {
        properties.first { $0.id == id }
    }
}

/// A stored property of an entity.
package struct Property: Hashable, Sendable {
    package var id: PropertyID
    package var name: String
    package var type: ValueType
    package var isOptional: Bool
    package var role: Role
    /// Names that it had before it was renamed: programs with older models still know it by one of them.
    package var formerNames: [String]
    /// Whether the history keeps its value when a row is deleted.
    package var isPreserved: Bool

    /// What a property is there for.
    package enum Role: Hashable, Sendable {
        case attribute
        /// Holds the row id that this to-one relationship leads to.
        case reference(PropertyID)
        /// Holds the place among the rows that this to-one relationship leads to the same target. The writer's alone.
        case position(PropertyID)
    }

    package init(
        id: PropertyID, name: String, type: ValueType, isOptional: Bool, role: Role = .attribute,
        formerNames: [String] = [], isPreserved: Bool = false
    ) {
        self.formerNames = formerNames
        self.isPreserved = isPreserved
        self.id = id
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.role = role
    }

    /// Whether only the store itself reads and writes it.
    package var isHidden: Bool {
        if case .position = role { true } else { false }
    }
}
