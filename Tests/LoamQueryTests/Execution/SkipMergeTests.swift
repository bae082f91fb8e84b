import LoamStorage
import RandomQueries
import SeededRandom
import Testing

@testable import LoamQuery

/// Skip scans whose ranges, one behind each value of an index's first component, are merged into an order.
@Suite struct SkipMergeTests {
    private static let kindCount = 20

    /// 20,000 events of 20 kinds and 7 places, each size twice and in no order.
    private static func events() throws -> Store {
        var options = StoreOptions()
        options.isInMemory = true
        let store = try Store.open(path: "", options: options)
        let definition = EntityDefinition(
            "Event",
            properties: [
                .init("kind", type: .string, isOptional: true), .init("size", type: .int64),
                .init("place", type: .int64), .init("name", type: .string),
            ],
            indexes: [
                .init([.init("kind"), .init("size")]), .init([.init("kind"), .init("place"), .init("size")]),
            ])
        _ = try store.load(.newEntity(definition), rowCount: 20_000) { load in
            for number in 0..<20_000 {
                let kind = number * 31 % kindCount
                try load.append([
                    kind == 0 ? .null : .string("kind \(kind)"), .int(Int64(number / 2 * 7_919 % 10_007)),
                    .int(Int64(number % 7)), .string("name \(number % 10)"),
                ])
            }
        }
        return store
    }

