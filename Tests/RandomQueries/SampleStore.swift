package import Foundation
package import LoamStorage
package import SeededRandom

/// A store in a temporary folder with random rows of every type, under indexes of every kind.
package final class SampleStore {
    package let store: Store
    package let rows: [(rowID: RowID, values: [Value])]
    private let folder: URL
    private let makeValue: (Property, inout SeededGenerator) -> Value

    /// - Parameters:
    ///   - rowCount: at least one.
    ///   - longStrings: whether strings may exceed their share of a key, which makes indexes inexact.
    ///   - indexShare: the part of the indexes that are made, each by chance.
    ///   - parent: where its folder is made, which goes with it; nil for the temporary folder.
    /// - Throws: what the store throws.
    package convenience init(
        seed: UInt64, rowCount: Int, longStrings: Bool, indexShare: Double = 1, in parent: URL? = nil
    ) throws {
        try self.init(
            Self.definition, seed: seed, rowCount: rowCount, indexShare: indexShare, in: parent,
            change: { ValuePool.value(of: $0.type, &$1) }, makeValue: { Self.value($0.type, longStrings, &$1) })
    }

    /// - Parameters:
    ///   - definition: of the entity, whose property `id` has numbers that ascend.
    ///   - change: makes values for rows that are changed.
    ///   - makeValue: makes those of stored ones.
    /// - Throws: what the store throws.
    package init(
        _ definition: EntityDefinition, seed: UInt64, rowCount: Int, indexShare: Double = 1, in parent: URL? = nil,
        change: @escaping (Property, inout SeededGenerator) -> Value,
        makeValue: (Property, inout SeededGenerator) -> Value
    ) throws {
        self.makeValue = change
        folder = (parent ?? FileManager.default.temporaryDirectory)
            .appending(path: "loam-query-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var options = StoreOptions()
        options.durability = .recent
        let store = try Store.open(path: folder.appending(path: "store").path, options: options)
        var generator = SeededGenerator(seed: seed)
        var definition = definition
        if indexShare < 1 {
            definition.indexes.removeAll { _ in Double.random(in: 0..<1, using: &generator) >= indexShare }
        }
        try store.apply(.addEntity(definition))
        let entity = try store.read { try $0.entity(named: definition.name) }
        var rows: [(rowID: RowID, values: [Value])] = []
        var batch = WriteBatch(author: "test")
        for number in 0..<rowCount {
            let values = entity.properties.map { property -> Value in
                if property.name == "id" { return .int(Int64(number * 3 - 40)) }
                if property.isOptional && Int.random(in: 0..<4, using: &generator) == 0 { return .null }
                return makeValue(property, &generator)
            }
            let rowID = try store.makeRowID()
            batch.insert(try store.catalog().encode(values, as: entity.id), into: entity.id, rowID: rowID)
            rows.append((rowID, values))
        }
        try store.save(batch)
        self.store = store
        self.rows = rows
    }

    /// A value for a row that is changed.
    func randomValue(of property: Property, _ generator: inout SeededGenerator) -> Value {
        if property.isOptional && Int.random(in: 0..<4, using: &generator) == 0 { return .null }
        return makeValue(property, &generator)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static func value(_ type: ValueType, _ long: Bool, _ generator: inout SeededGenerator) -> Value {
        if long, type == .string, Int.random(in: 0..<60, using: &generator) == 0 {
            return .string(ValuePool.pick(ValuePool.hugeStrings, &generator))
        }
        while true {
            let value = ValuePool.value(of: type, &generator)
            switch value {
            case .string(let text) where !long && text.utf8.count > 40: continue
            case .url(let url) where !long && url.absoluteString.utf8.count > 40: continue
            case .data(let data) where !long && data.count > 40: continue
            default: return value
            }
        }
    }

    private static let definition = EntityDefinition(
        "Thing",
        properties: [
            .init("id", type: .int64), .init("small", type: .int8, isOptional: true), .init("count", type: .uint64),
            .init("size", type: .double, isOptional: true),
            .init("weight", type: .float), .init("price", type: .decimal, isOptional: true),
            .init("name", type: .string),
            .init("note", type: .string, isOptional: true),
            .init("day", type: .date, isOptional: true), .init("flag", type: .bool, isOptional: true),
            .init("key", type: .uuid, isOptional: true),
            .init("blob", type: .data, isOptional: true), .init("link", type: .url, isOptional: true),
            .init(
                "address",
                type: .structure([
                    .init(name: "city", type: .string), .init(name: "zip", type: .int32, isOptional: true),
                ]),
                isOptional: true),
            .init("tags", type: .array(of: .string, optional: false), isOptional: true),
        ],
        indexes: [
            .init([.init("id")], kind: .unique), .init([.init("small")], isSectioned: true), .init([.init("size")]),
            .init([.init("size", direction: .descending)]),
            .init([.init("name")]), .init([.init("name", form: .caseFolded)]),
            .init([.init("name", form: .caseAndDiacriticFolded)]),
            .init([.init("name", form: .localizedStandard)]),
            .init([.init("note", direction: .descending), .init("small")]),
            .init([.init("small"), .init("size", direction: .descending)]), .init([.init("flag"), .init("name")]),
            .init([.init("flag"), .init("small"), .init("count")]),
            .init([.init("price")]), .init([.init("day"), .init("id", direction: .descending)]),
            .init([.init("count")], included: ["size", "name", "note", "address"]),
            .init([.init("address.city"), .init("address.zip")]), .init([.init("weight"), .init("flag")]),
            .init([.init("key")]), .init([.init("link")]),
            .init([.init("blob", direction: .descending)]), .init([.init("note", form: .diacriticFolded)]),
            .init([.init("name", function: .lowercase)]), .init([.init("flag"), .init("small", function: .negate)]),
            .init([
                .init("note", direction: .descending, function: .lowercase, form: .caseAndDiacriticFolded), .init("id"),
            ]),
            .init([
                .init("address.city", function: .lowercase), .init("size", direction: .descending, function: .negate),
            ]),
            .init([.init("name", function: .length), .init("small")]), .init([.init("size", function: .floor)]),
            .init([.init("price", direction: .descending, function: .round)]),
            .init([.init("day", function: .startOfDay), .init("id")], isSectioned: true),
            .init([.init("day", function: .year, timeZone: "Europe/Berlin"), .init("flag")]),
            .init([.init("day", direction: .descending, function: .month, timeZone: "Pacific/Apia")]),
            .init([.init("tags", function: .first), .init("id")]), .trigrams(of: "name"), .trigrams(of: "note"),
            .trigrams(of: "address.city"),
        ])
}
