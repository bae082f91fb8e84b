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

    /// A class, so that looking at one counts one reference.
    private final class Route: Sendable {
        let id: ID
        let interest: ResultInterest
        let reach: PlacementRule.Reach

        init(id: ID, interest: ResultInterest, reach: PlacementRule.Reach) {
            (self.id, self.interest, self.reach) = (id, interest, reach)
        }
    }

    /// The results that look at an entity.
    private struct Followers {
        /// Those for which every changed row counts.
        var whole: Set<Int> = []
        /// Those that read ranges of an index.
        var ranges: [IndexID: Shared<RangeMap>] = [:]
        /// Those that read rows with these ids.
        var rows: [RowID: Set<Int>] = [:]
        /// Those that read a range of ids or of an index, or rows that are named.
        private(set) var narrowed: Set<Int> = []
        /// The positions of the fields that matter to one of these, or did to one that has gone since: a change of others
        /// is no result's, whatever row it is of. Nil for all.
        private(set) var fields: Set<Int>? = []

        var isEmpty: Bool { whole.isEmpty && narrowed.isEmpty }

        mutating func add(_ number: Int, _ interest: ResultInterest, reach: PlacementRule.Reach) {
            switch reach {
            case .all: whole.insert(number)
            case .rows(let rowIDs):
                narrow(number, interest)
                for rowID in rowIDs { rows[rowID, default: []].insert(number) }
            case .ranges(let index, let parts):
                narrow(number, interest)
                for part in parts { ranges[index, default: Shared(RangeMap())].value.insert(part, number: number) }
            }
        }

        private mutating func narrow(_ number: Int, _ interest: ResultInterest) {
            narrowed.insert(number)
            fields = interest.shown.flatMap { fields?.union(interest.placing).union($0) }
        }

        mutating func remove(_ number: Int, reach: PlacementRule.Reach) {
            whole.remove(number)
            guard narrowed.remove(number) != nil else { return }
            if narrowed.isEmpty { fields = [] }
            switch reach {
            case .all: break
            case .rows(let rowIDs):
                for rowID in rowIDs {
                    rows[rowID]?.remove(number)
                    if rows[rowID]?.isEmpty == true { rows[rowID] = nil }
                }
            case .ranges(let index, _):
                ranges[index]?.value.remove(number)
                if ranges[index]?.value.isEmpty == true { ranges[index] = nil }
            }
        }

        /// Whether a change of these fields can matter to one of those that are narrowed.
        func concerns(_ changed: some Sequence<Int>) -> Bool {
            guard let fields else { return true }
            return changed.contains { fields.contains($0) }
        }
    }

    private var routes: [Int: Route] = [:]
    private var numbers: [ID: Int] = [:]
    private var followers: [EntityID: Shared<Followers>] = [:]
    private var lastNumber = 0

    /// The entities that some result looks at.
    var entities: Set<EntityID> { Set(followers.keys) }

    /// The number of a result's route; nil where the result looks at all rows.
    func number(of id: ID) -> Int? {
        guard let number = numbers[id], let route = routes[number] else { return nil }
        return followers[route.interest.entity]?.value.narrowed.contains(number) == true ? number : nil
    }

    /// Tells a result of what its interest is in, from now on.
    mutating func set(_ interest: ResultInterest, reach: PlacementRule.Reach, of id: ID) {
        remove(id)
        lastNumber += 1
        let number = lastNumber
        routes[number] = Route(id: id, interest: interest, reach: reach)
        numbers[id] = number
        for entity in interest.others.keys where entity != interest.entity {
            followers[entity, default: Shared(Followers())].value.whole.insert(number)
        }
        // What lies along relationships changes a result whichever row of its own entity changed.
        let reach = interest.others.isEmpty && interest.links.isEmpty ? reach : .all
        followers[interest.entity, default: Shared(Followers())].value.add(number, interest, reach: reach)
    }

    mutating func remove(_ id: ID) {
        guard let number = numbers.removeValue(forKey: id), let route = routes.removeValue(forKey: number) else {
            return
        }
        for entity in route.interest.entities {
            followers[entity]?.value.remove(number, reach: route.reach)
            if followers[entity]?.value.isEmpty == true { followers[entity] = nil }
        }
    }
}

extension LiveRoutes {
    /// Whether rows have to be looked at to route a commit: a snapshot is needed then.
    func looksAtRows(of set: ChangeSet) -> Bool {
        set.entities.keys.contains { followers[$0]?.value.narrowed.isEmpty == false }
    }

