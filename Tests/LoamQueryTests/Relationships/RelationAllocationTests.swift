import AllocationCount
import Foundation
import LoamStorage
import RandomQueries
import Testing

@testable import LoamQuery

/// What predicates about related rows take from the heap for a row: the table of it.
///
/// A reference is read where it lies, and so are the values of the row that it leads to. Where rows are looked for in an
/// index or among links, the bounds of the range lie on the stack, and the cursor's memory and a block's are those of the
/// look-up before. An aggregate has each row's value computed where that lies.
///
/// CI runs this without optimization; `swift test -c release -Xswiftc -enable-testing --filter AllocationTests` confirms
/// the other numbers.
@Suite(.enabled(if: allocation_count_is_exact(), "a sanitizer has a heap of its own"))
struct RelationAllocationTests {
    struct Node: CustomTestStringConvertible, Sendable {
        let entity: String
        let format: String
        /// The most allocations for a row, in the mean, rounded up.
        var allocations: AllocationBound = 0

        var testDescription: String { "\(entity): \(format): \(allocations)" }
    }

    private static let aggregate = AllocationBound.unoptimized(5)
    private static let nodes = [
        Node(entity: "City", format: "country == nil"),
        Node(entity: "City", format: "country.name == 'a country that is not there'", allocations: .unoptimized(2)),
        Node(entity: "City", format: "country.rank + 1 > population", allocations: .unoptimized(2)),
        Node(entity: "City", format: "lowercase(country.name) CONTAINS name", allocations: .unoptimized(2)),
        Node(entity: "City", format: "country.capital.name BEGINSWITH[cd] name", allocations: .unoptimized(4)),
        Node(entity: "City", format: "country.capital == SELF", allocations: .unoptimized(2)),
        Node(entity: "Person", format: "boss.boss.age > age", allocations: .unoptimized(4)),
        Node(entity: "Person", format: "city.country.rank IN {1, 2, 3}", allocations: .unoptimized(8)),
        Node(entity: "City", format: "ANY sights.height > 1e30", allocations: .unoptimized(5)),
        Node(entity: "City", format: "ALL sights.name == name", allocations: .unoptimized(5)),
        Node(entity: "City", format: "sights.@count > 2", allocations: .unoptimized(2)),
        Node(
            entity: "City", format: "SUBQUERY(sights, $s, $s.height > population).@count > 1",
            allocations: .unoptimized(2)),
        Node(entity: "Country", format: "ANY cities.population > 1000000000000", allocations: .unoptimized(5)),
        Node(entity: "Country", format: "cities.@count > 3", allocations: .unoptimized(2)),
        Node(
            entity: "Country", format: "SUBQUERY(cities, $c, $c.name == name).@count > 1", allocations: .unoptimized(2)
        ),
        Node(entity: "Person", format: "ANY friends.age > 1000", allocations: .unoptimized(8)),
        Node(entity: "Person", format: "ANY reports.city.name == name", allocations: .unoptimized(11)),
        Node(entity: "Country", format: "cities.@sum.population > 5", allocations: aggregate),
        Node(entity: "Country", format: "cities.@avg.population > 5", allocations: aggregate),
        Node(entity: "Country", format: "cities.@max.name > 'm'", allocations: aggregate),
        Node(entity: "City", format: "sights.@min.height < population", allocations: aggregate),
        Node(
            entity: "Country", format: "SUBQUERY(cities, $c, $c.population > rank).@max.name > name",
            allocations: aggregate),
        Node(entity: "City", format: "NONE sights.height < 3", allocations: .unoptimized(5)),
        Node(entity: "City", format: "SUBQUERY(sights, $s, $s.height > 1).@count == 2", allocations: .unoptimized(2)),
        Node(
            entity: "Person", format: "SUBQUERY(friends, $f, ANY $f.friends.age > age).@count > 1",
            allocations: .unoptimized(32)),
        Node(entity: "Person", format: "ANY friends.friends.age > 1000", allocations: .unoptimized(29)),
        Node(entity: "Country", format: "ANY cities.sights.height > 1000", allocations: .unoptimized(15)),
        Node(entity: "Person", format: "TERNARY(boss == nil, age, boss.age) > 40", allocations: .unoptimized(2)),
        Node(entity: "Person", format: "city.sights.@count > 2", allocations: .unoptimized(7)),
    ]

    @Test(arguments: nodes)
    func aRowTakesWhatTheTableSays(node: Node) throws {
        let (fewer, more) = try Self.atlases.get()
        let (first, second) = (try Self.allocations(node, fewer), try Self.allocations(node, more))
        let rows = second.rows - first.rows
        // The memory for texts, and that of what is remembered of references, grows a few times.
        let growth = max(0, second.count - first.count - 16)
        #expect((growth + rows - 1) / rows <= node.allocations.value, "\(node.format): \(first), then \(second)")
    }

    private struct Atlases: @unchecked Sendable {
        let fewer, more: AtlasStore
    }

    private static let stores = Result {
        Atlases(fewer: try AtlasStore(seed: 4, rowCount: 100), more: try AtlasStore(seed: 4, rowCount: 300))
    }
    private static var atlases: Result<(AtlasStore, AtlasStore), any Error> { stores.map { ($0.fewer, $0.more) } }

    private static func allocations(_ node: Node, _ atlas: AtlasStore) throws -> (rows: Int, count: Int) {
        try atlas.store.read { snapshot in
            let entity = try snapshot.entity(named: node.entity)
            let predicate = try TypeChecker(entity: entity, schema: snapshot.schema)
                .check(PredicateParser.parse(node.format))
            let program = try FilterProgram(Filter(predicate))
            func run() throws -> Int {
                let related = SnapshotRelations(snapshot)
                var rows = 0
                try snapshot.scanRows(of: entity) { row in
                    rows += 1
                    _ = try program.matches(row, related: related)
                    return true
                }
                return rows
            }
            // The first run makes what is made once, such as tables of folded letters.
            let rows = try run()
            let before = allocation_count()
            _ = try run()
            return (rows, Int(allocation_count() - before))
        }
    }
}
