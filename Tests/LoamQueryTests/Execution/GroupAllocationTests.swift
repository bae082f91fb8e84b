import AllocationCount
import Foundation
import LoamStorage
import Testing

@testable import LoamQuery

/// What grouping takes from the heap for a row of a group that is there already: the table of it.
///
/// CI runs this without optimization; `swift test -c release -Xswiftc -enable-testing --filter AllocationTests` confirms
/// the numbers of an optimized build.
@Suite(.enabled(if: allocation_count_is_exact(), "a sanitizer has a heap of its own"))
struct GroupAllocationTests {
    struct Grouping: CustomTestStringConvertible, Sendable {
        let keys: [String]
        let aggregates: String
        /// The most for a row, in the mean, rounded up.
        var allocations = AllocationBound.unoptimized(12)

        var testDescription: String { "\(aggregates) by \(keys.joined(separator: ", ")): \(allocations)" }
    }

    private static let keys = [[], ["kind"], ["town"], ["kind", "town"], ["flag", "share"], ["price"]]
    private static let aggregates = [
        "count()", "count(note)", "sum(size)", "sum(level)", "sum(amount)", "sum(cost)", "average(size)",
        "average(cost)",
        "minimum(size)", "maximum(level)", "minimum(cost)", "maximum(cost)", "minimum(note)", "maximum(note)",
        "minimum(day)", "maximum(day)",
    ]
    private static let groupings = keys.flatMap { keys in aggregates.map { Grouping(keys: keys, aggregates: $0) } }

    @Test(arguments: groupings)
    func aRowOfAKnownGroupTakesWhatTheTableSays(grouping: Grouping) throws {
        let (fewer, more) = try Self.stores.get()
        let (first, second) = (try Self.allocations(grouping, fewer), try Self.allocations(grouping, more))
        // The memory for keys and the lists of sums by exponents grow a few times; longer sums have more digits.
        let growth = max(0, second - first - 100)
        #expect(
            (growth + Self.rowCount - 1) / Self.rowCount <= grouping.allocations.value,
            "\(grouping.testDescription): \(first), then \(second)")
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
                    "Sale",
                    properties: [
                        .init("kind", type: .int64), .init("town", type: .string), .init("flag", type: .bool),
                        .init("share", type: .double), .init("price", type: .decimal),
                        .init("size", type: .int64, isOptional: true), .init("amount", type: .uint64),
                        .init("level", type: .double), .init("cost", type: .decimal), .init("note", type: .string),
                        .init("day", type: .date),
                    ])))
        let entity = try store.read { try $0.entity(named: "Sale") }
        var batch = WriteBatch(author: "test")
        for number in 0..<count {
            // From both ends towards the middle, and of the same length: the first rows decide least and greatest.
            let value = (number % 2 == 0 ? -1 : 1) * (10_000 - number)
            let values: [Value] = [
                .int(Int64(number % 7)), .string("a town with a name longer than a small string, \(number % 5)"),
                .bool(number % 2 == 0), .double(Double(number % 3) / 2), .decimal(Decimal(number % 6) / 4),
                number % 9 == 2 ? .null : .int(Int64(value)), .uint(UInt64(number)), .double(Double(value) / 4),
                .decimal(Decimal(number % 7) / 4), .string("a note that is longer than one, \(20_000 + value)"),
                .date(Date(timeIntervalSinceReferenceDate: Double(value))),
            ]
            batch.insert(
                try store.catalog().encode(values, as: entity.id), into: entity.id, rowID: try store.makeRowID())
        }
        try store.save(batch)
        return store
    }

    /// The allocations of a query when it is run for the second time in a snapshot.
    private static func allocations(_ grouping: Grouping, _ store: Store) throws -> Int {
        try store.read { snapshot in
            let query = GroupedQuery(
                entity: "Sale", keys: grouping.keys, aggregates: [try GroupAggregate(grouping.aggregates)])
            let plan = try GroupedPlan(query, in: snapshot)
            func run() throws {
                var work = Work()
                let groups = try plan.groups(in: snapshot, work: &work)
                #expect(groups.count <= 35 && !groups.isEmpty)
            }
            try run()
            let before = allocation_count()
            try run()
            return Int(allocation_count() - before)
        }
    }
}
