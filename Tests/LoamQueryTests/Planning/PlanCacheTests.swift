import Foundation
import LoamStorage
import SeededRandom
import Testing

@testable import LoamQuery

/// Plans that are kept by the shape of the query: what they bind, when they are not used, and what looking one up
/// costs.
@Suite struct PlanCacheTests {
    /// 20,000 events: half of them of one kind and one day, the others of kinds and days with a few each.
    private final class Events {
        let store: Store

        init(rowCount: Int = 20_000) throws {
            var options = StoreOptions()
            options.isInMemory = true
            store = try Store.open(path: "", options: options)
            try store.apply(
                .addEntity(
                    EntityDefinition(
                        "Event",
                        properties: [
                            .init("kind", type: .string), .init("day", type: .int64), .init("size", type: .double),
                            .init("text", type: .string), .init("code", type: .int64),
                        ],
                        indexes: [
                            .init([.init("kind"), .init("size")]), .init([.init("day")]), .init([.init("size")]),
                            .init([.init("code")], kind: .unique),
                        ])))
            try insert(0..<rowCount)
        }

        func insert(_ numbers: Range<Int>) throws {
            let entity = try store.read { try $0.entity(named: "Event") }
            var batch = WriteBatch(author: "test")
            for number in numbers {
                let values: [Value] = [
                    .string(number % 2 == 0 ? "common" : "rare \(number % 4_000)"),
                    .int(number % 3 == 0 ? 0 : Int64(number % 5_000)), .double(Double(number * 7_919 % 20_011)),
                    .string("text \(number % 10)"), .int(Int64(number)),
                ]
                batch.insert(
                    try store.catalog().encode(values, as: entity.id), into: entity.id, rowID: try store.makeRowID())
            }
            try store.save(batch)
        }

        /// Plans a query, and plans it again with nothing kept; finds its rows.
        func plan(_ query: Query) throws -> (found: (plan: Plan, isKept: Bool), fresh: Plan, rows: [RowID]) {
            try store.read { snapshot in
                let entity = try snapshot.entity(named: "Event")
                let cache = snapshot.catalog.attachment { PlanCache() }
                let found = try cache.plan(
                    query, of: entity, in: snapshot.schema, statistics: snapshot, analysisCount: 0)
                let fresh = try Planner.plan(query, of: entity, in: snapshot.schema, statistics: snapshot)
                var work = Work()
                let rows = try found.plan.rows(in: snapshot, work: &work).map(\.rowID)
                let expected = try fresh.rows(in: snapshot, work: &work).map(\.rowID)
                #expect(rows == expected)
                return (found, fresh, rows)
            }
        }
    }

    private static func query(
        _ format: String, _ arguments: Value..., sort: [SortKey] = [], limit: Int? = nil, offset: Int = 0
    ) throws -> Query {
        Query(
            entity: "Event", predicate: try PredicateParser.parse(format, arguments: arguments), sort: sort,
            limit: limit, offset: offset)
    }

    /// A kept plan takes ranges, limits and tests from the new constants, so that it is the plan that is made afresh.
    /// The estimates of short ranges are the same.
    @Test func aKnownShapeBindsItsConstants() throws {
        let events = try Events()
        func check(isShort: Bool = true, _ make: (Int) throws -> Query) throws {
            #expect(try events.plan(make(1)).found.isKept == false)
            for number in 2..<6 {
                let (found, fresh, _) = try events.plan(make(number))
                #expect(found.isKept)
                let isSame =
                    isShort ? found.plan == fresh : found.plan.withoutEstimates == fresh.withoutEstimates
                #expect(isSame, "\(found.plan.explanation())\n\(fresh.explanation())")
            }
        }
        try check { try Self.query("code == %@", .int(Int64($0 * 11))) }
        try check { try Self.query("code IN %@", .array([.int(Int64($0)), .int(Int64($0 + 70)), .int(5)])) }
        try check { try Self.query("SELF == %@", .uint(UInt64($0))) }
        try check { try Self.query("kind == %@", .string("rare \($0 * 2 + 1)"), sort: [SortKey("size")]) }
        try check(isShort: false) {
            try Self.query(
                "size >= %@", .double(Double($0)), sort: [.init("size", direction: .descending)], limit: 10 * $0)
        }
        try check(isShort: false) {
            try Self.query("kind == %@", .string("common"), sort: [SortKey("size")], limit: 5, offset: $0)
        }
        // Many rows are left to be tested, so all ways are weighed: the one that is not taken first is the best.
        try check(isShort: false) {
            try Self.query("day == %@ AND size >= %@", .int(0), .double(19_800 - Double($0)))
        }
        try check(isShort: false) {
            try Self.query("size >= %@ AND day == %@ AND code >= %@", .double(Double($0)), .int(0), .int(19_800))
        }
        try check { try Self.query("code + 1 == %@", .int(Int64($0 * 11))) }
        try check { try Self.query("lowercase(text) IN %@", .array([.string("text \($0)"), .string("none")])) }
        // No index knows anything of the texts, so nothing depends on the constant.
        try check { try Self.query("text CONTAINS %@", .string("\($0)")) }
        try check { try Self.query("text CONTAINS %@", .string("\($0)"), sort: [SortKey("size")]) }
    }

