import Foundation
import LoamStorage
import RandomQueries
import Testing

@testable import LoamQuery

/// Rules of the planner as functions over an entity and counts that a test makes up.
@Suite struct PlannerTests {
    private typealias Components = [(name: String, direction: SortDirection, form: StringForm)]

    /// Statistics in which every narrow range of every index holds few rows.
    private final class MadeUpCounts: IndexStatistics {
        let rows = 100_000
        let inexact: Set<String>

        init(inexact: Set<String> = []) { self.inexact = inexact }

        func count(of entity: EntityID) -> Int { rows }
        func inexactCount(in index: Index) -> Int { inexact.contains(index.name) ? 1 : 0 }
        func count(in index: Index, range: KeyRange) -> Int { range == .all ? rows : max(1, rows / 2000) }
    }

    private func entity(_ indexes: [String: Components]) throws -> Entity {
        var entity = SampleEntity.entity
        entity.indexes = try indexes.sorted { $0.key < $1.key }.enumerated().map { number, index in
            let components = index.value.map { IndexDefinition.Component($0, direction: $1, form: $2) }
            return try Index(id: IndexID(number + 1), IndexDefinition(components, name: index.key), of: entity)
        }
        return entity
    }

    private func plan(
        _ format: String?, _ indexes: [String: Components], sort: [SortKey] = [], limit: Int? = nil,
        columns: [String] = [], counts: MadeUpCounts = MadeUpCounts()
    ) throws -> Plan {
        let query = Query(
            entity: "Sample", predicate: try format.map { try PredicateParser.parse($0) }, sort: sort, limit: limit,
            columns: columns)
        return try Planner.plan(query, of: entity(indexes), statistics: counts)
    }

    private func scan(_ plan: Plan) throws -> IndexScan {
        guard case .index(let scan) = plan.accessPath else {
            throw QueryError(.invalidQuery("no index is scanned"), part: plan.explanation())
        }
        return scan
    }

    private let id: Components = [("id", .ascending, .exact)]
    private let name: Components = [("name", .ascending, .exact)]

    @Test(arguments: [
        "FALSEPREDICATE", "id == 5 AND id == 6", "id IN {}", "id < 5 AND id > 5", "id == 5.5", "size < nil",
        "small > 300", "size == CAST('nan', 'double')",
    ])
    func contradictionsReadNothing(format: String) throws {
        let indexes: [String: Components] = [
            "id": id, "size": [("size", .ascending, .exact)], "small": [("small", .ascending, .exact)],
        ]
        #expect(try plan(format, indexes).accessPath == .nothing)
    }

    @Test func nothingIsReadForALimitOfZero() throws {
        #expect(try plan(nil, [:], limit: 0).accessPath == .nothing)
    }

    @Test func identifiersAreLookedUp() throws {
        #expect(try plan("SELF IN {7, 5, 7, 5.5, -1}", [:]).accessPath == .rows([5, 7]))
        #expect(try plan("5 == SELF AND name == 'a'", [:]).residual.map(\.description) == ["name == 'a'"])
        #expect(try plan("SELF >= 5 AND SELF < 9.5", [:]).accessPath == .table(from: 5, through: 9))
        #expect(try plan("SELF > 5 AND SELF < 6", [:]).accessPath == .nothing)
    }

    @Test func anEqualityPrefixAndOneRange() throws {
        let index: Components = [
            ("flag", .ascending, .exact), ("id", .descending, .exact), ("name", .ascending, .exact),
        ]
        let plan = try plan("name == 'x' AND id > 5 AND id <= 9 AND flag == TRUE", ["abc": index])
        let scan = try scan(plan)
        #expect(scan.equalityCount == 1 && scan.ranges.count == 1)
        #expect(plan.residual.map(\.description) == ["name == 'x'"])
        #expect(scan.conditions.map(\.description) == ["flag == TRUE", "id > 5", "id <= 9"])
    }

