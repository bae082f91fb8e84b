import LoamQuery
import LoamStorage

/// Tells which results a commit can touch: by the entities and fields that it changed, and for results that read a few
/// ranges of an index, or rows that are named, by the keys and ids of the rows.
struct LiveRoutes: Sendable {
    /// Tells the results of a file apart.
    typealias ID = Int

    /// The rows of a commit that some of the results look at.
    struct Routed: Sendable {
        /// Which results it may have touched.
        var due: Set<ID> = []
        /// For results that are told of single rows, by the number of their route: those that they look at.
        var rows: [Int: [RowPlace]] = [:]
        /// The last route that was known when the commit was routed.
        var lastRoute = 0

        /// The rows that a result with a route of this number looks at; nil where it may be all of them.
        func places(of route: Int) -> [RowPlace]? { route <= lastRoute ? rows[route] ?? [] : nil }
    }

    /// Where a row stands in a ``ChangeSet``.
    struct RowPlace: Hashable, Sendable {
        var save: Int32
        var row: Int32
    }

    private struct Route {
        var number: Int
        var id: ID
        var interest: ResultInterest
        var reach: PlacementRule.Reach
    }

    /// The results that look at an entity.
    private struct Followers {
        /// Those for which every changed row counts.
        var whole: Set<Int> = []
        /// Those that read ranges of an index.
        var ranges: [IndexID: RangeMap] = [:]
        /// Those that read rows with these ids.
        var rows: [RowID: Set<Int>] = [:]
        /// Those that read a range of ids or of an index, or rows that are named.
        private(set) var narrowed: Set<Int> = []
        /// The positions of the fields that matter to one of these, or did to one that has gone since: a change of others
        /// is no result's, whatever row it is of. Nil for all.
        private(set) var fields: Set<Int>? = []

        mutating func narrow(_ number: Int, _ interest: ResultInterest) {
            narrowed.insert(number)
            fields = interest.shown.flatMap { fields?.union(interest.placing).union($0) }
        }

        /// Takes out one of those that are narrowed; returns whether it was one.
        mutating func remove(narrowed number: Int) -> Bool {
            guard narrowed.remove(number) != nil else { return false }
            if narrowed.isEmpty { fields = [] }
            return true
        }

        /// Whether a change of these fields can matter to one of those that are narrowed.
        func concerns(_ changed: some Sequence<Int>) -> Bool {
            guard let fields else { return true }
            return changed.contains { fields.contains($0) }
        }
    }

    private var routes: [Int: Route] = [:]
    private var numbers: [ID: Int] = [:]
    private var followers: [EntityID: Followers] = [:]
    private var lastNumber = 0

    /// The entities that some result looks at.
    var entities: Set<EntityID> { Set(followers.keys) }

    /// The number of a result's route; nil where the result looks at all rows.
    func number(of id: ID) -> Int? {
        guard let number = numbers[id], let route = routes[number] else { return nil }
        return followers[route.interest.entity]?.narrowed.contains(number) == true ? number : nil
    }

    /// Tells a result of what its interest is in, from now on.
    mutating func set(_ interest: ResultInterest, reach: PlacementRule.Reach, of id: ID) {
        remove(id)
        lastNumber += 1
        let number = lastNumber
        routes[number] = Route(number: number, id: id, interest: interest, reach: reach)
        numbers[id] = number
        for entity in interest.others.keys where entity != interest.entity {
            followers[entity, default: Followers()].whole.insert(number)
        }
        // What lies along relationships changes a result whichever row of its own entity changed.
        let reach = interest.others.isEmpty && interest.links.isEmpty ? reach : .all
        // Taken out meanwhile, so that nothing of it is copied.
        var own = followers.removeValue(forKey: interest.entity) ?? Followers()
        switch reach {
        case .all: own.whole.insert(number)
        case .rows(let rowIDs):
            own.narrow(number, interest)
            for rowID in rowIDs { own.rows[rowID, default: []].insert(number) }
        case .ranges(let index, let ranges):
            own.narrow(number, interest)
            for range in ranges { own.ranges[index, default: RangeMap()].insert(range, number: number) }
        }
        followers[interest.entity] = own
    }

