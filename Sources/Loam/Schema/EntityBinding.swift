import LoamStorage

/// A model class joined to its entity in one generation of a store's catalog.
final class EntityBinding: Sendable {
    let model: ModelType
    let entity: Entity
    let catalog: Catalog
    let storeID: String
    /// Of its identifiers.
    let origin: PersistentIdentifier.Origin
    /// By ordinal: the position in `entity.properties` of the attribute, or of the reference that a to-one keeps in the
    /// record; -1 for relationships that are not kept in the record.
    let positions: [Int]
    /// By ordinal: the relationship; nil for attributes.
    let relationships: [LoamStorage.Relationship?]
    /// The layout of new records, and by ordinal the slot in it, or -1.
    let layout: RecordLayout
    let slots: [Int]
    /// Whether there are relationships.
    let hasRelationships: Bool
    /// Whether saving a new row may find one that is stored already.
    let hasUniqueIndex: Bool
    /// Whether some property has no value to give when its row is gone, so that objects read their record at once.
    let readsAtOnce: Bool
    /// Whether some relationship may lead to rows of this entity that are gone: one whose inverse has the delete rule
    /// `noAction`.
    let mayBeDangling: Bool

    init(_ model: ModelType, entity: Entity, catalog: Catalog) throws {
        self.model = model
        self.entity = entity
        self.catalog = catalog
        storeID = catalog.storeID
        origin = PersistentIdentifier.Origin(store: catalog.storeID, entity: entity.name)
        let layout = try catalog.currentLayout(of: entity.id)
        self.layout = layout
        let relationships = model.properties.map { property in
            property.destination == nil ? nil : entity.relationships.first { $0.name == property.name }
        }
        self.relationships = relationships
        hasRelationships = relationships.contains { $0 != nil }
        hasUniqueIndex = entity.indexes.contains(where: \.isUnique)
        positions = try model.properties.enumerated().map { ordinal, property in
            if property.destination != nil {
                guard case .reference(let id, _, _)? = relationships[ordinal]?.storage else { return -1 }
                return entity.properties.firstIndex { $0.id == id } ?? -1
            }
            guard let position = entity.position(of: property.name) else {
                throw StorageError(.unknownProperty, entity: entity.name, property: property.name)
            }
            return position
        }
        slots = positions.map { $0 < 0 ? -1 : layout.slot(of: entity.properties[$0].id) ?? -1 }
        mayBeDangling = entity.relationships.contains { $0.deleteRule == .noAction }
        readsAtOnce = model.properties.contains { $0.destination == nil && ZeroValue.of($0.valueType) == nil }
    }

    /// The position of an ordinal's property; nil where the record does not keep it.
    @inline(__always)
    func position(_ ordinal: Int) -> Int? {
        guard UInt(bitPattern: ordinal) < UInt(bitPattern: positions.count), positions[ordinal] >= 0 else { return nil }
        return positions[ordinal]
    }
}
