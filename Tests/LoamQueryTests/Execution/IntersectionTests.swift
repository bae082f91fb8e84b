import LoamStorage
import RandomQueries
import SeededRandom
import Testing

@testable import LoamQuery

/// Conditions that narrow two indexes: the rows that both scans reach.
@Suite struct IntersectionTests {
    private static let quakes = Result { try QuakeStore(rowCount: 20_000) }

    /// So many thousandths of the days' time, and so many of the thousand magnitudes.
    private static func predicate(
        _ days: Range<Int>, _ magnitudes: Range<Int>, also: String = "", in quakes: QuakeStore
    ) throws -> QueryPredicate {
        let length = Double(quakes.dayCount) * 86.4
        let bounds = [days.lowerBound, days.upperBound].map { Value.date(quakes.time(Double($0) * length)) }
        let format =
            "time >= %@ AND time < %@ AND magnitude >= \(Double(magnitudes.lowerBound) / 100) "
            + "AND magnitude < \(Double(magnitudes.upperBound) / 100)\(also)"
        return try PredicateParser.parse(format, arguments: bounds)
    }

    @Test func recordsAreReadOfCommonRowsAlone() throws {
        let quakes = try Self.quakes.get()
        let query = Query(entity: "Quake", predicate: try Self.predicate(400..<440, 400..<440, in: quakes))
        try quakes.store.read { snapshot in
            let plan = try Planner.plan(query, in: snapshot)
            guard case .intersection(let scans) = plan.accessPath else {
                Issue.record("\(plan.explanation())")
                return
            }
            var work = Work()
            let rows = try plan.rows(in: snapshot, work: &work)
            #expect(scans.count == 2 && work.entries == scans.reduce(0) { $0 + $1.entryCount })
            #expect(!rows.isEmpty && work.records == rows.count)
            #expect(plan.explanation().contains("of 2 scans, the rows that all of them reach"))
            let entity = try snapshot.entity(named: "Quake")
            var count = query
            count.result = .count
            work = Work()
            let counting = try Planner.plan(count, of: entity, in: snapshot.schema, statistics: snapshot)
            #expect(try counting.count(in: snapshot, work: &work) == rows.count)
            #expect(work.records == 0, "\(counting.explanation())")
        }
    }

    /// Two conditions may say the same: what both hold for is taken to be more than by chance, and less than the smaller
    /// share.
    @Test func oneRangeDoesNotMakeTheOtherAsRareAsByChance() throws {
        let quakes = try Self.quakes.get()
        let query = Query(entity: "Quake", predicate: try Self.predicate(400..<440, 400..<440, in: quakes))
        try quakes.store.read { snapshot in
            let plan = try Planner.plan(query, in: snapshot)
            #expect(120...200 ~= plan.estimate.candidates, "\(plan.explanation())")
        }
    }

    /// A few rows are tested one by one.
    @Test func aNarrowRangeIsScannedAlone() throws {
        let quakes = try Self.quakes.get()
        let query = Query(entity: "Quake", predicate: try Self.predicate(400..<401, 400..<500, in: quakes))
        try quakes.store.read { snapshot in
            let plan = try Planner.plan(query, in: snapshot)
            if case .intersection = plan.accessPath { Issue.record("\(plan.explanation())") }
        }
    }

    /// Whether scans are intersected follows from the constants, also where the shape is known.
    @Test func aKnownShapeIntersectsWhereItPays() throws {
        let quakes = try Self.quakes.get()
        try quakes.store.read { snapshot in
            let entity = try snapshot.entity(named: "Quake")
            let cache = PlanCache()
            var found: [Bool] = []
            for width in [1, 40, 2, 60, 1] {
                let query = Query(
                    entity: "Quake", predicate: try Self.predicate(300..<300 + width, 400..<600, in: quakes))
                let (plan, isKept) = try cache.plan(
                    query, of: entity, in: snapshot.schema, statistics: snapshot, analysisCount: 0)
                #expect(isKept == !found.isEmpty)
                if case .intersection = plan.accessPath { found.append(true) } else { found.append(false) }
            }
            #expect(found == [false, true, false, true, false])
        }
    }

    /// Every plan gives the same, under limits, offsets, orders and further tests.
    @Test(arguments: 0..<4 as Range<UInt64>) func everyPlanGivesTheSameRows(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let quakes = try Self.quakes.get()
        var intersections = 0
        for _ in 0..<6 {
            let start = Int.random(in: 0..<800, using: &generator)
            let predicate = try Self.predicate(
                start..<start + Int.random(in: 1...150, using: &generator),
                start..<start + Int.random(in: 1...150, using: &generator),
                also: ["", " AND place CONTAINS 'n'", " AND day != 'day 10050'"].randomElement(using: &generator) ?? "",
                in: quakes)
            let sort = [[], [SortKey("time")], [SortKey("place", direction: .descending)]]
            let query = Query(
                entity: "Quake", predicate: predicate, sort: sort.randomElement(using: &generator) ?? [],
                limit: Bool.random(using: &generator) ? nil : Int.random(in: 1...200, using: &generator),
                offset: Bool.random(using: &generator) ? 0 : Int.random(in: 0...50, using: &generator))
            try quakes.store.read { snapshot in
                let entity = try snapshot.entity(named: "Quake")
                let resolved = try ResolvedQuery(query, in: entity, schema: snapshot.schema)
                let plans = try Planner.plans(resolved, statistics: snapshot)
                var results: [[RowID]] = []
                for plan in plans {
                    var work = Work()
                    results.append(try plan.rows(in: snapshot, work: &work).map(\.rowID))
                    if case .intersection = plan.accessPath { intersections += 1 }
                }
                #expect(results.allSatisfy { $0 == results[0] }, "\(plans[0].explanation())")
            }
        }
        #expect(intersections == 6)
    }
}
