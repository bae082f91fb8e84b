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
        if found.count == 2, narrowCount == 2, trigrams.isEmpty {
            return candidate(of: found[0], found[1], context, takesAll: takesAll)
        }
        var narrow: [Int] = []
        narrow.reserveCapacity(narrowCount + trigrams.count)
        for position in found.indices where found[position].isNarrowScan { narrow.append(position) }
        narrow += found.count..<found.count + trigrams.count
        func expected(_ position: Int) -> Int {
            position < found.count ? found[position].rows : trigrams[position - found.count].entryCount
        }
        narrow.sort { expected($0) < expected($1) }
        var (scans, answered): ([IndexScan], [Int]) = ([], [])
        scans.reserveCapacity(narrow.count)
        answered.reserveCapacity(narrow.count)
        var common = CommonRows(of: context.rowCount)
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
            let more = common.adding(scan, fewest: try fewest(in: scan, besides: scans, context))
            guard takesAll && !scan.isOfTrigram || scans.isEmpty || more.isWorth(scan, besides: common)
            else { continue }
            scans.append(scan)
            if position < found.count {
                answered += found[position].answered
            }
            common = more
        }
        guard scans.count > 1 || scans.first?.isOfTrigram ?? false else { return nil }
        if zip(answered, answered.dropFirst()).contains(where: >) { answered.sort() }
        return Candidate(
            accessPath: .intersection(scans), answered: answered, rows: Int(common.rows.rounded(.up)), origin: nil)
    }

    /// The same of two ways, which most queries with an intersection have.
    ///
    /// - Returns: nil where one of them alone is as good, or one is no scan that conditions narrow.
    static func candidate(
        of first: Candidate, _ second: Candidate, _ context: PlanContext, takesAll: Bool = false
    ) -> Candidate? {
        guard first.isNarrowScan, second.isNarrowScan, case .index(let one) = first.accessPath,
            case .index(let other) = second.accessPath
        else { return nil }
        return candidate(
            of: one, answering: first.answered, other, answering: second.answered, context, takesAll: takesAll)
    }

    /// The same of two scans that are made for nothing else.
    static func candidate(of first: BuiltScan, _ second: BuiltScan, _ context: PlanContext) -> Candidate? {
        guard first.scan.isNarrow, second.scan.isNarrow else { return nil }
        return candidate(
            of: first.scan, answering: first.answered, second.scan, answering: second.answered, context,
            takesAll: false)
    }

    private static func candidate(
        of first: IndexScan, answering firstAnswered: [Int], _ second: IndexScan, answering secondAnswered: [Int],
        _ context: PlanContext, takesAll: Bool
    ) -> Candidate? {
        guard !first.shares(second.positions) else { return nil }
        let isInOrder = first.entryCount <= second.entryCount
        let (narrow, wide) = isInOrder ? (first, second) : (second, first)
        let alone = CommonRows(of: context.rowCount).adding(narrow)
        let both = alone.adding(wide)
        guard takesAll || both.isWorth(wide, besides: alone) else { return nil }
        return Candidate(
            accessPath: .intersection([narrow, wide]),
            answered: together(firstAnswered, secondAnswered, context), rows: Int(both.rows.rounded(.up)), origin: nil)
    }

    /// The positions of all conjuncts that two scans answer, which answer none together, in order.
    private static func together(_ first: [Int], _ second: [Int], _ context: PlanContext) -> [Int] {
        if first.count + second.count == context.conjuncts.count { return context.allPositions }
        if first.isEmpty { return second }
        return second.isEmpty ? first : (first + second).sorted()
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

/// About how many rows several scans have in common, as they are added, those with the fewest entries first.
private struct CommonRows {
    private let rowCount: Double
    private(set) var rows: Double
    /// Of all rows, those that each of the scans reaches, multiplied.
    private var product = 1.0
    private var smallest = 1.0

    init(of rowCount: Int) {
        self.rowCount = Double(rowCount)
        rows = self.rowCount
    }

    /// - Parameter fewest: rows that all of the scans reach at least.
    func adding(_ scan: IndexScan, fewest: Double = 0) -> CommonRows {
        var common = self
        let share = min(1, Double(scan.entryCount) / max(1, rowCount))
        common.smallest = min(smallest, share)
        // Conditions may say the same in two ways. Between that and no connection lies the mean of both.
        common.rows = max(rowCount * (product * share * common.smallest).squareRoot(), fewest)
        common.product = product * share
        return common
    }

    /// Whether a scan that was added costs less than the records that it saves.
    func isWorth(_ scan: IndexScan, besides others: CommonRows) -> Bool {
        (others.rows - rows) * Cost.sortedFetch > Cost.intersecting(scan)
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
