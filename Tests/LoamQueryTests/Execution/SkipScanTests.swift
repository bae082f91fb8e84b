import LoamStorage
import RandomQueries
import Testing

@testable import LoamQuery

/// Conditions on the second component of an index whose first one has few values.
@Suite struct SkipScanTests {
    /// 20,000 events of four kinds, sizes in no order; and under `name`, which nearly every event has to itself, too.
    private static func events() throws -> Store {
        var options = StoreOptions()
        options.isInMemory = true
        let store = try Store.open(path: "", options: options)
        let definition = EntityDefinition(
            "Event",
            properties: [
                .init("kind", type: .string, isOptional: true), .init("size", type: .int64),
                .init("name", type: .string), .init("weight", type: .int64),
            ],
            indexes: [.init([.init("kind"), .init("size")]), .init([.init("name"), .init("weight")])])
        _ = try store.load(.newEntity(definition), rowCount: 20_000) { load in
            for number in 0..<20_000 {
                let size = Int64(number * 7_919 % 20_011)
                try load.append([
                    number % 5 == 4 ? .null : .string("kind \(number % 5)"), .int(size), .string("name \(number)"),
                    .int(size),
                ])
            }
        }
        return store
    }

    private static func run(
        _ format: String, sort: [SortKey] = [], limit: Int? = nil, result: ResultKind = .rows, in store: Store
    ) throws -> (plan: Plan, rows: Int, work: Work) {
        let query = Query(
            entity: "Event", predicate: try PredicateParser.parse(format), sort: sort, limit: limit, result: result)
        return try store.read { snapshot in
            let plan = try Planner.plan(query, in: snapshot)
            var work = Work()
            if result == .count { return (plan, try plan.count(in: snapshot, work: &work), work) }
            let rows = try plan.rows(in: snapshot, work: &work).map(\.rowID)
            let entity = try snapshot.entity(named: "Event")
            let resolved = try ResolvedQuery(query, in: entity, schema: snapshot.schema)
            for other in try Planner.plans(resolved, statistics: snapshot) {
                var work = Work()
                #expect(try other.rows(in: snapshot, work: &work).map(\.rowID) == rows, "\(other.explanation())")
            }
            return (plan, rows.count, work)
        }
    }

    @Test func aFewValuesAreSkippedThrough() throws {
        let store = try Self.events()
        let (plan, rows, work) = try Self.run("size >= 20000", in: store)
        #expect(rows >= 10 && work.records == rows && work.entries == rows + 5)
        #expect(plan.explanation().contains("behind each of about 5 first values"))
    }

    @Test func theOrderOfTheIndexIsServed() throws {
        let sort = [SortKey("kind", direction: .descending), SortKey("size", direction: .descending)]
        let (plan, rows, work) = try Self.run("size >= 19900", sort: sort, limit: 7, in: Self.events())
        #expect(rows == 7 && work.sorted == 0 && work.records == 7, "\(plan.explanation(with: work))")
    }

    @Test func countsComeFromSums() throws {
        let (plan, rows, work) = try Self.run("size BETWEEN {5000, 9999}", result: .count, in: Self.events())
        #expect(plan.arrangement == .sums && rows > 4_900 && rows <= 5_000)
        #expect(work.records == 0 && work.entries == 5)
    }

    @Test func manyValuesAreNot() throws {
        let (plan, rows, _) = try Self.run("weight >= 20000", in: Self.events())
        #expect(rows >= 10)
        if case .skip = plan.accessPath { Issue.record("\(plan.explanation())") }
    }

    @Test func aKnownShapeSkipsWhereItPays() throws {
        let store = try Self.events()
        try store.read { snapshot in
            let entity = try snapshot.entity(named: "Event")
            let cache = PlanCache()
            var skips: [Bool] = []
            for bound in [0 as Int64, 20_000, 19_990, 1] {
                let query = Query(
                    entity: "Event", predicate: try PredicateParser.parse("size >= %@", arguments: [.int(bound)]))
                let plan = try cache.plan(
                    query, of: entity, in: snapshot.schema, statistics: snapshot, analysisCount: 0
                ).plan
                if case .skip = plan.accessPath { skips.append(true) } else { skips.append(false) }
            }
            #expect(skips == [false, true, true, false] && cache.keptCount == 3)
        }
    }

