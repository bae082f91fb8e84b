import Foundation

/// What the `catalog` database keeps as JSON: everything about a store that is not a row.
///
/// Numeric ids are given once and never again, so renaming moves no data and a dropped index's leftovers can never be
/// mistaken for a new one's entries.
struct CatalogDocument: Codable, Sendable, Hashable {
    /// The format that this version writes, and the only one that it reads.
    static let currentFormat = 2

    var format = Self.currentFormat
    var storeID: String
    var schema = Schema()
    var layouts: [RecordLayout.Description] = []
    /// The layout that new records of an entity are written in.
    var currentLayouts: [EntityID: LayoutID] = [:]
    /// What records of layouts without the property read for it, as an encoded value; what new rows get for it from
    /// programs whose models lack it, but for ``fillers``.
    var initialValues: [PropertyID: Data] = [:]
    /// Properties that were added without a default: their initial value is only read, where rows were there before.
    var fillers: Set<PropertyID>?
    /// What records have read for nil of a property since it was made required, by property and with ascending layouts.
    var nilValues: [PropertyID: [NilValue]]?
    /// For each entity the version of the models that its rules were last taken from.
    var ruleVersions: [EntityID: SchemaVersion]?
    var nextEntity: EntityID = 1
    var nextProperty: PropertyID = 1
    var nextIndex: IndexID = 1
    /// Indexes that nobody reads any more and whose blocks are still to be deleted.
    var retiredIndexes: [IndexID] = []
    /// Entities whose databases are still to be deleted.
    var retiredEntities: [EntityID] = []
    /// Links databases that are still to be deleted.
    var retiredLinks: [UInt32]?
    var loads: [LoadRecord] = []
    /// Which process builds the indexes that are being built, those of loads excepted. When that process is gone, the
    /// next change of the schema, load or erasing in any process takes its builds over.
    var builders: [IndexID: ProcessMark] = [:]
}

/// What records read for nil of a property that was made required after they were written.
struct NilValue: Codable, Sendable, Hashable {
    /// The last layout of such records.
    var lastLayout: LayoutID
    /// The value, as ``CompositeCodec`` encodes it.
    var value: Data
}

/// A bulk load under way: what it has written so far is hidden from everybody else.
struct LoadRecord: Codable, Sendable, Hashable {
    var id: UInt64
    /// The entity as it will be after the load.
    var entity: Entity
    /// Whether the entity comes into being with the load.
    var isNewEntity: Bool
    /// Row ids that the load writes, in order and without gaps.
    var rows: [ClosedRange<RowID>] = []
    /// The ids among ``rows`` that were leased for the load alone, in the order in which they were leased.
    var leases: [Range<RowID>]?
    /// New indexes that replace these when the load is done (old id to new).
    var replacements: [IndexID: IndexID] = [:]
    /// The loading process: when it is gone, the load is abandoned.
    var process: ProcessMark
}

extension CatalogDocument {
    /// - Throws: ``StorageError``: `newerStore`, `olderStore`, or `damagedCatalog`.
    static func decode(_ json: Data) throws -> CatalogDocument {
        let decoder = JSONDecoder()
        do {
            let document = try decoder.decode(CatalogDocument.self, from: json)
            try requireCurrent(document.format)
            try document.validate()
            return document
        } catch let error as StorageError {
            throw error
        } catch {
            // What else is in a document follows from its format: that of another one cannot be read as this one's.
            if let stored = try? decoder.decode(Format.self, from: json) { try requireCurrent(stored.format) }
            throw StorageError(.damagedCatalog("its JSON cannot be read"))
        }
    }

    /// What documents of all formats have.
    private struct Format: Decodable { var format: Int }

    private static func requireCurrent(_ format: Int) throws {
        guard format <= currentFormat else {
            throw StorageError(.newerStore(format: format, supported: currentFormat))
        }
        guard format == currentFormat else {
            throw StorageError(.olderStore(format: format, supported: currentFormat))
        }
    }

    /// The entities that have records: those of the schema, and those that are being loaded.
    private var entitiesWithRecords: [Entity] { schema.entities + loads.filter(\.isNewEntity).map(\.entity) }

    /// The databases that are made with their entities.
    var recordDatabases: [String] { entitiesWithRecords.map { Keyspace.records(of: $0.id) } }

    /// The databases that are made when they are first used: long values, links and statistics. Most models never have
    /// any.
    var lateDatabases: [String] {
        entitiesWithRecords.map { Keyspace.longValues(of: $0.id) } + linkTables.map(Keyspace.links)
            + [Keyspace.statistics]
    }

    /// The databases of what was removed and is still to be deleted.
    var retiredDatabases: [String] {
        retiredEntities.flatMap { [Keyspace.records(of: $0), Keyspace.longValues(of: $0)] }
            + (retiredLinks ?? []).map(Keyspace.links)
    }

    var linkTables: [UInt32] {
        Set(schema.entities.flatMap(\.relationships).compactMap(\.linkTable)).sorted()
    }

    func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return try encoder.encode(self)
    }

    /// Checks what the rest of the code relies on: ids below their marks and unique, layouts that exist.
    func validate() throws {
        func require(_ condition: Bool, what: String) throws {
            guard condition else { throw StorageError(.damagedCatalog(what)) }
        }
        let entities = entitiesWithRecords
        try require(Set(entities.map(\.id)).count == entities.count, what: "two entities share an id")
        try require(Set(schema.entities.map(\.name)).count == schema.entities.count, what: "two entities share a name")
        let layoutIDs = Dictionary(grouping: layouts, by: \.entity).mapValues { Set($0.map(\.id)) }
        try require(layoutIDs.values.reduce(0) { $0 + $1.count } == layouts.count, what: "two layouts share an id")
        for entity in entities {
            try require(entity.id < nextEntity, what: "an entity's id is above its mark")
            try require(
                entity.properties.allSatisfy { $0.id < nextProperty }, what: "a property's id is above its mark")
            try require(
                Set(entity.properties.map(\.name)).count == entity.properties.count, what: "two properties share a name"
            )
            try require(
                Set(entity.properties.map(\.id)).count == entity.properties.count, what: "two properties share an id")
            try require(
                entity.indexes.allSatisfy { $0.id > 0 && $0.id < nextIndex }, what: "an index's id is above its mark")
            let current = currentLayouts[entity.id]
            try require(
                current.map { layoutIDs[entity.id]?.contains($0) ?? false } ?? false, what: "an entity has no layout")
            let names = Dictionary(uniqueKeysWithValues: entity.properties.map { ($0.id, $0.name) })
            for index in entity.indexes {
                try require(!index.components.isEmpty, what: "an index has no components")
                try require(
                    index.properties.map { names[$0] } == index.definition.properties,
                    what: "an index names an unknown property")
            }
        }
        try validateRelationships()
        let indexIDs = entities.flatMap(\.indexes).map(\.id)
        try require(Set(indexIDs).count == indexIDs.count, what: "two indexes share an id")
    }
}
