import LoamStorage
import RandomQueries
import Testing

@testable import LoamQuery

/// Searches along an order that look at more rows than was expected.
@Suite struct SearchWatchTests {
    private static let quakes = Result { try QuakeStore(rowCount: 20_000) }

    private static func query(_ format: String, limit: Int, offset: Int = 0) throws -> Query {
        Query(
            entity: "Quake", predicate: try PredicateParser.parse(format), sort: [SortKey("time")], limit: limit,
            offset: offset)
    }

    /// The plan along the index of the order, its rows and its work, and the rows of a scan of the table.
    private static func walk(
        _ query: Query, overlay: Overlay? = nil
    ) throws -> (rows: [RowID], work: Work, all: [RowID]) {
        try quakes.get().store.read { snapshot in
            let entity = try snapshot.entity(named: "Quake")
            let plans = try Planner.plans(
                ResolvedQuery(query, in: entity, schema: snapshot.schema), statistics: snapshot)
            let walk = try #require(plans.first { $0.arrangement == .served && $0.accessPath.scan != nil })
            let table = try #require(plans.first { $0.accessPath == .table(from: .min, through: .max) })
            let results = try [walk, table].map { plan -> ([RowID], Work) in
                var (rows, work) = ([RowID](), Work())
                try plan.execute(in: snapshot, overlay: overlay, work: &work) { rowID, _, _ in
                    rows.append(rowID)
                    return true
                }
                return (rows, work)
            }
            return (results[0].0, results[0].1, results[1].0)
        }
    }

    @Test func aSearchThatFindsNothingIsLeftForAScan() throws {
        let (rows, work, all) = try Self.walk(Self.query("place CONTAINS 'zz'", limit: 50))
        #expect(rows.isEmpty && all.isEmpty)
        #expect(work.abandoned > 0 && work.abandoned <= 4_100)
        #expect(work.records + work.entries == 20_000 + work.abandoned)
        #expect(work.sorted == 0)
    }

    /// All that matches lies at the beginning.
    @Test(arguments: [0, 10, 99, 200]) func rowsThatWereHandedOutComeOnce(offset: Int) throws {
        let (rows, work, all) = try Self.walk(Self.query("day ENDSWITH '10000'", limit: 150, offset: offset))
        #expect(rows == all && Set(rows).count == rows.count)
        #expect(work.abandoned > 0)
        #expect(work.returned == rows.count)
    }

    @Test func pendingRowsComeOnce() throws {
        let quakes = try Self.quakes.get()
        let overlay = Overlay()
        let entity = try quakes.store.read { try $0.entity(named: "Quake") }
        for number in 0..<40 {
            let rowID = RowID(1_000_000 + number)
            overlay.set(PlainRow(rowID: rowID, values: quakes.values(number * 500)), isStored: false, of: entity.id)
        }
        for format in ["day ENDSWITH '10000'", "day ENDSWITH '0'", "day ENDSWITH '10199'"] {
            let (rows, _, all) = try Self.walk(Self.query(format, limit: 4_000), overlay: overlay)
            #expect(rows == all, "\(format)")
        }
    }

    /// An index that holds what is tested and sorted by does not hold the records.
    @Test(arguments: [false, true]) func aSuccessorIsPricedForRecords(isOverlaid: Bool) throws {
        let query = try Self.query("day ENDSWITH 'zz'", limit: 50)
        let overlay = Overlay()
        let entity = try Self.quakes.get().store.read { try $0.entity(named: "Quake") }
        if isOverlaid { overlay.mask(7, of: entity.id) }
        try Self.quakes.get().store.read { snapshot in
            var work = Work()
            try Planner.plan(query, in: snapshot).readRecords(in: snapshot, overlay: overlay, work: &work) { _, _ in }
            #expect(work.abandoned > 0 && work.abandoned <= 4_100)
            #expect(work.entries + work.records == 20_000 + work.abandoned)
        }
    }

    /// Looking at other plans costs more than to go on to the end.
    @Test func aSmallSearchIsNotPricedAgain() throws {
        let quakes = try Self.quakes.get()
        let end = Value.date(quakes.time(0.02 * Double(quakes.dayCount) * 86_400))
        for (format, looks) in [("time < %@ AND place CONTAINS 'zz'", 0), ("place CONTAINS 'zz'", 1)] {
            try quakes.store.read { snapshot in
                let query = Query(
                    entity: "Quake",
                    predicate: try PredicateParser.parse(format, arguments: looks == 0 ? [end] : []),
                    sort: [SortKey("time")], limit: 3)
                let plan = try Planner.plan(query, in: snapshot)
                let watch = try #require(SearchWatch(plan, in: snapshot, readsRecords: false))
                #expect(plan.arrangement == .served && plan.estimate.candidates > 300)
                _ = try watch.note(examined: 200)
                #expect(watch.looks == looks, "\(plan.explanation())")
            }
        }
    }

    /// What was found says that the rest is near.
    @Test func aSearchThatFindsRowsGoesOn() throws {
        let (rows, work, all) = try Self.walk(Self.query("felt >= 100 AND felt <= 105", limit: 10))
        #expect(rows == all && rows.count == 10)
        #expect(work.abandoned == 0)
    }

    @Test func aKeptPlanIsWatched() throws {
        let quakes = try Self.quakes.get()
        for text in ["Volcano", "zz"] {
            let query = try Self.query("place CONTAINS '\(text)'", limit: 50)
            try quakes.store.read { snapshot in
                let plan = try Planner.plan(query, in: snapshot)
                var work = Work()
                let rows = try plan.rows(in: snapshot, work: &work)
                #expect(plan.arrangement == .served)
                #expect((work.abandoned > 0) == rows.isEmpty)
            }
        }
    }
}
