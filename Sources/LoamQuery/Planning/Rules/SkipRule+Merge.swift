import LoamStorage

/// Skip scans whose ranges are merged: behind each value of the first component the rows come in the order of those
/// behind it, so the ranges side by side give that order.
extension SkipRule {
    /// The ways that skip through the first component of an index: range after range where conditions narrow these, and
    /// where only a merge of the ranges gives the order that is wanted, that too.
    ///
    /// - Parameters:
    ///   - outline: of the components behind the first one.
    ///   - cost: as for ``candidates(_:cost:)``.
    static func ways(_ outline: ScanOutline, _ context: PlanContext, cost: Double?) throws -> [Candidate] {
        guard let candidate = try candidate(outline, context, cost: cost) else { return [] }
        let merged = merged(candidate, context).map { [$0] } ?? []
        return outline.steps.isEmpty ? merged : [candidate] + merged
    }

    /// The candidate with its ranges merged; nil where a merge gives nothing that is wanted.
    private static func merged(_ candidate: Candidate, _ context: PlanContext) -> Candidate? {
        // The first component may have more values than were met, and the order is the same where it has only one.
        guard context.query.result == .rows, case .skip(var skip) = candidate.accessPath,
            let merged = skip.scan.merged(
                for: context.openOrder, rowIDs: context.query.rowIDDirection, rangeCount: max(2, skip.leadingCount))
        else { return nil }
        skip.scan = merged
        return Candidate(
            accessPath: .skip(skip), answered: candidate.answered, rows: candidate.rows, origin: candidate.origin)
    }

    /// Whether a merge gives the order by a component behind the second one.
    static func mergesOrder(by component: IndexComponent, _ context: PlanContext) -> Bool {
        context.openOrder.contains(where: component.isSortedBy)
    }

    /// Whether the rows behind each value of the first component come in the order that is wanted, where nothing is asked
    /// of the first two.
    ///
    /// - Parameter paths: those that conditions are about.
    static func servesOrder(
        _ index: Index, paths: some Sequence<PropertyPath>, _ context: PlanContext
    ) -> Bool {
        let (components, keys) = (index.components.dropFirst(), context.openOrder)
        guard context.query.result == .rows, !keys.isEmpty, components.count == keys.count,
            zip(components, keys).allSatisfy({ $0.isSortedBy($1) })
        else { return false }
        return !paths.contains(where: index.components[0].concerns)
    }

    /// Whether another index is what this one is behind its first component, so that it gives the order by itself.
    static func isServedOtherwise(_ index: Index, _ context: PlanContext) -> Bool {
        let rest = index.definition.components.dropFirst()
        return context.indexes.contains { $0.definition.components[...] == rest }
    }
}
