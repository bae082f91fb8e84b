package import Foundation
import LoamQuery
package import LoamStorage
package import SeededRandom

/// Countries, cities, people and sights with relationships of every kind, some of them random, and the same in memory.
package final class AtlasStore {
    package let store: Store
    package let model: RelatedRowsModel
    private let folder: URL

    /// - Parameters:
    ///   - rowCount: of cities, people and sights each; there are a quarter as many countries. At least four.
    ///   - parent: where its folder is made, which goes with it; nil for the temporary folder.
    /// - Throws: what the store throws.
    package init(seed: UInt64, rowCount: Int, in parent: URL? = nil) throws {
        folder = (parent ?? FileManager.default.temporaryDirectory)
            .appending(path: "loam-atlas-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var options = StoreOptions()
        options.durability = .recent
        let store = try Store.open(path: folder.appending(path: "store").path, options: options)
        self.store = store
        try store.apply(.addEntities(Self.definitions))
        model = RelatedRowsModel(try store.read { $0.schema })
        var generator = SeededGenerator(seed: seed)
        var batch = WriteBatch(author: "test")
        for entity in model.schema.entities {
            for _ in 0..<(entity.name == "Country" ? rowCount / 4 : rowCount) {
                let rowID = try store.makeRowID()
                model.rows[entity.id, default: [:]][rowID] = PlainRow(rowID: rowID, values: [])
            }
        }
        for entity in model.schema.entities {
            for rowID in model.ids(entity) {
                let values = model.randomValues(entity, &generator)
                model.rows[entity.id]?[rowID] = PlainRow(rowID: rowID, values: values)
                batch.insert(try store.catalog().encode(values, as: entity.id), into: entity.id, rowID: rowID)
            }
        }
        for entity in model.schema.entities {
            for relationship in entity.relationships where relationship.isForwardLink {
                for rowID in model.ids(entity) {
                    for target in model.randomTargets(relationship, &generator) {
                        model.link(relationship, rowID, target)
                        batch.link(relationship.id, of: rowID, entity: entity.id, to: target)
                    }
                }
            }
        }
        try store.save(batch)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static let definitions = [
        EntityDefinition(
            "Country", properties: [.init("name", type: .string), .init("rank", type: .int64, isOptional: true)],
            relationships: [
                .init("cities", to: "City", isToMany: true, inverse: "country"), .init("capital", to: "City"),
            ],
            indexes: [
                .init([.init("name")]), .init([.init("rank")]), .init([.init("name", function: .lowercase)]),
            ]),
        EntityDefinition(
            "City",
            properties: [
                .init("name", type: .string), .init("population", type: .int64, isOptional: true),
                .init("tags", type: .array(of: .string, optional: false), isOptional: true),
            ],
            relationships: [
                .init("country", to: "Country", inverse: "cities"), .init("mayor", to: "Person", inverse: "city"),
                .init("sights", to: "Sight", isToMany: true, inverse: "cities"),
            ],
            indexes: [
                .init([.init("name")]), .init([.init("population", direction: .descending)]),
                .init([.init("name", function: .length)]),
            ]),
        EntityDefinition(
            "Person", properties: [.init("name", type: .string), .init("age", type: .int64)],
            relationships: [
                .init("city", to: "City", inverse: "mayor"), .init("boss", to: "Person", inverse: "reports"),
                .init("reports", to: "Person", isToMany: true, inverse: "boss"),
                .init("friends", to: "Person", isToMany: true, inverse: "friends"),
                .init("visited", to: "City", isToMany: true),
            ], indexes: [.init([.init("age")]), .init([.init("name")])]),
        EntityDefinition(
            "Sight", properties: [.init("name", type: .string), .init("height", type: .double, isOptional: true)],
            relationships: [.init("cities", to: "City", isToMany: true, inverse: "sights")],
            indexes: [.init([.init("height")])]),
    ]
}

extension Relationship {
    package var isForwardLink: Bool {
        if case .links(_, let isForward) = storage { isForward } else { false }
    }
}

extension RelatedRowsModel {
    package func ids(_ entity: Entity) -> [RowID] { (rows[entity.id] ?? [:]).keys.sorted() }

    /// Of entities that have rows.
    package var idsByEntity: [EntityID: [RowID]] {
        Dictionary(uniqueKeysWithValues: schema.entities.map { ($0.id, ids($0)) }).filter { !$0.value.isEmpty }
    }

    package func randomTargets(_ relationship: Relationship, _ generator: inout SeededGenerator) -> Set<RowID> {
        let ids = (rows[relationship.destination] ?? [:]).keys.sorted()
        guard !ids.isEmpty else { return [] }
        let count = Int.random(in: -2...4, using: &generator)
        return Set((0..<max(0, count)).map { _ in ValuePool.pick(ids, &generator) })
    }

    /// Values of a row, with references to rows that are there; a one-to-one leads to a row that nobody leads to yet.
    package func randomValues(_ entity: Entity, _ generator: inout SeededGenerator) -> [Value] {
        entity.properties.map { property in
            switch property.role {
            case .attribute:
                if property.isOptional, Int.random(in: 0..<5, using: &generator) == 0 { return .null }
                return Self.value(of: property.type, &generator)
            case .position: return .null
            case .reference(let id):
                guard let relationship = entity.relationship(withID: id) else { return .null }
                var ids = (rows[relationship.destination] ?? [:]).keys.sorted()
                if let inverse = relationship.inverse,
                    schema.relationship(withID: inverse)?.relationship.isToMany == false,
                    let position = entity.properties.firstIndex(of: property)
                {
                    let taken = Set(
                        (rows[entity.id] ?? [:]).values.filter { !$0.values.isEmpty }.map { $0.values[position] })
                    ids.removeAll { taken.contains(.uint($0)) }
                }
                if ids.isEmpty || Int.random(in: 0..<5, using: &generator) == 0 { return .null }
                return .uint(ValuePool.pick(ids, &generator))
            }
        }
    }

    package static func value(of type: ValueType, _ generator: inout SeededGenerator) -> Value {
        switch type {
        case .string: .string(ValuePool.pick(["a", "A", "ab", "b", "bc", "é", "x"], &generator))
        case .array:
            .array(
                (0..<Int.random(in: 0...2, using: &generator)).map { _ in
                    .string(ValuePool.pick(["a", "b"], &generator))
                })
        case .double: .double(ValuePool.pick([0, 1, 2.5, .nan, 5], &generator))
        default: .int(Int64.random(in: 0...9, using: &generator))
        }
    }
}
