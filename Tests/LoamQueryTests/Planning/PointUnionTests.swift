import LoamStorage
import SeededRandom
import Testing

@testable import LoamQuery

/// Unions of points, which are sorted as numbers where they begin with as many bytes.
@Suite struct PointUnionTests {
    @Test(
        "points in any order, some of them twice, are each there once, in order",
        arguments: 1...40 as ClosedRange<UInt64>)
    func points(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let isEven = Bool.random(using: &generator)
        let keys = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
            let count = isEven ? 9 : Int.random(in: 1...30, using: &generator)
            // What ends a key stands in no other place of it, so no key begins with another.
            return (1..<count).map { _ in UInt8.random(in: 1...3, using: &generator) } + [0]
        }
        let points = keys.map { KeyRange.prefix($0).ofOneValue }
        let union = RangeSet.union(points, isExact: true)
        let expected = Set(keys).sorted { $0.lexicographicallyPrecedes($1) }
        #expect(union.elements.map(\.lower) == expected)
        #expect(union.elements.allSatisfy(\.isPoint) && union.isExact)
    }

    @Test("what a point has in common with a wider range is the point, with a narrower one is none")
    func common() throws {
        let point = RangeSet(elements: [KeyRange.prefix([4, 0]).ofOneValue], isExact: true)
        let wide = RangeSet(elements: [KeyRange(lower: [3], upper: [9])], isExact: true)
        let alike = RangeSet(elements: [.prefix([4, 0])], isExact: true)
        for other in [wide, alike, point] {
            for common in [point.intersection(other), other.intersection(point)] {
                #expect(common.elements == [.prefix([4, 0])] && common.elements.allSatisfy(\.isPoint))
            }
        }
        let narrow = RangeSet(elements: [KeyRange(lower: [4, 0, 7], upper: [9])], isExact: true)
        let part = try #require(point.intersection(narrow).elements.first)
        #expect(!part.isPoint && part == KeyRange(lower: [4, 0, 7], upper: [4, 1]))
        #expect(point.intersection(RangeSet(elements: [.prefix([5])], isExact: true)).elements.isEmpty)
        // It is no part of what the range is.
        #expect(KeyRange.prefix([4, 0]).ofOneValue == .prefix([4, 0]) && !KeyRange(lower: [4]).ofOneValue.isPoint)
        #expect(
            Set([KeyRange.prefix([4, 0]).ofOneValue, .prefix([4, 0]), KeyRange(lower: [4, 0], upper: [4, 1])]).count
                == 1)
    }

    @Test("what is no point, or lies in another, is not taken for points")
    func others() {
        let inside = [KeyRange.prefix([1, 2]), .prefix([1, 2, 3])].map(\.ofOneValue)
        #expect(RangeSet.union(inside, isExact: true).elements == [.prefix([1, 2])])
        let open = [KeyRange.prefix([7, 7]), KeyRange(lower: [5, 5])]
        #expect(RangeSet.union(open, isExact: false).elements == [KeyRange(lower: [5, 5])])
    }
}

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
