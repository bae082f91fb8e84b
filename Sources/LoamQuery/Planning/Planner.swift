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
        let plans = try plans(query, statistics: statistics)
        guard let first = plans.first else { throw QueryError(.invalidQuery("no rule of the planner applies")) }
        return plans.dropFirst().reduce(first) { $1.estimate.cost < $0.estimate.cost ? $1 : $0 }
    }

    /// All plans that the rules find, in the order of the rules: each gives the same result.
    package static func plans(_ query: ResolvedQuery, statistics: any IndexStatistics) throws -> [Plan] {
        let context = try PlanContext(query, statistics: statistics)
        let candidates = try rules.flatMap { try $0.candidates(context) }
        let selectivity = Selectivity(context, candidates: candidates)
        return try candidates.map { try Plan($0, context: context, selectivity: selectivity) }
    }
}
