import Foundation
import LMDB

/// One generation of the catalog with everything derived from it, ready for use by many threads.
///
/// A catalog is never changed: another generation is another object. Building one costs some microseconds per
/// property and index; it happens once per schema change and process.
package final class Catalog: Sendable {
    let document: CatalogDocument
    package let generation: UInt64
    let entities: [EntityID: EntityAccess]
    /// The databases of links by number.
    let links: [UInt32: LateDatabase]
    let statistics = LateDatabase(named: Keyspace.statistics)
    let relationships: RelationshipMap
    let attached = CatalogAttachment()
    private let indexes: [IndexID: (entity: EntityAccess, index: IndexAccess)]

    /// - Parameter records: looks a database of records up by its name.
    init(
        document: CatalogDocument, generation: UInt64, records: (_ name: String) throws -> Database?
    ) throws {
        self.document = document
        self.generation = generation
        var entities: [EntityID: EntityAccess] = [:]
        for entity in document.schema.entities {
            entities[entity.id] = try EntityAccess(entity, in: document, records: records)
        }
        for load in document.loads where load.isNewEntity {
            entities[load.entity.id] = try EntityAccess(load.entity, in: document, records: records)
        }
        self.entities = entities
        var indexes: [IndexID: (entity: EntityAccess, index: IndexAccess)] = [:]
        for entity in entities.values {
            for index in entity.indexes { indexes[index.index.id] = (entity, index) }
        }
        self.indexes = indexes
        var links: [UInt32: LateDatabase] = [:]
        for table in document.linkTables { links[table] = LateDatabase(named: Keyspace.links(table)) }
        self.links = links
        relationships = try RelationshipMap(document.schema)
    }

    package var schema: Schema { document.schema }

    func access(_ id: EntityID) throws -> EntityAccess {
        guard let access = entities[id] else { throw StorageError(.unknownEntity, entity: "#\(id)") }
        return access
    }

    func access(named name: String) throws -> EntityAccess {
        guard let entity = document.schema.entity(named: name) else {
            throw StorageError(.unknownEntity, entity: name)
        }
        return try access(entity.id)
    }

    /// The entity and the index with this id, whatever its state.
    func access(index id: IndexID) -> (EntityAccess, IndexAccess)? {
        indexes[id]
    }
}

/// An entity with its databases, layouts and indexes at hand.
final class EntityAccess: Sendable {
    let entity: Entity
    let records: Database
    let longValues: LateDatabase
    let current: LayoutAccess
    let layouts: [LayoutID: LayoutAccess]
    /// The indexes that this version of Loam understands. The others are in the entity alone.
    let indexes: [IndexAccess]
    /// Whether a write has to mark an index stale before it.
    let hasForeignIndexes: Bool
    /// Rows of bulk loads that are not committed yet: scans, look-ups and counts pass over them.
    let hidden: [ClosedRange<RowID>]
    /// Every position in `entity.properties`.
    let allFields: FieldMask
    /// Positions in `entity.properties` of those that an index has values of, ascending. One of trigrams has none: nobody
    /// asks where a row was in it, and texts are long.
    let indexedFields: [Int]
    /// Positions of those whose values the history keeps of a deleted row, ascending.
    let preservedFields: [Int]

