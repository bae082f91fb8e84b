import LoamStorage

/// Skip scans whose ranges are merged: behind each value of the first component the rows come in the order of those
/// behind it, so the ranges side by side give that order.
extension SkipRule {
    /// The ways that skip through the first component of an index: range after range, and where only a merge of the
    /// ranges gives the order that is wanted, that too.
    ///
    /// - Parameters:
    ///   - outline: of the components behind the first one.
    ///   - cost: as for ``candidates(_:cost:)``.
    static func ways(_ outline: ScanOutline, _ context: PlanContext, cost: Double?) throws -> [Candidate] {
        guard let candidate = try candidate(outline, context, cost: cost) else { return [] }
        return [candidate] + (merged(candidate, context).map { [$0] } ?? [])
    }

    /// The candidate with its ranges merged; nil where a merge gives nothing that is wanted.
    private static func merged(_ candidate: Candidate, _ context: PlanContext) -> Candidate? {
        guard context.query.result == .rows, case .skip(var skip) = candidate.accessPath,
            let merged = skip.scan.merged(
                for: context.openOrder, rowIDs: context.query.rowIDDirection, rangeCount: skip.leadingCount)
        else { return nil }
        skip.scan = merged
        return Candidate(
            accessPath: .skip(skip), answered: candidate.answered, rows: candidate.rows, origin: candidate.origin)
    }

    /// Whether a merge gives the order by a component behind the second one.
    static func mergesOrder(by component: IndexComponent, _ context: PlanContext) -> Bool {
        context.openOrder.contains(where: component.isSortedBy)
    }
}
