package import LoamStorage

extension Plan {
    /// The number of rows in the result, after offset and limit.
    ///
    /// O(log n) where the predicate is ranges of an index and nothing else; otherwise the rows are walked.
    package func count(in snapshot: Snapshot, work: inout Work) throws -> Int {
        let all = try countedRows(in: snapshot, &work) ?? walkedRows(in: snapshot, &work)
        let rest = max(0, all - query.offset)
        return query.limit.map { min($0, rest) } ?? rest
    }

    private func countedRows(in snapshot: Snapshot, _ work: inout Work) throws -> Int? {
        guard residual.isEmpty else { return nil }
        switch access {
        case .nothing: return 0
        case .table(from: .min, through: .max):
            work.sums += 1
            return try snapshot.count(of: query.entity)
        case .index(let scan) where !scan.isInexact:
            work.sums += scan.ranges.count
            return try scan.ranges.reduce(0) { try $0 + snapshot.count(in: scan.index, range: $1) }
        default: return nil
        }
    }

    private func walkedRows(in snapshot: Snapshot, _ work: inout Work) throws -> Int {
        var count = 0
        var plan = self
        plan.query.result = .count
        let run = try PlanRun(plan, in: snapshot, work)
        defer { work = run.work }
        try run.forEachMatch([]) { _ in
            count += 1
            return count != wanted
        }
        return count
    }
}
