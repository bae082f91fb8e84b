import Foundation
import LoamStorage
import RandomQueries
import SeededRandom
import Testing

@testable import LoamQuery

/// An order by what an index has behind its first component, of which nothing is asked: the rows behind each value of
/// that one come in this order, and are merged.
@Suite struct SkipOrderTests {
    private static let rowCount = 20_000
    /// Of twenty days. Nobody changes it.
    private static let usual = Result { try quakes(dayCount: 20) }

    /// Quakes of so many days, of which the first one is unknown; every magnitude twice and in no order, some unknown.
    private static func quakes(dayCount: Int, _ indexes: [IndexDefinition] = []) throws -> Store {
        var options = StoreOptions()
        options.isInMemory = true
        let store = try Store.open(path: "", options: options)
        let definition = EntityDefinition(
            "Quake",
            properties: [
                .init("day", type: .int64, isOptional: true), .init("magnitude", type: .double, isOptional: true),
                .init("depth", type: .int64), .init("place", type: .string),
            ],
            indexes: [
                .init([.init("day"), .init("magnitude")]),
                .init([.init("day"), .init("depth", direction: .descending), .init("magnitude")]),
            ] + indexes)
        _ = try store.load(.newEntity(definition), rowCount: rowCount) { load in
            for number in 0..<rowCount {
                let day = number * 31 % dayCount
                try load.append([
                    day == 0 ? .null : .int(Int64(day)),
                    number % 997 == 5 ? .null : .double(Double(number / 2 * 7_919 % 10_007) / 8),
                    .int(Int64(number % 50)), .string("place \(number % 10)"),
                ])
            }
        }
        return store
    }

    private static func run(
        _ format: String = "TRUEPREDICATE", sort: [SortKey], limit: Int? = 10, offset: Int = 0, in snapshot: Snapshot
    ) throws -> (plan: Plan, rows: [RowID], work: Work) {
        let query = Query(
            entity: "Quake", predicate: try PredicateParser.parse(format), sort: sort, limit: limit, offset: offset,
            columns: ["magnitude", "place"])
        let plan = try Planner.plan(query, in: snapshot)
        var work = Work()
        let rows = try plan.rows(in: snapshot, work: &work).map(\.rowID)
        var other = Work()
        let scanned = try table(query, in: snapshot).rows(in: snapshot, work: &other).map(\.rowID)
        #expect(scanned == rows, "\(plan.explanation())")
        return (plan, rows, work)
    }

