import LoamStorage

/// What planning a query found that is the same for all queries of its shape: the ways to the rows, each with the plan
/// that it made for some constants.
///
/// The way that was chosen then is tried first. It is taken at once where it reads little besides the rows that it
/// returns (``worthwhile``, about what it costs to look at all ways), or where no way depends on the constants; else
/// all ways are weighed as in a new plan, unless the same one has been the best often (``KeptHabit``).
final class KeptQuery: Sendable {
    let analysisCount: Int
    private let shared: SharedQuery
    /// The limit and the offset of the query that was planned.
    private let (limit, offset): (Int?, Int)
    private let isUnordered: Bool
    private let shape: PlanContext.Shape
    private let ways: [KeptWay]
    /// The way that was chosen.
    private let chosen: KeptWay
    private let chosenNumber: Int
    private let rowCount: Int
    /// Those of the ways that conditions narrow.
    private let narrowed: [KeptWay]
    /// The scans of the narrowed ways, where these are two scans of indexes; nil elsewhere.
    private let pair: Pair?
    /// Scans that skip through the first component of an index.
    private let skipping: [ScanOutline]
    /// Whether no index and no identifier knows anything of the predicate, and none is skipped through for its order.
    private let isIndifferent: Bool
    /// Whether a look at all ways is worth being spared: where several may be the best for some constants.
    private let hasHabit: Bool
    private let habit = KeptHabit()

    /// Cost of reading what is not returned, up to which no other way is looked at.
    private static let worthwhile = 500.0
    private static let worthwhileRow = 20.0
    private static let worthwhileScan = 2.0
    /// Candidates that are tested, up to which none is.
    private static let mostTested = 64

    /// Two scans whose rows are intersected. An object, so that handing it on counts one reference.
    private final class Pair: Sendable {
        let (first, second): (ScanOutline, ScanOutline)

        init(_ first: ScanOutline, _ second: ScanOutline) { (self.first, self.second) = (first, second) }
    }

    /// Nil where nothing can be kept.
    init?(_ choice: PlanChoice, constants: [QueryShape.Slot], analysisCount: Int) throws {
        let context = choice.context
        guard !context.query.readsRelations, context.query.predicate.hasConstants(of: constants) else { return nil }
        var ways: [KeptWay] = []
        var chosen: (way: KeptWay, number: Int)?
        for (number, candidate) in choice.candidates.enumerated() where !candidate.isDerived {
            let plan = choice.plans[number]
            // Which index found nothing, and what else the way is good for, is not known.
            guard let route = try KeptWay.Route(candidate, context: context) else { return nil }
            if number != choice.bestKept, route.narrowsNothing, plan.isNeverBest { continue }
            let way = KeptWay(route: route, plan: plan, open: candidate.openPositions(in: context))
            if number == choice.bestKept { chosen = (way, ways.count) }
            ways.append(way)
        }
        guard let chosen else { return nil }
        (self.ways, self.analysisCount) = (ways, analysisCount)
        (self.chosen, chosenNumber) = chosen
        (shared, shape, rowCount) = (context.shared, context.shape, context.rowCount)
        (limit, offset) = (shared.query.limit, shared.query.offset)
        isUnordered = shared.query.isUnordered
        let narrowed = ways.filter(\.isNarrowed)
        self.narrowed = narrowed
        if narrowed.count == 2, let first = narrowed[0].outline, let second = narrowed[1].outline {
            pair = Pair(first, second)
        } else {
            pair = nil
        }
        skipping = try SkipRule.outlines(context)
        isIndifferent = context.knowsNothing && skipping.isEmpty
        hasHabit =
            !isIndifferent && shape.trigramIndexes.isEmpty
            && (narrowed.count > 1 || !skipping.isEmpty || ways.count > 1 && !shape.openOrder.isEmpty)
    }

