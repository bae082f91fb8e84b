import LoamStorage

/// Conditions that narrow several indexes, each its own: the rows that all of these scans reach.
///
/// Takes what the other rules have counted, and counts nothing itself but the longest texts of an index of trigrams.
enum IntersectionRule {
    /// The scan with the fewest entries, and each other one whose entries cost less than the records that they save.
    ///
    /// - Parameters:
    ///   - trigrams: the scans of trigrams (``TrigramRule``), of which one alone is a way too.
    ///   - takesAll: whether scans are taken in that save nothing; of trigrams, which are many, none is.
    /// - Returns: nil where one scan alone is as good.
    /// - Throws: what counting throws.
    static func candidate(
        of found: [Candidate], trigrams: [IndexScan] = [], _ context: PlanContext, takesAll: Bool = false
    ) throws -> Candidate? {
        // By position: those that were found, and behind them the trigrams.
        let narrowCount = found.count { $0.isNarrowScan }
        guard narrowCount > 1 || !trigrams.isEmpty else { return nil }
        var narrow: [Int] = []
        narrow.reserveCapacity(narrowCount + trigrams.count)
        for position in found.indices where found[position].isNarrowScan { narrow.append(position) }
        narrow += found.count..<found.count + trigrams.count
        func expected(_ position: Int) -> Int {
            position < found.count ? found[position].rows : trigrams[position - found.count].entryCount
        }
        if narrow.count == 2 {
            if expected(narrow[1]) < expected(narrow[0]) { narrow.swapAt(0, 1) }
        } else {
            narrow.sort { expected($0) < expected($1) }
        }
        var (scans, answered): ([IndexScan], [Int]) = ([], [])
        scans.reserveCapacity(narrow.count)
        answered.reserveCapacity(narrow.count)
        let rowCount = Double(context.rowCount)
        var (rows, product, smallest) = (rowCount, 1.0, 1.0)
        for position in narrow {
            let scan: IndexScan
            if position >= found.count {
                scan = trigrams[position - found.count]
            } else {
                guard case .index(let known) = found[position].accessPath,
                    !scans.contains(where: { !$0.isOfTrigram && $0.shares(known.positions) })
                else { continue }
                scan = known
            }
            let share = min(1, Double(scan.entryCount) / Double(max(1, context.rowCount)))
            // Conditions may say the same in two ways. Between that and no connection lies the mean of both.
            let independent = rowCount * (product * share * min(smallest, share)).squareRoot()
            let common = max(independent, try fewest(in: scan, besides: scans, context))
            let saved = (rows - common) * Cost.sortedFetch
            guard takesAll && !scan.isOfTrigram || scans.isEmpty || saved > Cost.intersecting(scan) else { continue }
            scans.append(scan)
            if position < found.count {
                answered += found[position].answered
            }
            (rows, product, smallest) = (common, product * share, min(smallest, share))
        }
        guard scans.count > 1 || scans.first?.isOfTrigram ?? false else { return nil }
        if zip(answered, answered.dropFirst()).contains(where: >) { answered.sort() }
        return Candidate(
            accessPath: .intersection(scans), answered: answered, rows: Int(rows.rounded(.up)), origin: nil)
    }

    /// Rows that all of these scans reach, however rare each is: of one index of trigrams those whose texts stand for
    /// every trigram.
    private static func fewest(
        in scan: IndexScan, besides others: [IndexScan], _ context: PlanContext
    ) throws -> Double {
        guard scan.isOfTrigram, others.allSatisfy({ $0.shared.id == scan.shared.id }) else { return 0 }
        return Double(try context.longTextCount(in: scan.index))
    }
}

extension IndexScan {
    /// Whether it comes from one of these conjuncts.
    fileprivate func shares(_ positions: [Int]) -> Bool { positions.contains(where: self.positions.contains) }
}

extension Candidate {
    /// Whether it comes of other ways, or of a look at the values, and is not kept.
    var isDerived: Bool {
        switch accessPath {
        case .intersection, .skip: true
        case .union(let scans): scans.contains(where: \.isOfTrigram)
        case .nothing, .rows, .table, .index, .join: false
        }
    }
}

extension Cost {
    /// Reading the entries of one of the scans of an intersection.
    static func intersecting(_ scan: IndexScan) -> Double {
        Double(scan.entryCount) * (entry + intersection) + Double(scan.ranges.count) * range
    }
}
