package import LoamStorage

/// Sorts the rows of a query that are found in several states of the store, by their sort keys when they were found.
///
/// Holds no snapshot: the keys are copies, and the sorting itself needs none. They are in memory up to the query's bound,
/// and then in a temporary file.
package final class GradualSort {
    /// The entity has changed so that the query means something else.
    package struct SchemaChanged: Error {}

    private let placer: RowPlacer
    private let offset: Int
    private let limit: Int?

    /// - Parameter count: how many rows of the result were handed out, and are not among those that are sorted.
    init(_ plan: Plan, after count: Int) throws {
        (offset, limit) =
            count == 0 ? (plan.query.offset, plan.query.limit) : (0, plan.query.limit.map { max(0, $0 - count) })
        placer = RowPlacer(try SortKeys(plan.query.openOrder))
        placer.begin(SortedRows(plan.query, limit: count == 0 ? plan.wanted : limit))
    }

    /// Takes in those of some rows that match.
    ///
    /// - Returns: what is left of them where the pace says so; nil where nothing is.
    /// - Throws: ``SchemaChanged``, and what executing a plan throws.
    package func add(
        _ remaining: RemainingRows, of query: Query, in snapshot: Snapshot, pace: SearchPace
    ) throws -> RemainingRows? {
        let plan = try Planner.plan(query, for: remaining, in: snapshot)
        guard plan.query.openOrder == placer.keys.order else { throw SchemaChanged() }
        let execution = try PlanExecution(plan, in: snapshot, work: Work())
        execution.pace = pace
        execution.placer = placer
        do {
            try execution.forEachMatch([]) { match in
                try placer.collect(match)
                return true
            }
            return nil
        } catch is SearchPace.Pause {
            return plan.rest(of: remaining, after: pace)
        }
    }

    /// The rows of the result in its order, at the end: all of their ids are in memory then, and no keys. O(n log n).
    ///
    /// - Parameter work: is told what the sort wrote, read and held.
    /// - Throws: `temporaryFile` where keys exceed their memory and cannot be written or read.
    package func rowIDs(work: inout Work) throws -> [RowID] {
        defer { placer.note(in: &work) }
        _ = try placer.sort(keepsKeys: false)
        try placer.skip(offset)
        return try placer.takeSortedRowIDs(atMost: limit ?? .max)
    }
}
