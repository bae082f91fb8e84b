import Foundation
import LoamStorage
import Testing

@testable import LoamQuery

/// Three countries and three cities with attributes of every kind, to ask by every form of the format grammar.
///
/// | | rank | area | gold | flags | founded | languages | scores | facts | isNew | cities |
/// |---|---|---|---|---|---|---|---|---|---|---|
/// | Peru | 3 | 1.5 | 2.5 | 6 | 10 s | es, qu | 1, 5, 3 | north: 7 | yes | Lima (10), Cusco (4) |
/// | Chile | -2 | 4 | 1 | 1 | | es | none | | no | Arica (nil) |
/// | Utopia | | | | 0 | 2100 | | | | no | |
struct FormStore {
    private static let definitions = [
        EntityDefinition(
            "Country",
            properties: [
                .init("name", type: .string), .init("code", type: .string, isOptional: true),
                .init("rank", type: .int64, isOptional: true), .init("area", type: .double, isOptional: true),
                .init("gold", type: .decimal, isOptional: true), .init("flags", type: .uint64),
                .init("founded", type: .date, isOptional: true),
                .init("languages", type: .array(of: .string, optional: false), isOptional: true),
                .init("scores", type: .array(of: .int64, optional: false), isOptional: true),
                .init("facts", type: .dictionary(key: .string, value: .int64, optional: false), isOptional: true),
                .init("isNew", type: .bool), .init("first", type: .int64, isOptional: true),
            ],
            relationships: [
                .init("cities", to: "City", isToMany: true, inverse: "country"), .init("capital", to: "City"),
            ],
            indexes: [.init([.init("name")]), .init([.init("rank")]), .init([.init("name", function: .length)])]),
        EntityDefinition(
            "City",
            properties: [
                .init("name", type: .string), .init("population", type: .int64, isOptional: true),
                .init("tags", type: .array(of: .string, optional: false), isOptional: true),
            ],
            relationships: [.init("country", to: "Country", inverse: "cities")],
            indexes: [.init([.init("population")])]),
    ]

    /// Calls `body` with a snapshot of the store and the ids of its rows by name.
    static func read(_ body: (Snapshot, [String: RowID]) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "loam-forms-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try Store.open(path: folder.appending(path: "store").path, options: StoreOptions())
        try store.apply(.addEntities(definitions))
        let schema = try store.read { $0.schema }
        var ids: [String: RowID] = [:]
        for name in ["Peru", "Chile", "Utopia", "Lima", "Cusco", "Arica"] { ids[name] = try store.makeRowID() }
        var batch = WriteBatch(author: "test")
        func insert(_ entityName: String, _ name: String, _ values: [String: Value]) throws {
            let entity = try #require(schema.entity(named: entityName))
            let values = values.merging(["name": .string(name)]) { first, _ in first }
            let row = entity.properties.map { values[$0.name] ?? .null }
            batch.insert(
                try store.catalog().encode(row, as: entity.id), into: entity.id, rowID: try #require(ids[name]))
        }
        func reference(_ name: String) -> Value { ids[name].map(Value.uint) ?? .null }
        func texts(_ texts: String...) -> Value { .array(texts.map(Value.string)) }
        try insert(
            "Country", "Peru",
            [
                "code": .string("pe"), "rank": .int(3), "area": .double(1.5), "gold": .decimal(2.5), "flags": .uint(6),
                "founded": .date(Date(timeIntervalSinceReferenceDate: 10)), "languages": texts("es", "qu"),
                "scores": .array([.int(1), .int(5), .int(3)]), "facts": .dictionary([.string("north"): .int(7)]),
                "isNew": .bool(true), "capital": reference("Lima"), "first": .int(1),
            ])
        try insert(
            "Country", "Chile",
            [
                "code": .string("CL"), "rank": .int(-2), "area": .double(4), "gold": .decimal(1), "flags": .uint(1),
                "languages": texts("es"), "scores": .array([]), "isNew": .bool(false), "capital": reference("Arica"),
            ])
        try insert(
            "Country", "Utopia",
            [
                "flags": .uint(0), "isNew": .bool(false),
                "founded": .date(Date(timeIntervalSinceReferenceDate: 3_124_224_000)),
            ])
        try insert(
            "City", "Lima", ["population": .int(10), "tags": texts("port", "big"), "country": reference("Peru")])
        try insert("City", "Cusco", ["population": .int(4), "tags": texts("old"), "country": reference("Peru")])
        try insert("City", "Arica", ["tags": texts("port"), "country": reference("Chile")])
        try store.save(batch)
        try store.read { try body($0, ids) }
    }

    /// The names of the rows that every plan finds; an error where plans differ.
    static func names(
        of entityName: String, where predicate: QueryPredicate, in snapshot: Snapshot
    ) throws -> Set<String> {
        let query = Query(entity: entityName, predicate: predicate, columns: ["name"])
        let entity = try snapshot.entity(named: entityName)
        let plans = try Planner.plans(ResolvedQuery(query, in: entity, schema: snapshot.schema), statistics: snapshot)
        var answers: Set<Set<String>> = []
        for plan in plans {
            var work = Work()
            let values = try plan.rows(in: snapshot, work: &work).compactMap(\.values.first)
            answers.insert(Set(values.compactMap { if case .string(let name) = $0 { name } else { nil } }))
        }
        try #require(answers.count == 1, "\(predicate)")
        return answers.first ?? []
    }
}
