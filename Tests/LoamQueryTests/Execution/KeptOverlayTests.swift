import Foundation
import LoamStorage
import RandomQueries
import SeededRandom
import Testing

@testable import LoamQuery

/// An overlay that is kept while rows come, change and go gives what a full scan over the merged rows gives, and tests
/// few of its rows where one of its orders tells which.
@Suite struct KeptOverlayTests {
    private static let isSoak = ProcessInfo.processInfo.environment["LOAM_SOAK"] != nil

    @Test(arguments: [31, 32] as [UInt64])
    func keptOrdersEqualAFullScan(seed: UInt64) throws {
        let sample = try SampleStore(seed: seed, rowCount: 60, longStrings: seed == 32)
        try sample.store.read { snapshot in
            let entity = try snapshot.entity(named: "Thing")
            var pending = PendingThings(sample, entity, seed: seed)
            var (tested, all) = (0, 0)
            for step in 0..<(Self.isSoak ? 6_000 : 600) {
                pending.change(step)
                let query = pending.query()
                let plans = try Planner.plans(ResolvedQuery(query, in: entity), statistics: snapshot)
                for plan in [try Planner.plan(query, in: snapshot), ValuePool.pick(plans, &pending.generator)] {
                    let text: Comment = "seed \(seed), step \(step)\n\(plan.explanation())"
                    tested += try check(plan, pending, snapshot, text)
                    all += pending.rows.count
                }
            }
            // What is tested are mostly rows under conditions that most rows meet.
            #expect(tested < all / 4)
        }
    }

    private func check(_ plan: Plan, _ pending: PendingThings, _ snapshot: Snapshot, _ text: Comment) throws -> Int {
        let scan = FullScan(entity: plan.query.entity, rows: pending.merged)
        var work = Work()
        guard plan.query.result == .rows else {
            let count = try plan.count(in: snapshot, overlay: pending.overlay, work: &work)
            let expected = try scan.count(of: pending.lastQuery)
            try #require(count == expected, text)
            return work.pending
        }
        var found: [RowID] = []
        try plan.execute(in: snapshot, overlay: pending.overlay, work: &work) { rowID, _, _ in
            found.append(rowID)
            return true
        }
        let expected = try scan.rows(of: pending.lastQuery).map(\.rowID)
        try #require(found == expected, text)
        return work.pending
    }

    /// A fetch that finds one row or none costs little after each change, however many rows are pending.
    @Test(arguments: [200, 2_000])
    func fetchesDoNotCostTheRowsThatArePending(count: Int) throws {
        let cities = try CityStore()
        try cities.store.read { snapshot in
            let entity = try snapshot.entity(named: "City")
            let overlay = Overlay()
            func set(_ number: Int) {
                let row = PlainRow(
                    rowID: 1 << 40 + UInt64(number),
                    values: [
                        .string("New \(number)"), .string("N"), .int(Int64(1_000_000 + number)), .null, .null,
                    ])
                overlay.set(row, isStored: false, of: entity.id)
            }
            for number in 0..<count { set(number) }
            for number in count..<count + 100 {
                let fetches: [(String, [SortKey], offset: Int, tests: Int)] = [
                    ("population >= \(1_000_000 + number)", [], 0, 0), ("name ==[cd] 'néw \(number)'", [], 0, 0),
                    ("population >= \(999_999 + number)", [], 0, 1), ("name ==[cd] 'néw \(number - 1)'", [], 0, 1),
                    ("country BEGINSWITH 'N'", [SortKey("population", direction: .descending)], 0, 1),
                    ("population > 1000000", [], 2, 4), ("TRUEPREDICATE", [SortKey("name")], 2, 3),
                ]
                for (predicate, sort, offset, tests) in fetches {
                    let parsed = try PredicateParser.parse(predicate)
                    let query = Query(
                        entity: "City", predicate: parsed, sort: sort, limit: 1, offset: offset, columns: [])
                    var work = Work()
                    let found = try Planner.plan(query, in: snapshot).rows(overlay, in: snapshot, &work)
                    #expect(found.count == min(1, tests))
                    #expect(work.pending == tests, "\(predicate)")
                    var counting = Work()
                    let plan = try Planner.plan(query, in: snapshot)
                    #expect(try plan.count(in: snapshot, overlay: overlay, work: &counting) == min(1, tests))
                    #expect(counting.pending == tests, "\(predicate)")
                }
                set(number)
            }
        }
    }

    /// Rows that have left the front of an order are not passed again by each fetch.
    @Test(arguments: [200, 2_000])
    func takingTheFirstRowAgainAndAgain(count: Int) throws {
        let cities = try CityStore()
        let entity = try cities.store.read { try $0.entity(named: "City") }
        let path = try PropertyPath(["population"], in: entity)
        let key = ResolvedSortKey(path: path, direction: .ascending, form: .exact)
        let overlaid = OverlaidEntity()
        func row(_ rowID: Int, _ population: Int) -> PlainRow {
            PlainRow(
                rowID: RowID(rowID), values: [.string(""), .string(""), .int(Int64(population)), .null, .null])
        }
        for number in 0..<count { overlaid.set(row(number, number), isStored: false) }
        var passed = 0
        for number in 0..<count - 1 {
            let order = try #require(try overlaid.ordered(by: [key], rowIDs: .ascending))
            var first: [RowID] = []
            order.forEachRow(in: [.all]) { rowID in
                first.append(rowID)
                return false
            }
            #expect(first == [RowID(number)])
            passed = order.passed
            if number % 3 == 0 {
                overlaid.forget(RowID(number))
            } else {
                overlaid.set(row(number, count + number), isStored: false)
            }
        }
        #expect(passed <= 4 * count)
    }
}