    @Test("nil, which comes last in a descending component, is a point, behind which the next component goes on")
    func nilIsAPointWhereTheIndexEnds() throws {
        for direction in [SortDirection.ascending, .descending] {
            let index: Components = [
                ("note", direction, .exact), ("small", direction, .exact), ("id", .ascending, .exact),
            ]
            let plan = try plan("note == nil AND small == nil AND id > 5", ["nsi": index], sort: [SortKey("id")])
            let scan = try scan(plan)
            #expect(scan.equalityCount == 2 && scan.ranges.count == 1 && plan.arrangement == .served)
            #expect(plan.residual.isEmpty)
            #expect(try self.scan(self.plan("note IN {'a', nil} AND small == 2", ["nsi": index])).pointCount == 2)
            // One component and one condition take a way of their own.
            let only: Components = [("note", direction, .exact)]
            #expect(try self.scan(self.plan("note == nil", ["n": only])).equalityCount == 1)
        }
    }

    @Test func listsAreManyPoints() throws {
        let index: Components = [("id", .ascending, .exact), ("small", .ascending, .exact)]
        let plan = try plan("small IN {1, 2, nil} AND id IN {5, 3, 5}", ["ab": index])
        #expect(try scan(plan).ranges.count == 6 && plan.residual.isEmpty)
        #expect(try scan(self.plan("id IN {5, 3} AND small > 4", ["ab": index])).ranges.count == 2)
        #expect(try scan(self.plan("id != 5", ["id": id], columns: ["id"])).ranges.count == 2)
    }

    @Test func whatAFlagIsNotIsPoints() throws {
        let index: Components = [("flag", .ascending, .exact), ("id", .ascending, .exact)]
        let narrowed = try plan("flag != TRUE AND id > 5", ["ab": index])
        #expect(try scan(narrowed).ranges.count == 2 && narrowed.residual.isEmpty)
        // Where it cannot be nil it is one value, and the index gives the order behind it.
        var entity = SampleEntity.entity
        let flag = try #require(entity.position(of: "flag"))
        entity.properties[flag].isOptional = false
        entity.indexes = [
            try Index(id: 1, IndexDefinition([.init("flag"), .init("id", direction: .descending)]), of: entity)
        ]
        for sort in [[SortKey("id")], [SortKey("flag"), SortKey("id")]] {
            let query = Query(
                entity: "Sample", predicate: try PredicateParser.parse("flag != TRUE"), sort: sort, limit: 10,
                columns: [])
            let plan = try Planner.plan(query, of: entity, statistics: MadeUpCounts())
            #expect(try plan.arrangement == .served && scan(plan).equalityCount == 1 && plan.residual.isEmpty)
        }
    }

    @Test func orUnitesRangesOfSeveralIndexes() throws {
        let both = try plan("id == 5 OR name == 'x'", ["id": id, "name": name], columns: ["size"])
        guard case .union(let scans) = both.accessPath else {
            Issue.record("\(both.explanation())")
            return
        }
        #expect(scans.map(\.index.name) == ["id", "name"] && both.residual.isEmpty)
        #expect(try scan(plan("id == 5 OR id BETWEEN {7, 9}", ["id": id])).ranges.count == 2)
        guard case .table = try plan("id == 5 OR size == 1", ["id": id], columns: ["size"]).accessPath else {
            Issue.record("a part without an index was not scanned for")
            return
        }
    }

    @Test func stringsMeetTheirForm() throws {
        let indexes: [String: Components] = ["exact": name, "folded": [("name", .ascending, .caseAndDiacriticFolded)]]
        let folded = indexes.filter { $0.key == "folded" }
        let exact = indexes.filter { $0.key == "exact" }
        #expect(try scan(plan("name BEGINSWITH 'a'", indexes)).index.name == "exact")
        #expect(try scan(plan("name BEGINSWITH[cd] 'a'", indexes)).index.name == "folded")
        #expect(try scan(plan("name ==[cd] 'a'", indexes)).index.name == "folded")
        #expect(try plan("name ==[cd] 'a'", indexes).residual.isEmpty)
        #expect(try plan("name == 'a'", folded).residual.count == 1)
        #expect(try scan(plan("name == 'a'", folded)).isNarrowed)
        #expect(try !scan(plan("name ==[c] 'a'", exact)).isNarrowed)
        #expect(try scan(plan("name LIKE 'a*'", exact)).isNarrowed)
        // Every string begins with nothing, in whatever form.
        let none = try plan("NOT name BEGINSWITH ''", folded)
        #expect(try scan(none).isNarrowed && none.residual.isEmpty)
    }

