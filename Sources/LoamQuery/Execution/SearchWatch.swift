import LoamStorage

/// Watches a search that goes along an order, tests each row, and ends when enough of them match: how many rows it has
/// to look at follows from a guess at how many match, which may be far too high.
///
/// Past four times the rows that were expected, what was found so far says how many match, and all plans are priced by
/// that. Where one of them, from its beginning, costs less than the rest of this one, the search is left for it; else
/// it goes on for as many rows again.
final class SearchWatch {
    private static let patience = 4.0
    /// Looking at the prices costs about as much as reading so many rows.
    private static let fewestRows = 64

    private let plan: Plan
    private let snapshot: Snapshot
    /// Whether each row's record is wanted besides its values.
    private let readsRecords: Bool
    private var examined = 0
    /// Stored rows among them that match and were handed on.
    private var found = 0
    /// Those that match of a group of which nothing was handed on yet.
    private var collected = 0
    /// The rows of that group that are still to be looked at.
    private var groupRest = 0
    private var nextLook: Int
    /// How often other plans were priced.
    private(set) var looks = 0
    /// The plan that gives the result in place of this one, once there is one.
    private(set) var successor: Plan?

    /// Nil where the search needs no watch, or ends before the first look at the prices.
    init?(_ plan: Plan, in snapshot: Snapshot, readsRecords: Bool) {
        guard let first = Self.rowsBefore(plan) else { return nil }
        (self.plan, self.snapshot, self.readsRecords) = (plan, snapshot, readsRecords)
        nextLook = first
    }

    /// The rows after which a plan's search is looked at for the first time; nil where it is not watched.
    static func rowsBefore(_ plan: Plan) -> Int? {
        guard plan.arrangement.isGradual, plan.query.result == .rows, plan.wanted != nil, !plan.residual.isEmpty,
            plan.accessPath.scan != nil
        else { return nil }
        if let rows = plan.leavesAfter { return rows }
        let expected = min(Double(plan.estimate.entries) * patience, Double(plan.estimate.candidates))
        let rows = max(fewestRows, Int(expected))
        return rows < plan.estimate.candidates ? rows : nil
    }

    /// Rows that may be looked at before the next look at the prices; at least one.
    var rowsLeft: Int { max(1, nextLook - examined) }

    /// A row that was looked at matches. O(1).
    func noteMatch() { found += 1 }

    /// So many rows have been looked at. Returns false where the search is to end for its ``successor``. O(1), and now
    /// and then as much as planning the query.
    func note(examined count: Int) throws -> Bool {
        examined += count
        guard examined >= nextLook, successor == nil else { return successor == nil }
        nextLook = 2 * examined
        successor = try cheaperPlan()
        return successor == nil
    }

    /// One more row of a group has been looked at, all of which is looked at before one row of it is handed on; else as
    /// ``note(examined:)``.
    ///
    /// - Parameter rest: the rows of the group behind it.
    func noteInGroup(rest: Int) throws -> Bool {
        groupRest = rest
        return try note(examined: 1)
    }

    /// A row of such a group matches. O(1).
    func noteMatchInGroup() { collected += 1 }

    /// The matches of such a group are handed on now. O(1).
    func noteGroupEnd() { (collected, groupRest) = (0, 0) }

    private func cheaperPlan() throws -> Plan? {
        let matches = found + collected
        guard let wanted = plan.wanted, matches < wanted || groupRest > 0 else { return nil }
        let rows = Double(max(plan.estimate.candidates, examined))
        // Half a row more than was found: where none was, the next one may match all the same.
        let share = min(1, (Double(matches) + 0.5) / Double(max(1, examined)))
        let missing = Double(max(0, wanted - matches)) / share
        let rest = try plan.cost(
            ofWalking: min(rows - Double(examined), max(missing, Double(groupRest))), statistics: snapshot)
        guard rest > SkipRule.worthwhile || plan.leavesAfter != nil else { return nil }
        looks += 1
        let others = try Planner.plans(
            readsRecords ? plan.query.forRecords : plan.query, matching: share * rows, statistics: snapshot
        ).filter { !$0.goesAlong(plan) }
        guard let best = others.min(by: { $0.estimate.cost < $1.estimate.cost }) else { return nil }
        return best.estimate.cost < rest || plan.leavesAfter != nil ? best : nil
    }
}

extension Plan {
    /// The plan with its search left after so many rows, whatever they cost; nil where it is none that is watched.
    package func leaving(after rows: Int) -> Plan? {
        var plan = self
        plan.leavesAfter = rows
        return SearchWatch.rowsBefore(plan) == nil ? nil : plan
    }

    /// Whether it takes rows from the same index in the same order, so that it is no way out for the other one.
    fileprivate func goesAlong(_ other: Plan) -> Bool {
        guard arrangement.isGradual, let scan = accessPath.scan, let otherScan = other.accessPath.scan else {
            return false
        }
        return scan.shared == otherScan.shared
    }
}

extension PlanExecution {
    /// An execution of another plan for the same query, which counts on. It is not watched again.
    func following(_ successor: Plan) throws -> PlanExecution {
        // What is left of a search that is paused is told by the plan that it began with.
        let whole = pace == nil ? successor : successor.sortedAsAWhole
        let next = try PlanExecution(
            readsRecords ? whole.forRecords : whole, in: snapshot, work: work, readsRecords: readsRecords,
            overlay: changes, measurement: measurement?.following(work))
        next.pace = pace
        next.isWatched = false
        return next
    }
}
