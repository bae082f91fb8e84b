import Foundation
import LoamStorage
import RandomQueries
import SeededRandom
import Testing

@testable import LoamQuery

/// What an index tells of its values without its entries being read: which there are, how many rows have each, the least
/// and the greatest.
@Suite struct DistinctValueTests {
    private let cities: CityStore

    init() throws { cities = try CityStore() }

    private func distinct(
        _ column: String, where format: String? = nil, sort: [SortKey] = [], overlay: Overlay? = nil, limit: Int? = nil
    ) throws -> (values: [Value], plan: Plan, work: Work) {
        let query = Query(
            entity: "City", predicate: try format.map { try PredicateParser.parse($0) }, sort: sort, columns: [column])
        return try cities.store.read { snapshot in
            let plan = try Planner.plan(query, in: snapshot)
                .forDistinctValues(isLimited: limit != nil, in: snapshot)
            var (values, work) = ([Value](), Work())
            try plan.executeDistinct(in: snapshot, overlay: overlay, isLimited: limit != nil, work: &work) {
                values += $0
                return values.count != limit
            }
            return (values, plan, work)
        }
    }

    private static let countries = (0..<10).map { Value.string("C\($0)") }

    @Test(arguments: [SortDirection.ascending, .descending])
    func aLookUpFindsEachValue(_ direction: SortDirection) throws {
        let (values, plan, work) = try distinct("country", sort: [SortKey("country", direction: direction)])
        #expect(values == (direction == .ascending ? Self.countries : Self.countries.reversed()))
        #expect(work.entries <= 11 && work.records == 0 && work.returned == 10, "\(plan.explanation(with: work))")
        #expect(plan.explanation().contains("country,population"))
        let first = try distinct("country", sort: [SortKey("country", direction: direction)], limit: 2)
        #expect(first.values == Array(values.prefix(2)) && first.work.entries == 2)
    }

    @Test func aRangeOfTheIndexIsLookedThroughAlone() throws {
        let some = try distinct(
            "country", where: "country > 'C2' AND country != 'C5'", sort: [SortKey("country"), SortKey("name")])
        #expect(some.values == [3, 4, 6, 7, 8, 9].map { Self.countries[$0] })
        #expect(some.work.entries <= 8 && some.work.records == 0)
        let points = try distinct(
            "country", where: "country IN {'C7', 'C1', 'nowhere'} AND population > 50000", sort: [SortKey("country")])
        #expect(points.values == [Self.countries[1], Self.countries[7]] && points.work.entries <= 6)
    }

    /// Without an order values come as their first rows do.
    @Test func valuesComeByTheirFirstRows() throws {
        let (values, _, work) = try distinct("mayor", where: "mayor BEGINSWITH 'm' AND mayor != 'm99'")
        var expected: [Value] = []
        for number in 0..<2_000 where number % 100 != 99 {
            let mayor = number == 1234 ? String(repeating: "m", count: 600) : "m\(number % 100)"
            if !expected.contains(.string(mayor)) { expected.append(.string(mayor)) }
        }
        #expect(values == expected)
        #expect(work.returned == expected.count)
    }

    /// All of them have to be found before the first row is known: not where there are many, and few are wanted.
    @Test func someValuesByTheirFirstRowsTakeNotTheWholeIndex() throws {
        let days = try distinct("founded", limit: 3)
        #expect(days.values == (0..<3).map { .date(Date(timeIntervalSinceReferenceDate: Double($0) * 86400)) })
        #expect(days.work.entries + days.work.records <= 600, "\(days.plan.explanation(with: days.work))")
        let all = try distinct("founded")
        #expect(all.values.count == 2_000 && Array(all.values.prefix(3)) == days.values)
        // A key does not tell 0.0 from -0.0.
        #expect(all.work.records == 1 && all.work.entries >= 2_000, "\(all.plan.explanation(with: all.work))")
    }

    @Test func whereValuesAreManyTheIndexIsScanned() throws {
        let (values, _, work) = try distinct("population", sort: [SortKey("population")])
        #expect(values.count == 1_961 && values[0] == .null)
        #expect(work.entries <= 2_100 && work.records == 0 && work.ranges < 60)
    }

    /// What is pending, another order and a test that the index does not answer leave it to the rows.
    @Test func otherwiseRowsAreRead() throws {
        let named = try distinct("country", where: "name CONTAINS '7'", sort: [SortKey("country")])
        #expect(named.values == Self.countries && named.work.records + named.work.entries >= 2_000)
        let other = try distinct("country", sort: [SortKey("population")])
        #expect(other.values.count == 10 && other.work.entries + other.work.records >= 2_000)
        let city = try cities.store.read { try $0.entity(named: "City") }
        let overlay = Overlay()
        overlay.set(
            PlainRow(rowID: 1 << 40, values: [.string("new"), .string("B"), .null, .null, .null]), isStored: false,
            of: city.id)
        let pending = try distinct("country", sort: [SortKey("country")], overlay: overlay)
        #expect(pending.values == [.string("B")] + Self.countries)
    }

