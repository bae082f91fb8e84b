import Foundation
import LoamStorage
import SeededRandom
import Testing

@testable import LoamQuery

/// An explanation names an index that would serve: who makes it finds that the planner takes it, and reads less.
@Suite struct IndexAdviceTests {
    @Test(arguments: [
        ("kind == 'k3'", ["kind"]), ("number > 4900", ["number"]),
        ("kind == 'k3' AND number > 4900", ["kind", "number"]),
        ("note BEGINSWITH[cd] 'nÓte 77'", ["fold(note)"]), ("note ==[cd] 'NOTE 12'", ["fold(note)"]),
        ("lowercase(note) == 'note 12'", ["lowercase(note)"]), ("length(note) == 6", ["length(note)"]),
        ("number IN {3, 5, 9}", ["number"]),
    ])
    func `an index is named that serves`(format: String, components: [String]) throws {
        let items = try ItemStore(rowCount: 5_000)
        let found = try items.advice(Query(entity: "Item", predicate: try PredicateParser.parse(format)))
        #expect(found == components)
    }

    @Test func `the order's properties come behind those that are equal`() throws {
        let items = try ItemStore(rowCount: 5_000)
        let query = Query(
            entity: "Item", predicate: try PredicateParser.parse("kind == 'k3' AND score > 0.01"),
            sort: [SortKey("number", direction: .descending)], limit: 10)
        #expect(try items.advice(query) == ["kind", "-number"])
        let text = try items.store.read { snapshot in
            try Planner.plan(query, in: snapshot).explanation(.estimates, in: snapshot).description
        }
        let words = "\n  An index on (kind, -number) would serve:\n    loam index STORE add Item kind,-number"
        #expect(text.hasSuffix(words), "\(text)")
        try items.add(["kind", "-number"])
        #expect(try items.advice(query) == nil)
    }

    @Test(arguments: [
        ("flag == true AND kind == 'k3' AND length(note) == 9 AND number == 77", ["number"]),
        ("kind == 'k3' AND number == 77", ["number"]), ("flag == true AND kind == 'k3'", ["kind", "flag"]),
    ])
    func `the most selective value leads, and what gains little stays away`(format: String, components: [String]) throws
    {
        let items = try ItemStore(rowCount: 5_000)
        let found = try items.advice(Query(entity: "Item", predicate: try PredicateParser.parse(format)))
        #expect(found == components)
    }

    @Test(arguments: [IndexState.building, .stale], [["kind", "number"], ["number", "kind"]])
    func `an index that is there is not named while it is not read`(state: IndexState, components: [String]) throws {
        let items = try ItemStore(rowCount: 5_000)
        try items.store.read { snapshot in
            let entity = try snapshot.entity(named: "Item")
            var query = try ResolvedQuery(
                Query(entity: "Item", predicate: try PredicateParser.parse("kind == 'k3' AND number > 4000")),
                in: entity)
            #expect(try IndexAdvice(query, in: snapshot).components() == ["kind", "number"])
            let definition = IndexDefinition(components.map { .init($0) })
            query.entity.indexes.append(try Index(id: .max - 1, definition, of: entity, state: state))
            let isAsGood = components == ["kind", "number"]
            #expect(try IndexAdvice(query, in: snapshot).components() == (isAsGood ? nil : ["kind", "number"]))
        }
    }

    /// They are not there: whoever reads one throws.
    @Test func `long values are not read`() throws {
        let items = try ItemStore(rowCount: 2_000, losesTexts: true)
        try items.store.read { snapshot in
            let entity = try snapshot.entity(named: "Item")
            let position = try #require(entity.position(of: "text"))
            var lost = 0
            try snapshot.scanRows(of: entity) { row in
                if try row.isLong(position) {
                    lost += 1
                    do { _ = try row.value(position) } catch { return true }
                    Issue.record("a value was read that is not there")
                }
                return true
            }
            #expect(lost == 200)
        }
        for (format, components) in [
            ("kind == 'k3'", ["kind"]), ("text == 'x'", ["text"]), ("kind == 'k3' AND text > 'x'", ["kind", "text"]),
        ] {
            let query = Query(entity: "Item", predicate: try PredicateParser.parse(format))
            #expect(try items.advice(query) == components, "\(format)")
        }
        // They may have any trigram.
        let part = Query(entity: "Item", predicate: try PredicateParser.parse("text CONTAINS 'needle'"))
        #expect(try items.advice(part) == nil)
    }

    @Test(arguments: [
        "note CONTAINS 'x'", "kind != 'k3'", "number > 10", "NOT number < 3", "note ENDSWITH '7'",
        "noindex:(number) == 3",
    ])
    func `none is named where none would serve`(format: String) throws {
        let items = try ItemStore(rowCount: 5_000)
        #expect(try items.advice(Query(entity: "Item", predicate: try PredicateParser.parse(format))) == nil)
    }

    @Test func `none is named where there are few rows`() throws {
        let items = try ItemStore(rowCount: 500)
        #expect(try items.advice(Query(entity: "Item", predicate: try PredicateParser.parse("kind == 'k3'"))) == nil)
    }