    init(
        _ entity: Entity, in document: CatalogDocument, records: (_ name: String) throws -> Database?
    ) throws {
        self.entity = entity
        guard entity.properties.count <= RecordLayout.maximumFieldCount else {
            throw StorageError(.invalidSchema("an entity has too many properties"), entity: entity.name)
        }
        allFields = FieldMask(entity.properties.indices)
        guard let records = try records(Keyspace.records(of: entity.id)) else {
            throw StorageError(.damagedCatalog("the database of an entity is missing"), entity: entity.name)
        }
        self.records = records
        longValues = LateDatabase(named: Keyspace.longValues(of: entity.id))
        let names = Dictionary(entity.properties.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        var layouts: [LayoutID: LayoutAccess] = [:]
        for description in document.layouts where description.entity == entity.id {
            let layout = try RecordLayout(description, entityName: entity.name, propertyNames: names)
            layouts[description.id] = try LayoutAccess(layout, of: entity, in: document)
        }
        guard let current = document.currentLayouts[entity.id].flatMap({ layouts[$0] }) else {
            throw StorageError(.damagedCatalog("an entity has no layout"), entity: entity.name)
        }
        self.layouts = layouts
        self.current = current
        indexes = try entity.indexes.filter(\.isUnderstood).map { try IndexAccess($0, entity: entity) }
        hasForeignIndexes = entity.indexes.contains { !$0.isCurrent && $0.state != .stale }
        let indexed = Set(entity.indexes.filter { $0.kind != .trigrams }.flatMap(\.properties))
        indexedFields = entity.properties.indices.filter { indexed.contains(entity.properties[$0].id) }
        preservedFields = entity.properties.indices.filter { entity.properties[$0].isPreserved }
        hidden = document.loads.filter { $0.entity.id == entity.id && !$0.isNewEntity }.flatMap(\.rows)
    }

    /// The layout that new records are written in.
    var currentLayout: RecordLayout { current.layout }

    func layout(_ id: LayoutID) throws -> LayoutAccess {
        if id == current.layout.id { return current }
        guard let layout = layouts[id] else {
            throw StorageError(.damagedRecord("it names an unknown layout"), entity: entity.name)
        }
        return layout
    }

    /// The layout of a record that belongs to the entity.
    @inline(__always)
    func layout(ofRecord bytes: [UInt8], _ row: RowID) throws -> LayoutAccess {
        do {
            return try layout(RecordHeader.layout(of: bytes.span.bytes))
        } catch var error as StorageError {
            (error.entity, error.rowID) = (error.entity ?? entity.name, error.rowID ?? row)
            throw error
        }
    }

    func isHidden(_ row: RowID) -> Bool {
        hidden.contains { $0.contains(row) }
    }

    func position(of property: PropertyID) throws -> Int {
        guard let position = entity.properties.firstIndex(where: { $0.id == property }) else {
            throw StorageError(.unknownProperty, entity: entity.name, property: "#\(property)")
        }
        return position
    }
}

/// An index with what is needed to make keys for it and to read its blocks.
final class IndexAccess: Sendable {
    let index: Index
    let keyShape: IndexKeyShape
    let blockShape: BlockShape
    /// For each component the property's position in `entity.properties`.
    let componentPositions: [Int]
    /// For each component the function of the property's value; nil where the component is the value itself.
    let functions: [TypedFunction?]
    /// Makes the component bytes of keys.
    let program: PlacementProgram
    /// By included field: the property's position in `entity.properties`.
    let includedPositions: [Int]
    // As the index has them, which asks for them anew each time.
    let isMaintained: Bool
    let isReadable: Bool
    /// Whether saves see to it that no two rows have the same values.
    let isEnforced: Bool
    /// Whether a row has an entry for each trigram of a text, and none for the text itself.
    let hasTrigrams: Bool

    init(_ index: Index, entity: Entity) throws {
        self.index = index
        keyShape = try IndexKeyShape(index: index)
        blockShape = try BlockShape(index: index, keys: keyShape)
        func position(_ id: PropertyID) throws -> Int {
            guard let position = entity.properties.firstIndex(where: { $0.id == id }) else {
                throw StorageError(.damagedCatalog("an index names an unknown property"), index: index.name)
            }
            return position
        }
        componentPositions = try index.components.map { try position($0.property) }
        functions = try index.components.map { component in
            guard component.function != nil else { return nil }
            let path = try ResolvedPath(component.definition, in: entity)
            guard path.type == component.type else {
                throw StorageError(.damagedCatalog("a function of an index gives another type"), index: index.name)
            }
            return path.function
        }
        let fields = zip(index.components, componentPositions).map { component, position in
            component.path.isEmpty ? position : nil
        }
        program = PlacementProgram(keyShape.components, fields: fields, functions: functions, cuts: true)
        includedPositions = try index.included.map(position)
        isMaintained = index.isMaintained
        isReadable = index.isReadable
        isEnforced = index.kind == .unique && index.isReadable
        hasTrigrams = index.kind == .trigrams
    }
}