    @Test func groupsWithoutAggregatesAreValues() throws {
        let query = GroupedQuery(
            entity: "City", keys: ["country"], having: try PredicateParser.parse(having: "country != 'C3'"),
            sort: [SortKey("country", direction: .descending)], limit: 3, offset: 1)
        try cities.store.read { snapshot in
            let plan = try GroupedPlan(query, in: snapshot)
            var work = Work()
            #expect(try plan.groups(in: snapshot, work: &work) == [8, 7, 6].map { [Self.countries[$0]] })
            #expect(work.entries <= 11 && work.records == 0, "\(plan.explanation(with: work))")
            #expect(plan.explanation().contains("a look-up in an index for each"))
        }
    }

    /// A range of the index that the predicate asks for, and values behind one that is fixed.
    @Test(arguments: [
        "population > 50000", "population > 20000 AND population <= 30000", "country == 'C4'",
        "country == 'C4' AND population > 70000",
    ])
    func theLeastAndTheGreatestTakeAnEntryEach(format: String) throws {
        let query = GroupedQuery(
            entity: "City", predicate: try PredicateParser.parse(format),
            aggregates: [GroupAggregate(.minimum, of: "population"), GroupAggregate(.maximum, of: "population")])
        let all = Query(entity: "City", predicate: try PredicateParser.parse(format), columns: ["population"])
        try cities.store.read { snapshot in
            var work = Work()
            let values = try Planner.plan(all, in: snapshot).rows(in: snapshot, work: &work)
                .compactMap { if case .int(let number) = $0.values[0] { number } else { nil } }
            work = Work()
            let plan = try GroupedPlan(query, in: snapshot)
            let ends = try plan.groups(in: snapshot, work: &work)
            #expect(try ends == [[.int(#require(values.min())), .int(#require(values.max()))]])
            #expect(work.entries == 2 && work.records == 0, "\(plan.explanation(with: work))")
        }
    }

    @Test(arguments: ["country > 'C3'", "country IN {'C1', 'C2'}"])
    func numbersOfGroupsInARangeComeFromSums(format: String) throws {
        let query = GroupedQuery(
            entity: "City", predicate: try PredicateParser.parse(format), keys: ["country"], aggregates: [.count])
        try cities.store.read { snapshot in
            var work = Work()
            let plan = try GroupedPlan(query, in: snapshot)
            let groups = try plan.groups(in: snapshot, work: &work)
            #expect(groups.allSatisfy { $0[1] == .int(200) } && !groups.isEmpty)
            #expect(work.entries == 0 && work.records == 0, "\(plan.explanation(with: work))")
        }
    }

    /// Random stores and queries: the values are those that a scan of all rows finds, in its order.
    @Test(arguments: [41, 42] as [UInt64]) func valuesAreThoseOfAFullScan(seed: UInt64) throws {
        let sample = try SampleStore(seed: seed, rowCount: 150, longStrings: seed % 2 == 0)
        try sample.store.read { snapshot in
            let entity = try snapshot.entity(named: "Thing")
            let ids = sample.rows[0].rowID...sample.rows[sample.rows.count - 1].rowID
            let scan = FullScan(entity: entity, rows: sample.rows)
            var jumps = 0
            for number in 0..<UInt64(300) {
                var generator = SeededGenerator(seed: seed << 32 | number)
                var source = RandomQuery(entity, seed: seed << 32 | number)
                var query = source.query(rowIDs: ids)
                let index = ValuePool.pick(entity.indexes, &generator)
                let column = index.components[0].definition.written
                if number % 2 == 0 { query.predicate = nil }
                (query.columns, query.section, query.result) = ([column], nil, .rows)
                (query.limit, query.offset) = (nil, 0)
                query.sort =
                    number % 3 == 0
                    ? [] : [SortKey(column, direction: number % 3 == 1 ? .ascending : .descending)]
                let plan = try Planner.plan(query, in: snapshot)
                if try DistinctValues(plan.query, in: snapshot) != nil { jumps += 1 }
                var (found, work) = ([Value](), Work())
                try plan.executeDistinct(in: snapshot, overlay: nil, work: &work) {
                    found += $0
                    return true
                }
                var (known, expected) = (Set<Value>(), [Value]())
                for (_, values) in try scan.rows(of: query) where known.insert(values[0]).inserted {
                    expected += values
                }
                try #require(found == expected, "seed \(seed) number \(number) \(column)")
            }
            #expect(jumps > 50)
        }
    }
}
