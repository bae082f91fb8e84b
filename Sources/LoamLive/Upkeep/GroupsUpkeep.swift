import LoamQuery
import LoamStorage

/// Keeps groups of rows: reads them once, and then brings them from save to save by the records of the rows that changed,
/// before and after, without a look at the store.
///
/// The groups are read again where the records do not tell: where a save of another process changed rows, a sum is of
/// floating-point numbers, what counts lies in related rows or outside of a record, or the schema changed. A least or
/// greatest value that goes is looked for in its group alone.
struct GroupsUpkeep: Sendable {
    let query: GroupedQuery
    private(set) var kept: LiveGroups.Kept
    private(set) var interest: ResultInterest
    /// The rows that can be in a group.
    private(set) var reach: PlacementRule.Reach
    private(set) var trace = LiveTrace()
    private var mustRead = false

    /// The most groups whose ends are looked for one by one.
    private static let mostSearches = 16

    /// - Throws: ``QueryError`` for a query that cannot be run, `StorageError` for damage.
    init(_ query: GroupedQuery, in snapshot: Snapshot) throws {
        self.query = query
        (kept, interest, reach) = try Self.read(query, in: snapshot)
    }

    private static func read(
        _ query: GroupedQuery, in snapshot: Snapshot
    ) throws -> (LiveGroups.Kept, ResultInterest, PlacementRule.Reach) {
        let rule = try GroupRule(query, in: snapshot)
        var work = Work()
        let kept = LiveGroups.Kept(
            rule: rule, groups: try rule.groups(in: snapshot, work: &work), save: try snapshot.lastSave(),
            generation: snapshot.catalog.generation)
        return (kept, ResultInterest(rule.placing), try rule.placing.reach(in: snapshot))
    }

    private mutating func reset(in snapshot: Snapshot) throws -> Bool {
        trace.reads += 1
        (kept, interest, reach) = try Self.read(query, in: snapshot)
        mustRead = false
        return true
    }

    /// Brings the groups up to a round's snapshot; returns whether they may be others.
    ///
    /// - Parameters:
    ///   - knowsSets: false where the round's sets are not all that concern the groups since they were followed last.
    ///   - route: the number of the route; nil where all rows are looked at.
    mutating func follow(_ round: LiveRound, knowsSets: Bool, route: Int?) throws -> Bool {
        let snapshot = round.snapshot
        let isOther = snapshot.catalog.generation != kept.generation
        guard mustRead || isOther || round.last > kept.save else { return false }
        trace.rounds += 1
        do {
            if mustRead || isOther { return try reset(in: snapshot) }
            let round = knowsSets ? round : try LiveRound([], known: kept.save, in: snapshot)
            var changes = round.changes(after: kept.save, interest: interest, route: route)
            if let entries = try round.untoldSaves(after: kept.save) {
                for entry in entries { changes.add(entry, interest: interest) }
            } else {
                changes.isUnknown = true
            }
            if changes.isUnknown || changes.concernsOthers { return try reset(in: snapshot) }
            let before = trace.placed
            guard try place(changes, in: snapshot), try findEnds(in: snapshot) else { return try reset(in: snapshot) }
            kept.save = round.last
            return trace.placed > before
        } catch {
            mustRead = true
            throw error
        }
    }

    /// Takes the changed rows out of their groups and into them. O(aggregates) for each; false where a record does not
    /// tell.
    private mutating func place(_ changes: RowChanges, in snapshot: Snapshot) throws -> Bool {
        for (rowID, change) in changes.rows {
            let old: [UInt8]?
            switch change.former {
            case .absent: old = nil
            case .record(let record): old = record
            case .unknown: return false
            }
            guard case .share(let before) = try kept.rule.share(of: rowID, record: old, in: snapshot),
                case .share(let after) = try kept.rule.share(of: rowID, record: change.latter, in: snapshot)
            else { return false }
            guard before != after else { continue }
            trace.placed += 1
            if let before, !kept.rule.remove(before, of: rowID, from: &kept.groups) { return false }
            if let after { kept.rule.add(after, of: rowID, to: &kept.groups) }
            for share in [before, after] { if let share { kept.stale.insert(share.key) } }
        }
        return true
    }

    /// Finds the ends that went; false where the groups are to be read again.
    private mutating func findEnds(in snapshot: Snapshot) throws -> Bool {
        defer { kept.stale = [] }
        let stale = kept.stale.filter { kept.groups[$0]?.isStale == true }
        guard stale.count <= Self.mostSearches else { return false }
        var work = Work()
        for key in stale {
            guard var group = kept.groups[key], try kept.rule.findEnds(of: &group, in: snapshot, work: &work) else {
                return false
            }
            trace.searches += 1
            kept.groups[key] = group
        }
        return true
    }

    /// Has everything read anew by the next round.
    mutating func readAnew() { mustRead = true }
}
