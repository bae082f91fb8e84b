import AllocationCount
import Foundation
import LoamStorage
import RandomQueries
import Testing

@testable import LoamQuery

/// What predicates about related rows take from the heap for a row: the table of it.
///
/// A reference is read where it lies, and so are the values of the row that it leads to; looking for that row takes a
/// little. Where rows are looked for in an index or among links it takes more: a cursor's memory, a block's, and the
/// bounds of the range, for each row that they are looked for. The numbers are those of a build without optimization.
@Suite(.enabled(if: allocation_count_is_exact(), "a sanitizer has a heap of its own"))
struct RelationAllocationTests {
    struct Node: CustomTestStringConvertible, Sendable {
        let entity: String
        let format: String
        /// The most allocations for a row, in the mean, rounded up.
        var allocations = 0

        var testDescription: String { "\(entity): \(format): \(allocations)" }
    }

    private static let nodes = [
        Node(entity: "City", format: "country == nil"),
        Node(entity: "City", format: "country.name == 'a country that is not there'", allocations: 2),
        Node(entity: "City", format: "country.rank + 1 > population", allocations: 2),
        Node(entity: "City", format: "lowercase(country.name) CONTAINS name", allocations: 2),
        Node(entity: "City", format: "country.capital.name BEGINSWITH[cd] name", allocations: 5),
        Node(entity: "City", format: "country.capital == SELF", allocations: 2),
        Node(entity: "Person", format: "boss.boss.age > age", allocations: 5),
        Node(entity: "Person", format: "city.country.rank IN {1, 2, 3}", allocations: 37),
        Node(entity: "City", format: "ANY sights.height > 1e30", allocations: 13),
        Node(entity: "City", format: "ALL sights.name == name", allocations: 13),
        Node(entity: "City", format: "sights.@count > 2", allocations: 10),
        Node(entity: "City", format: "SUBQUERY(sights, $s, $s.height > population).@count > 1", allocations: 10),
        Node(entity: "Country", format: "ANY cities.population > 1000000000000", allocations: 34),
        Node(entity: "Country", format: "cities.@count > 3", allocations: 27),
        Node(entity: "Country", format: "SUBQUERY(cities, $c, $c.name == name).@count > 1", allocations: 31),
        Node(entity: "Person", format: "ANY friends.age > 1000", allocations: 16),
        Node(entity: "Person", format: "ANY reports.city.name == name", allocations: 62),
    ]

    @Test(arguments: nodes)
    func aRowTakesWhatTheTableSays(node: Node) throws {
        let (fewer, more) = try Self.atlases.get()
        let (first, second) = (try Self.allocations(node, fewer), try Self.allocations(node, more))
        let rows = second.rows - first.rows
        // The memory for texts, and that of what is remembered of references, grows a few times.
        let growth = max(0, second.count - first.count - 16)
        #expect((growth + rows - 1) / rows <= node.allocations, "\(node.format): \(first), then \(second)")
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
