import LoamStorage
import RandomQueries
import SeededRandom
import Testing

@testable import LoamQuery

/// 20,000 earthquakes in an order that no index has.
enum SortedQuakes {
    private static let quakes = Result { try QuakeStore(rowCount: 20_000) }

    static func query(memory: Int, folder: String? = nil, columns: [String]? = nil) -> Query {
        var query = Query(
            entity: "Quake", sort: [SortKey("place", direction: .descending), SortKey("code")], columns: columns)
        query.sortSpace = SortSpace(memory: memory, folder: folder)
        return query
    }

    static func get() throws -> QuakeStore { try quakes.get() }
}

extension SampleStore {
    /// Holds random queries, whose sorts have a few KiB of memory, against a full scan: in the plan that is chosen and in
    /// another one, under unsaved changes.
    ///
    /// - Parameters:
    ///   - prepare: changes a query, given its number.
    ///   - note: is given what each plan did, and says what is wrong with it.
    func checkSorts(
        _ count: UInt64, seed: UInt64, prepare: (inout Query, UInt64, inout SeededGenerator) -> Void,
        holding note: @escaping (Work, Plan) throws -> String?
    ) throws {
        try store.read { snapshot in
            let entity = try snapshot.entity(named: "Thing")
            let ids = rows[0].rowID...rows[rows.count - 1].rowID + 20
            for number in 0..<count {
                let seed = seed << 32 | number
                var generator = SeededGenerator(seed: ~seed)
                let (overlay, rows) = overlay(of: entity, &generator)
                var source = RandomQuery(entity, seed: seed)
                var query = source.query(rowIDs: ids)
                query.result = .rows
                if query.sort.isEmpty { query.sort = [SortKey("note", direction: .descending)] }
                prepare(&query, number, &generator)
                query.sortSpace = SortSpace(memory: ValuePool.pick([1_024, 2_048, 6_000], &generator))
                let check = QueryCheck(FullScan(entity: entity, rows: rows), in: snapshot, overlay: overlay)
                let all = try check.plans(of: query)
                let plans = [try Planner.plan(query, in: snapshot), all[Int(seed % UInt64(all.count))]]
                let difference = try check.difference(of: query, in: plans, holding: note)
                try #require(difference == nil, "seed \(seed)")
            }
        }
    }
}
