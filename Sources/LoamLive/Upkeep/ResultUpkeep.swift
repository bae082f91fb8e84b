import LoamQuery
import LoamStorage

/// Keeps a result: reads it once, and then brings it from save to save by the rows that changed.
///
/// Costs O(log n) for each changed row, and a look at its record before and after. A materialized result is read again
/// and merged where more than 64 rows and more than a tenth of the held ones changed, or are touched by a change of rows
/// that relationships lead to; and where another process has changed such rows.
struct ResultUpkeep: Sendable {
    let query: Query
    var state: ResultState
    private(set) var interest: ResultInterest
    /// The rows that can be in the result.
    private(set) var reach: PlacementRule.Reach
    var trace: LiveTrace
    /// What a commit that was announced makes of the result, where it is the next one.
    var foreseen: ForeseenUpdate?
    /// How often a round took what was worked out before its commit was made: what tests look at.
    var foreseenRounds = 0
    private(set) var order: PlacementRule
    private(set) var arrangement: PlacementRule.Arrangement
    let leases: LiveLeases
    let owner: LiveLeases.ID
    private(set) var generation: UInt64
    /// Whether the result has to be read again, because following failed.
    private(set) var mustRead = false
    /// Whether virtual rows are entries of another span than the query asks for now.
    private(set) var isElsewhere = false
    /// Whether other changes concern the result than when it was routed last. Whoever routes it sets this to false.
    var mustReroute = false

    /// - Parameters:
    ///   - outline: what the query means in the snapshot.
    ///   - lease: what holds the snapshot; nil makes a materialized result.
    ///   - owner: whose rows they are.
    ///   - trace: what was done for the result before.
    init(
        _ query: Query, _ outline: ResultOutline, in snapshot: Snapshot, lease: SnapshotLease?, leases: LiveLeases,
        owner: LiveLeases.ID, trace: LiveTrace = LiveTrace()
    ) throws {
        (self.query, self.trace) = (query, trace)
        (self.leases, self.owner) = (leases, owner)
        (order, arrangement) = (outline.order, outline.arrangement)
        (interest, reach) = (outline.interest, outline.reach)
        generation = snapshot.catalog.generation
        state = try Self.read(order, arrangement, in: snapshot, lease: lease, leases: leases, owner: owner)
    }

    /// Reads a result: in a snapshot that is held for it where its rows are virtual.
    ///
    /// - Parameter outline: what the query meant when it was looked at last.
    static func open(
        _ query: Query, like outline: ResultOutline, in store: Store, leases: LiveLeases, owner: LiveLeases.ID
    ) throws -> ResultUpkeep {
        if outline.isSpan {
            let virtual = try leases.withNewest(of: store) { lease -> ResultUpkeep? in
                let outline = try ResultOutline(query, in: lease.snapshot)
                guard outline.isSpan else { return nil }
                return try ResultUpkeep(
                    query, outline, in: lease.snapshot, lease: lease, leases: leases, owner: owner)
            }
            if let virtual, let rows = virtual.state.virtual {
                leases.keep(rows.standing, of: store)
                return virtual
            }
        }
        return try store.read { snapshot in
            try ResultUpkeep(
                query, ResultOutline(query, in: snapshot), in: snapshot, lease: nil, leases: leases, owner: owner)
        }
    }

    /// How the rows are kept, and why.
    var kind: LiveKind {
        if let virtual = state.virtual { return .virtual(index: virtual.standing.span.index.name) }
        if case .none(let reason) = arrangement { return .materialized(reason: reason) }
        return .materialized(reason: "no snapshot of the store has been held for it yet")
    }

    /// Whether the rows are held that are one range of an index, because no snapshot could be.
    var wantsSnapshot: Bool {
        if case .span = arrangement { state.virtual == nil } else { false }
    }

    private static func read(
        _ order: PlacementRule, _ arrangement: PlacementRule.Arrangement, in snapshot: Snapshot,
        lease: SnapshotLease?, leases: LiveLeases, owner: LiveLeases.ID
    ) throws -> ResultState {
        guard case .span(let span) = arrangement, let lease else { return try read(order, in: snapshot) }
        let standing = RowStanding(
            span, of: order.query, count: try span.count(in: snapshot), leases: leases, owner: owner,
            place: .leased(lease))
        return ResultState(
            virtual: VirtualRows(standing: standing),
            sections: order.query.section == nil ? nil : try order.sections(of: span, in: snapshot),
            order: ResultOrder(rowIDDirection: order.query.rowIDDirection), save: lease.save,
            offset: order.query.offset, limit: order.query.limit)
    }

    static func read(_ order: PlacementRule, in snapshot: Snapshot) throws -> ResultState {
        let query = order.query
        let resultOrder = ResultOrder(rowIDDirection: query.rowIDDirection)
        let wanted = ResultState(offset: query.offset, limit: query.limit).wanted
        var builder = StateBuilder(isSectioned: query.section != nil, order: resultOrder)
        var (count, isSorted) = (0, true)
        try order.forEachKey(in: snapshot, limit: wanted) { rowID, key, section in
            count += 1
            isSorted = isSorted && builder.append(rowID, key: key, section: section)
        }
        let isComplete = wanted.map { count < $0 } ?? true
        var state = builder.finish(offset: query.offset, limit: query.limit, isComplete: isComplete)
        if !isSorted {
            let (rows, isComplete) = try rows(order, wanted: wanted, in: snapshot)
            state = ResultState(
                placed: rows, isSectioned: query.section != nil, order: resultOrder, offset: query.offset,
                limit: query.limit, isComplete: isComplete)
        }
        state.save = try snapshot.lastSave()
        return state
    }

