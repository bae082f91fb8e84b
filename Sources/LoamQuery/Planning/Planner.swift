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

    /// All plans that the rules find, in the order of the rules: each gives the same result. Those are among them that
    /// are made only where the others cost much.
    ///
    /// - Parameter matching: how many rows match, where that is known.
    package static func plans(
        _ query: ResolvedQuery, matching: Double? = nil, statistics: any IndexStatistics
    ) throws -> [Plan] {
        try PlanChoice(query, matching: matching, takesAll: true, statistics: statistics).plans
    }

    fileprivate static func candidates(_ context: PlanContext) throws -> [Candidate] {
        try rules.flatMap { try $0.candidates(context) }
    }

    /// The ways to the rows that are made of others, or take a look at the values of an index.
    ///
    /// - Parameter cost: of the best plan that there is without them; nil where they are wanted whatever they cost.
    static func derived(from found: [Candidate], _ context: PlanContext, cost: Double?) throws -> [Candidate] {
        let common = try IntersectionRule.candidate(
            of: found, trigrams: try context.trigramScans().flatMap(\.self), context, takesAll: cost == nil)
        let skipping = SkipRule.isWorthwhile(cost) ? try SkipRule.candidates(context, cost: cost) : []
        return (common.map { [$0] } ?? []) + (try TrigramUnionRule.candidates(context)) + skipping
    }
}

/// All ways to the rows of a query that the rules find, in the order of the rules, and the plan that each makes.
struct PlanChoice {
    let context: PlanContext
    let candidates: [Candidate]
    let plans: [Plan]
    /// The position of the cheapest plan; of several the first.
    let best: Int
    /// The position of the cheapest of those that are kept.
    let bestKept: Int

    /// - Parameters:
    ///   - matching: how many rows match, where that is known.
    ///   - takesAll: whether plans are made that cannot be the cheapest.
    /// - Throws: `StorageError` where an index is not readable or its sums are damaged.
    init(
        _ query: ResolvedQuery, matching: Double? = nil, takesAll: Bool = false, statistics: any IndexStatistics
    ) throws {
        let context = try PlanContext(query, statistics: statistics)
        var candidates = try Planner.candidates(context)
        let selectivity = Selectivity(context, candidates: candidates, matching: matching)
        var plans = try candidates.map { try Plan($0, context: context, selectivity: selectivity) }
        func cheapest() -> Int? { plans.indices.min { plans[$0].estimate.cost < plans[$1].estimate.cost } }
        guard let bestKept = cheapest() else {
            throw QueryError(.invalidQuery("no rule of the planner applies"))
        }
        let derived = try Planner.derived(
            from: candidates, context, cost: takesAll ? nil : plans[bestKept].estimate.cost)
        candidates += derived
        plans += try derived.map { try Plan($0, context: context, selectivity: selectivity) }
        (self.context, self.candidates, self.plans) = (context, candidates, plans)
        (self.bestKept, best) = (bestKept, cheapest() ?? bestKept)
    }
}
