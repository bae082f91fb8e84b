import LoamQuery
import LoamStorage

/// Keeps a result: reads it once, and then brings it from save to save by the rows that changed.
///
/// Costs O(log n) for each changed row that stands in the result before or after, and a look at the record for each
/// whose place could be another. The result is read again and merged where more than 64 rows and more than a tenth of
/// the held ones changed, or where rows of other entities changed on which its places depend.
struct ResultUpkeep: Sendable {
    let query: Query
    private(set) var state: ResultState
    private(set) var interest: ResultInterest
    private var order: PlacementRule
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
        generation = snapshot.catalog.generation
        state = try Self.read(order, in: snapshot)
    }

    /// The entities whose changes concern a query's result.
    static func entities(of query: Query, in snapshot: Snapshot) throws -> Set<EntityID> {
        ResultInterest(try PlacementRule(resolve(query, in: snapshot))).entities
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
        let empty = ResultState(order: resultOrder, offset: query.offset, limit: query.limit)
        let (rows, isComplete) = try rows(order, wanted: empty.wanted, in: snapshot)
        var state = ResultState(
            placed: rows, isSectioned: query.section != nil, order: resultOrder, offset: query.offset,
            limit: query.limit, isComplete: isComplete)
        state.save = try snapshot.lastSave()
        return state
    }

    private static func rows(
        _ order: PlacementRule, wanted: Int?, in snapshot: Snapshot
    ) throws -> (rows: [(row: ResultRow, place: PlacementRule.Placement)], isComplete: Bool) {
        var rows: [(row: ResultRow, place: PlacementRule.Placement)] = []
        try order.forEachRow(in: snapshot, limit: wanted) { rowID, place in
            rows.append((ResultRow(rowID: rowID, key: place.key), place))
        }
        return (rows, wanted.map { rows.count < $0 } ?? true)
    }
}

extension ResultUpkeep {
    /// Brings the state up to a round's snapshot: nil where nothing changed in the result.
    ///
    /// - Parameter knowsSets: false where the round's sets are not all that concern the result since its state's save.
    mutating func follow(_ round: LiveRound, knowsSets: Bool = true) throws -> LiveUpdate? {
        let (snapshot, old) = (round.snapshot, state)
        do {
            let isOther = try adoptSchema(of: snapshot)
            if mustRead || isOther { return try reset(in: snapshot) }
            guard round.last > state.save else { return nil }
            var changes = RowChanges()
            let round = knowsSets ? round : try LiveRound([], known: state.save, in: snapshot)
            for set in round.sets { changes.add(set, after: state.save, interest: interest) }
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
        mustRead = false
        return LiveUpdate(resetting: old, to: state)
    }

    /// Whether the catalog has changed so that the query means something else.
    private mutating func adoptSchema(of snapshot: Snapshot) throws -> Bool {
        guard snapshot.catalog.generation != generation else { return false }
        let new = try PlacementRule(Self.resolve(query, in: snapshot))
        let isOther = new.query.withoutIndexes != order.query.withoutIndexes
        order = new
        interest = ResultInterest(new)
        generation = snapshot.catalog.generation
        return isOther
    }
}

extension ResultUpkeep {
    /// A difference, and the rows that it is about. The rows may be more.
    private typealias Followed = (difference: LiveDifference, rows: Set<RowID>)

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
        let changed = changes.moved.union(changes.touched)
        let window = WindowChanges(from: old, to: state)
        let difference = LiveDifference(window, from: old, to: state, changed: changed)
        return (difference, changed.union(window.removed.map(\.rowID)).union(window.inserted.map(\.rowID)))
    }

    /// Places the changed rows one by one.
    private mutating func place(_ changes: RowChanges, in snapshot: Snapshot) throws -> Followed {
        var places: [RowID: PlacementRule.Placement?] = [:]
        for rowID in changes.moved {
            places[rowID] = .some(try order.placement(of: rowID, in: snapshot))
        }
        let old = state
        var held = state.apply(places)
        if state.isShort {
            let (rows, isComplete) = try Self.rows(order, wanted: state.wanted, in: snapshot)
            state.extend(by: rows, isComplete: isComplete, &held)
        }
        let changed = changes.moved.union(changes.touched)
        let difference = LiveDifference(
            WindowChanges(removed: held.removed, inserted: held.inserted, old: old, new: state), from: old, to: state,
            changed: changed)
        state.trim()
        return (difference, changed)
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
