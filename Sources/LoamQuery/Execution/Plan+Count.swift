package import LoamStorage

extension Plan {
    /// The number of rows in the result, after offset and limit.
    ///
    /// O(log n) where the predicate is ranges of an index and nothing else, beside the sums of the index, which a
    /// snapshot reads once; otherwise the rows are walked.
    ///
    /// - Throws: ``QueryError`` for a MATCHES that takes too much work, `StorageError` for damage.
    package func count(in snapshot: Snapshot, work: inout Work) throws -> Int {
        try count(in: snapshot, overlay: nil, work: &work)
    }

    /// Counts the stored rows as the overlay changes them. It costs as much as the form without an overlay, and
    /// O(rows of the overlay) more.
    ///
    /// - Throws: ``QueryError`` for a MATCHES that takes too much work, `StorageError` for damage.
    package func count(in snapshot: Snapshot, overlay: Overlay?, work: inout Work) throws -> Int {
        try count(in: snapshot, overlay: overlay, work: &work, measurement: nil)
    }

    func count(in snapshot: Snapshot, overlay: Overlay?, work: inout Work, measurement: Measurement?) throws -> Int {
        var plan = self
        plan.query.result = .count
        let execution = try PlanExecution(plan, in: snapshot, work: work, overlay: overlay, measurement: measurement)
        defer { work = execution.work }
        return try execution.leavingLongSkips {
            try plan.count(execution)
        } following: { next in
            try next.plan.count(next)
        }
    }

    private func count(_ execution: PlanExecution) throws -> Int {
        let pending = try execution.pendingMatches([], first: wanted).count
        let stored =
            if let counted = try execution.measuring(.scan(0), { try execution.plan.countedRows(execution) }),
                counted >= execution.overlay?.hiddenCount ?? 0
            {
                counted - (try execution.hiddenMatches([]).count)
            } else {
                try execution.plan.walkedRows(execution, atMost: wanted.map { $0 - pending })
            }
        let rest = max(0, stored + pending - query.offset)
        return query.limit.map { min($0, rest) } ?? rest
    }

    /// The stored rows that match, also those that the overlay hides; nil where sums do not tell.
    private func countedRows(_ execution: PlanExecution) throws -> Int? {
        guard residual.isEmpty else { return nil }
        switch accessPath {
        case .nothing: return 0
        case .table(from: .min, through: .max):
            execution.work.sums += 1
            return try execution.snapshot.count(of: query.entity)
        case .index(let scan) where !scan.isInexact: return try count(scan, execution)
        case .skip(let skip): return try count(execution.scan(of: skip), execution)
        default: return nil
        }
    }

    private func count(_ scan: IndexScan, _ execution: PlanExecution) throws -> Int {
        execution.work.sums += scan.ranges.count
        return try scan.ranges.reduce(0) { try $0 + execution.snapshot.count(in: scan.index, range: $1) }
    }

    private func walkedRows(_ execution: PlanExecution, atMost limit: Int?) throws -> Int {
        if let limit, limit <= 0 { return 0 }
        var count = 0
        try execution.forEachMatch([]) { _ in
            count += 1
            return count != limit
        }
        return count
    }
}

extension Query {
    /// The number of rows that the query finds in a state of the store, as an overlay changes them. Where it asks for all
    /// stored rows, that is kept: O(1), and nothing is planned.
    ///
    /// - Throws: ``QueryError`` for a query that cannot be run, and what counting its plan throws.
    package func count(in snapshot: Snapshot, overlay: Overlay?) throws -> Int {
        if overlay == nil, predicate == nil, sort.isEmpty, section == nil, limit == nil, offset == 0,
            let entity = snapshot.schema.entity(named: entity)
        {
            return try snapshot.count(of: entity.id)
        }
        var work = Work()
        return try Planner.plan(self, in: snapshot).count(in: snapshot, overlay: overlay, work: &work)
    }
}
