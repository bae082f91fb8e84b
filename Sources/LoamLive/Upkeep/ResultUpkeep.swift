import LoamQuery
import LoamStorage

/// What was done to keep a result current.
package struct LiveTrace: Hashable, Sendable {
    /// How often the result was looked at after commits that may have touched it.
    package var rounds = 0
    /// The changed rows that were placed one by one.
    package var placed = 0
    /// How often the held rows were searched from end to end, for rows whose old records are not known.
    package var searches = 0
    /// How often the whole result was read again.
    package var reads = 0
}

/// Keeps a result: reads it once, and then brings it from save to save by the rows that changed.
///
/// Costs O(log n) for each changed row, and a look at its record before and after. The result is read again and merged where more than 64 rows and more than a tenth of
/// the held ones changed, or where rows of other entities changed on which its places depend.
struct ResultUpkeep: Sendable {
    let query: Query
    private(set) var state: ResultState
    private(set) var interest: ResultInterest
    /// The rows that can be in the result.
    private(set) var reach: PlacementRule.Reach
    private(set) var trace = LiveTrace()
    private(set) var order: PlacementRule
    private var generation: UInt64
    /// Whether the result has to be read again, because following failed.
    private var mustRead = false

    /// The number of changed rows up to which they are placed one by one, however small the result is.
    private static let fewRows = 64

    init(_ query: Query, in snapshot: Snapshot) throws {
        self.query = query
        let resolved = try Self.resolve(query, in: snapshot)
        order = try PlacementRule(resolved)
        interest = ResultInterest(order)
        reach = try order.reach(in: snapshot)
        generation = snapshot.catalog.generation
        state = try Self.read(order, in: snapshot)
    }

    /// Which changes concern a query's result.
    static func interest(
        of query: Query, in snapshot: Snapshot
    ) throws -> (interest: ResultInterest, reach: PlacementRule.Reach) {
        let rule = try PlacementRule(resolve(query, in: snapshot))
        return (ResultInterest(rule), try rule.reach(in: snapshot))
    }

    private static func resolve(_ query: Query, in snapshot: Snapshot) throws -> ResolvedQuery {
        guard let entity = snapshot.schema.entity(named: query.entity) else {
            throw QueryError(.unknownEntity, part: query.entity)
        }
        return try ResolvedQuery(query, in: entity, schema: snapshot.schema)
    }

    private static func read(_ order: PlacementRule, in snapshot: Snapshot) throws -> ResultState {
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

    private static func rows(
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
        trace.rounds += 1
        do {
            let isOther = try adoptSchema(of: snapshot)
            if mustRead || isOther { return try reset(in: snapshot) }
            guard round.last > state.save else { return nil }
            let round = knowsSets ? round : try LiveRound([], known: state.save, in: snapshot)
            var changes = round.changes(after: state.save, interest: interest, route: route)
            if let entries = try round.untoldSaves(after: state.save) {
                for entry in entries { changes.add(entry, interest: interest) }
            } else {
                changes.isUnknown = true
            }
            if changes.isUnknown { return try reset(in: snapshot) }
            let update = try follow(changes, in: snapshot)
            state.save = round.last
            return update.map { LiveUpdate(old: old, new: state, $0.difference, rows: $0.rows) }
        } catch {
            mustRead = true
            throw error
        }
    }

    private mutating func reset(in snapshot: Snapshot) throws -> LiveUpdate {
        let old = state
        state = try Self.read(order, in: snapshot)
        trace.reads += 1
        mustRead = false
        return LiveUpdate(resetting: old, to: state)
    }

    /// Whether the catalog has changed so that the query means something else.
    private mutating func adoptSchema(of snapshot: Snapshot) throws -> Bool {
        guard snapshot.catalog.generation != generation else { return false }
        let new = try PlacementRule(Self.resolve(query, in: snapshot))
        let isOther = new.query.withoutIndexes != order.query.withoutIndexes
        reach = try new.reach(in: snapshot)
        order = new
        interest = ResultInterest(new)
        generation = snapshot.catalog.generation
        return isOther
    }
}

extension ResultUpkeep {
    /// A difference, and the rows that it is about. The rows may be more; nil where they are too many to be told.
    private typealias Followed = (difference: LiveDifference, rows: [RowID: RowPassage]?)