    /// The sample of a first component's values goes with the state of the index that it was taken of.
    @Test func anIndexThatHasChangedIsLookedAtAgain() throws {
        let store = try Self.events()
        func plan() throws -> (plan: Plan, isKept: Bool) {
            try store.read { snapshot in
                let query = Query(
                    entity: "Event", predicate: try PredicateParser.parse("size >= %@", arguments: [.int(20_000)]))
                return try snapshot.attachment { PlanCache() }.plan(
                    query, of: snapshot.entity(named: "Event"), in: snapshot.schema, statistics: snapshot,
                    analysisCount: 0)
            }
        }
        func skips() throws -> Bool {
            if case .skip = try plan().plan.accessPath { true } else { false }
        }
        for _ in 0..<2 { #expect(try skips()) }
        let entity = try store.read { try $0.entity(named: "Event") }
        var batch = WriteBatch(author: "test")
        for number in 0..<15_000 {
            let values: [Value] = [
                .string("kind of its own \(number)"), .int(Int64(number)), .string("name"), .int(Int64(number)),
            ]
            batch.insert(
                try store.catalog().encode(values, as: entity.id), into: entity.id, rowID: try store.makeRowID())
        }
        try store.save(batch)
        #expect(try plan().isKept)
        #expect(try !skips())
    }

    /// Counts the ranges that are counted.
    private final class Counting: IndexStatistics {
        let snapshot: Snapshot
        var counted = 0

        init(_ snapshot: Snapshot) { self.snapshot = snapshot }

        func count(of entity: EntityID) throws -> Int { try snapshot.count(of: entity) }
        func inexactCount(in index: Index) throws -> Int { try snapshot.inexactCount(in: index) }
        func leadingKeys(of index: Index, count: Int) throws -> IndexSample {
            try snapshot.leadingKeys(of: index, count: count)
        }

        func count(in index: Index, range: KeyRange) throws -> Int {
            counted += 1
            return try snapshot.count(in: index, range: range)
        }
    }

    @Test(arguments: [5, 500, 1_200, 2_000]) func aLongListIsCountedInPart(length: Int) throws {
        let list = (0..<length).map { String($0 * 20_011 / length) }.joined(separator: ", ")
        let query = Query(entity: "Event", predicate: try PredicateParser.parse("size IN {\(list)}"))
        try Self.events().read { snapshot in
            let entity = try snapshot.entity(named: "Event")
            let counting = Counting(snapshot)
            let plan = try Planner.plan(query, of: entity, in: snapshot.schema, statistics: counting)
            #expect(counting.counted <= 70, "\(plan.explanation())")
            // Looking for each in the table costs less than a look-up for each behind one value.
            if length == 2_000 { #expect(counting.counted <= 4) }
            let resolved = try ResolvedQuery(query, in: entity, schema: snapshot.schema)
            let skip = try #require(
                try Planner.plans(resolved, statistics: counting).first {
                    if case .skip = $0.accessPath { true } else { false }
                })
            #expect(length / 2...2 * length ~= skip.estimate.candidates, "\(skip.explanation())")
        }
    }

    /// 20,000 events: 600 of one kind, then 1,250 of a kind each, which none of the sampled entries has, then the others.
    private static func skewedEvents() throws -> Store {
        var options = StoreOptions()
        options.isInMemory = true
        let store = try Store.open(path: "", options: options)
        let definition = EntityDefinition(
            "Event", properties: [.init("kind", type: .string), .init("size", type: .int64)],
            indexes: [.init([.init("kind"), .init("size")], isSectioned: true)])
        _ = try store.load(.newEntity(definition), rowCount: 20_000) { load in
            for number in 0..<20_000 {
                let kind = number < 630 ? "a" : number < 1_870 ? "b \(number)" : "c"
                try load.append([.string(kind), .int(Int64(number * 7_919 % 20_011))])
            }
        }
        return store
    }

    /// The look-ups end where they have cost what the table costs.
    @Test(arguments: [ResultKind.rows, .count, .sections]) func farMoreValuesAreLeft(_ result: ResultKind) throws {
        let query = Query(
            entity: "Event", predicate: try PredicateParser.parse("size >= 19990"),
            section: result == .sections ? "kind" : nil, result: result)
        try Self.skewedEvents().read { snapshot in
            let plan = try Planner.plan(query, in: snapshot)
            guard case .skip(let skip) = plan.accessPath else {
                Issue.record("\(plan.explanation())")
                return
            }
            #expect(skip.leadingCount < 10)
            let entity = try snapshot.entity(named: "Event")
            let resolved = try ResolvedQuery(query, in: entity, schema: snapshot.schema)
            let table = try #require(
                try Planner.plans(resolved, statistics: snapshot).first {
                    $0.accessPath == .table(from: .min, through: .max)
                })
            let results = try [plan, table].map { plan -> (text: String, work: Work) in
                var work = Work()
                let text =
                    switch result {
                    case .rows: "\(try plan.rows(in: snapshot, work: &work).map(\.rowID))"
                    case .count: "\(try plan.count(in: snapshot, work: &work))"
                    case .sections: "\(try plan.sections(in: snapshot, work: &work))"
                    }
                return (text, work)
            }
            let work = results[0].work
            #expect(results[0].text == results[1].text)
            #expect(work.abandoned > 100 && work.abandoned <= 700, "\(plan.explanation(with: work))")
            #expect(work.returned == results[1].work.returned)
        }
    }
}
