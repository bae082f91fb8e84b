import RandomQueries
import Testing

@testable import LoamQuery
@testable import LoamStorage

/// An analysis of the values of indexes changes estimates, and no answers.
@Suite struct DistributionEstimateTests {
    private final class Counts: IndexStatistics {
        let distinct: [UInt64]?

        init(distinct: [UInt64]?) { self.distinct = distinct }

        func count(of entity: EntityID) -> Int { 10_000 }
        func inexactCount(in index: Index) -> Int { 0 }
        func count(in index: Index, range: KeyRange) -> Int { range == .all ? 10_000 : 100 }
        func distribution(of index: Index) -> IndexDistribution? {
            distinct.map { IndexDistribution(entries: 10_000, distinct: $0, bounds: []) }
        }
    }

    /// The rows of 10,000 that a predicate is estimated to hold for.
    private func estimate(_ format: String, _ distinct: [UInt64]?) throws -> Int {
        var entity = SampleEntity.entity
        entity.indexes = [try Index(id: 1, IndexDefinition([.init("id"), .init("name")]), of: entity)]
        let query = Query(entity: "Sample", predicate: try PredicateParser.parse(format), columns: [])
        let context = try PlanContext(ResolvedQuery(query, in: entity), statistics: Counts(distinct: distinct))
        return Int((try Selectivity(context, candidates: []).share(of: [0], among: 10_000) * 10_000).rounded())
    }

    /// No range of an index tells how many rows have equal values of two properties, or one value of a later component.
    @Test func anEqualityThatNoRangeAnswersIsEstimatedFromTheNumberOfValues() throws {
        #expect(try estimate("name == note", nil) == 500)
        #expect(try estimate("name == note", [50, 10_000]) == 50)
        #expect(try estimate("name == 'x'", [50, 500]) == 1000)
        #expect(try estimate("name != 'x'", [50, 500]) == 9000)
        // Numbers of values that no index can have do not lead out of the bounds.
        for distinct: [UInt64] in [[], [0], [0, 0], [.max, .max], [7, 0]] {
            #expect(try 0...10_000 ~= estimate("name == note", distinct))
        }
    }

    @Test func answersAreTheSameAfterAnAnalysis() throws {
        let cities = try CityStore()
        let formats = [
            "name == mayor", "population > 5 AND name != mayor", "country == 'C1' AND mayor == 'm1'", "mayor == name",
        ]
        func answers() throws -> [[RowID]] {
            try formats.map { format in
                try cities.store.read { snapshot in
                    let query = Query(
                        entity: "City", predicate: try PredicateParser.parse(format), sort: [SortKey("population")])
                    var work = Work()
                    return try Planner.plan(query, in: snapshot).rows(in: snapshot, work: &work).map(\.rowID)
                }
            }
        }
        let before = try answers()
        #expect(try cities.store.analyze(cities.store.read { try $0.entity(named: "City") }.indexes) == 5)
        #expect(try answers() == before)
    }
}
