import LoamStorage

/// What planning a query found that is the same for all queries of its shape: the ways to the rows, each with the plan
/// that it made for some constants.
///
/// The way that was chosen then is tried first. It is taken at once where it reads little besides the rows that it
/// returns (``worthwhile``, about what it costs to look at all ways), or where no way depends on the constants; else
/// all ways are weighed as in a new plan.
final class KeptQuery: Sendable {
    let analysisCount: Int
    private let query: ResolvedQuery
    private let shape: PlanContext.Shape
    private let ways: [KeptWay]
    /// The way that was chosen.
    private let chosen: KeptWay
    private let rowCount: Int
    /// Whether no index and no identifier knows anything of the predicate.
    private let isIndifferent: Bool

    /// Cost of reading what is not returned, up to which no other way is looked at.
    private static let worthwhile = 500.0
    private static let worthwhileRow = 20.0
    private static let worthwhileScan = 2.0
    /// Candidates that are tested, up to which none is.
    private static let mostTested = 64

    /// Nil where nothing can be kept.
    init?(_ choice: PlanChoice, constants: [QueryShape.Slot], analysisCount: Int) throws {
        let context = choice.context
        guard !context.query.readsRelations, context.query.predicate.hasConstants(of: constants) else { return nil }
        var ways: [KeptWay] = []
        var chosen: KeptWay?
        for (number, candidate) in choice.candidates.enumerated() where !candidate.isDerived {
            let plan = choice.plans[number]
            // Which index found nothing, and what else the way is good for, is not known.
            guard let route = try KeptWay.Route(candidate, context: context) else { return nil }
            if number != choice.bestKept, route.narrowsNothing, plan.isNeverBest { continue }
            let way = KeptWay(route: route, plan: plan, open: candidate.openPositions(in: context))
            ways.append(way)
            if number == choice.bestKept { chosen = way }
        }
        guard let chosen else { return nil }
        (self.ways, self.chosen, self.analysisCount) = (ways, chosen, analysisCount)
        (query, shape, rowCount) = (context.query, context.shape, context.rowCount)
        isIndifferent = context.knowsNothing
    }

    /// The plan for other constants; nil where the ways have to be looked for again.
    func plan(_ query: Query, constants: [QueryShape.Slot], statistics: any IndexStatistics) throws -> Plan? {
        var resolved = self.query
        resolved.predicate = resolved.predicate.replacingConstants(by: constants)
        (resolved.limit, resolved.offset) = (query.limit, query.offset)
        let context = try PlanContext(resolved, like: shape, statistics: statistics)
        guard context.rowCount / 2 <= rowCount, rowCount / 2 <= context.rowCount else { return nil }
        // Whether it is better to walk along the order or to sort follows from how many rows are asked for.
        let isIndifferent =
            isIndifferent && query.limit == self.query.limit && query.offset == self.query.offset
        let first = try chosen.candidate(context)
        if let first {
            let open = first.openPositions(in: context)
            if isIndifferent || open.isEmpty || first.rows <= Self.mostTested {
                let plan = try Plan(first, context: context, open: open, like: chosen, share: share(open, in: context))
                // An index whose keys were cut since then does not serve its order any more.
                let isAsBefore = isIndifferent && plan.arrangement.isSameKind(as: chosen.reading.arrangement)
                if isAsBefore || isCheap(plan, rowCount: context.rowCount) { return plan }
            }
        }
        return try best(context, chosen: first)
    }

