package import LoamQuery
package import LoamStorage

/// Holds the ranges that a plan scans against the tightest that its index allows, and the entries that it read against
/// those inside.
///
/// How tight ranges can be follows from the rows: as many entries lie in the tightest ones as there are rows that the
/// conditions on the leading components hold for, up to the first component whose conditions leave more than single
/// values. What a folded component cannot tell, or bytes of a prefix, is left to the rows: there the entries are those
/// that agree in the component's form.
package struct RangeCheck {
    private let snapshot: Snapshot
    private let rows: [(rowID: RowID, values: [Value])]

    /// - Parameter rows: those that are stored.
    package init(_ rows: [(rowID: RowID, values: [Value])], in snapshot: Snapshot) {
        self.snapshot = snapshot
        self.rows = rows
    }

    /// Points of components beyond which a plan does not multiply them with those of the next.
    private static let productLimit = 1024

    /// What is wrong with the ranges of a plan that scans an index; nil where nothing is.
    ///
    /// - Returns: whether there was anything to check.
    /// - Throws: what counting throws.
    package func fault(of plan: Plan) throws -> (isChecked: Bool, fault: String?) {
        guard case .index(let scan) = plan.accessPath, !scan.isInexact,
            let tightest = TightestScan(scan.index, conjuncts: plan.query.predicate.parts),
            tightest.pointLimit <= Self.productLimit
        else { return (false, nil) }
        for (left, right) in zip(scan.ranges, scan.ranges.dropFirst()) {
            guard let end = left.upper, !right.lower.lexicographicallyPrecedes(end) else {
                return (true, "\(plan.explanation())\nhas ranges that overlap or are out of order")
            }
        }
        let inside = try entriesInside([scan])
        let expected = rows.count { tightest.admits($0.rowID, $0.values) }
        guard inside > expected else { return (true, nil) }
        let text = plan.explanation()
        return (true, "\(text)\nhas \(inside) entries in its ranges, and the tightest ones have \(expected)")
    }

    /// What is wrong with the work of a plan that was executed; nil where nothing is. Under a limit, and where entries
    /// come by way of another entity, nothing is asked.
    ///
    /// - Throws: what counting throws.
    package func fault(of work: Work, doneFor plan: Plan) throws -> String? {
        let scans: [IndexScan]
        switch plan.accessPath {
        case .index(let scan): scans = [scan]
        case .union(let parts), .intersection(let parts): scans = parts
        case .nothing, .rows, .table: scans = []
        case .join, .skip: return nil
        }
        guard plan.query.limit == nil || plan.query.result == .sections else { return nil }
        let ranges = scans.reduce(0) { $0 + $1.ranges.count }
        let most = Int(Double(try entriesInside(scans)) * 1.2) + 10 * ranges
        guard work.entries > most || work.ranges > ranges else { return nil }
        return "\(plan.explanation(with: work))\nreads more than \(most) entries of \(ranges) ranges"
    }

    private func entriesInside(_ scans: [IndexScan]) throws -> Int {
        try scans.reduce(0) { sum, scan in
            try scan.ranges.reduce(sum) { try $0 + snapshot.count(in: scan.index, range: $1) }
        }
    }
}
