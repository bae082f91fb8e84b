import LoamStorage

/// The weighing of the ways that were kept for a shape, with the constants of one query. A way that is sure to cost more
/// than the best so far is not made a plan of; one that goes through a whole index is not looked for.
struct KeptChoice {
    private let context: PlanContext
    /// What the ways come to that conditions narrow, and the way that was the best before.
    private var candidates: [Candidate] = []
    private var ways: [(way: KeptWay, number: Int)] = []
    /// The position of the one among ``candidates`` that reaches the fewest rows.
    private var narrowest = 0
    /// The plan of the one at a position, where it is made already.
    private var known: (position: Int, plan: Plan)?
    private(set) var best: Plan?
    /// What ``best`` is made of; nil where that is trigrams.
    private(set) var bestChoice: KeptHabit.Choice?
    /// The conjuncts that ``best`` tests, by position.
    private(set) var bestOpen: [Int] = []
    private var bestNumber = Int.max
    private var selectivity: Selectivity?

    init(_ context: PlanContext) {
        self.context = context
        candidates.reserveCapacity(2)
        ways.reserveCapacity(2)
    }

    /// Adds what a way comes to that conditions narrow, or that was the best before. All are added before any is weighed.
    ///
    /// - Parameters:
    ///   - number: the way's position among all. Of several that cost the same, the first is taken.
    ///   - plan: for it, where that is made already.
    mutating func add(_ candidate: Candidate, way: KeptWay, number: Int, plan: Plan?) {
        if !candidates.isEmpty, candidate.rows < candidates[narrowest].rows { narrowest = candidates.count }
        if let plan { known = (candidates.count, plan) }
        candidates.append(candidate)
        ways.append((way, number))
    }

    /// Weighs what was added, mostly the best one first: then most others need not be completed. That is the narrowest,
    /// unless the best before was one that is not narrowed at all.
    mutating func weigh() throws {
        guard !candidates.isEmpty else { return }
        let first = ways.firstIndex { !$0.way.isNarrowed } ?? narrowest
        try weigh(at: first)
        for position in candidates.indices where position != first { try weigh(at: position) }
    }

    private mutating func weigh(at position: Int) throws {
        if let known, known.position == position {
            let open = candidates[position].openPositions(in: context)
            take(known.plan, number: ways[position].number, as: .way(ways[position].number), open: open)
        } else {
            try weigh(candidates[position], on: ways[position].way, number: ways[position].number)
        }
    }

    /// Weighs the rows that several of the ways have in common, or the trigrams that the conditions ask for.
    mutating func weighIntersection() throws {
        let ofTrigrams = !context.shape.trigramIndexes.isEmpty
        let trigrams = ofTrigrams ? try context.trigramScans().flatMap(\.self) : []
        if let common = try IntersectionRule.candidate(of: candidates, trigrams: trigrams, context) {
            try weigh(derived: common, as: trigrams.isEmpty ? .intersection : nil)
        }
        guard ofTrigrams else { return }
        for union in try TrigramUnionRule.candidates(context) { try weigh(derived: union, as: nil) }
    }

    /// Weighs a scan behind each value of an index's first component, where every other way costs much.
    ///
    /// - Parameter number: the position of the outline among those for the shape.
    mutating func weigh(_ outline: ScanOutline, number: Int) throws {
        let cost = best?.estimate.cost
        guard SkipRule.isWorthwhile(cost) else { return }
        for skip in try SkipRule.ways(outline, context, cost: cost ?? .infinity) {
            try weigh(derived: skip, as: skip.accessPath.scan?.isMerged ?? true ? nil : .skip(number))
        }
    }

    /// Weighs a way that no condition narrows.
    mutating func weigh(_ way: KeptWay, number: Int) throws {
        let least = leastCost(of: way, open: context.allPositions)
        guard isBetter(least, number: number), let candidate = try way.candidate(context) else { return }
        try weigh(candidate, on: way, number: number)
    }

    private mutating func weigh(_ candidate: Candidate, on way: KeptWay, number: Int) throws {
        let open = candidate.openPositions(in: context)
        guard isBetter(leastCost(of: way, with: candidate, open: open), number: number) else { return }
        let share = try share(of: open, among: candidate.rows)
        take(
            try Plan(candidate, context: context, open: open, like: way, share: share), number: number,
            as: .way(number), open: open)
    }

