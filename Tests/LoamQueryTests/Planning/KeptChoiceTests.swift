import Foundation
import LoamStorage
import SeededRandom
import Testing

@testable import LoamQuery

/// Plans from the cache against plans made anew, over constants of which some hold for half of the rows and others for
/// none: the same rows, and about as much to read.
@Suite struct KeptChoiceTests {
    private static let rowCount = 3_000

    /// 3,000 events: half of them of one kind and a third of one day, the others of kinds and days with a few each.
    private static func makeStore() throws -> Store {
        var options = StoreOptions()
        options.isInMemory = true
        let store = try Store.open(path: "", options: options)
        try store.apply(
            .addEntity(
                EntityDefinition(
                    "Event",
                    properties: [
                        .init("kind", type: .string), .init("day", type: .int64), .init("size", type: .double),
                        .init("text", type: .string, isOptional: true), .init("code", type: .int64),
                    ],
                    indexes: [
                        .init([.init("kind"), .init("size")]), .init([.init("day")]), .init([.init("size")]),
                        .init([.init("code")], kind: .unique), .init([.init("text", function: .uppercase)]),
                    ])))
        let entity = try store.read { try $0.entity(named: "Event") }
        var batch = WriteBatch(author: "test")
        for number in 0..<rowCount {
            let values: [Value] = [
                .string(number % 2 == 0 ? "common" : "rare \(number % 1_000)"),
                .int(number % 3 == 0 ? 0 : Int64(number % 1_000)), .double(Double(number * 7_919 % 20_011)),
                number % 5 == 0 ? .null : .string("text \(number % 10)"), .int(Int64(number)),
            ]
            batch.insert(
                try store.catalog().encode(values, as: entity.id), into: entity.id, rowID: try store.makeRowID())
        }
        try store.save(batch)
        return store
    }

    private struct Constants {
        var generator: SeededGenerator

        mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }

        mutating func kind() -> Value {
            .string(number(0..<3) == 0 ? "common" : "rare \(number(0..<500) * 2 + 1)")
        }

        mutating func day() -> Value { .int(number(0..<3) == 0 ? 0 : Int64(number(0..<1_000))) }

        /// Near either end as often as between.
        mutating func size() -> Value {
            .double(Double([number(0..<100), number(0..<20_011), number(19_900..<20_011)][number(0..<3)]))
        }

        mutating func list(_ count: Int, of element: (inout Constants) -> Value) -> Value {
            .array((0..<count).map { _ in element(&self) })
        }

