import LoamStorage
import SeededRandom
import Testing

@testable import LoamQuery

/// Advice of several indexes for the parts of an OR, of those of related rows, and of those of which groups are made: who
/// makes them finds that the planner takes them, and reads less.
@Suite struct SeveralIndexAdviceTests {
    private static let shopCount = 2_000
    private static let rowCount = 8_000

    /// Shops, and sales that lead to them; no index but that of the relationship.
    private static func sales() throws -> Store {
        var options = StoreOptions()
        options.isInMemory = true
        let store = try Store.open(path: "", options: options)
        try store.apply(
            .addEntities([
                EntityDefinition(
                    "Shop",
                    properties: [
                        .init("name", type: .string), .init("town", type: .string), .init("rank", type: .int64),
                    ]),
                EntityDefinition(
                    "Sale",
                    properties: [
                        .init("day", type: .int64), .init("price", type: .int64), .init("kind", type: .string),
                        .init("weight", type: .double), .init("note", type: .string),
                    ], relationships: [.init("shop", to: "Shop")]),
            ]))
        var random = SeededGenerator(seed: 4)
        let catalog = try store.catalog()
        let (shop, sale) = (
            try store.read { try $0.entity(named: "Shop") }, try store.read { try $0.entity(named: "Sale") }
        )
        var batch = WriteBatch(author: "test")
        var shops: [RowID] = []
        for number in 0..<shopCount {
            let values: [String: Value] = [
                "name": .string("shop \(number)"), "town": .string("town \(number % 400)"),
                "rank": .int(Int64(number)),
            ]
            let row = try store.makeRowID()
            shops.append(row)
            batch.insert(try catalog.encode(values, as: "Shop"), into: shop.id, rowID: row)
        }
        for number in 0..<rowCount {
            let values: [String: Value] = [
                "day": .int(Int64.random(in: 0..<2_000, using: &random)), "price": .int(Int64(number * 37 % rowCount)),
                "kind": .string("kind \(number % 8)"), "weight": .double(Double(number % 100)),
                "note": .string("note \(number)"),
                "shop": .uint(shops[Int.random(in: 0..<shopCount, using: &random)]),
            ]
            batch.insert(try catalog.encode(values, as: "Sale"), into: sale.id, rowID: try store.makeRowID())
        }
        try store.save(batch)
        return store
    }

    private static func explain(
        _ query: Query, in store: Store
    ) throws -> (advice: [AdvisedIndex], work: Work, rows: [RowID]) {
        try store.read { snapshot in
            let plan = try Planner.plan(query, in: snapshot)
            var work = Work()
            let rows = try plan.rows(in: snapshot, work: &work).map(\.rowID)
            return (try plan.explanation(.plan, in: snapshot).advice, work, rows)
        }
    }

