package import LoamQuery
package import LoamStorage

/// Holds what the plans of a query give against a full scan: rows in order with their values and records, counts, and
/// sections.
package struct QueryCheck {
    private let snapshot: Snapshot
    private let scan: FullScan
    private let overlay: Overlay?
    private let pending: Set<RowID>

    /// - Parameters:
    ///   - scan: over the rows that the snapshot has with the overlay's changes.
    ///   - overlay: changes that are not saved.
    package init(_ scan: FullScan, in snapshot: Snapshot, overlay: Overlay? = nil) {
        self.snapshot = snapshot
        self.scan = scan
        self.overlay = overlay
        pending = Set(overlay?.rows(of: scan.entity.id).map(\.rowID) ?? [])
    }

    /// The plan that a context would take, and whether it is one that was kept for another query of this shape.
    ///
    /// - Throws: ``QueryError`` for a query that cannot be run.
    package func chosenPlan(of query: Query) throws -> (plan: Plan, isKept: Bool) {
        try snapshot.catalog.attachment { PlanCache() }
            .plan(query, of: scan.entity, in: snapshot.schema, statistics: snapshot, analysisCount: 0)
    }

    /// What plain Swift says about the full scan.
    ///
    /// - Throws: what the full scan throws.
    package func opinion(on query: Query) throws -> FullScan.Opinion { try scan.opinion(on: query) }

    /// Every plan that the planner finds, those that may sort within groups with that, and those whose search may
    /// be left for another plan with that happening soon.
    ///
    /// - Throws: ``QueryError`` for a query that cannot be run.
    package func plans(of query: Query) throws -> [Plan] {
        let query = try ResolvedQuery(query, in: scan.entity, schema: snapshot.schema)
        var plans = try Planner.plans(query, statistics: snapshot)
        plans += plans.compactMap(\.sortedWithinGroups)
        return plans + plans.enumerated().compactMap { $1.leaving(after: 1 + 3 * $0) }
    }

    /// - Parameter work: says what is wrong with the work that a plan took; nil where nothing is.
    /// - Returns: for the first plan that gives something else than a full scan, the plan and both, or what is wrong with
    ///   its work; otherwise nil.
    /// - Throws: what the full scan throws. What a plan throws is a difference.
    package func difference(
        of query: Query, in plans: [Plan], holding work: ((Work, Plan) throws -> String?)? = nil
    ) throws -> String? {
        let expected = try outcome(of: query)
        for plan in plans {
            do {
                let (found, done) = try outcome(of: plan)
                if let fault = try work?(done, plan) { return fault }
                if found != expected {
                    return "\(plan.explanation())\ngives \(found.text)\nbut should give \(expected.text)"
                }
                if query.result == .rows,
                    let fault = try batchFault(of: plan, expected) ?? recordFault(of: plan, expected.rowIDs)
                {
                    return "\(plan.explanation())\n\(fault)"
                }
            } catch {
                return "\(plan.explanation())\nthrows \(error)"
            }
        }
        return nil
    }

    private func outcome(of plan: Plan) throws -> (Outcome, Work) {
        var (outcome, work) = (Outcome(), Work())
        switch plan.query.result {
        case .rows:
            try plan.execute(in: snapshot, overlay: overlay, work: &work) { rowID, values, isPending in
                outcome.rowIDs.append(rowID)
                outcome.values.append(values)
                if isPending { outcome.pending.insert(rowID) }
                return true
            }
        case .count: outcome.counts = [try plan.count(in: snapshot, overlay: overlay, work: &work)]
        case .sections:
            for (value, count) in try plan.sections(in: snapshot, overlay: overlay, work: &work) {
                outcome.values.append([value])
                outcome.counts.append(count)
            }
        }
        return (outcome, work)
    }

    private func outcome(of query: Query) throws -> Outcome {
        var outcome = Outcome()
        switch query.result {
        case .rows:
            for (rowID, columns) in try scan.rows(of: query) {
                outcome.rowIDs.append(rowID)
                outcome.values.append(columns)
            }
            outcome.pending = pending.intersection(outcome.rowIDs)
        case .count: outcome.counts = [try scan.count(of: query)]
        case .sections:
            for (value, count) in try scan.sections(of: query) {
                outcome.values.append([value])
                outcome.counts.append(count)
            }
        }
        return outcome
    }

    /// Says where the rows that a plan gives many at a time are others than the expected ones.
    private func batchFault(of plan: Plan, _ expected: Outcome) throws -> String? {
        var found = Outcome()
        var work = Work()
        try plan.execute(in: snapshot, overlay: overlay, work: &work) { rowIDs, values in
            let step = values.count / rowIDs.count
            for (index, rowID) in rowIDs.enumerated() {
                found.rowIDs.append(rowID)
                found.values.append(try values[index * step..<(index + 1) * step].map { try $0.boxed() })
            }
        } boxed: { rowID, values in
            found.rowIDs.append(rowID)
            found.values.append(values)
        }
        guard found.rowIDs != expected.rowIDs || found.values != expected.values else { return nil }
        return "gives many at a time \(found.text)\nbut should give \(expected.text)"
    }

    /// Says where the records that a plan gives are not those of the rows, with nil for pending ones.
    private func recordFault(of plan: Plan, _ expected: [RowID]) throws -> String? {
        var found: [RowID] = []
        var fault: String?
        var work = Work()
        try plan.readRecords(in: snapshot, overlay: overlay, work: &work) { rowIDs, records in
            for (rowID, record) in zip(rowIDs, records) {
                found.append(rowID)
                let stored = pending.contains(rowID) ? nil : try snapshot.record(rowID, of: plan.query.entity)
                if stored != record.map(Array.init) {
                    fault = "gives another record of row \(rowID) than the store has"
                }
            }
        }
        return fault ?? (found == expected ? nil : "gives records of \(found), not of \(expected)")
    }
}

/// Rows, sections (with no row ids) or a count, in one shape.
private struct Outcome: Equatable {
    var rowIDs: [RowID] = []
    var pending: Set<RowID> = []
    var values: [[Value]] = []
    var counts: [Int] = []

    /// The beginning of it, without `Date.description`, which traps on NaN.
    var text: String {
        let rows = values.prefix(20).map {
            "{" + $0.map { String($0.formatText.prefix(60)) }.joined(separator: ", ") + "}"
        }
        return "\(rowIDs.prefix(40)) \(counts.prefix(40)) \(rows)"
    }
}