    /// A plan that is right for one constant is not used for one for which another way is much better.
    @Test func aPlanForOneConstantIsNotUsedBlindlyForAnother() throws {
        let events = try Events()
        func records(_ kind: String, _ day: Int64) throws -> Int {
            let query = try Self.query("kind == %@ AND day == %@", .string(kind), .int(day))
            let (found, _, rows) = try events.plan(query)
            return try events.store.read { snapshot in
                var work = Work()
                let again = try found.plan.rows(in: snapshot, work: &work).map(\.rowID)
                #expect(again == rows)
                return work.records + work.entries
            }
        }
        // The first constants are those for which the table or one index is the way, the later ones those for which the
        // other index is.
        #expect(try records("common", 0) > 3_000)
        #expect(try records("rare 1", 0) < 100)
        #expect(try records("common", 4) < 100)
        #expect(try records("rare 3", 1_003) < 100)
        #expect(try records("common", 0) > 3_000)
        #expect(try records("common", 8) < 100)
        #expect(try records("rare 5", 0) < 100)
    }

    /// Where no index knows the predicate, the limit decides whether to walk along the order or to sort.
    @Test func aPlanForOneLimitIsNotUsedBlindlyForAnother() throws {
        let events = try Events()
        func records(limit: Int, offset: Int = 0) throws -> Int {
            let query = try Self.query(
                "text CONTAINS %@", .string("3"), sort: [SortKey("size")], limit: limit, offset: offset)
            let plan = try events.plan(query).found.plan
            return try events.store.read { snapshot in
                var work = Work()
                _ = try plan.rows(in: snapshot, work: &work)
                return work.records
            }
        }
        #expect(try records(limit: 1_500) > 10_000)
        #expect(try records(limit: 5) < 500)
        #expect(try records(limit: 5) < 500)
        #expect(try records(limit: 1_500) > 10_000)
    }

    /// An index whose range is nearly the whole table costs more than a scan, though it answers everything.
    @Test func aRangeOfAFewRowsIsNotUsedForMostOfTheTable() throws {
        let events = try Events()
        func readsTable(_ least: Double) throws -> Bool {
            let (found, fresh, _) = try events.plan(try Self.query("size >= %@", .double(least)))
            #expect(found.plan.accessPath == fresh.accessPath)
            if case .table = found.plan.accessPath { return true } else { return false }
        }
        #expect(try !readsTable(20_000))
        #expect(try readsTable(5))
        #expect(try !readsTable(20_003))
    }