    /// The plan for other constants; nil where the ways have to be looked for again.
    func plan(_ query: Query, constants: [QueryShape.Slot], statistics: any IndexStatistics) throws -> Plan? {
        let context = try PlanContext(
            shared.like(query, constants: constants), like: shape, statistics: statistics)
        guard isOfAsManyRows(context) else { return nil }
        if hasHabit, let trusted = habit.trusted(limit: query.limit, offset: query.offset) {
            context.decide(.whether)
            if let plan = try plan(as: trusted, context) { return plan }
        }
        context.decide(decision(query))
        // Whether it is better to walk along the order or to sort follows from how many rows are asked for.
        let isIndifferent =
            isIndifferent && query.limit == limit && query.offset == offset
        let first = try chosen.candidate(context)
        var known: Plan?
        if let first {
            let open = first.openPositions(in: context)
            if isIndifferent || open.isEmpty || first.rows <= Self.mostTested {
                let plan = try Plan(
                    first, context: context, open: open, like: chosen, share: context.guessedShare(of: open))
                // An index whose keys were cut since then does not serve its order any more.
                let isAsBefore = isIndifferent && plan.arrangement.isSameKind(as: chosen.reading.arrangement)
                if isAsBefore { return consume plan }
                if isCheap(plan, rowCount: context.rowCount) {
                    if hasHabit { habit.note(.way(chosenNumber), plan, open: open) }
                    return consume plan
                }
                // It rests on no guess.
                if open.isEmpty { known = consume plan }
            }
        }
        return try best(context, chosen: first, plan: known)
    }

    private func isOfAsManyRows(_ context: PlanContext) -> Bool {
        context.rowCount / 2 <= rowCount && rowCount / 2 <= context.rowCount
    }

    /// The plan of a choice; nil where the constants do not have it, or it costs more than it should.
    private func plan(as trusted: KeptHabit.Trusted, _ context: PlanContext) throws -> Plan? {
        let plan: Plan
        switch trusted.choice {
        case .way(let number):
            let way = ways[number]
            guard let candidate = try way.candidate(context) else { return nil }
            let open = candidate.openPositions(in: context)
            let share = open.isEmpty ? 1 : trusted.share
            plan = try Plan(candidate, context: context, open: open, like: way, share: share)
        case .intersection:
            guard let candidate = try intersection(context) else { return nil }
            plan = try Plan(candidate, context: context, like: trusted)
        case .skip(let number):
            guard let candidate = try SkipRule.candidate(skipping[number], context, cost: trusted.mostCost) else {
                return nil
            }
            plan = try Plan(candidate, context: context, like: trusted)
        }
        return plan.estimate.cost <= trusted.mostCost ? consume plan : nil
    }

    /// The rows that the narrow ways have in common; nil where one way alone is as good.
    private func intersection(_ context: PlanContext) throws -> Candidate? {
        if let pair {
            return IntersectionRule.candidate(
                of: try context.scan(pair.first, answering: context.conjuncts),
                try context.scan(pair.second, answering: context.conjuncts), context)
        }
        return try IntersectionRule.candidate(of: narrowed.compactMap { try $0.candidate(context) }, context)
    }

    private func decision(_ query: Query) -> PlanContext.Decision {
        if query.limit == nil {
            // Where rows may come in any order, an index that holds all that is asked may be better than the table.
            return !isUnordered && (narrowed.count <= 1 || shape.paths.count == 1) ? .table : .any
        }
        // Behind an offset there may be nothing left.
        return chosen.reading.arrangement == .served && chosen.open.isEmpty && query.offset == 0 ? .nothing : .any
    }

    /// The best plan of all ways; nil where the constants have none of them.
    private func best(_ context: PlanContext, chosen first: Candidate?, plan known: Plan?) throws -> Plan? {
        var choice = KeptChoice(context)
        for (number, way) in ways.enumerated() where way.isNarrowed || way === chosen {
            let isChosen = way === chosen
            guard let candidate = isChosen ? first : try way.candidate(context) else { continue }
            choice.add(candidate, way: way, number: number, plan: isChosen ? known : nil)
        }
        if narrowed.count > 1 || !shape.trigramIndexes.isEmpty { try choice.weighIntersection() }
        try choice.weigh()
        for (number, way) in ways.enumerated() where !way.isNarrowed && way !== chosen {
            try choice.weigh(way, number: number)
        }
        for (number, outline) in skipping.enumerated() { try choice.weigh(outline, number: number) }
        if hasHabit, let best = choice.best { habit.note(choice.bestChoice, best, open: choice.bestOpen) }
        return choice.best
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
    /// Completes a candidate that is made of several ways.
    @inline(__always)
    fileprivate init(_ candidate: Candidate, context: PlanContext, like trusted: KeptHabit.Trusted) throws {
        let open = candidate.openPositions(in: context)
        try self.init(
            candidate, context: context, open: open, like: open == trusted.reads?.open ? trusted.reads?.reading : nil,
            share: open.isEmpty ? 1 : trusted.share)
    }

    @inline(__always)
    init(
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
