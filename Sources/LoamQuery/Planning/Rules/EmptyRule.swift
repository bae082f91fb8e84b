import LoamStorage

/// Nothing is read where the predicate is false for every row, or no row is wanted.
enum EmptyRule: PlanRule {
    static func candidates(_ context: PlanContext) -> [Candidate] {
        let isEmpty = context.query.predicate == .constant(false)
        let isUnwanted = context.query.limit == 0 && context.query.result != .sections
        return isEmpty || isUnwanted ? [Candidate(accessPath: .nothing, answered: context.allPositions, rows: 0)] : []
    }
}
