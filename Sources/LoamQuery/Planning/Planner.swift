package import LoamStorage

/// Chooses how to answer a query.
package enum Planner {
    /// The rules. Of plans that cost the same, that of the first rule is taken.
    private static var rules: [any PlanRule.Type] {
        [EmptyRule.self, IdentifierRule.self, IndexRule.self, UnionRule.self, JoinRule.self, TableRule.self]
    }

    /// The cheapest plan that the rules find. Rows are estimated by counting the ranges, O(log n) each, beside the
    /// sums of each index, which a snapshot reads once.
    ///
    /// - Throws: ``QueryError`` for a query that cannot be run.
    package static func plan(
        _ query: Query, of entity: Entity, in schema: Schema? = nil, statistics: any IndexStatistics
    ) throws -> Plan {
        try plan(ResolvedQuery(query, in: entity, schema: schema), statistics: statistics)
    }

    static func plan(_ query: ResolvedQuery, statistics: any IndexStatistics) throws -> Plan {
        let choice = try PlanChoice(query, statistics: statistics)
        return choice.plans[choice.best]
    }

    /// All plans that the rules find, in the order of the rules: each gives the same result.
    package static func plans(_ query: ResolvedQuery, statistics: any IndexStatistics) throws -> [Plan] {
        try PlanChoice(query, statistics: statistics).plans
    }

    fileprivate static func candidates(_ context: PlanContext) throws -> [Candidate] {
        try rules.flatMap { try $0.candidates(context) }
    }
}

/// All ways to the rows of a query that the rules find, in the order of the rules, and the plan that each makes.
struct PlanChoice {
    let context: PlanContext
    let candidates: [Candidate]
    let plans: [Plan]
    /// The position of the cheapest plan; of several the first.
    let best: Int

    /// - Throws: `StorageError` where an index is not readable or its sums are damaged.
    init(_ query: ResolvedQuery, statistics: any IndexStatistics) throws {
        let context = try PlanContext(query, statistics: statistics)
        let candidates = try Planner.candidates(context)
        let selectivity = Selectivity(context, candidates: candidates)
        (self.context, self.candidates) = (context, candidates)
        let plans = try candidates.map { try Plan($0, context: context, selectivity: selectivity) }
        guard let best = plans.indices.min(by: { plans[$0].estimate.cost < plans[$1].estimate.cost }) else {
            throw QueryError(.invalidQuery("no rule of the planner applies"))
        }
        (self.plans, self.best) = (plans, best)
    }
}
