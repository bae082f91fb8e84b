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
}