    private mutating func weigh(derived candidate: Candidate, as choice: KeptHabit.Choice?) throws {
        let open = candidate.openPositions(in: context)
        let share = try share(of: open, among: candidate.rows)
        let plan = try Plan(candidate, context: context, open: open, like: nil as Plan.Reading?, share: share)
        take(plan, number: .max, as: choice, open: open)
    }

    private mutating func take(_ plan: Plan, number: Int, as choice: KeptHabit.Choice?, open: [Int]) {
        guard isBetter(plan.estimate.cost, number: number) else { return }
        (best, bestNumber, bestChoice, bestOpen) = (plan, number, choice, open)
    }

    private func isBetter(_ cost: Double, number: Int) -> Bool {
        guard let best else { return true }
        return cost < best.estimate.cost || cost == best.estimate.cost && number < bestNumber
    }

    /// Where all rows are wanted and none is sorted, what is tested costs the same however many rows pass.
    private mutating func share(of open: [Int], among rows: Int) throws -> Double {
        if open.isEmpty { return 1 }
        guard context.query.limit != nil || !context.openOrder.isEmpty else { return context.guessedShare(of: open) }
        let known = selectivity ?? Selectivity(context, candidates: candidates)
        selectivity = known
        return try known.share(of: open, among: rows)
    }
}

extension KeptChoice {
    /// No plan for the way costs less. A scan of the table reads every record, and one of an index reads every entry, and
    /// the record of each unless the index holds all that is needed. A limit stops it when so many rows have passed, of
    /// which there are no more than any way reaches (``Selectivity``).
    ///
    /// - Parameter candidate: what the way comes to; nil for one that no condition narrows.
    private func leastCost(of way: KeptWay, with candidate: Candidate? = nil, open: [Int]) -> Double {
        guard context.query.result == .rows else { return 0 }
        let rows = Double(candidate?.rows ?? context.rowCount)
        switch candidate?.accessPath {
        case .table: return examined(of: rows, open: open, stops: context.openOrder.isEmpty)
        case .index(let scan):
            return Double(scan.ranges.count) * Cost.range
                + examined(of: rows, open: open, stops: isGradual(scan)) * costOfEntry(on: way, open: open)
        case nil where way.isTable: return examined(of: rows, open: open, stops: context.openOrder.isEmpty)
        case nil: return examined(of: rows, open: open, stops: true) * costOfEntry(on: way, open: open)
        case .nothing, .rows, .union, .intersection, .skip, .join: return 0
        }
    }

    /// Whether a limit may end a scan before its last row.
    private func isGradual(_ scan: IndexScan) -> Bool {
        guard context.query.limit != nil else { return false }
        let order = context.openOrder
        return order.isEmpty || scan.leadingKeys(of: order) != nil
            || scan.isReversed(for: order, rowIDs: context.query.rowIDDirection) != nil
    }

    private func costOfEntry(on way: KeptWay, open: [Int]) -> Double {
        Cost.entry + (way.reading.needsRecords && open == way.open ? Cost.sortedFetch : 0)
    }

    /// No fewer rows are looked at.
    ///
    /// - Parameter stops: whether the last ones need not be.
    private func examined(of rows: Double, open: [Int], stops: Bool) -> Double {
        guard stops, let limit = context.query.limit else { return rows }
        guard !open.isEmpty else { return min(rows, Double(limit)) }
        let fewest = candidates.isEmpty ? context.rowCount : candidates[narrowest].rows
        let share = max(min(1, Double(fewest) / max(1, rows)), 0.5 / Double(max(1, context.rowCount)))
        return min(rows, Double(limit) / share)
    }
}

extension PlanContext {
    /// A guess of the share of rows that pass all tests at these positions: it decides nothing where more than a few rows
    /// are tested.
    func guessedShare(of open: [Int]) -> Double {
        open.reduce(1) { max(0.0005, $0 * Cost.selectivity(conjuncts[$1])) }
    }
}