    private static func table(_ query: Query, in snapshot: Snapshot) throws -> Plan {
        let entity = try snapshot.entity(named: query.entity)
        let resolved = try ResolvedQuery(query, in: entity, schema: snapshot.schema)
        return try #require(
            try Planner.plans(resolved, statistics: snapshot).first {
                $0.accessPath == .table(from: .min, through: .max)
            })
    }

    private static func isMergedSkip(_ plan: Plan) -> Bool {
        if case .skip(let skip) = plan.accessPath { skip.scan.isMerged } else { false }
    }

    /// For each day a look-up, and two entries more than its share of what is wanted.
    @Test(arguments: [SortDirection.ascending, .descending], [0, 1, 30])
    func `a page of an order reads a few entries behind each first value`(
        direction: SortDirection, offset: Int
    ) throws {
        let sort = [SortKey("magnitude", direction: direction)]
        try Self.usual.get().read { snapshot in
            let (plan, rows, work) = try Self.run(sort: sort, offset: offset, in: snapshot)
            #expect(Self.isMergedSkip(plan) && plan.residual.isEmpty, "\(plan.explanation())")
            let wanted = 10 + offset
            #expect(rows.count == 10 && work.sorted == 0 && work.records == wanted && work.abandoned == 0)
            #expect(work.entries <= (3 + wanted / 20) * 20 + 2 * wanted, "\(plan.explanation(with: work))")
            #expect(plan.explanation().contains("behind each of about 20 first values merged"))
        }
    }

    /// Two keys, in the directions of the index, and the other way round.
    @Test(arguments: [SortDirection.ascending, .descending])
    func `an order by several components is merged`(direction: SortDirection) throws {
        try Self.usual.get().read { snapshot in
            let sort = [
                SortKey("depth", direction: direction), SortKey("magnitude", direction: direction.reversed),
            ]
            let (plan, rows, work) = try Self.run(sort: sort, in: snapshot)
            #expect(Self.isMergedSkip(plan) && rows.count == 10 && work.records == 10 && work.sorted == 0)
            #expect(work.entries <= 80, "\(plan.explanation(with: work))")
            // Both in one direction are the order of no index.
            let other = [SortKey("depth", direction: direction), SortKey("magnitude", direction: direction)]
            #expect(try !Self.isMergedSkip(Self.run(sort: other, in: snapshot).plan))
        }
    }

    /// What is asked of other properties is tested along the order.
    @Test func `rows are tested along the order`() throws {
        try Self.usual.get().read { snapshot in
            let (plan, rows, work) = try Self.run(
                "place == 'place 3'", sort: [SortKey("magnitude")], in: snapshot)
            #expect(Self.isMergedSkip(plan) && plan.residual.count == 1, "\(plan.explanation())")
            #expect(rows.count == 10 && work.entries < 1_000 && work.records < 500, "\(plan.explanation(with: work))")
        }
    }

    @Test func `one first value is enough`() throws {
        try Self.quakes(dayCount: 1).read { snapshot in
            let (plan, rows, work) = try Self.run(sort: [SortKey("magnitude")], in: snapshot)
            #expect(Self.isMergedSkip(plan) && rows.count == 10 && work.entries <= 15 && work.records == 10)
        }
    }

    /// Costs decide: a look-up and a range for each value against reading and sorting all rows.
    @Test(arguments: [(20, true), (400, true), (2_500, false), (20_000, false)])
    func `many first values are left alone`(dayCount: Int, isMerged: Bool) throws {
        try Self.quakes(dayCount: dayCount).read { snapshot in
            let (plan, rows, work) = try Self.run(sort: [SortKey("magnitude")], in: snapshot)
            #expect(Self.isMergedSkip(plan) == isMerged && rows.count == 10, "\(plan.explanation())")
            #expect(work.entries + work.records <= (isMerged ? 4 * dayCount + 40 : Self.rowCount + 10))
        }
    }

    /// The worst that can be: the plan is from a time of few days, and now each row has its own.
    @Test(arguments: [nil, 10]) func `far more values than were expected are left for the scan`(limit: Int?) throws {
        let query = Query(entity: "Quake", sort: [SortKey("magnitude")], limit: limit, columns: ["place"])
        let plan = try Self.usual.get().read { snapshot in
            let resolved = try ResolvedQuery(
                query, in: snapshot.entity(named: "Quake"), schema: snapshot.schema)
            return try #require(try Planner.plans(resolved, statistics: snapshot).first(where: Self.isMergedSkip))
        }
        try Self.quakes(dayCount: Self.rowCount).read { snapshot in
            var (work, scanned) = (Work(), Work())
            let rows = try plan.rows(in: snapshot, work: &work).map(\.rowID)
            let expected = try Self.table(query, in: snapshot).rows(in: snapshot, work: &scanned).map(\.rowID)
            func cost(_ work: Work) -> Int { work.ranges + work.entries + work.records }
            #expect(rows == expected && rows.count == limit ?? Self.rowCount)
            #expect(cost(work) <= 2 * cost(scanned) && work.abandoned > 60, "\(plan.explanation(with: work))")
        }
    }

    @Test func `an index that gives the order by itself is taken`() throws {
        try Self.quakes(dayCount: 20, [.init([.init("magnitude")])]).read { snapshot in
            let (plan, rows, work) = try Self.run(sort: [SortKey("magnitude")], in: snapshot)
            #expect(plan.accessPath.scan?.index.name == "magnitude" && rows.count == 10 && work.entries <= 10)
        }
    }

    /// Conditions on the first component, counts and sections ask for no merge.
    @Test func `what asks of the first component is answered without`() throws {
        try Self.usual.get().read { snapshot in
            for format in ["day > 3", "day == 3", "day != nil"] {
                #expect(try !Self.isMergedSkip(Self.run(format, sort: [SortKey("magnitude")], in: snapshot).plan))
            }
            let entity = try snapshot.entity(named: "Quake")
            for result in [ResultKind.count, .sections] {
                let query = Query(
                    entity: "Quake", sort: [SortKey("magnitude")], section: result == .sections ? "magnitude" : nil,
                    result: result)
                let resolved = try ResolvedQuery(query, in: entity, schema: snapshot.schema)
                #expect(try !Planner.plans(resolved, statistics: snapshot).contains(where: Self.isMergedSkip))
            }
        }
    }

    /// A plan that was kept for the shape merges, too; not where the limit takes most rows.
    @Test func `a known shape merges where it pays`() throws {
        try Self.quakes(dayCount: 400).read { snapshot in
            let entity = try snapshot.entity(named: "Quake")
            let cache = PlanCache()
            for (number, limit) in [10, 20, 10, 20_000, 10].enumerated() {
                let query = Query(entity: "Quake", sort: [SortKey("magnitude")], limit: limit, columns: [])
                let (plan, isKept) = try cache.plan(
                    query, of: entity, in: snapshot.schema, statistics: snapshot, analysisCount: 0)
                let isMerged = limit < 1_000
                #expect(isKept == (number > 0) && Self.isMergedSkip(plan) == isMerged, "\(plan.explanation())")
            }
        }
    }

    private static func query(_ random: inout SeededGenerator) throws -> Query {
        func pick<Element>(_ elements: [Element]) -> Element {
            elements[Int.random(in: elements.indices, using: &random)]
        }
        let format = pick(["TRUEPREDICATE", "TRUEPREDICATE", "d > 1", "d == 2 OR c == 'b'", "SELF > 40", "c > 'a'"])
        let direction = pick([SortDirection.ascending, .descending])
        let sort: [SortKey] = pick([
            [SortKey("b", direction: direction)], [SortKey("d", direction: direction)],
            [SortKey("c", direction: direction, form: .caseFolded)],
            [SortKey("b", direction: direction), SortKey("c", direction: direction.reversed)],
            [SortKey("c", direction: direction), SortKey("b", direction: direction.reversed)],
        ])
        return Query(
            entity: "Thing", predicate: try PredicateParser.parse(format), sort: sort,
            limit: pick([nil, 0, 1, 5, 30]), offset: pick([0, 0, 1, 20]), columns: pick([nil, [], ["b"], ["a", "d"]]))
    }

    /// In both directions, under pending changes, in parts: every plan gives what a full scan gives.
    @Test(arguments: 0..<4 as Range<UInt64>) func `every plan equals a full scan`(seed: UInt64) throws {
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
                guard plans.contains(where: Self.isMergedSkip) else { continue }
                merged += 1
                if try !FullScan(entity: entity, rows: rows).rows(of: query).isEmpty { found += 1 }
            }
        }
        #expect(merged > 80 && found > 40, "\(merged) \(found)")
    }
}
