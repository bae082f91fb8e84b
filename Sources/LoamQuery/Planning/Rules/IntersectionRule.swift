import LoamStorage

/// Conditions that narrow several indexes, each its own: the rows that all of these scans reach.
///
/// Takes what the other rules have counted, and counts nothing itself.
enum IntersectionRule {
    /// The scan with the fewest entries, and each other one whose entries cost less than the records that they save.
    ///
    /// - Parameters:
    ///   - trigrams: the scans of trigrams (``TrigramRule``), of which one alone is a way too.
    ///   - takesAll: whether scans are taken in that save nothing.
    /// - Returns: nil where one scan alone is as good.
    static func candidate(
        of found: [Candidate], trigrams: [IndexScan] = [], _ context: PlanContext, takesAll: Bool = false
    ) -> Candidate? {
        var narrow = found.compactMap { candidate in candidate.narrowScan.map { ($0, candidate.answered) } }
        guard narrow.count > 1 || !trigrams.isEmpty else { return nil }
        narrow += trigrams.map { ($0, []) }
        var (scans, answered): ([IndexScan], [Int]) = ([], [])
        var used: Set<Int> = []
        let rowCount = Double(context.rowCount)
        var (rows, product, smallest) = (rowCount, 1.0, 1.0)
        for (scan, conditions) in narrow.sorted(by: { $0.0.entryCount < $1.0.entryCount }) {
            guard scan.isOfTrigram || used.isDisjoint(with: scan.positions) else { continue }
            let share = min(1, Double(scan.entryCount) / Double(max(1, context.rowCount)))
            // Conditions may say the same in two ways. Between that and no connection lies the mean of both.
            let common = rowCount * (product * share * min(smallest, share)).squareRoot()
            let saved = (rows - common) * Cost.sortedFetch
            guard takesAll || scans.isEmpty || saved > Cost.intersecting(scan) else { continue }
            scans.append(scan)
            answered += conditions
            if !scan.isOfTrigram { used.formUnion(scan.positions) }
            (rows, product, smallest) = (common, product * share, min(smallest, share))
        }
        guard scans.count > 1 || scans.first?.isOfTrigram ?? false else { return nil }
        return Candidate(
            accessPath: .intersection(scans), answered: answered.sorted(), rows: Int(rows.rounded(.up)), origin: nil)
    }
}

extension Candidate {
    /// The scan of an index that conditions narrow, range after range.
    fileprivate var narrowScan: IndexScan? {
        guard case .index(let scan) = accessPath, !scan.isMerged, scan.isNarrowed, !scan.positions.isEmpty else {
            return nil
        }
        return scan
    }

    /// Whether it comes of other ways, or of a look at the values, and is not kept.
    var isDerived: Bool {
        switch accessPath {
        case .intersection, .skip: true
        case .nothing, .rows, .table, .index, .union, .join: false
        }
    }
}

extension Cost {
    /// Reading the entries of one of the scans of an intersection.
    static func intersecting(_ scan: IndexScan) -> Double {
        Double(scan.entryCount) * (entry + intersection) + Double(scan.ranges.count) * range
    }
}
