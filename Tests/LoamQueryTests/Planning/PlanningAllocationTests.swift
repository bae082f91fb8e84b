import AllocationCount
import LoamStorage
import RandomQueries
import Testing

@testable import LoamQuery

/// What planning a query of a known shape takes from the heap.
@Suite(.enabled(if: allocation_count_is_exact(), "a sanitizer has a heap of its own"))
struct PlanningAllocationTests {
    private static let parcels = Result { try PlanningStore(rowCount: 2_000) }

    /// The allocations of planning a query whose shape is known, once the blocks of the indexes are.
    private static func allocations(_ queries: [Query]) throws -> Int {
        try parcels.get().store.read { snapshot in
            for _ in 0..<50 { for query in queries { _ = try Planner.plan(query, in: snapshot) } }
            let before = allocation_count()
            for query in queries { _ = try Planner.plan(query, in: snapshot) }
            return Int(allocation_count() - before) / queries.count
        }
    }

    private static func list(_ name: String, _ count: Int, _ value: (Int) -> Value) throws -> [Query] {
        try (0..<8).map { turn in
            let values = Value.array((0..<count).map { value(turn + 90 * $0) })
            return Query(
                entity: "Parcel", predicate: try PredicateParser.parse("\(name) IN %@", arguments: [values]))
        }
    }

    /// Short keys lie in the ranges themselves.
    @Test func thePointsOfAListTakeNothingEach() throws {
        let numbers = try [3, 16].map { try Self.allocations(Self.list("number", $0) { .int(Int64($0)) }) }
        #expect(numbers[1] - numbers[0] < 8, "\(numbers)")
        let towns = try [3, 16].map {
            try Self.allocations(Self.list("town", $0) { .string("town of \(10_000 + $0)") })
        }
        #expect(towns[1] - towns[0] < 8, "\(towns)")
        // The count does see allocations: longer keys do not lie there.
        let long = try [3, 16].map {
            try Self.allocations(Self.list("town", $0) { .string("a town whose name is a long one \(10_000 + $0)") })
        }
        #expect(long[1] - long[0] >= 13, "\(long)")
    }

    /// Plans of all common shapes are kept.
    @Test func commonShapesAreKept() throws {
        let parcels = try Self.parcels.get()
        try parcels.store.read { snapshot in
            for shape in parcels.shapes {
                let cache = PlanCache()
                for number in 1..<6 {
                    let query = try shape.query(number)
                    let plan = try cache.plan(
                        query, of: snapshot.entity(named: "Parcel"), in: snapshot.schema, statistics: snapshot,
                        analysisCount: 0
                    ).plan
                    let resolved = try ResolvedQuery(query, in: snapshot.entity(named: "Parcel"))
                    let table = try #require(
                        try Planner.plans(resolved, statistics: snapshot).first {
                            $0.accessPath == .table(from: .min, through: .max)
                        })
                    var work = Work()
                    if query.result == .count {
                        #expect(try plan.count(in: snapshot, work: &work) == table.count(in: snapshot, work: &work))
                    } else {
                        #expect(
                            try plan.rows(in: snapshot, work: &work).map(\.rowID)
                                == table.rows(in: snapshot, work: &work).map(\.rowID), "\(shape.name)")
                    }
                }
                #expect(cache.keptCount == 4, "\(shape.name)")
            }
        }
    }
}
