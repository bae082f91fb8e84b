import Foundation
import LoamStorage
import RandomQueries
import Testing

@testable import LoamQuery

/// The estimate of a condition counts wherever the condition is tested.
@Suite struct SelectivityTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "loam-shares-\(UUID().uuidString)")

    /// 20,000 cities: names by number, populations in another order, a rare and a common kind.
    private func withCities(_ body: (Snapshot, [RowID]) throws -> Void) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try Store.open(path: folder.appending(path: "store").path, options: StoreOptions())
        try store.apply(
            .addEntity(
                EntityDefinition(
                    "City",
                    properties: [
                        .init("name", type: .string), .init("population", type: .int64), .init("kind", type: .int64),
                        .init("description", type: .string),
                    ],
                    indexes: [.init([.init("name")]), .init([.init("population")]), .init([.init("kind")])])))
        let entity = try store.read { try $0.entity(named: "City") }
        var batch = WriteBatch(author: "test")
        var rowIDs: [RowID] = []
        for number in 0..<20_000 {
            let values: [Value] = [
                .string("City \(number)"), .int(Int64(number * 7919 % 100_003)), .int(number % 400 == 0 ? 1 : 0),
                .string("d\(number % 10)"),
            ]
            rowIDs.append(try store.makeRowID())
            batch.insert(
                try store.catalog().encode(values, as: entity.id), into: entity.id, rowID: rowIDs[number])
        }
        try store.save(batch)
        try store.read { try body($0, rowIDs) }
    }

    private func work(_ query: Query, _ snapshot: Snapshot, rows: Int) throws -> Work {
        var work = Work()
        let plan = try Planner.plan(query, in: snapshot)
        let found = try plan.rows(in: snapshot, work: &work)
        #expect(found.count == rows, "\(plan.explanation(with: work))")
        return work
    }

    @Test func fewIdentifiersInAnotherOrder() throws {
        try withCities { snapshot, rowIDs in
            let wanted = stride(from: 17, to: 20_000, by: 200).map { Value.uint(rowIDs[$0]) }
            let isWanted = QueryPredicate.isIn(.identifier, .constant(.array(wanted)), .none)
            for predicate in [
                isWanted,
                .and([isWanted, .comparison(.keyPath(["population"]), .greater, .constant(.int(-1)), .none)]),
                .and([isWanted, .comparison(.keyPath(["description"]), .notEqual, .constant(.string("x")), .none)]),
            ] {
                let query = Query(entity: "City", predicate: predicate, sort: [SortKey("population")], limit: 10)
                let work = try work(query, snapshot, rows: 10)
                #expect(work.entries + work.records <= 400)
            }
        }
    }

    @Test func whatOneIndexKnowsCountsWhereAnotherIsScanned() throws {
        try withCities { snapshot, _ in
            let names = (0..<100).map { QueryExpression.constant(.string("City \($0 * 150)")) }
            for (predicate, rows) in [
                (QueryPredicate.isIn(.keyPath(["name"]), .list(names), .none), 10),
                (.comparison(.keyPath(["kind"]), .equal, .constant(.int(1)), .none), 10),
                (.not(.comparison(.keyPath(["kind"]), .equal, .constant(.int(0)), .none)), 10),
            ] {
                let query = Query(entity: "City", predicate: predicate, sort: [SortKey("population")], limit: 10)
                let work = try work(query, snapshot, rows: rows)
                #expect(work.entries + work.records <= 400)
            }
        }
    }

    /// A scan along the order's index soon meets rows that pass a condition which most rows pass.
    @Test func aCommonConditionIsTestedAlongTheOrder() throws {
        try withCities { snapshot, _ in
            let predicate = QueryPredicate.comparison(.keyPath(["kind"]), .equal, .constant(.int(0)), .none)
            let query = Query(entity: "City", predicate: predicate, sort: [SortKey("population")], limit: 10)
            let work = try work(query, snapshot, rows: 10)
            #expect(work.records <= 40)
        }
    }

    @Test func aLongListIsLookedUpInOneStep() throws {
        let checker = TypeChecker(entity: SampleEntity.entity)
        for (format, value) in [
            ("SELF", Value.uint(3)), ("id + 1", .int(3)), ("count - 5", .uint(3)), ("size * 2", .double(3)),
            ("price + 1", .decimal(3)), ("small", .int(3)),
        ] {
            var values = (10..<5000).map { Value.int(Int64($0)) } + [.double(2.5)]
            for _ in 0..<2 {
                let predicate = try checker.check(PredicateParser.parse("\(format) IN %@", arguments: [.array(values)]))
                guard case .isIn(_, let elements, _) = predicate.normalized, let lookup = elements.lookup else {
                    Issue.record("\(format) is compared one by one")
                    continue
                }
                #expect(lookup.contains(value) == values.contains(.double(3)))
                values.append(.double(3))
            }
        }
    }
}
