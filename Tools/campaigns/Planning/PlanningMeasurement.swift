import LoamQuery
import LoamStorage
import RandomQueries

/// What planning queries of a shape takes, alone: nothing is read of the rows.
struct PlanningMeasurement {
    let shape: PlanningShape
    /// Nanoseconds for a query of a shape that is known, with other constants each time: the least median of all rounds,
    /// since whatever else the machine does can only add to it.
    private(set) var known = Double.infinity
    /// Nanoseconds where nothing is known of the shape.
    private(set) var first = Double.infinity
    /// Whether a plan was kept for the shape at all.
    private(set) var isKept = true

    private let queries: [Asked]
    /// A query that is asked again and again. An object, so that it is lent: a copy of a query is not what is measured.
    private final class Asked {
        let query: Query

        init(_ query: Query) { self.query = query }
    }

    private static let queryCount = 250
    /// Queries that are planned between two looks at the clock.
    private static let batch = 10

    /// - Throws: nothing but what is wrong with the shape itself.
    init(_ shape: PlanningShape) throws {
        self.shape = shape
        queries = try (0..<Self.queryCount).map { Asked(try shape.query($0 + 1)) }
    }

    /// The plan for one of the constants.
    ///
    /// - Throws: what planning throws.
    func plan(in snapshot: Snapshot) throws -> Plan { try Planner.plan(queries[7].query, in: snapshot) }

    /// Measures again, over each of 250 constants some times.
    ///
    /// - Throws: what planning throws.
    mutating func measure(in snapshot: Snapshot) throws {
        let entity = try snapshot.entity(named: "Parcel")
        for asked in queries { _ = try Planner.plan(asked.query, in: snapshot) }
        let cache = PlanCache()
        for asked in queries.prefix(2) {
            let (_, isKept) = try cache.plan(
                asked.query, of: entity, in: snapshot.schema, statistics: snapshot, analysisCount: 0)
            self.isKept = isKept
        }
        known = min(known, try median(turns: 8) { _ = try Planner.plan($0.query, in: snapshot) })
        first = min(
            first,
            try median(turns: 1) {
                _ = try Planner.plan($0.query, of: entity, in: snapshot.schema, statistics: snapshot)
            })
    }

    private func median(turns: Int, _ body: (Asked) throws -> Void) rethrows -> Double {
        var times: [Double] = []
        for _ in 0..<turns {
            for start in stride(from: 0, to: queries.count, by: Self.batch) {
                let end = min(queries.count, start + Self.batch)
                let begin = ContinuousClock.now
                for number in start..<end { try body(queries[number]) }
                times.append(begin.duration(to: .now) / .nanoseconds(Self.batch))
            }
        }
        return times.sorted()[times.count / 2]
    }
}