    @Test(arguments: [7, 8, 9] as [UInt64]) func `the index that is named is used and reads less`(seed: UInt64) throws {
        let items = try ItemStore(rowCount: 3_000)
        var generator = SeededGenerator(seed: seed)
        var made = 0
        for number in 0..<60 {
            let query = try Self.randomQuery(&generator)
            guard let components = try items.advice(query) else { continue }
            let comment: Comment = "seed \(seed), number \(number): \(components)"
            let before = try items.run(query)
            let name = try items.add(components)
            made += 1
            let after = try items.run(query)
            try #require(after.plan.accessPath.scan?.index.name == name, "\(comment)\n\(after.plan.explanation())")
            try #require(after.rows == before.rows, comment)
            try #require(
                after.work.entries + after.work.records < before.work.entries + before.work.records,
                "\(comment)\n\(after.plan.explanation(with: after.work))\n\(before.plan.explanation(with: before.work))"
            )
            try #require(try items.advice(query) == nil, comment)
            try items.drop(name)
        }
        #expect(made > 15, "\(made)")
    }

    private static func randomQuery(_ generator: inout SeededGenerator) throws -> Query {
        let conditions = [
            "kind == 'k\(Int.random(in: 0..<40, using: &generator))'",
            "number > \(Int.random(in: 0..<3_000, using: &generator))",
            "number BETWEEN {100, \(Int.random(in: 90..<3_000, using: &generator))}",
            "score < \(Double.random(in: 0..<1, using: &generator))",
            "note ==[cd] 'NOTE \(Int.random(in: 0..<100, using: &generator))'",
            "note BEGINSWITH 'note \(Int.random(in: 0..<100, using: &generator))'",
            "length(note) == \(Int.random(in: 5..<9, using: &generator))", "note CONTAINS '7'",
            "kind IN {'k1', 'k\(Int.random(in: 0..<40, using: &generator))'}", "flag == true", "number != 7",
        ]
        let count = Int.random(in: 1...3, using: &generator)
        let format = (0..<count).map { _ in conditions.randomElement(using: &generator) ?? "" }
            .joined(separator: " AND ")
        let orders: [[SortKey]] = [
            [], [SortKey("number")], [SortKey("score", direction: .descending)],
            [SortKey("kind"), SortKey("number", direction: .descending)],
        ]
        return Query(
            entity: "Item", predicate: try PredicateParser.parse(format),
            sort: orders.randomElement(using: &generator) ?? [],
            limit: Bool.random(using: &generator) ? Int.random(in: 1..<20, using: &generator) : nil)
    }
}

/// Items by arithmetic, without an index.
private final class ItemStore {
    let store: Store

    /// - Parameter losesTexts: whether some rows have a long text, of which the store keeps the length alone.
    init(rowCount: Int, losesTexts: Bool = false) throws {
        var options = StoreOptions()
        options.isInMemory = true
        store = try Store.open(path: "", options: options)
        try store.apply(
            .addEntity(
                EntityDefinition(
                    "Item",
                    properties: [
                        .init("kind", type: .string), .init("number", type: .int64),
                        .init("score", type: .double, isOptional: true), .init("note", type: .string),
                        .init("flag", type: .bool), .init("text", type: .string, isOptional: true),
                    ])))
        let entity = try store.read { try $0.entity(named: "Item") }
        var generator = SeededGenerator(seed: 1)
        var batch = WriteBatch(author: "test")
        for number in 0..<rowCount {
            let values: [Value] = [
                .string("k\(Int.random(in: 0..<40, using: &generator))"), .int(Int64(number)),
                number % 50 == 3 ? .null : .double(Double.random(in: 0..<1, using: &generator)),
                .string("\(number % 2 == 0 ? "note" : "Nóte") \(Int.random(in: 0..<2_000, using: &generator))"),
                .bool(number % 3 == 0),
                losesTexts && number % 10 == 0 ? .string(String(repeating: "long ", count: 4_000)) : .null,
            ]
            var record = try store.catalog().encode(values, as: entity.id)
            record.longValues = []
            batch.insert(record, into: entity.id, rowID: try store.makeRowID())
        }
        try store.save(batch)
    }

    func advice(_ query: Query) throws -> [String]? {
        try store.read { snapshot in
            try Planner.plan(query, in: snapshot).explanation(.plan, in: snapshot).advisedIndex
        }
    }

    func run(_ query: Query) throws -> (plan: Plan, rows: [RowID], work: Work) {
        try store.read { snapshot in
            let plan = try Planner.plan(query, in: snapshot)
            var work = Work()
            return (plan, try plan.rows(in: snapshot, work: &work).map(\.rowID), work)
        }
    }

    /// Adds the index that has these components, and returns its name.
    @discardableResult func add(_ components: [String]) throws -> String {
        let definition = IndexDefinition(components.map(Self.component))
        try store.apply(.addIndex(definition, to: "Item"))
        return definition.name
    }

    func drop(_ name: String) throws { try store.apply(.dropIndex(name, from: "Item")) }

    private static func component(_ text: String) -> IndexDefinition.Component {
        let direction: SortDirection = text.hasPrefix("-") ? .descending : .ascending
        let text = text.hasPrefix("-") ? String(text.dropFirst()) : text
        guard text.hasSuffix(")"), let start = text.firstIndex(of: "(") else {
            return .init(text, direction: direction)
        }
        let keyPath = String(text[text.index(after: start)...].dropLast())
        switch text[..<start] {
        case "fold": return .init(keyPath, direction: direction, form: .caseAndDiacriticFolded)
        case let name: return .init(keyPath, direction: direction, function: Function(named: String(name)))
        }
    }
}