    /// Finds the results that a commit may have touched. O(results that look at all rows of its entities), and for each
    /// changed row a look-up of its old key, and of the new one where that can be another, in every index of which
    /// results read ranges.
    ///
    /// - Parameter snapshot: one that has the commit; nil where there is none, and all results of an entity are due.
    func route(_ set: ChangeSet, in snapshot: Snapshot?) -> Routed {
        var routed = Routed(lastRoute: lastNumber)
        set.forEachChangedEntity { entity in
            if let own = followers[entity] { route(entity, of: set, own.value, in: snapshot, &routed) }
        }
        return routed
    }

    private func route(
        _ entity: EntityID, of set: ChangeSet, _ own: Followers, in snapshot: Snapshot?, _ routed: inout Routed
    ) {
        for number in own.whole {
            guard let route = routes[number], route.interest.isTouched(by: set, of: entity) else { continue }
            routed.due.insert(route.id)
        }
        guard !own.narrowed.isEmpty else { return }
        if let snapshot, !set.rewritten.contains(entity) {
            route(rowsOf: entity, of: set, own, in: snapshot, &routed)
        } else {
            giveUp(own, &routed)
        }
    }

    /// All results of an entity are due, and look at all rows.
    private func giveUp(_ own: Followers, _ routed: inout Routed) {
        (routed.lastRoute, routed.rows) = (0, [:])
        for number in own.narrowed { if let route = routes[number] { routed.due.insert(route.id) } }
    }

    private func route(
        rowsOf entity: EntityID, of set: ChangeSet, _ own: Followers, in snapshot: Snapshot, _ routed: inout Routed
    ) {
        let indexes = own.ranges.map {
            SearchedIndex(keys: RecordKeys(of: entity, in: $0.key, snapshot), ranges: $0.value)
        }
        var found: Set<Int> = []
        // Where many results look at the same rows it takes less memory that each looks at all of the commit.
        var room = 4 * set.rowCount + 256
        for save in set.results.indices {
            let rows = set.results[save].rows
            // Rows are looked at where they lie: a copy would count references.
            for number in rows.indices where rows[number].entity == entity {
                let isWhole = rows[number].isWhole
                guard isWhole || own.concerns(rows[number].changed) else { continue }
                let rowID = rows[number].rowID
                found.removeAll(keepingCapacity: true)
                if !own.rows.isEmpty, let readers = own.rows[rowID] { found.formUnion(readers) }
                for index in indexes {
                    // A row that stays where it was is looked for once.
                    let moves = isWhole || index.keys?.depend(on: rows[number].changed) != false
                    guard index.find(rowID, rows[number].old, &found),
                        !moves || index.find(rowID, rows[number].new, &found)
                    else {
                        found.formUnion(own.narrowed)
                        break
                    }
                }
                for found in found {
                    guard let route = routes[found], isWhole || route.interest.concerns(rows[number].changed) else {
                        continue
                    }
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

/// An index of which results read ranges.
private struct SearchedIndex {
    /// Nil where the snapshot cannot read the index.
    let keys: RecordKeys?
    let ranges: Shared<RangeMap>

    /// Adds those that read the range which a row stands in as a record has it, where there is one; false where the record
    /// does not tell.
    func find(_ rowID: RowID, _ record: [UInt8]?, _ found: inout Set<Int>) -> Bool {
        guard let record else { return true }
        guard let key = keys?.key(of: rowID, record: record) else { return false }
        ranges.value.forEach(holding: key) { found.insert($0) }
        return true
    }
}

extension SaveResult.Row {
    /// Whether the row came or went.
    fileprivate var isWhole: Bool { old == nil || new == nil }
}

extension ResultInterest {
    /// Whether a commit can have changed the result by what it changed of an entity.
    fileprivate func isTouched(by set: ChangeSet, of changed: EntityID) -> Bool {
        if !set.rewritten.isEmpty, set.rewritten.contains(changed) { return true }
        guard let extent = set.entities[changed] else { return false }
        if extent.insertsOrDeletes || !links.isEmpty && !extent.relationships.isDisjoint(with: links) { return true }
        if !others.isEmpty, let read = others[changed], !extent.fields.isDisjoint(with: read) { return true }
        return changed == entity && concerns(extent.fields)
    }
}
