import LoamStorage
import Testing

@testable import LoamQuery

/// What a kept way reads of a table whose indexes have runs of many blocks: estimates have to tell a few entries from
/// half a run.
@Suite struct KeptEstimateTests {
    private static let rowCount = 30_000
    private static let pageCount = 6_000

    /// 30,000 documents, of which ten are deleted, and 6,000 pages in five groups.
    private let store: Store

    init() throws {
        var options = StoreOptions()
        options.isInMemory = true
        store = try Store.open(path: "", options: options)
        try store.apply(
            .addEntity(
                EntityDefinition(
                    "Document",
                    properties: [
                        .init("name", type: .string), .init("deletedAt", type: .int64, isOptional: true),
                        .init("size", type: .int64), .init("day", type: .int64), .init("kind", type: .string),
                    ],
                    indexes: [
                        .init([.init("deletedAt")]), .init([.init("name")]), .init([.init("size")]),
                        .init([.init("day")]),
                    ])))
        try store.apply(
            .addEntity(
                EntityDefinition(
                    "Page", properties: [.init("group", type: .int64), .init("title", type: .string)],
                    indexes: [.init([.init("group"), .init("title")], kind: .unique)])))
        let entity = try store.read { try $0.entity(named: "Document") }
        var batch = WriteBatch(author: "test")
        for number in 0..<Self.rowCount {
            let values: [Value] = [
                .string("document \(number * 7_919 % Self.rowCount)"),
                number % 3_000 == 7 ? .int(Int64(number)) : .null,
                .int(Int64(number * 7_907 % Self.rowCount)), .int(Int64(number)), .string("kind \(number % 7)"),
            ]
            batch.insert(
                try store.catalog().encode(values, as: entity.id), into: entity.id, rowID: try store.makeRowID())
        }
        let page = try store.read { try $0.entity(named: "Page") }
        for number in 0..<Self.pageCount {
            let values: [Value] = [.int(Int64(number % 5)), .string("page \(number)")]
            batch.insert(try store.catalog().encode(values, as: page.id), into: page.id, rowID: try store.makeRowID())
        }
        try store.save(batch)
    }

    private func query(_ format: String, _ arguments: [Value], sort: [SortKey] = [], limit: Int? = nil) throws -> Query
    {
        Query(
            entity: "Document", predicate: try PredicateParser.parse(format, arguments: arguments), sort: sort,
            limit: limit)
    }

    /// Entries and records that plans of the queries read, each once from the cache and once made anew.
    private func work(_ queries: [Query]) throws -> [(kept: Int, anew: Int, isKept: Bool)] {
        try store.read { snapshot in
            let cache = PlanCache()
            return try queries.map { query in
                let entity = try snapshot.entity(named: query.entity)
                let (plan, isKept) = try cache.plan(
                    query, of: entity, in: snapshot.schema, statistics: snapshot, analysisCount: 0)
                let fresh = try Planner.plan(query, of: entity, in: snapshot.schema, statistics: snapshot)
                var (kept, anew) = (Work(), Work())
                let rows = try plan.rows(in: snapshot, work: &kept).map(\.rowID)
                #expect(try rows == fresh.rows(in: snapshot, work: &anew).map(\.rowID))
                return (kept.entries + kept.records, anew.entries + anew.records, isKept)
            }
        }
    }

    @Test func fewEntriesAtTheEndOfAnIndexAreCounted() throws {
        for (sort, limit) in [([SortKey("name")], 20), ([], nil), ([SortKey("name")], nil)] as [([SortKey], Int?)] {
            let query = try query("deletedAt != NULL", [], sort: sort, limit: limit)
            for (kept, anew, _) in try work([query, query, query]) {
                #expect(kept <= anew && kept <= 40, "\(kept) read, \(anew) anew, limit \(limit ?? 0)")
            }
        }
    }

    @Test func severalBlocksOfOneRunAreCounted() throws {
        let queries = try [1_000, 9_000, 20_000].map { (start: Int64) in
            try query("day >= %@ AND day < %@ AND kind == 'kind 1'", [.int(start), .int(start + 1_200)])
        }
        for (kept, anew, _) in try work(queries) { #expect(kept <= anew + 500, "\(kept) read, \(anew) anew") }
    }

    /// The first constants narrow nothing, or leave nothing; the way is kept all the same.
    @Test func aWayIsKeptThatTheFirstConstantsDoNotNarrow() throws {
        let outside = try [(10, 5), (10, 29_989), (5, 29_980)].map { (bounds: (Int, Int)) in
            try query("NOT (size BETWEEN %@)", [.array([.int(Int64(bounds.0)), .int(Int64(bounds.1))])])
        }
        for (kept, anew, _) in try work(outside).dropFirst() {
            #expect(kept <= 4 * anew + 500, "\(kept), \(anew) anew")
        }
        let ids = try [0, 12, 100].map { try query("SELF < %@", [.int($0)]) }
        for (kept, anew, _) in try work(ids) { #expect(kept <= anew + 10, "\(kept) read, \(anew) anew") }
    }

    /// Points of the first component of a unique index hold many rows where no range answers what is asked of the
    /// second.
    @Test func pointsOfAPartOfAUniqueIndexAreCounted() throws {
        let queries = [[0, 1, 2, 3], [1, 2, 3, 4], [0, 2, 3, 4]].map { (groups: [Int64]) in
            Query(
                entity: "Page",
                predicate: .and([
                    .isIn(.keyPath(["group"]), .list(groups.map { .constant(.int($0)) }), StringOptions()),
                    .text(.keyPath(["title"]), .endsWith, .constant(.string("\(groups[0])")), StringOptions()),
                ]))
        }
        for (kept, anew, _) in try work(queries) { #expect(kept <= anew + 500, "\(kept) read, \(anew) anew") }
    }
}