extension Plan {
    fileprivate func rows(_ overlay: Overlay, in snapshot: Snapshot, _ work: inout Work) throws -> [RowID] {
        var rows: [RowID] = []
        try execute(in: snapshot, overlay: overlay, work: &work) { rowID, _, _ in
            rows.append(rowID)
            return true
        }
        return rows
    }
}

/// Pending rows of a ``SampleStore``, in an overlay and as a table.
private struct PendingThings {
    let overlay = Overlay()
    var generator: SeededGenerator
    private(set) var rows: [RowID: [Value]] = [:]
    private(set) var lastQuery = Query(entity: "Thing")
    private let entity: Entity
    private let stored: [RowID: [Value]]
    private var masked: Set<RowID> = []
    private var nextRow: RowID
    /// There are so few orders that every query finds room for its own.
    private static let orders: [[SortKey]] = [
        [], [SortKey("small")], [SortKey("small", direction: .descending), SortKey("name")],
        [SortKey("size", direction: .descending)],
        [SortKey("name", direction: .ascending, form: .caseFolded), SortKey("day", direction: .descending)],
        [SortKey("note", direction: .descending)],
        [SortKey("address.zip"), SortKey("price", direction: .descending)],
        [SortKey("day"), SortKey("id", direction: .descending)],
        [SortKey("flag"), SortKey("weight", direction: .descending)],
    ]

    init(_ sample: SampleStore, _ entity: Entity, seed: UInt64) {
        self.entity = entity
        generator = SeededGenerator(seed: seed)
        stored = Dictionary(uniqueKeysWithValues: sample.rows.map { ($0.rowID, $0.values) })
        nextRow = sample.rows[sample.rows.count - 1].rowID + 1
    }

    /// The stored rows as the pending ones change them, with these.
    var merged: [(rowID: RowID, values: [Value])] {
        let kept = stored.filter { !masked.contains($0.key) }.map { (rowID: $0.key, values: $0.value) }
        return (kept + rows.map { (rowID: $0.key, values: $0.value) }).sorted { $0.rowID < $1.rowID }
    }

    /// Changes a few rows, now and then many; sometimes no row is left pending.
    mutating func change(_ step: Int) {
        if step % 150 == 149 {
            for row in Set(rows.keys).union(masked) { overlay.forget(row, of: entity.id) }
            (rows, masked) = ([:], [])
        }
        let count = step % 50 == 0 ? 150 : ValuePool.pick([0, 1, 1, 2, 5], &generator)
        for _ in 0..<count {
            let known = (Array(rows.keys) + Array(stored.keys)).sorted()
            let row = ValuePool.pick(known, &generator)
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<4:
                set(nextRow, isStored: false)
                nextRow += 1
            case 4..<7: set(row, isStored: stored[row] != nil)
            case 7..<9 where stored[row] != nil:
                overlay.mask(row, of: entity.id)
                masked.insert(row)
                rows[row] = nil
            default:
                overlay.forget(row, of: entity.id)
                masked.remove(row)
                rows[row] = nil
            }
        }
    }

    private mutating func set(_ row: RowID, isStored: Bool) {
        let values = entity.properties.map { property -> Value in
            if property.isOptional && Int.random(in: 0..<4, using: &generator) == 0 { return .null }
            // The ids are whole numbers that are rarely equal; the other values are those that are hard.
            if property.name == "id" { return .int(Int64.random(in: -500...500, using: &generator)) }
            return ValuePool.value(of: property.type, &generator)
        }
        overlay.set(PlainRow(rowID: row, values: values), isStored: isStored, of: entity.id)
        rows[row] = values
        if isStored { masked.insert(row) }
    }

    /// A query for a range, or for the first rows of an order, or both.
    mutating func query() -> Query {
        var query = Query(entity: "Thing", predicate: predicate())
        query.sort = ValuePool.pick(Self.orders, &generator)
        query.limit = ValuePool.pick([1, 1, 2, 5, 20, 0, nil], &generator)
        query.offset = ValuePool.pick([0, 0, 1, 7, 60], &generator)
        query.result = ValuePool.pick([.rows, .rows, .rows, .count], &generator)
        query.columns = []
        lastQuery = query
        return query
    }

    private mutating func predicate() -> QueryPredicate? {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: return nil
        case 1..<7: return condition()
        case 7: return .not(condition())
        case 8: return .or([condition(), condition()])
        default: return .and([condition(), condition()])
        }
    }

    private mutating func condition() -> QueryPredicate {
        let name = ValuePool.pick(["id", "id", "id", "small", "size", "note", "name", "day", "price"], &generator)
        let type = entity.properties.first { $0.name == name }?.type ?? .int64
        let options = StringOptions(ignoresCase: name == "name")
        let path = QueryExpression.keyPath([name])
        let comparison =
            ValuePool.pick(
                [.less, .lessOrEqual, .greater, .greaterOrEqual, .equal, .notEqual], &generator) as ComparisonOperator
        let (lower, upper) = (constant(name, type), constant(name, type))
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: return .between(path, lower, upper, options)
        case 1: return .isIn(path, .list([lower, upper, .constant(.null)]), options)
        case 2 where type == .string: return .text(path, .beginsWith, lower, options)
        default: return .comparison(path, comparison, lower, options)
        }
    }

    private mutating func constant(_ name: String, _ type: ValueType) -> QueryExpression {
        guard name == "id" else { return .constant(ValuePool.value(of: type, &generator)) }
        return .constant(.int(Int64.random(in: -520...520, using: &generator)))
    }
}
