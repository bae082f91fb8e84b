import LoamStorage

/// Each readable index: the ranges that its components make of the conjuncts, or all of it, for the sake of its order
/// or of the values in it.
enum IndexRule: PlanRule {
    static func candidates(_ context: PlanContext) throws -> [Candidate] {
        try context.indexes.map { try candidate(ScanOutline($0, paths: context.paths), context: context) }
    }

    static func candidate(_ outline: ScanOutline, context: PlanContext) throws -> Candidate {
        let built = try context.scan(outline, answering: context.conjuncts)
        let scan = built.scan
        guard !scan.ranges.isEmpty else {
            return Candidate(accessPath: .nothing, answered: context.allPositions, rows: 0)
        }
        return Candidate(
            accessPath: .index(scan), answered: built.answered, rows: scan.entryCount,
            origin: built.conditions.count == 1 && scan.isNarrowed ? built.conditions[0] : nil)
    }
}
