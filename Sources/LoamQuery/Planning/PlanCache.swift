package import LoamStorage
import Synchronization

/// The plans of queries by their shape, for one catalog: a query of a known shape binds its constants into the plan
/// that was chosen for others.
///
/// What is kept is the way to the rows: which index, which conditions it answers, where the values are found. Ranges
/// are made anew and counted (long ones from sums alone), so that the estimates are those of the new constants. Other
/// ways are not looked at, so the bound plan is used only where none could be much better: where it reads little
/// besides the rows that it returns (``worthwhile``, about what it costs to look at all ways), or where no way depends
/// on the constants. Otherwise the query is planned as if nothing were kept.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | a part's `plans` | its mutex, held for one look-up | whoever has planned a query | ``mostPlans``, then all are dropped |
package final class PlanCache: Sendable {
    private final class Part: Sendable {
        let plans = Mutex<[QueryShape: KeptPlan]>([:])
    }

    private let parts = (0..<8).map { _ in Part() }
    /// In each part. A plan that is kept has at most 64 conditions, and 4 KiB of text in them.
    private static let mostPlans = 64

    package init() {}

    /// - Parameter analysisCount: another number says that distributions have changed.
    /// - Returns: the plan, and whether it is one that was kept.
    package func plan(
        _ query: Query, of entity: Entity, in schema: Schema, statistics: any IndexStatistics, analysisCount: Int
    ) throws -> (plan: Plan, isKept: Bool) {
        guard let shape = QueryShape(query) else {
            return (try Planner.plan(query, of: entity, in: schema, statistics: statistics), false)
        }
        let part = parts[shape.number & 7]
        let known = part.plans.withLock { $0[shape] }
        if let known, known.analysisCount == analysisCount,
            let plan = try known.bound(to: shape.slots, query: query, statistics: statistics)
        {
            return (plan, true)
        }
        let resolved = try ResolvedQuery(query, in: entity, schema: schema)
        let plan = try Planner.plan(resolved, statistics: statistics)
        if let kept = try KeptPlan(plan, slots: shape.slots, statistics: statistics, analysisCount: analysisCount) {
            part.plans.withLock { plans in
                if plans.count >= Self.mostPlans { plans.removeAll() }
                plans[shape] = kept
            }
        }
        return (plan, false)
    }
}

/// A plan as it was chosen for some constants.
private final class KeptPlan: Sendable {
    let plan: Plan
    let analysisCount: Int
    private let rowCount: Int
    private let openPositions: [Int]
    /// Whether no index and no identifier knows anything of the predicate.
    private let isIndifferent: Bool

    /// Cost of reading what is not returned, up to which no other way is looked at.
    private static let worthwhile = 500.0
    private static let worthwhileRow = 20.0
    private static let worthwhileScan = 2.0
    /// Candidates that are tested, up to which none is.
    private static let mostTested = 64

    /// Nil where nothing can be kept.
    init?(
        _ plan: Plan, slots: [QueryShape.Slot], statistics: any IndexStatistics, analysisCount: Int
    ) throws {
        guard !plan.query.readsRelations, plan.query.predicate.hasConstants(of: slots) else { return nil }
        switch plan.accessPath {
        case .index, .rows, .table(from: .min, through: .max): break
        case .table, .nothing, .union, .join: return nil
        }
        let context = try PlanContext(plan.query, statistics: statistics)
        isIndifferent = try context.knowsNothing
        if case .table = plan.accessPath, !isIndifferent { return nil }
        self.plan = plan
        self.analysisCount = analysisCount
        rowCount = context.rowCount
        openPositions = context.conjuncts.indices.filter { plan.residual.contains(context.conjuncts[$0]) }
    }

    /// The plan for other constants; nil where another one may be much better.
    func bound(to slots: [QueryShape.Slot], query: Query, statistics: any IndexStatistics) throws -> Plan? {
        var resolved = plan.query
        resolved.predicate = plan.query.predicate.replacingConstants(by: slots)
        resolved.limit = query.limit
        resolved.offset = query.offset
        let context = try PlanContext(resolved, statistics: statistics, indexes: [], isEstimated: true)
        guard context.rowCount / 2 <= rowCount, rowCount / 2 <= context.rowCount,
            let candidate = try candidate(context)
        else { return nil }
        if case .nothing = candidate.accessPath {
            return try Plan(candidate, context: context, open: [], like: plan, share: 1)
        }
        let open = candidate.openPositions(in: context)
        guard open == openPositions else { return nil }
        let bound = try Plan(candidate, context: context, open: open, like: plan, share: share(context, open: open))
        // Whether it is better to walk along the order or to sort follows from how many rows are asked for.
        let asksForAsMany = query.limit == plan.query.limit && query.offset == plan.query.offset
        return isIndifferent && asksForAsMany || isCheap(bound, rowCount: context.rowCount) ? bound : nil
    }

    private func candidate(_ context: PlanContext) throws -> Candidate? {
        switch plan.accessPath {
        case .table: return TableRule.candidates(context).first
        case .index(let scan): return try IndexRule.candidate(scan.index, context: context)
        case .rows:
            let rows = IdentifierRule.candidates(context).filter {
                if case .rows = $0.accessPath { true } else { false }
            }
            return rows.min { $0.rows < $1.rows }
        case .nothing, .union, .join: return nil
        }
    }

    private func share(_ context: PlanContext, open: [Int]) -> Double {
        open.reduce(1) { max(0.0005, $0 * Cost.selectivity(context.conjuncts[$1])) }
    }

    private func isCheap(_ plan: Plan, rowCount: Int) -> Bool {
        guard plan.residual.isEmpty else { return plan.estimate.candidates <= Self.mostTested }
        // Rows of an index are fetched out of their order: where they are most of the table, scanning it costs less.
        let forRows = min(Self.worthwhileRow * Double(plan.estimate.rows), Self.worthwhileScan * Double(rowCount))
        return plan.estimate.cost <= Self.worthwhile + forRows
    }
}

extension PlanContext {
    /// Whether the predicate reads nothing that an index begins with, and no identifier: then what any way costs does
    /// not follow from its constants.
    fileprivate var knowsNothing: Bool {
        get throws {
            guard !query.predicate.readsIdentifier else { return false }
            let paths = query.predicate.paths
            return try indexes.allSatisfy { index in
                guard let leading = try index.components.first.map(ComponentConditions.init) else { return true }
                return !paths.contains(where: leading.concerns)
            }
        }
    }
}
