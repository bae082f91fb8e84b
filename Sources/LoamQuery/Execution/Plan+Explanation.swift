package import LoamStorage

extension Plan {
    /// The plan as a tree of operators, with what is expected of them unless the level is ``Explanation/Level/plan``.
    /// Nothing is run.
    ///
    /// - Parameters:
    ///   - readsRecords: whether each row's record is wanted, as in ``readRecords(in:overlay:work:_:)``.
    ///   - page: where each combination of the columns' values is wanted once, which of them.
    package func explanation(
        _ level: Explanation.Level, readsRecords: Bool = false, distinct page: DistinctPage? = nil
    ) -> Explanation {
        let plan = readsRecords ? forRecords : self
        return PlanTree(plan, level: level, readsRecords: readsRecords, distinct: page).explanation
    }

    /// The plan with what is expected of it, in words, and what an execution did in all.
    package func explanation(with work: Work? = nil) -> String {
        var explanation = explanation(.estimates)
        if let work { explanation.setTotal(work, rowsOut: query.result == .count ? nil : work.returned) }
        return explanation.description
    }

    /// The plan as a tree of operators, and the indexes that would have served, if there are any. Where the level is
    /// ``Explanation/Level/work`` the plan is run as ``measuredExplanation(in:overlay:readsRecords:distinct:work:)`` runs
    /// it; the others read no record but where ``IndexAdvice`` takes a sample.
    ///
    /// - Throws: what running the plan throws, `StorageError` for damage.
    package func explanation(
        _ level: Explanation.Level, in snapshot: Snapshot, overlay: Overlay? = nil, readsRecords: Bool = false,
        distinct page: DistinctPage? = nil
    ) throws -> Explanation {
        var explanation = explanation(level, readsRecords: readsRecords, distinct: page)
        if level == .work {
            var work = Work()
            explanation = try measuredExplanation(
                in: snapshot, overlay: overlay, readsRecords: readsRecords, distinct: page, work: &work)
        }
        explanation.advice = try IndexAdvice(readsRecords ? query.forRecords : query, in: snapshot).advice()
        return explanation
    }

    /// Runs the plan, drops its rows, and tells what each operator did. Costs as much as the query, and two looks at the
    /// clock for each row and operator.
    ///
    /// - Parameters:
    ///   - overlay: changes that are not saved yet.
    ///   - readsRecords: whether each row's record is read, as in ``readRecords(in:overlay:work:_:)``.
    ///   - page: where each combination of the columns' values is wanted once, which of them.
    /// - Throws: ``QueryError`` for a MATCHES that takes too much work, `StorageError` for damage.
    package func measuredExplanation(
        in snapshot: Snapshot, overlay: Overlay? = nil, readsRecords: Bool = false,
        distinct page: DistinctPage? = nil, work: inout Work
    ) throws -> Explanation {
        let measurement = Measurement()
        switch query.result {
        case .count: _ = try count(in: snapshot, overlay: overlay, work: &work, measurement: measurement)
        case .sections: _ = try sections(in: snapshot, overlay: overlay, work: &work, measurement: measurement)
        case .rows:
            let execution = try PlanExecution(
                readsRecords ? forRecords : self, in: snapshot, work: work, readsRecords: readsRecords,
                overlay: overlay, measurement: measurement)
            defer { work = execution.work }
            guard let page, page.limit != 0 else {
                if page == nil { try execution.plan.execute(execution) { _ in true } }
                break
            }
            var known: Set<[Value]> = []
            try execution.plan.execute(execution) { match in
                known.insert(match.values)
                return page.limit.map { known.count - page.offset < $0 } ?? true
            }
            execution.work.returned = max(0, known.count - page.offset)
        }
        measurement.finish(work)
        return PlanTree(self, measurement, readsRecords: readsRecords, distinct: page, total: work).explanation
    }

    /// What is asked.
    var headline: String {
        var text = "\(query.entity.name): "
        switch query.result {
        case .rows: text += "rows"
        case .count: text += "count"
        case .sections: text += "sections by \(query.section?.description ?? "")"
        }
        if query.predicate != .constant(true) { text += " where " + query.predicate.shortened }
        guard query.result != .sections else { return text }
        if query.result == .rows, !query.order.isEmpty { text += ", by " + query.order.words }
        if let limit = query.limit { text += ", limit \(limit)" }
        if query.offset > 0 { text += ", offset \(query.offset)" }
        return text
    }
}

/// Which of several different rows are wanted: so many after so many others.
package struct DistinctPage: Hashable, Sendable {
    package var offset: Int
    package var limit: Int?

    package init(offset: Int = 0, limit: Int? = nil) { (self.offset, self.limit) = (offset, limit) }
}

extension TypedPredicate {
    /// The predicate in words. Long lists of constants are cut: nobody reads them.
    var shortened: String {
        let text = description
        let limit = 400
        return text.count <= limit ? text : "\(text.prefix(limit))… (\(text.count) characters)"
    }
}

extension Collection<ResolvedSortKey> {
    var words: String { map(\.description).joined(separator: ", ") }
}

extension Explanation.Actual {
    init(_ work: Work, rowsIn: Int? = nil, rowsOut: Int? = nil, time: Duration = .zero) {
        (ranges, blocks, entries, sums) = (work.ranges, work.blocks, work.entries, work.sums)
        (records, sorted, pending, abandoned) = (work.records, work.sorted, work.pending, work.abandoned)
        if work.spilledRuns > 0 { (spilledRuns, spilledBytes) = (work.spilledRuns, work.spilledBytes) }
        (self.rowsIn, self.rowsOut) = (rowsIn, rowsOut)
        let (seconds, attoseconds) = time.components
        nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    }
}
