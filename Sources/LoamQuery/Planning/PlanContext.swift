import LoamStorage

/// What the rules look at: the query, its conjuncts, and the numbers of the store.
struct PlanContext {
    let query: ResolvedQuery
    let conjuncts: [TypedPredicate]
    let statistics: any IndexStatistics
    let rowCount: Int
    /// The indexes that can be read here and now.
    let indexes: [Index]
    /// Whether estimates do where ranges are long.
    let isEstimated: Bool

    init(_ query: ResolvedQuery, statistics: any IndexStatistics) throws {
        try self.init(
            query, statistics: statistics, indexes: query.entity.indexes.filter(\.isReadable), isEstimated: false)
    }

    /// - Parameter indexes: those that are looked at.
    init(
        _ query: ResolvedQuery, statistics: any IndexStatistics, indexes: [Index], isEstimated: Bool
    ) throws {
        self.indexes = indexes
        self.isEstimated = isEstimated
        self.query = query
        self.statistics = statistics
        conjuncts = query.predicate.conjuncts
        rowCount = try statistics.count(of: query.entity)
    }

    func scan(_ index: Index, answering conjuncts: [TypedPredicate]) throws -> IndexScan {
        try IndexScan(index, answering: conjuncts, statistics: statistics, isEstimated: isEstimated)
    }
}

/// One way to reach the rows.
struct Candidate {
    var accessPath: AccessPath
    /// Conjuncts that need not be tested any more.
    var answered: [TypedPredicate] = []
    /// Rows that the access path reaches.
    var rows: Int
}

/// A rule of the planner: ways to reach the rows of a query, best first where it knows better than the costs.
protocol PlanRule {
    static func candidates(_ context: PlanContext) throws -> [Candidate]
}
