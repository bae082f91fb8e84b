import LoamStorage

/// An OR whose every part narrows some index: the scans together, each row once. The other conjuncts narrow each of
/// them further.
enum UnionRule: PlanRule {
    /// Parts beyond which it is not worth to look at every index for each.
    private static let partLimit = 64

    static func candidates(_ context: PlanContext) throws -> [Candidate] {
        try context.conjuncts.indices.compactMap { position in
            // Over one key path it is a set of ranges of one index, which is the other rule's.
            guard case .or(let parts) = context.conjuncts[position], parts.count <= partLimit,
                context.paths[position] == nil
            else { return nil }
            return try union(of: parts, at: position, context)
        }
    }

    private static func union(
        of parts: [TypedPredicate], at position: Int, _ context: PlanContext
    ) throws -> Candidate? {
        let others = context.allPositions.filter { $0 != position }
        var scans: [PartScan] = []
        for part in parts {
            guard let narrowest = try narrowest(of: part, others: others, context) else { return nil }
            scans.append(narrowest)
        }
        return candidate(scans, at: position, others: others)
    }

    /// The scan with the fewest entries that a part itself narrows; nil where it narrows no index.
    ///
    /// - Parameter others: the conjuncts besides the OR, by position.
    static func narrowest(of part: TypedPredicate, others: [Int], _ context: PlanContext) throws -> PartScan? {
        let conjuncts = part.conjuncts
        let paths = conjuncts.map(\.onlyPath) + others.map { context.paths[$0] }
        let found = try context.indexes.compactMap { index -> PartScan? in
            let outline = try ScanOutline(index, paths: paths)
            guard outline.steps.contains(where: { $0.conjuncts.contains { $0 < conjuncts.count } }) else { return nil }
            return try scan(outline, of: conjuncts, others: others, context)
        }
        return found.filter(\.narrowsPart).min { $0.scan.entryCount < $1.scan.entryCount }
    }

    /// A scan for one part of an OR.
    struct PartScan {
        var scan: IndexScan
        /// Whether the part itself takes part in its ranges.
        var narrowsPart: Bool
        /// Whether it answers the part.
        var isAnswered: Bool
        /// Which of the other conjuncts it answers, by position.
        var answeredOthers: [Int]
    }

    /// - Parameters:
    ///   - part: the conjuncts of the part; the outline is one of these and the others behind them.
    ///   - others: the conjuncts besides the OR, by position.
    static func scan(
        _ outline: ScanOutline, of part: [TypedPredicate], others: [Int], _ context: PlanContext
    ) throws -> PartScan {
        let conjuncts = others.isEmpty ? part : part + others.map { context.conjuncts[$0] }
        let built = try context.scan(outline, answering: conjuncts)
        if others.isEmpty {
            return PartScan(
                scan: built.scan, narrowsPart: !built.conditions.isEmpty,
                isAnswered: built.answered.count == part.count, answeredOthers: [])
        }
        return PartScan(
            scan: built.scan, narrowsPart: built.conditions.contains { $0 < part.count },
            isAnswered: part.indices.allSatisfy(built.answered.contains),
            answeredOthers: built.answered.filter { $0 >= part.count }.map { others[$0 - part.count] })
    }

    /// The way that reaches the rows of an OR by a scan for each of its parts.
    static func candidate(_ scans: [PartScan], at position: Int, others: [Int]) -> Candidate {
        var answered = others.filter { other in scans.allSatisfy { $0.answeredOthers.contains(other) } }
        if scans.allSatisfy(\.isAnswered) { answered.append(position) }
        let narrow = scans.compactMap { $0.scan.ranges.isEmpty ? nil : $0.scan }
        return Candidate(
            accessPath: narrow.isEmpty ? .nothing : .union(narrow), answered: answered,
            rows: narrow.reduce(0) { $0 + $1.entryCount }, origin: position)
    }
}
