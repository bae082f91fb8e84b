import LoamStorage
import SeededRandom
import Testing

@testable import LoamQuery

/// Choices that were the best time after time: when they are made without a look at the others, and what they may cost.
@Suite struct KeptHabitTests {
    /// 12,000 visits: towns of twelve each but one that has a fifth of all, days of forty each, sizes that are all
    /// different, and levels of which there are six.
    private let store: Store
    private static let rowCount = 12_000

    init() throws {
        var options = StoreOptions()
        options.isInMemory = true
        store = try Store.open(path: "", options: options)
        try store.apply(
            .addEntity(
                EntityDefinition(
                    "Visit",
                    properties: [
                        .init("town", type: .int64), .init("day", type: .int64), .init("size", type: .double),
                        .init("level", type: .int64), .init("height", type: .double),
                    ],
                    indexes: [
                        .init([.init("town")]), .init([.init("day")]), .init([.init("size")]),
                        .init([.init("level"), .init("height")]),
                    ])))
        let entity = try store.read { try $0.entity(named: "Visit") }
        var batch = WriteBatch(author: "test")
        for number in 0..<Self.rowCount {
            let values: [Value] = [
                .int(number % 5 == 0 ? 0 : Int64(number % 1_000)), .int(Int64(number * 7_919 % 300)),
                .double(Double(number * 7_919 % Self.rowCount)), .int(Int64(number % 6)),
                .double(Double(number * 104_729 % Self.rowCount)),
            ]
            batch.insert(
                try store.catalog().encode(values, as: entity.id), into: entity.id, rowID: try store.makeRowID())
        }
        try store.save(batch)
    }

    private struct Shape: Sendable {
        let format: String
        var sort: [SortKey] = []
        var limit: Int?
        let constants: @Sendable (inout SeededGenerator) -> [Value]
    }

    private static func number(_ range: Range<Int>, _ generator: inout SeededGenerator) -> Int {
        Int.random(in: range, using: &generator)
    }

    private static let shapes: [Shape] = [
        Shape(format: "town == %@ AND day == %@") {
            [.int(number(0..<8, &$0) == 0 ? 0 : Int64(number(1..<1_000, &$0))), .int(Int64(number(0..<300, &$0)))]
        },
        Shape(format: "size BETWEEN %@ AND day == %@") {
            let start = Double(number(0..<11_000, &$0))
            let width = number(0..<10, &$0) == 0 ? 1_000.0 : 60
            return [.array([.double(start), .double(start + width)]), .int(Int64(number(0..<300, &$0)))]
        },
        Shape(format: "day >= %@", sort: [SortKey("size")], limit: 10) { [.int(Int64(number(0..<300, &$0)))] },
        Shape(format: "day == %@", sort: [SortKey("size")]) { [.int(Int64(number(0..<300, &$0)))] },
        Shape(format: "height BETWEEN %@") {
            let start = Double(number(0..<11_000, &$0))
            return [.array([.double(start), .double(start + Double(number(1..<40, &$0)))])]
        },
        Shape(format: "day IN %@ AND town == %@") {
            [
                .array((0..<3).map { .int(Int64($0 * 90) + 7) }), .int(Int64(number(1..<1_000, &$0))),
            ]
        },
    ]

    private func query(_ shape: Shape, _ generator: inout SeededGenerator) throws -> Query {
        Query(
            entity: "Visit",
            predicate: try PredicateParser.parse(shape.format, arguments: shape.constants(&generator)),
            sort: shape.sort, limit: shape.limit)
    }

    /// Entries and records that a plan reads, roughly weighed.
    private func cost(_ work: Work) -> Double { Double(work.records) + Double(work.entries) * 0.1 }