    @Test func `each part of an OR that lacks an index has one advised`() throws {
        let store = try Self.sales()
        let query = Query(entity: "Sale", predicate: try PredicateParser.parse("day == 7 OR price > 7980"))
        let before = try Self.explain(query, in: store)
        #expect(before.advice.map(\.components) == [["day"], ["price"]])
        let text = try store.read { try Planner.plan(query, in: $0).explanation(.plan, in: $0).description }
        #expect(
            text.hasSuffix(
                """

                  Indexes on (day) and on (price) would serve together:
                    loam index STORE add Sale day
                    loam index STORE add Sale price
                """), "\(text)")
        try store.add([before.advice[0]])
        #expect(try Self.explain(query, in: store).advice.map(\.components) == [["price"]])
        try store.add([before.advice[1]])
        let after = try Self.explain(query, in: store)
        #expect(after.rows == before.rows && after.advice.isEmpty)
        #expect(before.work.records == Self.rowCount && after.work.records < 100)
    }

    @Test(
        arguments: [
            "price < 10 OR price > 7980", "price BETWEEN {5, 9} OR price == 70 OR price > 7990",
            "(price > 3 AND price < 9) OR price > 7980", "price < 10 OR price > 7980 AND weight > 3",
        ])
    func `one index is advised where each part of an OR asks for a range of it`(format: String) throws {
        let store = try Self.sales()
        let query = Query(entity: "Sale", predicate: try PredicateParser.parse(format))
        let before = try Self.explain(query, in: store)
        #expect(before.advice == [AdvisedIndex(entity: "Sale", components: ["price"])])
        try store.add(before.advice)
        let after = try Self.explain(query, in: store)
        #expect(after.rows == before.rows && !after.rows.isEmpty && after.advice.isEmpty)
        #expect(before.work.records == Self.rowCount && after.work.records < 100)
    }

    @Test(arguments: ["day == 7 OR note CONTAINS 'x'", "day == 7 OR price > 100", "day == 7 OR shop.rank > 1990"])
    func `none is advised where a part stays without`(format: String) throws {
        let query = Query(entity: "Sale", predicate: try PredicateParser.parse(format))
        #expect(try Self.explain(query, in: Self.sales()).advice.isEmpty)
    }

    @Test func `an index of the related rows is advised`() throws {
        let store = try Self.sales()
        let query = Query(
            entity: "Sale", predicate: try PredicateParser.parse("shop.town == 'town 77' AND weight >= 0"))
        let before = try Self.explain(query, in: store)
        #expect(before.advice == [AdvisedIndex(entity: "Shop", components: ["town"])])
        let text = try store.read { try Planner.plan(query, in: $0).explanation(.plan, in: $0).description }
        #expect(
            text.hasSuffix("\n  An index on Shop (town) would serve:\n    loam index STORE add Shop town"), "\(text)")
        try store.add(before.advice)
        let after = try Self.explain(query, in: store)
        #expect(after.rows == before.rows && !after.rows.isEmpty && after.advice.isEmpty)
        #expect(after.work.records + after.work.entries < (before.work.records + before.work.entries) / 10)
    }

    @Test func `an index of trigrams of the related rows is advised`() throws {
        let store = try Self.sales()
        let query = Query(entity: "Sale", predicate: try PredicateParser.parse("shop.town CONTAINS[cd] 'OWN 77'"))
        let before = try Self.explain(query, in: store)
        #expect(before.advice == [AdvisedIndex(entity: "Shop", kind: .trigrams, components: ["town"])])
        let text = try store.read { try Planner.plan(query, in: $0).explanation(.plan, in: $0).description }
        #expect(
            text.hasSuffix("of trigrams on Shop (town) would serve:\n    loam index STORE add Shop town --trigrams"),
            "\(text)")
        try store.add(before.advice)
        let after = try Self.explain(query, in: store)
        #expect(after.rows == before.rows && !after.rows.isEmpty && after.advice.isEmpty)
        #expect(after.work.records + after.work.entries < (before.work.records + before.work.entries) / 10)
    }

    private static func groups(
        _ keys: [String], _ aggregates: [String], where format: String? = nil, in store: Store
    ) throws -> (advice: [AdvisedIndex], work: Work, groups: [[Value]]) {
        let query = GroupedQuery(
            entity: "Sale", predicate: try format.map { try PredicateParser.parse($0) }, keys: keys,
            aggregates: try aggregates.map { try GroupAggregate($0) })
        return try store.read { snapshot in
            let plan = try GroupedPlan(query, in: snapshot)
            var work = Work()
            let groups = try plan.groups(in: snapshot, work: &work)
            return (try plan.explanation(.plan, in: snapshot).advice, work, groups)
        }
    }

    @Test(
        arguments: [
            (["kind"], ["sum(price)", "count()"], nil, ["kind", "price"]),
            (["kind"], ["count()"], nil, ["kind"]),
            (["kind", "day"], ["maximum(price)"], nil, ["kind", "day", "price"]),
            (["kind"], ["sum(price)"], "day == 9", ["day"]),
        ] as [([String], [String], String?, [String])])
    func `an index of which groups are made is advised`(
        keys: [String], aggregates: [String], format: String?, components: [String]
    ) throws {
        let store = try Self.sales()
        let before = try Self.groups(keys, aggregates, where: format, in: store)
        #expect(before.work.records == Self.rowCount && before.advice.first?.entity == "Sale")
        let advised = try #require(before.advice.first).components
        #expect(Array(advised.prefix(components.count)) == components)
        try store.add(before.advice)
        let after = try Self.groups(keys, aggregates, where: format, in: store)
        #expect(after.groups == before.groups && after.advice.isEmpty, "\(after.advice)")
        #expect(after.work.records < 100 && after.work.entries <= Self.rowCount)
    }

    /// Sums of floating-point numbers are added up in the order of row ids.
    @Test func `sums that follow the order of rows have none advised`() throws {
        #expect(try Self.groups(["kind"], ["sum(weight)"], in: Self.sales()).advice.isEmpty)
    }
}
