import LoamStorage

/// Each readable index: the ranges that its components make of the conjuncts, or all of it, for the sake of its order
/// or of the values in it.
enum IndexRule: PlanRule {
    static func candidates(_ context: PlanContext) throws -> [Candidate] {
        try context.indexes.map { try candidate($0, context: context) }
    }

    static func candidate(_ index: Index, context: PlanContext) throws -> Candidate {
        let scan = try context.scan(index, answering: context.conjuncts)
        guard !scan.ranges.isEmpty else {
            return Candidate(accessPath: .nothing, answered: context.conjuncts, rows: 0)
        }
        return Candidate(accessPath: .index(scan), answered: scan.answered, rows: scan.entryCount)
    }
}
