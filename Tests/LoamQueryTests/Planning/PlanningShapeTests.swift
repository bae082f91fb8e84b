import LoamStorage
import RandomQueries
import Testing

@testable import LoamQuery

/// The shapes of queries that planning is measured over.
@Suite struct PlanningShapeTests {
    private static let parcels = Result { try PlanningStore(rowCount: 2_000) }

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