    static func rows(
        _ order: PlacementRule, wanted: Int?, in snapshot: Snapshot
    ) throws -> (rows: [(rowID: RowID, place: PlacementRule.Placement)], isComplete: Bool) {
        var rows: [(rowID: RowID, place: PlacementRule.Placement)] = []
        try order.forEachRow(in: snapshot, limit: wanted) { rowID, place in rows.append((rowID, place)) }
        return (rows, wanted.map { rows.count < $0 } ?? true)
    }
}

extension ResultUpkeep {
    /// Brings the state up to a round's snapshot: nil where nothing changed in the result.
    ///
    /// - Parameters:
    ///   - knowsSets: false where the round's sets are not all that concern the result since its state's save.
    ///   - route: the number of the result's route; nil where it looks at all rows.
    mutating func follow(_ round: LiveRound, knowsSets: Bool = true, route: Int? = nil) throws -> LiveUpdate? {
        let (snapshot, old) = (round.snapshot, state)
        do {
            let isOther = try adoptSchema(of: snapshot)
            if let news = try takeForeseen(in: round, where: knowsSets && !isOther) { return news.update }
            let isStale = try mustRead || isOther || isOut(of: snapshot)
            guard isStale || round.last > state.save || mayGiveUpRows(in: round) else { return nil }
            trace.rounds += 1
            if isStale { return try reset(round) }
            guard round.last > state.save else {
                try giveUpRows(in: round)
                return nil
            }
            let round =
                knowsSets ? round : try LiveRound([], known: state.save, in: snapshot, lease: round.lease)
            var changes = round.changes(after: state.save, interest: interest, route: route)
            if let entries = try round.untoldSaves(after: state.save) {
                for entry in entries { changes.add(entry, interest: interest) }
            } else {
                changes.isUnknown = true
            }
            let isTooMuch = state.virtual != nil && changes.count > LiveUpdate.mostRows
            if changes.isUnknown { return try reset(round) }
            let touched = try touchedRows(changes, in: snapshot)
            if touched == nil, changes.concernsOthers, showsOthers { return try reset(round) }
            if isTooMuch { return try renew(changes, in: round) }
            let update: Followed?
            do {
                update = try follow(changes, touching: touched, in: round)
            } catch is UnknownFormerPlace {
                return try renew(changes, in: round)
            }
            state.save = round.last
            if mayGiveUpRows(in: round) { try giveUpRows(in: round) }
            return update.map { LiveUpdate(old: old, new: state, $0.difference, rows: $0.rows) }
        } catch {
            mustRead = true
            throw error
        }
    }

    /// Whether values of related rows are handed out.
    var showsOthers: Bool { order.query.columns.contains { $0.related != nil } }

    private mutating func reset(_ round: LiveRound) throws -> LiveUpdate {
        let old = state
        arrangement = try order.arrangement(for: query, in: round.snapshot)
        state = try Self.read(
            order, arrangement, in: round.snapshot, lease: round.lease, leases: leases, owner: owner)
        if state.virtual == nil { leases.leave(owner) }
        trace.reads += 1
        (mustRead, isElsewhere) = (false, false)
        return LiveUpdate(resetting: old, to: state)
    }

    /// Counts virtual rows anew, where the places of the changed ones are not known. The window is compared where there is
    /// one: O(its rows).
    private mutating func renew(_ changes: RowChanges, in round: LiveRound) throws -> LiveUpdate {
        let update = try reset(round)
        guard state.limit != nil || state.offset > 0 else { return update }
        return LiveUpdate(
            rearranging: update.old, to: update.new, touched: changes.rows.mapValues(\.fields), hasUnsaved: false)
    }

    /// Whether rows are held that are one range of an index, which can be read in a snapshot now.
    private func mayGiveUpRows(in round: LiveRound) -> Bool {
        wantsSnapshot && round.lease != nil && round.last >= state.save
    }

    /// Goes on without the rows that are held: an index has come that has just them, or a snapshot can be held again.
    /// O(sections).
    private mutating func giveUpRows(in round: LiveRound) throws {
        guard case .span(let span) = arrangement, try round.snapshot.inexactCount(in: span.index) == 0 else { return }
        let virtual = try Self.read(
            order, arrangement, in: round.snapshot, lease: round.lease, leases: leases, owner: owner)
        // Rows without an entry would be lost.
        guard virtual.count == state.count else {
            throw StorageError(.inconsistent("an index has other entries than its rows"), index: span.index.name)
        }
        state = virtual
        isElsewhere = false
    }

    /// Has the rows read anew by the next round.
    mutating func readAnew() { mustRead = true }

    /// Whether virtual rows are not the entries of their span any more: the index is gone, or some key was cut.
    private mutating func isOut(of snapshot: Snapshot) throws -> Bool {
        guard let standing = state.virtual?.standing else { return false }
        return try isElsewhere || snapshot.inexactCount(in: standing.span.index) > 0
    }

    /// Whether the catalog has changed so that the query means something else.
    private mutating func adoptSchema(of snapshot: Snapshot) throws -> Bool {
        guard snapshot.catalog.generation != generation else { return false }
        let new = try ResultOutline(query, in: snapshot)
        let isOther = new.order.query.withoutIndexes != order.query.withoutIndexes
        if interest != new.interest || reach != new.reach { mustReroute = true }
        (order, arrangement, interest, reach) = (new.order, new.arrangement, new.interest, new.reach)
        generation = snapshot.catalog.generation
        if let standing = state.virtual?.standing {
            isElsewhere = if case .span(standing.span) = arrangement { false } else { true }
        }
        return isOther
    }
}

extension ResolvedQuery {
    /// What the query means, whichever indexes there are.
    fileprivate var withoutIndexes: ResolvedQuery {
        var copy = self
        copy.entity.indexes = []
        return copy
    }
}
