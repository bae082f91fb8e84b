package import LoamStorage

/// Sorts the rows of a query that are found in several states of the store, by their sort keys when they were found.
///
/// Holds no snapshot: the keys are copies, and the sorting itself needs none.
package struct GradualSort {
    /// The entity has changed so that the query means something else.
    package struct SchemaChanged: Error {}

    private var rows: SortedRows
    private let keys: SortKeys
    private let offset: Int
    private let limit: Int?

    /// - Parameter count: how many rows of the result were handed out, and are not among those that are sorted.
    init(_ plan: Plan, after count: Int) throws {
        (offset, limit) =
            count == 0 ? (plan.query.offset, plan.query.limit) : (0, plan.query.limit.map { max(0, $0 - count) })
        rows = SortedRows(limit: count == 0 ? plan.wanted : limit, rowIDDirection: plan.query.rowIDDirection)
        keys = try SortKeys(plan.query.openOrder)
    }

    /// Takes in those of some rows that match.
    ///
    /// - Returns: what is left of them where the pace says so; nil where nothing is.
    /// - Throws: ``SchemaChanged``, and what executing a plan throws.
    package mutating func add(
        _ remaining: RemainingRows, of query: Query, in snapshot: Snapshot, pace: SearchPace
    ) throws -> RemainingRows? {
        let plan = try Planner.plan(query, for: remaining, in: snapshot)
        guard plan.query.openOrder == keys.order else { throw SchemaChanged() }
        let execution = try PlanExecution(plan, in: snapshot, work: Work())
        execution.pace = pace
        // Handed over and back, so that the rows are not copied.
        let placer = RowPlacer(keys, collecting: rows)
        rows = SortedRows(limit: 0, rowIDDirection: .ascending)
        defer { if let collected = placer.rows.take() { rows = collected } }
        execution.placer = placer
        do {
            try execution.forEachMatch([]) { match in
                placer.collect(match)
                return true
            }
            return nil
        } catch is SearchPace.Pause {
            return plan.rest(of: remaining, after: pace)
        }
    }

    /// The rows of the result in its order. O(n log n).
    package consuming func rowIDs() -> [RowID] {
        let (offset, limit) = (offset, limit)
        return rows.sorted().matches.dropFirst(offset).prefix(limit ?? .max).map(\.rowID)
    }
}
