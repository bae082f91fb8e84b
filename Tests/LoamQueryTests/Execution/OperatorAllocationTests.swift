import AllocationCount
import Foundation
import LoamStorage
import Testing

@testable import LoamQuery

/// What each operator of a plan takes from the heap for a row that it looks at: the table of it. Rows that a scan counts,
/// or gives by their ids, take nothing; where values leave the engine each row takes an array.
///
/// CI runs this without optimization; `swift test -c release -Xswiftc -enable-testing --filter AllocationTests` confirms
/// the numbers of an optimized build.
@Suite(.enabled(if: allocation_count_is_exact(), "a sanitizer has a heap of its own"))
struct OperatorAllocationTests {
    /// A query, and which of its plans is meant.
    struct Operator: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let format: String
        var sort: [SortKey] = []
        var columns: [String] = []
        var result = ResultKind.rows
        var limit: Int?
        /// Whether every hundredth stored row is hidden by pending changes, and as many rows are pending.
        var isOverlaid = false
        /// Whether the scans of a union are those of an intersection.
        var isIntersected = false
        /// Whether values are handed out where they lie.
        var isUnboxed = false
        /// What stands in the plan's explanation.
        let shows: [String]
        /// The most allocations for a row, in the mean, rounded up.
        var allocations: AllocationBound = 0
    }

    private static let operators = [
        Operator(testDescription: "table", format: "level + 1 > 5", shows: ["table"]),
        Operator(testDescription: "count", format: "level + 1 > 5", result: .count, shows: ["table"]),
        Operator(
            testDescription: "index", format: "number > 5", sort: [SortKey("number")], shows: ["index number"]),
        Operator(
            testDescription: "records in the order of an index", format: "number > 5 AND note CONTAINS 'e'",
            sort: [SortKey("number")], shows: ["index number", "in the order of the index"],
            allocations: .unoptimized(11)),
        Operator(
            testDescription: "records by id", format: "number > 5 AND note CONTAINS 'e'",
            shows: ["index number", "in row id order"], allocations: .unoptimized(5)),
        Operator(
            testDescription: "entries that cover", format: "number > 5 AND place CONTAINS 'e' AND level * 2 > 7",
            shows: ["index number", "no record read"], allocations: .unoptimized(7)),
        Operator(testDescription: "union", format: "number < 50 OR place > 'b'", shows: ["union"]),
        Operator(
            testDescription: "sort", format: "level > 5", sort: [SortKey("note"), SortKey("level")],
            shows: ["sort by"], allocations: .unoptimized(12)),
        Operator(
            testDescription: "partial sort", format: "kind >= 0", sort: [SortKey("kind"), SortKey("note")],
            shows: ["partial sort by note", "index kind,step"], allocations: 8),
        Operator(
            testDescription: "columns", format: "level > 5", columns: ["number", "level"], shows: ["table"],
            allocations: AllocationBound(1, unoptimized: 3)),
        Operator(
            testDescription: "columns with a text", format: "level > 5", columns: ["number", "place"], shows: ["table"],
            allocations: AllocationBound(2, unoptimized: 4)),
        Operator(
            testDescription: "columns where they lie", format: "level > 5", columns: ["number", "level", "place"],
            isUnboxed: true, shows: ["table"]),
        Operator(
            testDescription: "columns where they lie in entries", format: "number > 5", sort: [SortKey("number")],
            columns: ["number", "level", "place"], isUnboxed: true, shows: ["index number", "no record read"]),
        Operator(
            testDescription: "intersection", format: "number > 5 OR place > 'b'", isIntersected: true,
            shows: ["union"], allocations: .unoptimized(4)),
        Operator(
            testDescription: "union of records", format: "number < 50 OR place > 'a'", sort: [SortKey("note")],
            limit: 10,
            shows: ["union"], allocations: .unoptimized(70)),
        Operator(
            testDescription: "scan behind each first value", format: "step > 5", shows: ["behind each"],
            allocations: .unoptimized(6)),
        Operator(
            testDescription: "count behind each first value", format: "step > 5", result: .count, shows: ["behind each"]
        ),
        Operator(
            testDescription: "merged ranges", format: "kind IN {0, 1, 2}", sort: [SortKey("step")], shows: ["merged"],
            allocations: .unoptimized(10)),
        Operator(
            testDescription: "top by an index", format: "number > 5", sort: [SortKey("level")], limit: 10,
            shows: ["top 10 by", "index number"], allocations: .unoptimized(8)),
        Operator(
            testDescription: "top", format: "level > 5", sort: [SortKey("note")], limit: 10,
            shows: ["table", "top 10 by"], allocations: .unoptimized(3)),
        Operator(
            testDescription: "watched search", format: "note CONTAINS 'nowhere to be found'", sort: [SortKey("number")],
            limit: 10, shows: ["index number", "other plans priced"], allocations: .unoptimized(12)),
        Operator(
            testDescription: "table under pending changes", format: "level + 1 > 5", isOverlaid: true,
            shows: ["table"], allocations: .unoptimized(1)),
        Operator(
            testDescription: "index under pending changes", format: "number > 5", sort: [SortKey("number")],
            isOverlaid: true, shows: ["index number"]),
        Operator(
            testDescription: "count under pending changes", format: "level + 1 > 5", result: .count, isOverlaid: true,
            shows: ["table"]),
    ]

    @Test(arguments: operators)
    func aRowTakesWhatTheTableSays(wanted: Operator) throws {
        let (fewer, more) = try Self.stores.get()
        let (first, second) = (try Self.allocations(wanted, fewer), try Self.allocations(wanted, more))
        // Lists of rows grow a few times.
        let growth = max(0, second - first - 60)
        #expect(
            (growth + Self.rowCount - 1) / Self.rowCount <= wanted.allocations.value,
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
                        .init("kind", type: .int64), .init("step", type: .int64),
                    ],
                    indexes: [
                        .init([.init("number")], included: ["level", "place"]), .init([.init("place")]),
                        .init([.init("kind"), .init("step")]),
                    ])))
        let entity = try store.read { try $0.entity(named: "Reading") }
        var batch = WriteBatch(author: "test")
        for number in 0..<count {
            let values: [Value] = [
                .int(Int64(number)), number % 9 == 2 ? .null : .double(Double(number) / 3),
                .string("a place with a name longer than a small string, \(number)"),
                .string("and a note that is longer than one, \(count - number)"), .int(Int64(number % 4)),
                .int(Int64(number)),
            ]
            batch.insert(
                try store.catalog().encode(values, as: entity.id), into: entity.id, rowID: try store.makeRowID())
        }
        try store.save(batch)
        return store
    }

    /// Hides every hundredth row, and has the same ones pending under other numbers.
    private static func overlay(over snapshot: Snapshot) throws -> Overlay {
        let overlay = Overlay()
        let entity = try snapshot.entity(named: "Reading")
        var number = 0
        try snapshot.scanRows(of: entity) { row in
            number += 1
            guard number % 100 == 0 else { return true }
            let values = [Value.int(Int64(-number))] + (try row.values().dropFirst())
            overlay.set(PlainRow(rowID: row.rowID, values: values), isStored: true, of: entity.id)
            return true
        }
        return overlay
    }

    /// The allocations of a plan when it is run for the second time in a snapshot.
    private static func allocations(_ wanted: Operator, _ store: Store) throws -> Int {
        try store.read { snapshot in
            let query = Query(
                entity: "Reading", predicate: try PredicateParser.parse(wanted.format), sort: wanted.sort,
                limit: wanted.limit, columns: wanted.columns, result: wanted.result)
            let resolved = try ResolvedQuery(query, in: snapshot.entity(named: "Reading"), schema: snapshot.schema)
            var plans = try Planner.plans(resolved, statistics: snapshot)
            plans += plans.compactMap(\.sortedWithinGroups)
            var plan = try #require(
                plans.first { plan in wanted.shows.allSatisfy { "\(plan.explanation())".contains($0) } },
                "\(plans.map { "\($0.explanation())" }.joined(separator: "\n"))")
            if wanted.isIntersected, case .union(let scans) = plan.accessPath {
                plan.accessPath = .intersection(scans)
                plan.residual = []
            }
            let overlay = wanted.isOverlaid ? try self.overlay(over: snapshot) : nil
            func run() throws {
                var work = Work()
                if wanted.result == .count {
                    _ = try plan.count(in: snapshot, overlay: overlay, work: &work)
                } else if wanted.isUnboxed {
                    var (rows, values) = (0, 0)
                    try plan.execute(in: snapshot, overlay: nil, work: &work) {
                        rows += $0.count
                        values += $1.count
                    } boxed: { _, _ in
                        rows = .min
                    }
                    #expect(rows == work.returned && rows > Self.rowCount / 2)
                    #expect(values == rows * wanted.columns.count)
                } else {
                    try plan.execute(in: snapshot, overlay: overlay, work: &work) { _, _, _ in true }
                }
            }
            try run()
            let before = allocation_count()
            try run()
            return Int(allocation_count() - before)
        }
    }
}
