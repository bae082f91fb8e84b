import AllocationCount
import Foundation
import LoamStorage
import Testing

@testable import LoamQuery

/// The allocations of a sort for each row that it looks at.
@Suite(.enabled(if: allocation_count_is_exact(), "a sanitizer has a heap of its own"))
struct SortAllocationTests {
    /// Rows of numbers, dates, texts and ids.
    private final class Readings {
        let store: Store
        private let folder: URL

        init(_ count: Int, indexes: [IndexDefinition] = []) throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "loam-readings-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            var options = StoreOptions()
            options.durability = .recent
            store = try Store.open(path: folder.appending(path: "store").path, options: options)
            try store.apply(
                .addEntity(
                    EntityDefinition(
                        "Reading",
                        properties: [
                            .init("number", type: .int64), .init("level", type: .double, isOptional: true),
                            .init("time", type: .date),
                            .init("place", type: .string), .init("key", type: .uuid), .init("flag", type: .bool),
                            .init("price", type: .decimal), .init("link", type: .url), .init("bytes", type: .data),
                        ],
                        indexes: indexes)))
            let entity = try store.read { try $0.entity(named: "Reading") }
            var batch = WriteBatch(author: "test")
            for number in 0..<count {
                // The values go from both ends towards the middle, so that the first rows of any order come first.
                let value = (number % 2 == 0 ? -1 : 1) * (10_000 - number)
                let key = String(format: "%08X-0000-0000-0000-000000000000", 20_000 + value)
                let values: [Value] = [
                    .int(Int64(value)), number % 9 == 2 ? .null : .double(Double(value) / 3),
                    .date(Date(timeIntervalSinceReferenceDate: Double(value))),
                    .string("a place with a name longer than a small string, \(20_000 + value)"),
                    .uuid(try #require(UUID(uuidString: key))), .bool(number % 2 == 0),
                    .decimal(Decimal(value) / 4),
                    .url(try #require(URL(string: "https://example.org/a/path/to/\(20_000 + value)"))),
                    .data(Data(key.utf8)),
                ]
                batch.insert(
                    try store.catalog().encode(values, as: entity.id), into: entity.id, rowID: try store.makeRowID())
            }
            try store.save(batch)
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        /// The allocations of a query when it is run for the second time in a snapshot.
        func allocations(_ query: Query, expecting: Arrangement) throws -> Int {
            try store.read { snapshot in
                let plan = try Planner.plan(query, in: snapshot)
                try #require(plan.arrangement == expecting, "\(plan.explanation())")
                var work = Work()
                _ = try plan.rows(in: snapshot, work: &work)
                let before = allocation_count()
                _ = try plan.rows(in: snapshot, work: &work)
                return Int(allocation_count() - before)
            }
        }
    }

    /// A row that does not come among the first ten takes nothing from the heap.
    @Test(arguments: [
        [SortKey("number")], [SortKey("number", direction: .descending)], [SortKey("level", direction: .descending)],
        [SortKey("time")],
        [SortKey("flag"), SortKey("number", direction: .descending)], [SortKey("key")],
        [SortKey("place", direction: .descending)],
        [SortKey("place", form: .diacriticFolded)],
        [SortKey("place", form: .caseFolded)], [SortKey("place", direction: .descending, form: .localizedStandard)],
        [SortKey("price")], [SortKey("price", direction: .descending), SortKey("place")], [SortKey("link")],
        [SortKey("bytes", direction: .descending)], [SortKey("length(place)"), SortKey("number")],
        [SortKey("lowercase(place)")], [SortKey("uppercase(place)", direction: .descending, form: .caseFolded)],
        [SortKey("startOfDay(time, 'Europe/Berlin')"), SortKey("floor(level)")],
        [SortKey("year(time)"), SortKey("number")], [SortKey("negate(number)")],
        [SortKey("abs(number)", direction: .descending)],
    ])
    func theFirstTenTakeNothingForARow(order: [SortKey]) throws {
        let query = Query(entity: "Reading", sort: order, limit: 10)
        let few = try Readings(2_000).allocations(query, expecting: .top(10))
        let many = try Readings(6_000).allocations(query, expecting: .top(10))
        #expect(abs(many - few) < 10, "\(many) for 6,000 rows, \(few) for 2,000")
    }

    /// A function is made of the value where the entry holds it.
    @Test func aFunctionOfWhatAnEntryHoldsTakesNothing() throws {
        let indexes = [IndexDefinition([.init("flag"), .init("number")], included: ["place"])]
        let query = Query(
            entity: "Reading", predicate: try PredicateParser.parse("flag == true"),
            sort: [SortKey("length(place)"), SortKey("lowercase(place)"), SortKey("abs(number)")], limit: 10,
            columns: ["number"])
        let few = try Readings(2_000, indexes: indexes).allocations(query, expecting: .top(10))
        let many = try Readings(6_000, indexes: indexes).allocations(query, expecting: .top(10))
        #expect(abs(many - few) < 40, "\(many) for 6,000 rows, \(few) for 2,000")
    }

    /// Entries of an index hold the keys already, so a row takes nothing from the heap.
    @Test func theFirstTenOfAnIndexTakeNothingForAnEntry() throws {
        let indexes = [IndexDefinition([.init("flag"), .init("number"), .init("level")])]
        let query = Query(
            entity: "Reading", predicate: try PredicateParser.parse("flag == true"),
            sort: [SortKey("level"), SortKey("number")], limit: 10, columns: ["number"])
        let few = try Readings(2_000, indexes: indexes).allocations(query, expecting: .top(10))
        let many = try Readings(6_000, indexes: indexes).allocations(query, expecting: .top(10))
        #expect(abs(many - few) < 40, "\(many) for 6,000 rows, \(few) for 2,000")
    }
}