    mutating func remove(_ id: ID) {
        guard let number = numbers.removeValue(forKey: id), let route = routes.removeValue(forKey: number) else {
            return
        }
        for entity in route.interest.entities {
            followers[entity]?.whole.remove(number)
            guard followers[entity]?.remove(narrowed: number) == true else { continue }
            switch route.reach {
            case .all: break
            case .rows(let rowIDs):
                for rowID in rowIDs {
                    followers[entity]?.rows[rowID]?.remove(number)
                    if followers[entity]?.rows[rowID]?.isEmpty == true { followers[entity]?.rows[rowID] = nil }
                }
            case .ranges(let index, _):
                followers[entity]?.ranges[index]?.remove(number)
                if followers[entity]?.ranges[index]?.isEmpty == true { followers[entity]?.ranges[index] = nil }
            }
        }
        for entity in route.interest.entities {
            if let own = followers[entity], own.whole.isEmpty, own.narrowed.isEmpty { followers[entity] = nil }
        }
    }
}

extension LiveRoutes {
    /// Whether rows have to be looked at to route a commit: a snapshot is needed then.
    func looksAtRows(of set: ChangeSet) -> Bool {
        set.entities.keys.contains { followers[$0]?.narrowed.isEmpty == false }
    }

    /// Finds the results that a commit may have touched. O(results that look at all rows of its entities), and for each
    /// changed row a look-up of its old key, and of the new one where that can be another, in every index of which
    /// results read ranges.
    ///
    /// - Parameter snapshot: one that has the commit; nil where there is none, and all results of an entity are due.
    func route(_ set: ChangeSet, in snapshot: Snapshot?) -> Routed {
        var routed = Routed(lastRoute: lastNumber)
        for entity in set.changedEntities {
            guard let own = followers[entity] else { continue }
            for number in own.whole {
                guard let route = routes[number], route.interest.isTouched(by: set, of: entity) else { continue }
                routed.due.insert(route.id)
            }
            guard !own.narrowed.isEmpty else { continue }
            if let snapshot, !set.rewritten.contains(entity) {
                route(rowsOf: entity, of: set, own, in: snapshot, &routed)
            } else {
                giveUp(own, &routed)
            }
        }
        return routed
    }

    /// All results of an entity are due, and look at all rows.
    private func giveUp(_ own: Followers, _ routed: inout Routed) {
        (routed.lastRoute, routed.rows) = (0, [:])
        for number in own.narrowed { if let route = routes[number] { routed.due.insert(route.id) } }
    }

    private func route(
        rowsOf entity: EntityID, of set: ChangeSet, _ own: Followers, in snapshot: Snapshot, _ routed: inout Routed
    ) {
        let indexes = own.ranges.map { (keys: RecordKeys(of: entity, in: $0.key, snapshot), ranges: $0.value) }
        var found: Set<Int> = []
        // Where many results look at the same rows it takes less memory that each looks at all of the commit.
        var room = 4 * set.rowCount + 256
        for (save, result) in set.results.enumerated() {
            for (number, row) in result.rows.enumerated() where row.entity == entity {
                let isWhole = row.old == nil || row.new == nil
                guard isWhole || own.concerns(row.changed) else { continue }
                found.removeAll(keepingCapacity: true)
                if !own.rows.isEmpty, let readers = own.rows[row.rowID] { found.formUnion(readers) }
                for (keys, ranges) in indexes {
                    // A row that stays where it was is looked for once.
                    let moves = isWhole || keys?.depend(on: row.changed) != false
                    for record in [row.old, moves ? row.new : nil] {
                        guard let record else { continue }
                        guard let key = keys?.key(of: row.rowID, record: record) else {
                            found.formUnion(own.narrowed)
                            break
                        }
                        ranges.forEach(holding: key) { found.insert($0) }
                    }
                }
                for found in found {
                    guard let route = routes[found], isWhole || route.interest.concerns(row.changed) else { continue }
                    routed.due.insert(route.id)
                    room -= 1
                    if room >= 0 {
                        routed.rows[found, default: []].append(RowPlace(save: Int32(save), row: Int32(number)))
                    }
                }
            }
        }
        if room < 0 { (routed.lastRoute, routed.rows) = (0, [:]) }
    }
}

extension ResultInterest {
    /// Whether a commit can have changed the result by what it changed of an entity.
    fileprivate func isTouched(by set: ChangeSet, of changed: EntityID) -> Bool {
        if set.rewritten.contains(changed) { return true }
        guard let extent = set.entities[changed] else { return false }
        if extent.insertsOrDeletes || !extent.relationships.isDisjoint(with: links) { return true }
        if let read = others[changed], !extent.fields.isDisjoint(with: read) { return true }
        return changed == entity && concerns(extent.fields)
    }
}
