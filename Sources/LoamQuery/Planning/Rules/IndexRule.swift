import LoamStorage

/// Each readable index: the ranges that its components make of the conjuncts, one after another or merged into the
/// order that is wanted, or all of it, for the sake of its order or of the values in it.
enum IndexRule: PlanRule {
    static func candidates(_ context: PlanContext) throws -> [Candidate] {
        try context.indexes.flatMap { index in
            let candidate = try candidate(
                ScanOutline(index, paths: context.paths, order: context.openOrder), context: context)
            return [candidate] + (merged(candidate, context: context).map { [$0] } ?? [])
        }
    }

    /// The candidate with its ranges merged; nil where a merge gives nothing that is wanted.
    static func merged(_ candidate: Candidate, context: PlanContext) -> Candidate? {
        guard context.query.result == .rows, case .index(let scan) = candidate.accessPath,
            let merged = scan.merged(for: context.openOrder, rowIDs: context.query.rowIDDirection)
        else { return nil }
        return Candidate(
            accessPath: .index(merged), answered: candidate.answered, rows: candidate.rows, origin: candidate.origin)
    }

    /// The scan of an index; of nothing where the conditions leave no range of it.
    static func candidate(_ outline: ScanOutline, context: PlanContext) throws -> Candidate {
        Candidate(try context.scan(outline, answering: context.conjuncts), context)
    }
}

extension Candidate {
    fileprivate convenience init(_ built: consuming BuiltScan, _ context: PlanContext) {
        let scan = built.scan
        guard !scan.isOfNothing else {
            self.init(accessPath: .nothing, answered: context.allPositions, rows: 0)
            return
        }
        let (isNarrowed, positionCount) = (scan.isNarrowed, scan.positions.count)
        self.init(
            accessPath: .index(scan), answered: built.answered, rows: scan.entryCount,
            isNarrowScan: scan.isNarrow,
            origin: isNarrowed && positionCount == 1 ? scan.positions[0] : nil)
    }
}
