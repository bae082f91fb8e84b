package import LoamStorage
import Synchronization

/// The plans of queries by their shape, for one catalog: a query of a known shape binds its constants into the plan
/// that was chosen for others.
///
/// What is kept is every way to the rows that may be the best for some constants (``KeptQuery``): which index, which
/// conditions it answers, where the values are found. Ranges are made anew and counted. Long ones, many, and those that
/// are sure to be few rows whatever their number, are estimated from what is kept in memory of the indexes, so the
/// choice among the ways is that of a new plan but for those estimates.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | a part's `queries` | its mutex, for one look-up | whoever has planned a query | ``mostShapes``, then none |
/// | `keptCount`, `newCount` | themselves | whoever plans a query | the catalog goes |
package final class PlanCache: Sendable {
    private final class Part: Sendable {
        let queries = Mutex(Table())
    }

    /// Few shapes, each in the row of those with some of its number.
    private struct Table {
        private var rows: [[(shape: QueryShape, query: KeptQuery)]] = Array(repeating: [], count: 32)
        private(set) var count = 0

        subscript(shape: QueryShape) -> KeptQuery? {
            let row = Self.row(of: shape)
            // By position, so that what is only compared is not copied.
            return rows[row].indices.first { rows[row][$0].shape == shape }.map { rows[row][$0].query }
        }

        mutating func keep(_ query: KeptQuery, of shape: QueryShape) {
            if count >= PlanCache.mostShapes { self = Table() }
            let row = Self.row(of: shape)
            if let known = rows[row].firstIndex(where: { $0.shape == shape }) {
                rows[row][known].query = query
            } else {
                rows[row].append((shape, query))
                count += 1
            }
        }

        private static func row(of shape: QueryShape) -> Int { shape.number >> 3 & 31 }
    }

    private let parts = (0..<8).map { _ in Part() }
    /// In each part. A query that is kept has at most 64 conditions, and 4 KiB of text in them.
    private static let mostShapes = 64
    private let keptPlans = Atomic<Int>(0)
    private let newPlans = Atomic<Int>(0)

    package init() {}

    /// How many plans came from kept ones.
    package var keptCount: Int { keptPlans.load(ordering: .relaxed) }
    /// How many queries were planned with nothing kept.
    package var newCount: Int { newPlans.load(ordering: .relaxed) }

    /// - Parameter analysisCount: another number says that distributions have changed.
    /// - Returns: the plan, and whether it is one that was kept.
    package func plan(
        _ query: Query, of entity: Entity, in schema: Schema, statistics: any IndexStatistics, analysisCount: Int
    ) throws -> (plan: Plan, isKept: Bool) {
        try plan(query, statistics: statistics, analysisCount: analysisCount) { query in
            try ResolvedQuery(query, in: entity, schema: schema)
        }
    }

    /// - Parameters:
    ///   - analysisCount: another number says that distributions have changed.
    ///   - resolve: checks the query, which it is handed so that it need not copy it, where none of its shape was.
    /// - Returns: the plan, and whether it is one that was kept.
    func plan(
        _ query: Query, statistics: any IndexStatistics, analysisCount: Int, resolve: (Query) throws -> ResolvedQuery
    ) throws -> (plan: Plan, isKept: Bool) {
        guard let shape = QueryShape(query) else {
            newPlans.add(1, ordering: .relaxed)
            return (try Planner.plan(resolve(query), statistics: statistics), false)
        }
        let part = parts[shape.number & 7]
        if let known = part.queries.withLock({ $0[shape] }), known.analysisCount == analysisCount,
            let plan = try known.plan(query, constants: shape.slots, statistics: statistics)
        {
            keptPlans.add(1, ordering: .relaxed)
            return (consume plan, true)
        }
        newPlans.add(1, ordering: .relaxed)
        let choice = try PlanChoice(resolve(query), statistics: statistics)
        if let kept = try KeptQuery(choice, constants: shape.slots, analysisCount: analysisCount) {
            part.queries.withLock { $0.keep(kept, of: shape) }
        }
        return (choice.plans[choice.best], false)
    }
}