    private func best(_ context: PlanContext, chosen first: Candidate?) throws -> Plan? {
        var candidates: [Candidate] = []
        var found: [KeptWay] = []
        candidates.reserveCapacity(ways.count)
        found.reserveCapacity(ways.count)
        // The way that reaches the fewest rows.
        var narrowest = 0
        for way in ways {
            let candidate = way === chosen ? first : try way.candidate(context)
            guard let candidate else { continue }
            if !candidates.isEmpty, candidate.rows < candidates[narrowest].rows { narrowest = candidates.count }
            candidates.append(candidate)
            found.append(way)
        }
        guard !candidates.isEmpty else { return nil }
        // Where all rows are wanted and none is sorted, what is tested costs the same however many rows pass.
        let needsShares = context.query.limit != nil || !context.openOrder.isEmpty
        let selectivity = needsShares ? Selectivity(context, candidates: candidates) : nil
        // Mostly it is the best, and then most others need not be completed.
        var best = try plan(candidates[narrowest], context, like: found[narrowest], selectivity)
        var position = narrowest
        for other in candidates.indices where other != narrowest {
            let candidate = candidates[other]
            // Of several that cost the same, the first is taken.
            func isBetter(_ cost: Double) -> Bool {
                cost < best.estimate.cost || cost == best.estimate.cost && other < position
            }
            guard isBetter(candidate.leastCost(context, like: found[other])) else { continue }
            let plan = try plan(candidate, context, like: found[other], selectivity)
            if isBetter(plan.estimate.cost) { (best, position) = (plan, other) }
        }
        // What is made of the ways is made anew.
        for candidate in try Planner.derived(from: candidates, context, cost: best.estimate.cost) {
            let plan = try Plan(
                candidate, context: context,
                selectivity: selectivity ?? Selectivity(context, candidates: candidates))
            if plan.estimate.cost < best.estimate.cost { best = plan }
        }
        return best
    }

    private func plan(
        _ candidate: Candidate, _ context: PlanContext, like way: KeptWay, _ selectivity: Selectivity?
    ) throws -> Plan {
        let open = candidate.openPositions(in: context)
        let share = try selectivity?.share(of: open, among: candidate.rows) ?? share(open, in: context)
        return try Plan(candidate, context: context, open: open, like: way, share: share)
    }

    /// A guess: it decides nothing where more than a few rows are tested.
    private func share(_ open: [Int], in context: PlanContext) -> Double {
        open.reduce(1) { max(0.0005, $0 * Cost.selectivity(context.conjuncts[$1])) }
    }

    /// Whether no other way could be so much better that it is worth while to look at it.
    private func isCheap(_ plan: Plan, rowCount: Int) -> Bool {
        if case .nothing = plan.accessPath { return true }
        guard plan.residual.isEmpty else { return plan.estimate.candidates <= Self.mostTested }
        // Rows of an index are fetched out of their order: where they are most of the table, scanning it costs less.
        let forRows = min(Self.worthwhileRow * Double(plan.estimate.rows), Self.worthwhileScan * Double(rowCount))
        return plan.estimate.cost <= Self.worthwhile + forRows
    }
}

extension Plan {
    fileprivate init(
        _ candidate: Candidate, context: PlanContext, open: [Int], like way: KeptWay, share: Double
    ) throws {
        try self.init(
            candidate, context: context, open: open, like: open == way.open ? way.reading : nil, share: share)
    }

    /// Whether scanning the table is better than an index that narrows nothing: that holds not all that is needed and
    /// serves no order. One whose keys were cut may serve one later.
    fileprivate var isNeverBest: Bool {
        guard case .index(let scan) = accessPath, !scan.isInexact, covering == nil else { return false }
        switch arrangement {
        case .sums: return false
        case .served: return query.result != .rows || query.openOrder.isEmpty && query.rowIDDirection == .ascending
        case .partial: return false
        case .byRowID: return true
        case .sorted, .top: return scan.leadingKeys(of: query.openOrder) == nil
        }
    }
}

extension Candidate {
    /// No plan for the candidate costs less. Where nothing stops it, a scan of the table reads every record, and one of
    /// an index reads every entry, and the record of each unless the index holds all that is needed.
    fileprivate func leastCost(_ context: PlanContext, like way: KeptWay) -> Double {
        guard context.query.limit == nil, context.query.result == .rows else { return 0 }
        switch accessPath {
        case .table: return Double(rows)
        case .index(let scan):
            let needsRecords = way.reading.needsRecords && openPositions(in: context) == way.open
            let each = Cost.entry + (needsRecords ? Cost.sortedFetch : 0)
            return Double(scan.ranges.count) * Cost.range + Double(rows) * each
        case .nothing, .rows, .union, .intersection, .skip, .join: return 0
        }
    }
}

extension PlanContext {
    /// Whether the predicate reads nothing that an index begins with, and no identifier: then what any way costs does
    /// not follow from its constants.
    fileprivate var knowsNothing: Bool {
        guard !query.predicate.readsIdentifier, shape.trigramIndexes.isEmpty else { return false }
        let paths = query.predicate.paths
        return indexes.allSatisfy { index in
            guard let leading = index.components.first else { return true }
            return !paths.contains(where: leading.concerns) && !SkipRule.applies(to: index, paths: paths)
        }
    }
}
