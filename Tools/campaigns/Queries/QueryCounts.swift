/// What a round of queries has done, or all of them.
struct QueryCounts: RoundCounts {
    var queries = 0
    var plans = 0
    var kept = 0
    /// Scans whose ranges were held against the tightest ones.
    var ranged = 0
    /// Queries on whose predicate plain Swift had an opinion.
    var judgedBySwift = 0
    var faults = 0

    var cases: Int { queries }

    var text: String {
        "\(queries) queries (\(judgedBySwift) judged by plain Swift), \(plans) plans, \(kept) of them kept, "
            + "\(ranged) scans of ranges"
    }

    var idleChecks: [String] {
        // A twentieth at least: usual are a third and more.
        [("judged by plain Swift", judgedBySwift), ("asked in a kept plan", kept * 10), ("held to its ranges", ranged)]
            .filter { $0.1 * 20 < queries }.map(\.0)
    }

    mutating func add(_ round: QueryCounts) {
        queries += round.queries
        plans += round.plans
        kept += round.kept
        ranged += round.ranged
        judgedBySwift += round.judgedBySwift
        faults += round.faults
    }
}