    @Test(
        "a choice out of habit finds the rows, and reads no more than such queries did", arguments: [1, 2] as [UInt64])
    func costs(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        try store.read { snapshot in
            let entity = try snapshot.entity(named: "Visit")
            let cache = PlanCache()
            for shape in Self.shapes {
                var most = 0.0
                for number in 0..<150 {
                    let query = try query(shape, &generator)
                    let (plan, _) = try cache.plan(
                        query, of: entity, in: snapshot.schema, statistics: snapshot, analysisCount: 0)
                    let fresh = try Planner.plan(query, of: entity, in: snapshot.schema, statistics: snapshot)
                    var (work, freshWork) = (Work(), Work())
                    let found = try plan.rows(in: snapshot, work: &work).map(\.rowID)
                    try #require(try fresh.rows(in: snapshot, work: &freshWork).map(\.rowID) == found)
                    most = max(most, cost(freshWork))
                    #expect(
                        cost(work) <= 4 * most + 500,
                        "seed \(seed), number \(number)\n\(plan.explanation())\nanew\n\(fresh.explanation())")
                }
            }
        }
    }

    /// Counts how often it is asked for numbers of entries of an index.
    private final class Counting: IndexStatistics {
        let snapshot: Snapshot
        let index: IndexID
        var asked = 0

        init(_ snapshot: Snapshot, _ index: IndexID) { (self.snapshot, self.index) = (snapshot, index) }

        func count(of entity: EntityID) throws -> Int { try snapshot.count(of: entity) }
        func inexactCount(in index: Index) throws -> Int { try snapshot.inexactCount(in: index) }

        func count(in index: Index, range: KeyRange) throws -> Int {
            if index.id == self.index { asked += 1 }
            return try snapshot.count(in: index, range: range)
        }
    }

    /// The order of sizes is the way for all of them, so the days are seldom counted.
    @Test("the other ways are not looked at for most of many queries")
    func looks() throws {
        var generator = SeededGenerator(seed: 5)
        try store.read { snapshot in
            let entity = try snapshot.entity(named: "Visit")
            let days = try #require(entity.indexes.dropFirst().first)
            let (cache, counting) = (PlanCache(), Counting(snapshot, days.id))
            func asked(_ times: Int) throws -> Int {
                let before = counting.asked
                for _ in 0..<times {
                    let day = Int64(Self.number(50..<150, &generator))
                    let query = Query(
                        entity: "Visit", predicate: try PredicateParser.parse("day >= %@", arguments: [.int(day)]),
                        sort: [SortKey("size")], limit: 10)
                    let (plan, _) = try cache.plan(
                        query, of: entity, in: snapshot.schema, statistics: counting, analysisCount: 0)
                    #expect(plan.arrangement == .served, "\(plan.explanation())")
                }
                return counting.asked - before
            }
            let before = try asked(12)
            #expect(before >= 12)
            _ = try asked(28)
            let later = try asked(640)
            #expect(later > 0 && later < 100, "\(later)")
        }
    }

    @Test("constants for which the choice would cost much are planned as they would be anew")
    func costly() throws {
        try store.read { snapshot in
            let entity = try snapshot.entity(named: "Visit")
            let cache = PlanCache()
            func plan(_ town: Int64, _ day: Int64) throws -> (kept: Plan, anew: Plan) {
                let query = Query(
                    entity: "Visit",
                    predicate: try PredicateParser.parse(
                        "town == %@ AND day == %@", arguments: [.int(town), .int(day)]))
                let (plan, _) = try cache.plan(
                    query, of: entity, in: snapshot.schema, statistics: snapshot, analysisCount: 0)
                return (plan, try Planner.plan(query, of: entity, in: snapshot.schema, statistics: snapshot))
            }
            for number in 1..<60 { _ = try plan(Int64(number), Int64(number)) }
            for day in 0..<20 {
                let (kept, anew) = try plan(0, Int64(day))
                var (work, freshWork) = (Work(), Work())
                let rows = try kept.rows(in: snapshot, work: &work).map(\.rowID)
                #expect(try anew.rows(in: snapshot, work: &freshWork).map(\.rowID) == rows)
                #expect(cost(work) <= cost(freshWork) + 100, "\(kept.explanation())\n\(anew.explanation())")
            }
        }
    }

    private func plan(cost: Double, limit: Int? = nil) throws -> Plan {
        try store.read { snapshot in
            let query = Query(entity: "Visit", predicate: nil, limit: limit)
            var plan = try Planner.plan(query, of: snapshot.entity(named: "Visit"), statistics: snapshot)
            plan.estimate.cost = cost
            return plan
        }
    }

    @Test("sixteen wins in a row make a habit, another winner ends it, and it is looked at again")
    func wins() throws {
        let habit = KeptHabit()
        func trusted(limit: Int? = nil) -> KeptHabit.Trusted? { habit.trusted(limit: limit, offset: 0) }
        for cost in 1...15 { habit.note(.way(1), try plan(cost: Double(cost * 100)), open: []) }
        #expect(trusted() == nil)
        habit.note(.way(1), try plan(cost: 10), open: [])
        #expect(trusted(limit: 5) == nil && habit.trusted(limit: nil, offset: 3) == nil)
        let found = try #require(trusted())
        #expect(found.choice == .way(1) && found.mostCost == 500 + 1.5 * 1_500)
        #expect((0..<200).prefix { _ in trusted() != nil }.count == 15)
        for _ in 0..<100 { habit.note(.way(1), try plan(cost: 10), open: []) }
        #expect((0..<200).prefix { _ in trusted() != nil }.count == 64)
        habit.note(.intersection, try plan(cost: 10), open: [])
        #expect(trusted() == nil)
        for _ in 0..<15 { habit.note(.intersection, try plan(cost: 10), open: []) }
        #expect(trusted()?.choice == .intersection)
        habit.note(.intersection, try plan(cost: 10, limit: 4), open: [])
        #expect(trusted() == nil && trusted(limit: 4) == nil)
        for _ in 0..<40 { habit.note(nil, try plan(cost: 10), open: []) }
        #expect(trusted() == nil)
    }
}