    /// Each condition has an index, so the constants say which way is the best: all ways are kept.
    @Test func conditionsOnSeveralIndexesAreKept() throws {
        let events = try Events()
        func check(_ make: (Int) throws -> Query) throws {
            #expect(try !events.plan(make(1)).found.isKept)
            for number in 2..<12 { #expect(try events.plan(make(number)).found.isKept, "constants \(number)") }
        }
        try check { number in
            let kind = number % 2 == 0 ? "common" : "rare \(number)"
            return try Self.query("kind == %@ AND day == %@", .string(kind), .int(Int64(number % 3)))
        }
        try check { try Self.query("size >= %@ AND code < %@", .double(Double($0 * 2_000)), .int(Int64($0 * 1_900))) }
        try check { try Self.query("size >= %@ OR code < %@", .double(Double($0 * 2_000)), .int(Int64($0 * 1_900))) }
        try check { try Self.query("SELF > %@ AND day == %@", .uint(UInt64($0 * 1_500)), .int(Int64($0))) }
        try check {
            try Self.query("(day == %@ OR code == %@) AND text == 'text 1'", .int(Int64($0)), .int(Int64($0 * 7)))
        }
    }

    /// Of many ranges some are counted and stand for the others; of few, all are.
    @Test func someOfManyRangesStandForTheOthers() throws {
        let events = try Events(rowCount: 6_000)
        try events.store.read { snapshot in
            let entity = try snapshot.entity(named: "Event")
            let query = try Self.query("code IN %@", .array((0..<12).map { .int(Int64($0 * 450)) }))
            let resolved = try ResolvedQuery(query, in: entity)
            let scans = try Planner.plans(resolved, statistics: snapshot).compactMap { plan -> IndexScan? in
                if case .index(let scan) = plan.accessPath, scan.isNarrowed { scan } else { nil }
            }
            let scan = try #require(scans.first)
            #expect(scan.ranges.count == 12 && scan.entryCount == 12)
            for most in 1...12 {
                let count = try snapshot.estimatedCount(in: scan.index, ranges: scan.ranges, mostCounted: most)
                #expect(count.entries == 12 && !count.isInexact)
            }
            // Long ones are estimated from sums.
            let ends = scan.ranges.flatMap { [$0, KeyRange(lower: $0.lower, upper: scan.ranges.last?.upper)] }
            let exact = try ends.reduce(0) { try $0 + snapshot.count(in: scan.index, range: $1) }
            let all = try snapshot.estimatedCount(in: scan.index, ranges: ends, mostCounted: 64).entries
            #expect(all >= exact / 2 && all <= exact * 2)
            #expect(try snapshot.estimatedCount(in: scan.index, ranges: [.all], mostCounted: 1).entries == 6_000)
        }
    }

    /// Which plans came from kept ones is counted.
    @Test func theCacheCountsWhatItGives() throws {
        let events = try Events(rowCount: 100)
        let cache = PlanCache()
        try events.store.read { snapshot in
            let entity = try snapshot.entity(named: "Event")
            for number in 0..<10 {
                let query = try Self.query("code == %@", .int(Int64(number)))
                _ = try cache.plan(query, of: entity, in: snapshot.schema, statistics: snapshot, analysisCount: 0)
            }
            let query = try Self.query("text == lowercase('A')")
            _ = try cache.plan(query, of: entity, in: snapshot.schema, statistics: snapshot, analysisCount: 0)
        }
        #expect(cache.keptCount == 9)
        #expect(cache.newCount == 2)
    }

    @Test func otherKindsOfConstantsAreOtherShapes() throws {
        let events = try Events(rowCount: 50)
        func isKept(_ format: String, _ arguments: Value...) throws -> Bool {
            let predicate = try PredicateParser.parse(format, arguments: arguments)
            return try events.plan(Query(entity: "Event", predicate: predicate)).found.isKept
        }
        #expect(try !isKept("code == %@", .int(1)))
        #expect(try isKept("code == %@", .int(2)))
        #expect(try !isKept("code == %@", .double(2)))
        #expect(try !isKept("code == %@", .null))
        #expect(try !isKept("code IN %@", .array([.int(1), .int(2)])))
        #expect(try !isKept("code IN %@", .array([.int(1), .int(2), .int(3)])))
        #expect(try isKept("code IN %@", .array([.int(3), .int(2)])))
        // Plans with functions of constants or long lists are not kept.
        for _ in 0..<2 {
            #expect(try !isKept("text == lowercase(%@)", .string("A")))
            #expect(try !isKept("code IN %@", .array((0..<17).map(Value.int))))
            #expect(try !isKept("text == %@", .string(String(repeating: "long", count: 2_000))))
        }
        // A pattern, and a number that is written in the text, belong to the shape.
        #expect(try !isKept("text LIKE %@", .string("a*")))
        #expect(try !isKept("text LIKE %@", .string("b*")))
        #expect(try isKept("text LIKE %@", .string("b*")))
        #expect(try !isKept("code == 7"))
        #expect(try !isKept("code == 8"))
        #expect(try isKept("code == 8"))
        // So do the arguments of a function besides what it reads of the row, and the function.
        #expect(try !isKept("code + 1 == %@", .int(1)))
        #expect(try isKept("code + 1 == %@", .int(2)))
        #expect(try !isKept("code + 2 == %@", .int(2)))
        #expect(try !isKept("code - 1 == %@", .int(2)))
        #expect(try !isKept("code + day == %@", .int(2)))
        #expect(try !isKept("code + 1 == %@", .double(2)))
    }

    /// A change of the schema makes another catalog, and many more rows make other estimates.
    @Test func plansGoWithWhatTheyWereMadeFor() throws {
        let events = try Events(rowCount: 100)
        let query = try Self.query("text == %@", .string("text 3"))
        #expect(try !events.plan(query).found.isKept)
        #expect(try events.plan(query).found.isKept)
        try events.store.apply(.addIndex(IndexDefinition([.init("text")]), to: "Event"))
        let (found, _, rows) = try events.plan(query)
        #expect(!found.isKept && rows.count == 10)
        try events.insert(100..<1_000)
        #expect(try !events.plan(query).found.isKept)
        #expect(try events.plan(query).rows.count == 100)
    }

    /// Plans are right however many shapes there are, and whichever thread makes them.
    @Test func manyShapesOnManyThreads() throws {
        let events = try Events(rowCount: 200)
        let store = events.store
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for number in 0..<400 {
                #expect(throws: Never.self) {
                    let query = try Self.query("code == \(number * 7 % 900)", limit: thread + 1)
                    try store.read { snapshot in
                        var work = Work()
                        let rows = try Planner.plan(query, in: snapshot).rows(in: snapshot, work: &work)
                        #expect(rows.count == (number * 7 % 900 < 200 ? 1 : 0))
                    }
                }
            }
        }
    }
}

extension Plan {
    fileprivate var withoutEstimates: Plan {
        var plan = self
        plan.estimate = Estimate(candidates: 0, entries: 0, records: 0, rows: 0, cost: 0)
        if case .index(let scan) = accessPath { plan.accessPath = .index(scan.replacing(entryCount: 0)) }
        return plan
    }
}
