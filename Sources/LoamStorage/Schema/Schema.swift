/// Numeric names, given by the catalog and never used twice within a store.
package typealias EntityID = UInt32
package typealias PropertyID = UInt32
package typealias IndexID = UInt32
package typealias LayoutID = UInt32

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

/// One entity: its properties in the order in which they were declared, and its indexes.
package struct Entity: Hashable, Sendable, Codable {
    package var id: EntityID
    package var name: String
    package var properties: [Property]
    package var indexes: [Index]

    package init(id: EntityID, name: String, properties: [Property], indexes: [Index] = []) {
        self.id = id
        self.name = name
        self.properties = properties
        self.indexes = indexes
    }

    /// The position in ``properties`` of the property with this name.
    package func position(of name: String) -> Int? {
        properties.firstIndex { $0.name == name }
    }

    package func property(withID id: PropertyID) -> Property? {
        properties.first { $0.id == id }
    }
}

/// A stored property of an entity.
package struct Property: Hashable, Sendable, Codable {
    package var id: PropertyID
    package var name: String
    package var type: ValueType
    package var isOptional: Bool

    package init(id: PropertyID, name: String, type: ValueType, isOptional: Bool) {
        self.id = id
        self.name = name
        self.type = type
        self.isOptional = isOptional
    }
}
