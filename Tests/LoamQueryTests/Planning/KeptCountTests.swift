import LoamStorage
import Testing

@testable import LoamQuery

/// What planning a query of a known shape counts where the blocks of the indexes are known: no more than may change the
/// choice.
@Suite struct KeptCountTests {
    private static let rowCount = 40_000

    /// 40,000 readings: sizes of which one value in 500 is common, ranks that are all different, days of forty each,
    /// and lots of two hundred each.
    private let store: Store

    init() throws {
        var options = StoreOptions()
        options.isInMemory = true
        store = try Store.open(path: "", options: options)
        try store.apply(
            .addEntity(
                EntityDefinition(
                    "Reading",
                    properties: [
                        .init("size", type: .int64), .init("rank", type: .int64), .init("day", type: .int64),
                        .init("lot", type: .int64),
                    ],
                    indexes: [
                        .init([.init("size")]), .init([.init("rank")]), .init([.init("day")]), .init([.init("lot")]),
                    ])))
        let entity = try store.read { try $0.entity(named: "Reading") }
        var batch = WriteBatch(author: "test")
        for number in 0..<Self.rowCount {
            let values: [Value] = [
                .int(number % 2 == 0 ? 7 : Int64(number % 499)), .int(Int64(number)),
                .int(Int64(number * 7_919 % 1_000)), .int(Int64(number / 200)),
            ]
            batch.insert(
                try store.catalog().encode(values, as: entity.id), into: entity.id, rowID: try store.makeRowID())
        }
        try store.save(batch)
    }

    private func query(_ format: String, _ arguments: Value..., limit: Int? = nil) throws -> Query {
        Query(
            entity: "Reading", predicate: try PredicateParser.parse(format, arguments: arguments), limit: limit)
    }

