import AllocationCount
import Foundation
import LoamStorage
import Testing

@testable import LoamQuery

/// What each operator of a plan takes from the heap for a row that it looks at: the table of it. Rows that a scan counts,
/// or gives by their ids, take nothing; where values leave the engine each row takes an array.
@Suite(.enabled(if: allocation_count_is_exact(), "a sanitizer has a heap of its own"))
struct OperatorAllocationTests {
    /// A query, and which of its plans is meant.
    struct Operator: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let format: String
        var sort: [SortKey] = []
        var columns: [String] = []
        var result = ResultKind.rows
        /// Whether values are handed out where they lie.
        var isUnboxed = false
        /// What stands in the plan's explanation.
        let shows: [String]
        /// The most allocations for a row, in a build without optimization.
        var allocations = 0
    }

    private static let operators = [
        Operator(testDescription: "table", format: "level + 1 > 5", shows: ["table"]),
        Operator(testDescription: "count", format: "level + 1 > 5", result: .count, shows: ["table"]),
        Operator(
            testDescription: "index", format: "number > 5", sort: [SortKey("number")], shows: ["index number"]),
        Operator(
            testDescription: "records in the order of an index", format: "number > 5 AND note CONTAINS 'e'",
            sort: [SortKey("number")], shows: ["index number", "in the order of the index"], allocations: 11),
        Operator(
            testDescription: "records by id", format: "number > 5 AND note CONTAINS 'e'",
            shows: ["index number", "in row id order"], allocations: 5),
        Operator(
            testDescription: "entries that cover", format: "number > 5 AND place CONTAINS 'e' AND level * 2 > 7",
            shows: ["index number", "no record read"], allocations: 7),
        Operator(testDescription: "union", format: "number < 50 OR place > 'b'", shows: ["union"]),
        Operator(
            testDescription: "sort", format: "level > 5", sort: [SortKey("note"), SortKey("level")],
            shows: ["sort by"], allocations: 12),
        Operator(
            testDescription: "columns", format: "level > 5", columns: ["number", "level"], shows: ["table"],
            allocations: 3),
        Operator(
            testDescription: "columns with a text", format: "level > 5", columns: ["number", "place"], shows: ["table"],
            allocations: 4),
        Operator(
            testDescription: "columns where they lie", format: "level > 5", columns: ["number", "level", "place"],
            isUnboxed: true, shows: ["table"]),
        Operator(
            testDescription: "columns where they lie in entries", format: "number > 5", sort: [SortKey("number")],
            columns: ["number", "level", "place"], isUnboxed: true, shows: ["index number", "no record read"]),
    ]

    @Test(arguments: operators)
    func aRowTakesWhatTheTableSays(wanted: Operator) throws {
        let (fewer, more) = try Self.stores.get()
        let (first, second) = (try Self.allocations(wanted, fewer), try Self.allocations(wanted, more))
        // Lists of rows grow a few times.
        let growth = max(0, second - first - 60)
        #expect(
            (growth + Self.rowCount - 1) / Self.rowCount <= wanted.allocations,
            "\(wanted.testDescription): \(first), then \(second)")
    }

    private static let rowCount = 1_000
    private static let stores = Result { (try store(rowCount), try store(2 * rowCount)) }

    private static func store(_ count: Int) throws -> Store {
        var options = StoreOptions()
        options.isInMemory = true
        let store = try Store.open(path: "", options: options)
        try store.apply(
            .addEntity(
                EntityDefinition(
                    "Reading",
                    properties: [
                        .init("number", type: .int64), .init("level", type: .double, isOptional: true),
                        .init("place", type: .string), .init("note", type: .string),
                    ],
                    indexes: [.init([.init("number")], included: ["level", "place"]), .init([.init("place")])])))
        let entity = try store.read { try $0.entity(named: "Reading") }
        var batch = WriteBatch(author: "test")
        for number in 0..<count {
            let values: [Value] = [
                .int(Int64(number)), number % 9 == 2 ? .null : .double(Double(number) / 3),
                .string("a place with a name longer than a small string, \(number)"),
                .string("and a note that is longer than one, \(count - number)"),
            ]
            batch.insert(
                try store.catalog().encode(values, as: entity.id), into: entity.id, rowID: try store.makeRowID())
        }
        try store.save(batch)
        return store
    }

    /// The allocations of a plan when it is run for the second time in a snapshot.
    private static func allocations(_ wanted: Operator, _ store: Store) throws -> Int {
        try store.read { snapshot in
            let query = Query(
                entity: "Reading", predicate: try PredicateParser.parse(wanted.format), sort: wanted.sort,
                columns: wanted.columns, result: wanted.result)
            let resolved = try ResolvedQuery(query, in: snapshot.entity(named: "Reading"), schema: snapshot.schema)
            let plans = try Planner.plans(resolved, statistics: snapshot)
            let plan = try #require(
                plans.first { plan in wanted.shows.allSatisfy { "\(plan.explanation())".contains($0) } },
                "\(plans.map { "\($0.explanation())" }.joined(separator: "\n"))")
            func run() throws {
                var work = Work()
                if wanted.result == .count {
                    _ = try plan.count(in: snapshot, work: &work)
                } else if wanted.isUnboxed {
                    var rows = 0
                    try plan.execute(in: snapshot, overlay: nil, work: &work) { _, values in
                        rows += values.count == wanted.columns.count ? 1 : 0
                        return true
                    } boxed: { _, _ in
                        false
                    }
                    #expect(rows == work.returned && rows > Self.rowCount / 2)
                } else {
                    try plan.execute(in: snapshot, work: &work) { _, _ in true }
                }
            }
            try run()
            let before = allocation_count()
            try run()
            return Int(allocation_count() - before)
        }
    }
}
