import LoamStorage
import SeededRandom
import Testing

@testable import LoamQuery

/// Ranges of an index that are merged into the order which is wanted.
@Suite struct RangeMergeTests {
    private static func query(
        _ format: String, _ direction: SortDirection = .ascending, limit: Int? = 10, offset: Int = 0
    ) throws -> Query {
        Query(
            entity: "City", predicate: try PredicateParser.parse(format),
            sort: [SortKey("population", direction: direction)], limit: limit, offset: offset)
    }

    private static func run(_ query: Query, in cities: CityStore) throws -> (plan: Plan, rows: [RowID], work: Work) {
        try cities.store.read { snapshot in
            let plan = try Planner.plan(query, in: snapshot)
            var work = Work()
            let rows = try plan.rows(in: snapshot, work: &work).map(\.rowID)
            return (plan, rows, work)
        }
    }

    @Test(arguments: [SortDirection.ascending, .descending])
    func aPageFromTwoPointsReadsAFewEntriesOfEach(_ direction: SortDirection) throws {
        let (plan, rows, work) = try Self.run(Self.query("country IN {'C1', 'C2'}", direction), in: CityStore())
        #expect(plan.explanation().contains("2 ranges merged"))
        #expect(rows.count == 10)
        #expect(work.sorted == 0)
        #expect(work.entries <= 24)
        #expect(work.records == 10)
    }

    @Test func aTestOfTheRowsKeepsTheMerge() throws {
        let (plan, rows, work) = try Self.run(
            Self.query("country IN {'C1', 'C2', 'C3'} AND name ENDSWITH '1'", limit: 3), in: CityStore())
        #expect(plan.explanation().contains("3 ranges merged"))
        #expect(rows.count == 3)
        #expect(work.sorted == 0)
        #expect(work.entries < 200)
    }

    @Test func aPlanThatIsKeptMergesForOtherConstants() throws {
        let cities = try CityStore()
        for countries in ["'C1', 'C2'", "'C3', 'C4'", "'C5', 'C6', 'C7'", "'C8'", "'C9', 'C9'"] {
            let (_, rows, work) = try Self.run(Self.query("country IN {\(countries)}"), in: cities)
            #expect(rows.count == 10)
            #expect(work.sorted == 0)
            #expect(work.entries <= 40)
        }
    }

    /// Every plan gives the same rows, in the same order: those that merge, those that sort, and the scan of the table.
    @Test(arguments: 0..<6 as Range<UInt64>) func everyPlanGivesTheSameRows(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let cities = try CityStore()
        var merges = 0
        for _ in 0..<40 {
            let countries = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
                "'C\(Int.random(in: 0...11, using: &generator))'"
            }
            var format = "country IN {\(countries.joined(separator: ", "))}"
            let bound = Int.random(in: 0...100_000, using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: format += " AND population > \(bound)"
            case 1: format += " AND population <= \(bound)"
            case 2: format += " AND name CONTAINS '\(bound % 10)'"
            case 3: format += " AND (population < \(bound) OR population == nil)"
            default: break
            }
            let query = try Self.query(
                format, Bool.random(using: &generator) ? .ascending : .descending,
                limit: Bool.random(using: &generator) ? nil : Int.random(in: 0...300, using: &generator),
                offset: Bool.random(using: &generator) ? 0 : Int.random(in: 0...500, using: &generator))
            try cities.store.read { snapshot in
                let entity = try snapshot.entity(named: "City")
                let resolved = try ResolvedQuery(query, in: entity, schema: snapshot.schema)
                let plans = try Planner.plans(resolved, statistics: snapshot)
                var results: [[RowID]] = []
                for plan in plans {
                    var work = Work()
                    results.append(try plan.rows(in: snapshot, work: &work).map(\.rowID))
                    if plan.explanation().contains("merged") { merges += 1 }
                }
                #expect(results.allSatisfy { $0 == results[0] }, "\(format)")
            }
        }
        #expect(merges > 10)
    }
}