    /// Plans the queries after so many others of their shape that blocks are known.
    ///
    /// - Parameter turns: how often each is planned before.
    /// - Returns: for each the plan, one that was made anew, and how many ranges were counted for the first.
    private func plans(_ queries: [Query], turns: Int = 60) throws -> [(kept: Plan, anew: Plan, counted: Int)] {
        try store.read { snapshot in
            let cache = PlanCache()
            func plan(_ query: Query) throws -> (plan: Plan, isKept: Bool) {
                try cache.plan(
                    query, of: snapshot.entity(named: query.entity), in: snapshot.schema, statistics: snapshot,
                    analysisCount: 0)
            }
            for _ in 0..<turns { for query in queries { _ = try plan(query) } }
            return try queries.map { query in
                let before = snapshot.rangesCounted
                let (kept, isKept) = try plan(query)
                #expect(isKept)
                let counted = snapshot.rangesCounted - before
                let entity = try snapshot.entity(named: query.entity)
                let anew = try Planner.plan(query, of: entity, in: snapshot.schema, statistics: snapshot)
                var work = Work()
                #expect(
                    try kept.rows(in: snapshot, work: &work).map(\.rowID)
                        == anew.rows(in: snapshot, work: &work).map(\.rowID))
                return (kept, anew, counted)
            }
        }
    }

    private func list(_ values: [Int64]) -> Value { .array(values.map(Value.int)) }

    @Test func nothingIsCountedWhereAnIndexIsSureToBeTheWay() throws {
        let lists = try (0..<4).map { (turn: Int64) in
            try query("size IN %@", list((0..<6).map { 11 + turn * 2 + $0 * 80 }))
        }
        let ranges = try (0..<4).map { try query("rank >= %@ OR day < %@", .int(39_900 + $0), .int($0 + 1)) }
        for (kept, anew, counted) in try plans(lists) + plans(ranges) {
            #expect(counted == 0, "\(kept.explanation())")
            #expect(kept.accessPath.isIndexed && anew.accessPath.isIndexed, "\(kept.explanation())")
        }
    }

    /// The order is served and nothing is tested: the first rows are enough, however many there are.
    @Test func nothingIsCountedWhereTheFirstRowsAreEnough() throws {
        let queries = try (0..<4).map { (turn: Int64) in
            var query = try query("rank IN %@", list((0..<6).map { 11 + turn * 2 + $0 * 80 }), limit: 4)
            query.sort = [SortKey("rank")]
            return query
        }
        let open = try (0..<4).map { (turn: Int64) in
            var query = try query("day >= %@", .int(990 + turn), limit: 4)
            query.sort = [SortKey("day")]
            return query
        }
        for (kept, anew, counted) in try plans(queries) + plans(open) {
            #expect(counted == 0 && kept.arrangement == .served, "\(kept.explanation())")
            #expect(kept.accessPath.index == anew.accessPath.index)
        }
    }

    /// Several conditions that narrow one index and no other leave the choice between it and the table.
    @Test func conditionsOnOneIndexAreNotCounted() throws {
        let queries = try (0..<4).map { try query("rank >= %@ AND rank < %@", .int($0 * 900), .int($0 * 900 + 30)) }
        for (kept, anew, counted) in try plans(queries) {
            #expect(counted == 0, "\(kept.explanation())")
            #expect(kept.accessPath.index == anew.accessPath.index && kept.accessPath.isIndexed)
        }
        let many = try (0..<4).map { try query("rank >= %@ AND rank < %@", .int($0 * 900), .int(39_000 + $0)) }
        for (kept, _, _) in try plans(many) { #expect(!kept.accessPath.isIndexed, "\(kept.explanation())") }
    }

    /// One of six values is that of half of the rows, in any place of the list: then the table is the way.
    @Test func aFrequentValueOfAListIsSeen() throws {
        let queries = try (0..<5).map { (turn: Int64) in
            try query("size IN %@", list((0..<5).map { 9 + turn * 2 + $0 * 80 } + [7]))
        }
        for (kept, anew, _) in try plans(queries) {
            #expect(kept.accessPath == .table(from: .min, through: .max), "\(kept.explanation())")
            #expect(kept.accessPath == anew.accessPath)
        }
    }

    /// Values that fill a block each: their blocks together may be too much of the table, so they are counted.
    @Test func valuesThatMayBeManyRowsAreCounted() throws {
        let queries = try (0..<3).map { (turn: Int64) in
            try query("lot IN %@", list((0..<14).map { turn + $0 * 14 }))
        }
        for (kept, anew, counted) in try plans(queries) {
            #expect(kept.accessPath.isIndexed == anew.accessPath.isIndexed, "\(kept.explanation())")
            #expect(counted == 14 || kept.estimate.candidates <= Self.rowCount / 8)
        }
    }

    /// With a limit, or with other conditions, the number of rows decides more than one question, until one choice has
    /// been the best often.
    @Test func conditionsBesideOthersAreCounted() throws {
        let limited = try (0..<3).map { try query("size IN %@", list([$0 * 2 + 1, 11, 15]), limit: 5) }
        let pairs = try (0..<3).map {
            try query("size == %@ AND day == %@", .int($0 * 2 + 1), .int($0), limit: 5)
        }
        for (kept, anew, counted) in try plans(limited, turns: 4) + plans(pairs, turns: 4) {
            #expect(counted > 0)
            // What costs little is not intersected with more.
            var isPart = false
            if case .index(let scan) = kept.accessPath, case .intersection(let scans) = anew.accessPath {
                isPart = scans.contains(scan) && kept.estimate.candidates < 100
            }
            #expect(isPart || kept.accessPath == anew.accessPath, "\(kept.explanation())\n\(anew.explanation())")
        }
    }

    /// Where only short ranges are not counted, one that holds half of the rows is known to be long.
    @Test func aFrequentValueBesideAnotherConditionIsSeen() throws {
        let common = try (0..<3).map { try query("size == %@ AND day == %@", .int(7), .int($0 + 5)) }
        for (kept, anew, _) in try plans(common) {
            #expect(kept.accessPath.index == anew.accessPath.index, "\(kept.explanation())\n\(anew.explanation())")
        }
    }

    /// Ranges of several blocks are told to half a block at either end.
    @Test func longRangesAreNotCounted() throws {
        let queries = try (0..<6).map {
            try query("rank >= %@ AND day >= %@", .int(1_000 + $0 * 7_000), .int(990 - $0 * 180))
        }
        for (kept, anew, counted) in try plans(queries) {
            #expect(counted == 0 || kept.estimate.candidates < 3_000)
            #expect(kept.accessPath.index == anew.accessPath.index, "\(kept.explanation())\n\(anew.explanation())")
        }
    }
}

extension AccessPath {
    fileprivate var index: IndexID? {
        if case .index(let scan) = self { scan.index.id } else { nil }
    }

    fileprivate var isIndexed: Bool {
        switch self {
        case .index, .union, .intersection, .skip: true
        case .nothing, .rows, .table, .join: false
        }
    }
}