    private mutating func follow(_ changes: RowChanges, in snapshot: Snapshot) throws -> Followed? {
        guard changes.count > 0 || changes.concernsOthers else { return nil }
        let followed =
            changes.concernsOthers || changes.count > max(Self.fewRows, state.held.count / 10)
            ? try merge(changes, in: snapshot) : try place(changes, in: snapshot)
        return followed.difference.isEmpty ? nil : followed
    }

    /// Reads the result again and compares it with the state. O(n).
    private mutating func merge(_ changes: RowChanges, in snapshot: Snapshot) throws -> Followed {
        let old = state
        state = try Self.read(order, in: snapshot)
        trace.reads += 1
        let window = WindowChanges(from: old, to: state)
        let touched = state.held.find(Array(changes.rows.keys)).map(\.row)
        let difference = LiveDifference(window, from: old, to: state, touched: touched)
        guard window.removed.count + window.inserted.count <= 2 * LiveUpdate.mostRows else { return (difference, nil) }
        var rows: [RowID: RowPassage] = [:]
        for row in touched { rows[row.rowID] = RowPassage(before: row, after: row) }
        for row in window.inserted {
            rows[row.rowID] = RowPassage(before: nil, after: state.held[state.window.lowerBound + row.index])
        }
        for row in window.removed {
            let before = old.held[old.window.lowerBound + row.index]
            rows[row.rowID] = RowPassage(before: before, after: rows[row.rowID]?.after)
        }
        return (difference, rows)
    }

    /// Places the changed rows one by one.
    private mutating func place(_ changes: RowChanges, in snapshot: Snapshot) throws -> Followed {
        let old = state
        let rows = try changedRows(changes, in: snapshot)
        var held = state.apply(rows)
        if state.isShort {
            let (rows, isComplete) = try Self.rows(order, wanted: state.wanted, in: snapshot)
            state.extend(by: rows, isComplete: isComplete, &held)
        }
        let difference = LiveDifference(
            WindowChanges(removed: held.removed, inserted: held.inserted, old: old, new: state), from: old, to: state,
            touched: held.passages.values.lazy.compactMap(\.after))
        state.trim()
        return (difference, held.passages)
    }

    /// Where the changed rows stand among the held ones, and their places now. O(log n) for each row whose old record
    /// tells where it stood; the held rows are searched once for all the others.
    private mutating func changedRows(_ changes: RowChanges, in snapshot: Snapshot) throws -> [ChangedRow] {
        var rows: [ChangedRow] = []
        var unknown: [RowID: Int] = [:]
        for (rowID, former) in changes.rows {
            if try !findFormer(rowID, former, in: snapshot, &rows) {
                unknown[rowID] = rows.count
                rows.append(ChangedRow(rowID: rowID))
            }
            rows[rows.count - 1].place = try order.placement(of: rowID, in: snapshot)
        }
        trace.placed += rows.count
        if !unknown.isEmpty { trace.searches += 1 }
        for (_, row) in state.held.find(Array(unknown.keys)) {
            if let number = unknown[row.rowID] { rows[number].before = row }
        }
        return rows
    }

    /// Appends a row where its old record tells where it stood; returns whether it does.
    private func findFormer(
        _ rowID: RowID, _ former: RowChanges.Former, in snapshot: Snapshot, _ rows: inout [ChangedRow]
    ) throws -> Bool {
        var before: ResultRow?
        if case .unknown = former { return false }
        if case .record(let record) = former {
            switch try order.formerPlacement(of: rowID, record: record, in: snapshot) {
            case .unknown: return false
            case .elsewhere: break
            case .place(let place):
                let row = ResultRow(rowID: rowID, key: place.key)
                if state.held.index(of: row, state.order) != nil { before = row }
            }
        }
        rows.append(ChangedRow(rowID: rowID, before: before))
        return true
    }
}

extension ResultInterest {
    fileprivate init(_ order: PlacementRule) {
        let query = order.query
        let shown = Set(query.columns.map(\.position))
        self.init(
            entity: query.entity.id, others: order.otherEntities, links: order.links, placing: order.properties,
            shown: shown.count == query.entity.properties.count ? nil : shown,
            properties: query.entity.properties.map(\.id))
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