        mutating func code() -> Value { .int(Int64(number(0..<KeptChoiceTests.rowCount + 500))) }
    }

    private struct Shape: Sendable {
        let format: String
        var sort: [SortKey] = []
        var result = ResultKind.rows
        let constants: @Sendable (inout Constants) -> [Value]
    }

    private static let shapes: [Shape] = [
        Shape(format: "kind == %@ AND day == %@") { [$0.kind(), $0.day()] },
        Shape(format: "kind == %@ AND size >= %@ AND day == %@") { [$0.kind(), $0.size(), $0.day()] },
        Shape(format: "size >= %@ AND code < %@") { [$0.size(), $0.code()] },
        Shape(format: "size >= %@ AND size < %@") { [$0.size(), $0.size()] },
        Shape(format: "size >= %@ OR code < %@") { [$0.size(), $0.code()] },
        Shape(format: "day == %@ OR kind == %@") { [$0.day(), $0.kind()] },
        Shape(format: "kind IN %@ AND day == %@") { [$0.list(10) { $0.kind() }, $0.day()] },
        Shape(format: "day IN %@") { [$0.list(10) { $0.day() }] },
        Shape(format: "code IN %@") { [$0.list(12) { $0.code() }] },
        Shape(format: "code IN %@ AND kind == %@") { [$0.list(12) { $0.code() }, $0.kind()] },
        Shape(format: "kind BEGINSWITH %@") { [.string($0.number(0..<2) == 0 ? "c" : "rare \($0.number(1..<900))")] },
        Shape(format: "kind == %@", sort: [SortKey("size")]) { [$0.kind()] },
        Shape(format: "day == %@", sort: [SortKey("size")]) { [$0.day()] },
        Shape(format: "text == 'text 1' AND size < %@", sort: [SortKey("size")]) { [$0.size()] },
        Shape(format: "SELF > %@ AND day == %@") { [.uint(UInt64($0.number(0..<1_000))), $0.day()] },
        Shape(format: "kind == %@ AND day != %@", result: .count) { [$0.kind(), $0.day()] },
        Shape(format: "uppercase(text) == %@") { [.string("TEXT \($0.number(0..<12))")] },
        Shape(format: "uppercase(text) == %@ AND day == %@") { [.string("TEXT \($0.number(0..<12))"), $0.day()] },
        Shape(format: "uppercase(text) IN %@", sort: [SortKey("size")]) {
            [$0.list(3) { .string("TEXT \($0.number(0..<12))") }]
        },
        Shape(format: "code + 10 >= %@ AND size >= %@") { [$0.code(), $0.size()] },
        Shape(format: "day == %@", sort: [SortKey("size"), SortKey("code")]) { [$0.day()] },
        Shape(format: "code >= %@", sort: [SortKey("day"), SortKey("size")]) { [$0.code()] },
        Shape(format: "size >= %@ AND size < %@ AND code < %@") { [$0.size(), $0.size(), $0.code()] },
        Shape(format: "kind IN %@", sort: [SortKey("size")]) { [$0.list(10) { $0.kind() }] },
        Shape(format: "size BETWEEN %@") { [$0.list(2) { $0.size() }] },
    ]

    /// So much more may be read where another way is not looked at: what looking at all ways costs.
    private static let slack = 500.0

    /// Entries and records that a plan reads, roughly weighed.
    private func cost(_ work: Work) -> Double {
        Double(work.records) + Double(work.entries) * 0.1
    }

    @Test(arguments: [1, 2] as [UInt64])
    func choosesAsANewPlanWould(seed: UInt64) throws {
        let store = try Self.makeStore()
        try store.read { snapshot in
            let entity = try snapshot.entity(named: "Event")
            let cache = PlanCache()
            var constants = Constants(generator: SeededGenerator(seed: seed))
            for number in 0..<(12 * Self.shapes.count) {
                let shape = Self.shapes[number % Self.shapes.count]
                let arguments = shape.constants(&constants)
                let limit = [nil, 3, 500][constants.number(0..<3)]
                let query = Query(
                    entity: "Event", predicate: try PredicateParser.parse(shape.format, arguments: arguments),
                    sort: shape.sort, limit: limit, columns: [], result: shape.result)
                let (plan, isKept) = try cache.plan(
                    query, of: entity, in: snapshot.schema, statistics: snapshot, analysisCount: 0)
                let plans = try Planner.plans(ResolvedQuery(query, in: entity), statistics: snapshot)
                let fresh = try Planner.plan(query, of: entity, in: snapshot.schema, statistics: snapshot)
                let scan = try #require(plans.first { $0.accessPath == .table(from: .min, through: .max) })
                let place = Comment(rawValue: "seed \(seed), number \(number), kept \(isKept)\n\(plan.explanation())")
                let (found, foundWork) = try outcome(plan, snapshot)
                let (expected, _) = try outcome(scan, snapshot)
                try #require(found == expected, place)
                let (_, freshWork) = try outcome(fresh, snapshot)
                try #require(
                    cost(foundWork) <= 4 * cost(freshWork) + Self.slack, "\(place)\nanew\n\(fresh.explanation())")
            }
            // Shapes come again twelve times, half with a limit: all but the first of each are known, or nearly all.
            #expect(cache.keptCount > 8 * Self.shapes.count, "\(cache.keptCount)")
        }
    }

    private func outcome(_ plan: Plan, _ snapshot: Snapshot) throws -> ([RowID], Work) {
        var work = Work()
        if plan.query.result == .count { return ([RowID(try plan.count(in: snapshot, work: &work))], work) }
        return (try plan.rows(in: snapshot, work: &work).map(\.rowID), work)
    }
}