    private static func run(
        _ format: String, sort: [SortKey], limit: Int? = 10, offset: Int = 0, in snapshot: Snapshot
    ) throws -> (plan: Plan, rows: [RowID], work: Work) {
        let query = Query(
            entity: "Event", predicate: try PredicateParser.parse(format), sort: sort, limit: limit, offset: offset,
            columns: ["size", "name"])
        let plan = try Planner.plan(query, in: snapshot)
        var work = Work()
        let rows = try plan.rows(in: snapshot, work: &work).map(\.rowID)
        let entity = try snapshot.entity(named: "Event")
        let resolved = try ResolvedQuery(query, in: entity, schema: snapshot.schema)
        let table = try #require(
            try Planner.plans(resolved, statistics: snapshot).first {
                $0.accessPath == .table(from: .min, through: .max)
            })
        var other = Work()
        #expect(try table.rows(in: snapshot, work: &other).map(\.rowID) == rows, "\(plan.explanation())")
        return (plan, rows, work)
    }

    private static func isMergedSkip(_ plan: Plan) -> Bool {
        if case .skip(let skip) = plan.accessPath { skip.scan.isMerged } else { false }
    }

    /// A few entries for each value of the first component: that of the look-up, and two more than its share of what is
    /// wanted.
    @Test(
        arguments: [
            ("size > 5000", "size"), ("size BETWEEN {2000, 9000}", "size"), ("size < 9000", "size"),
            ("place == 3", "size"), ("place == 3 AND size > 1000", "size"),
        ], [SortDirection.ascending, .descending])
    func aPageReadsAFewEntriesOfEachValue(_ question: (format: String, key: String), _ direction: SortDirection) throws
    {
        try Self.events().read { snapshot in
            for offset in [0, 10] {
                let (plan, rows, work) = try Self.run(
                    question.format, sort: [SortKey(question.key, direction: direction)], offset: offset, in: snapshot)
                #expect(Self.isMergedSkip(plan), "\(plan.explanation())")
                #expect(rows.count == 10 && work.sorted == 0 && work.records == 10 + offset)
                let wanted = 10 + offset
                let mostEntries = (3 + wanted / Self.kindCount) * Self.kindCount + 2 * wanted
                #expect(work.entries <= mostEntries, "\(plan.explanation(with: work))")
                #expect(work.ranges <= 2 * Self.kindCount + 1)
                #expect(plan.explanation().contains("behind each of about 20 first values merged"))
            }
        }
    }

    /// Where a page goes on from a value, with the rows behind it and those that are equal and have a higher id.
    @Test func aPageGoesOnBehindAValue() throws {
        try Self.events().read { snapshot in
            var (met, merged): ([RowID], Int) = ([], 0)
            let all = try Self.run("size > 9900", sort: [SortKey("size")], limit: nil, in: snapshot).rows
            var format = "size > 9900"
            while true {
                let (plan, rows, work) = try Self.run(format, sort: [SortKey("size")], limit: 15, in: snapshot)
                met += rows
                guard rows.count == 15, let last = rows.last else { break }
                if Self.isMergedSkip(plan) { merged += 1 }
                #expect(work.entries <= 3 * Self.kindCount + 3 * 15, "\(plan.explanation(with: work))")
                let entity = try snapshot.entity(named: "Event")
                let size = try #require(
                    try snapshot.withRow(last, of: entity) { try $0.value(of: PropertyPath(1, of: entity)) })
                guard case .int(let value) = size else { return }
                format = "size >= \(value) AND (size > \(value) OR (size == \(value) AND SELF > \(last)))"

            }
            #expect(met == all && merged >= 10)
        }
    }

    /// One value behind each of the first ones: the rows come in the order of their ids.
    @Test func rowsOfOneValueComeInTheOrderOfIds() throws {
        try Self.events().read { snapshot in
            let (plan, rows, work) = try Self.run("place == 3 AND size == 5", sort: [], limit: 1, in: snapshot)
            #expect(rows.count <= 1 && work.entries <= 3 * Self.kindCount, "\(plan.explanation(with: work))")
        }
    }

    /// A search that finds few among what it looks at is left for another plan, as along any other order.
    @Test func aTestThatFewRowsPassIsWatched() throws {
        try Self.events().read { snapshot in
            let (plan, rows, work) = try Self.run(
                "size > 10 AND name == 'name 3' AND name ENDSWITH 'e 3'", sort: [SortKey("size")], in: snapshot)
            #expect(rows.count == 10 && work.entries < 1_000, "\(plan.explanation(with: work))")
        }
    }

    @Test func aKnownShapeMergesWhereItPays() throws {
        try Self.events().read { snapshot in
            let entity = try snapshot.entity(named: "Event")
            let cache = PlanCache()
            for (number, bound) in [100 as Int64, 9_000, 5_000, 0].enumerated() {
                let query = Query(
                    entity: "Event", predicate: try PredicateParser.parse("size >= %@", arguments: [.int(bound)]),
                    sort: [SortKey("size")], limit: 10)
                let (plan, isKept) = try cache.plan(
                    query, of: entity, in: snapshot.schema, statistics: snapshot, analysisCount: 0)
                #expect(Self.isMergedSkip(plan) && isKept == (number > 0), "\(plan.explanation())")
            }
        }
    }

    /// Another index that serves the order by itself is the better one.
    @Test func anIndexThatServesTheOrderIsTaken() throws {
        let store = try Self.events()
        try store.apply(.addIndex(.init([.init("size")]), to: "Event"))
        try store.read { snapshot in
            let (plan, rows, work) = try Self.run("size > 5000", sort: [SortKey("size")], in: snapshot)
            #expect(plan.accessPath.scan?.index.name == "size" && rows.count == 10 && work.entries <= 10)
        }
    }

    private static func query(_ random: inout SeededGenerator) throws -> Query {
        func pick<Element>(_ elements: [Element]) -> Element {
            elements[Int.random(in: elements.indices, using: &random)]
        }
        let numbers = ["-1", "0", "0.5", "1", "2"]
        let (one, other) = (pick(numbers), pick(numbers))
        let onSecond = pick([
            "b > \(one)", "b <= \(one)", "b == \(one)", "b BETWEEN {\(one), \(other)}", "b IN {\(one), \(other)}",
            "b == nil", "b != nil", "b >= \(one) OR b == nil", "c > 'a'", "c == 'a'", "c ==[c] 'A'",
            "b >= \(one) AND (b > \(one) OR (b == \(one) AND SELF > 60))", "b == \(one) AND c < 'b'",
        ])
        let more = pick(["", "", "", " AND d > 1", " AND (d == 2 OR c == 'b')", " AND SELF > 40"])
        let key = pick([
            SortKey("b"), SortKey("b"), SortKey("c"), SortKey("c", form: .caseFolded), SortKey("a"), SortKey("d"),
        ])
        let direction = pick([SortDirection.ascending, .descending])
        var sort = [SortKey(key.path, direction: direction, form: key.form)]
        if Bool.random(using: &random) {
            sort.append(SortKey(pick(["b", "c"]), direction: pick([direction, .ascending])))
        }
        return Query(
            entity: "Thing", predicate: try PredicateParser.parse(onSecond + more), sort: pick([sort, sort, []]),
            limit: pick([nil, 0, 1, 5, 30]), offset: pick([0, 0, 1, 20]), columns: pick([nil, [], ["b"], ["a", "d"]]),
            result: pick([.rows, .rows, .rows, .count]))
    }

    /// In both directions, under pending changes, in parts: every plan gives what a full scan gives.
    @Test(arguments: 0..<4 as Range<UInt64>) func everyPlanEqualsAFullScan(seed: UInt64) throws {
        let sample = try SampleStore(
            SkippedThings.definition, seed: seed, rowCount: 150, change: SkippedThings.value,
            makeValue: SkippedThings.value)
        var (merged, found) = (0, 0)
        try sample.store.read { snapshot in
            let entity = try snapshot.entity(named: "Thing")
            for number in 0..<UInt64(160) {
                var random = SeededGenerator(seed: seed << 32 | number)
                let (overlay, rows) = number % 3 == 0 ? (nil, sample.rows) : sample.overlay(of: entity, &random)
                let query = try Self.query(&random)
                let check = QueryCheck(FullScan(entity: entity, rows: rows), in: snapshot, overlay: overlay)
                let plans = try check.plans(of: query)
                let difference = try check.difference(of: query, in: plans)
                try #require(difference == nil, "seed \(seed << 32 | number)")
                let merges = plans.count(where: Self.isMergedSkip)
                merged += merges
                if merges > 0, try !FullScan(entity: entity, rows: rows).rows(of: query).isEmpty { found += 1 }
            }
        }
        #expect(merged > 40 && found > 15, "\(merged) \(found)")
    }
}
