import LoamStorage

/// An OR whose every part narrows some index: the scans together, each row once. The other conjuncts narrow each of
/// them further.
enum UnionRule: PlanRule {
    /// Parts beyond which it is not worth to look at every index for each.
    private static let partLimit = 64

    static func candidates(_ context: PlanContext) throws -> [Candidate] {
        try context.conjuncts.compactMap { conjunct in
            // Over one key path it is a set of ranges of one index, which is the other rule's.
            guard case .or(let parts) = conjunct, parts.count <= partLimit, conjunct.paths.count > 1 else { return nil }
            return try union(of: parts, in: conjunct, context)
        }
    }

    private static func union(
        of parts: [TypedPredicate], in conjunct: TypedPredicate, _ context: PlanContext
    ) throws -> Candidate? {
        let others = context.conjuncts.filter { $0 != conjunct }
        var scans: [IndexScan] = []
        var answered = others
        var isAnswered = true
        for part in parts {
            guard let scan = try best(for: part.conjuncts, and: others, context) else { return nil }
            answered = answered.filter(scan.answered.contains)
            isAnswered = isAnswered && part.conjuncts.allSatisfy(scan.answered.contains)
            if !scan.ranges.isEmpty { scans.append(scan) }
        }
        if isAnswered { answered.append(conjunct) }
        let rows = scans.reduce(0) { $0 + $1.entryCount }
        return Candidate(accessPath: scans.isEmpty ? .nothing : .union(scans), answered: answered, rows: rows)
    }

    /// The scan with the fewest entries that the part itself narrows.
    private static func best(
        for part: [TypedPredicate], and others: [TypedPredicate], _ context: PlanContext
    ) throws -> IndexScan? {
        try context.indexes.map { try context.scan($0, answering: part + others) }
            .filter { scan in scan.conditions.contains(where: part.contains) }
            .min { $0.entryCount < $1.entryCount }
    }
}
