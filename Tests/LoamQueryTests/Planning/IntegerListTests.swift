import LoamStorage
import SeededRandom
import Testing

@testable import LoamQuery

/// Lists of integers, which are put in order before ranges are made of them, and lists that kept plans take over whole.
@Suite struct IntegerListTests {
    private let store: Store

    init() throws {
        var options = StoreOptions()
        options.isInMemory = true
        store = try Store.open(path: "", options: options)
        try store.apply(
            .addEntity(
                EntityDefinition(
                    "Sample",
                    properties: [
                        .init("small", type: .int8), .init("plain", type: .int64, isOptional: true),
                        .init("large", type: .uint64), .init("ratio", type: .double), .init("code", type: .string),
                    ],
                    indexes: [
                        .init([.init("small", direction: .descending)]), .init([.init("plain")]),
                        .init([.init("large")]), .init([.init("ratio")]), .init([.init("code")]),
                    ])))
        let entity = try store.read { try $0.entity(named: "Sample") }
        var batch = WriteBatch(author: "test")
        for number in 0..<6_000 {
            let values: [Value] = [
                .int(Int64(number % 256) - 128), number % 50 == 0 ? .null : .int(Int64(number) - 3_000),
                .uint(number % 2 == 0 ? UInt64.max - UInt64(number) : UInt64(number)), .double(Double(number) / 2),
                .string("c\(number)"),
            ]
            batch.insert(
                try store.catalog().encode(values, as: entity.id), into: entity.id, rowID: try store.makeRowID())
        }
        try store.save(batch)
    }

    private func value(_ property: String, _ generator: inout SeededGenerator) -> Value {
        switch property {
        // Some lie outside of the type.
        case "small": .int(.random(in: -140...140, using: &generator))
        case "plain":
            Int.random(in: 0..<12, using: &generator) == 0
                ? .null : .int(.random(in: -3_100...3_100, using: &generator))
        case "large":
            Bool.random(using: &generator)
                ? .int(.random(in: -5...6_000, using: &generator))
                : .uint(.max - .random(in: 0...6_000, using: &generator))
        case "ratio":
            Bool.random(using: &generator)
                ? .int(.random(in: 0...3_000, using: &generator))
                : .double(Double(Int.random(in: 0...6_000, using: &generator)) / 2)
        default: .string("c\(Int.random(in: 0...6_100, using: &generator))")
        }
    }

    @Test(
        "finds the rows that are equal to one of the values, in the order of the index",
        arguments: ["small", "plain", "large", "ratio", "code"])
    func lists(property: String) throws {
        var generator = SeededGenerator(seed: UInt64(property.utf8.count))
        try store.read { snapshot in
            let entity = try snapshot.entity(named: "Sample")
            let cache = PlanCache()
            var kept = 0
            for turn in 0..<240 {
                // Longer lists are put in order as a whole; some have a value twice.
                let count = turn % 3 == 0 ? 3 : turn % 3 == 1 ? 10 : 40
                var values = (0..<count).map { _ in value(property, &generator) }
                if turn % 4 == 0 { values[count - 1] = values[0] }
                let query = Query(
                    entity: "Sample",
                    predicate: try PredicateParser.parse("\(property) IN %@", arguments: [.array(values)]),
                    sort: [SortKey(property), .identifier(.ascending)])
                let (plan, isKept) = try cache.plan(
                    query, of: entity, in: snapshot.schema, statistics: snapshot, analysisCount: 0)
                if isKept { kept += 1 }
                let either = try values.map { value in
                    try PredicateParser.parse("\(property) == %@", arguments: [value])
                }
                let scan = Query(
                    entity: "Sample", predicate: .or(either), sort: [SortKey(property), .identifier(.ascending)])
                var (work, scanned) = (Work(), Work())
                let found = try plan.rows(in: snapshot, work: &work).map(\.rowID)
                let resolved = try ResolvedQuery(scan, in: entity, schema: snapshot.schema)
                let table = try #require(
                    try Planner.plans(resolved, statistics: snapshot).first {
                        $0.accessPath == .table(from: .min, through: .max)
                    })
                #expect(try table.rows(in: snapshot, work: &scanned).map(\.rowID) == found, "\(values)")
            }
            #expect(kept > 40)
        }
    }
}