    @Test func anIndexServesItsOrderBothWays() throws {
        let index: [String: Components] = ["ix": [("small", .ascending, .exact), ("size", .descending, .exact)]]
        let forwards = try plan(
            nil, index, sort: [SortKey("small"), SortKey("size", direction: .descending)], limit: 10)
        #expect(try forwards.arrangement == .served && !scan(forwards).isReversed)
        let backwards = try plan(
            nil, index, sort: [SortKey("small", direction: .descending), SortKey("size")], limit: 10)
        #expect(try backwards.arrangement == .served && scan(backwards).isReversed)
        #expect(try plan(nil, index, sort: [SortKey("small"), SortKey("size")], limit: 10).arrangement == .top(10))
        #expect(try plan(nil, index, sort: [SortKey("small")], limit: 10).arrangement == .top(10))
        let prefix = try plan(
            "small == 3", index, sort: [SortKey("size"), SortKey("small", direction: .ascending)], limit: 10)
        #expect(prefix.query.openOrder.map(\.description) == ["size"])
    }

    @Test func rowsThatAreEqualFollowTheLastSortKey() throws {
        let index: [String: Components] = ["ix": [("small", .ascending, .exact)]]
        let fixed = try plan("small == 3", index, sort: [SortKey("small", direction: .descending)], limit: 5)
        #expect(try fixed.arrangement == .served && scan(fixed).isReversed)
        #expect(try !scan(plan("small == 3", index, limit: 5)).isReversed)
    }

    @Test func indexesWithCutKeysGiveNoOrderAndAnswerNothing() throws {
        let counts = MadeUpCounts(inexact: ["name"])
        let plan = try plan("name == 'x'", ["name": name], sort: [SortKey("name")], counts: counts)
        #expect(try scan(plan).isNarrowed && plan.residual.count == 1)
        let page = try self.plan(nil, ["name": name], sort: [SortKey("name")], limit: 5, counts: counts)
        #expect(page.arrangement == .top(5))
    }

    @Test func indexesThatAreNotReadyAreNotRead() throws {
        let changes: [(inout Index) -> Void] = [
            { $0.state = .building }, { $0.state = .stale }, { $0.formVersion = "another" },
        ]
        for change in changes {
            var entity = try entity(["id": id])
            change(&entity.indexes[0])
            let query = Query(entity: "Sample", predicate: try PredicateParser.parse("id == 5"), columns: [])
            let accessPath = try Planner.plan(query, of: entity, statistics: MadeUpCounts()).accessPath
            #expect(accessPath == .table(from: .min, through: .max))
        }
    }

    @Test(arguments: [
        ("NOT id < 5", "id >= 5"), ("NOT size < 5", "NOT size < 5.0"), ("NOT weight < 5", "NOT weight < 5.0"),
        ("NOT (size == 5 AND NOT (id > 1 OR note == 'x'))", "size != 5.0 OR id > 1 OR note == 'x'"),
        ("5 < id AND TRUEPREDICATE AND 1 < 2", "id > 5"), ("id == 1 OR 2 > 1", "TRUEPREDICATE"),
        ("NOT NOT note BEGINSWITH 'x'", "note BEGINSWITH 'x'"),
        ("id == 1 AND (id == 2 AND id == 3)", "id == 1 AND id == 2 AND id == 3"),
    ])
    func predicatesAreNormalized(format: String, normal: String) throws {
        let predicate = try TypeChecker(entity: SampleEntity.entity).check(PredicateParser.parse(format))
        #expect(predicate.normalized.description == normal)
    }

    @Test func queriesThatMakeNoSenseAreRefused() {
        let queries = [
            Query(entity: "Sample", sort: [SortKey("nope")]), Query(entity: "Sample", sort: [SortKey("tags")]),
            Query(entity: "Sample", sort: [SortKey("id", form: .caseFolded)]), Query(entity: "Sample", limit: -1),
            Query(entity: "Sample", offset: -1), Query(entity: "Sample", columns: ["x.y"]),
            Query(entity: "Sample", section: "address"), Query(entity: "Sample", result: .sections),
        ]
        for query in queries {
            #expect(throws: QueryError.self) {
                try Planner.plan(query, of: SampleEntity.entity, statistics: MadeUpCounts())
            }
        }
    }
}
