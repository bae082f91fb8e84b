import Foundation
import LoamStorage
import RandomQueries
import SeededRandom
import Testing

@testable import LoamQuery

/// Orders by a function of a property: from an index over the function, and from the rows.
@Suite struct FunctionOrderTests {
    @Test(arguments: [SortDirection.ascending, .descending], [nil, 25])
    func theOrderIsThatOfPlainSwift(_ direction: SortDirection, limit: Int?) throws {
        let query = Query(entity: "Photo", sort: [SortKey("length(caption)", direction: direction)], limit: limit)
        let (plain, indexed) = (try PhotoAlbum(), try PhotoAlbum([PhotoAlbum.byLength]))
        let expected = plain.sorted(by: { $0.caption?.count }, descending: direction == .descending).map(\.id)
        let sorted = try plain.run(query)
        #expect(sorted.plan.arrangement == (limit.map(Arrangement.top) ?? .sorted))
        #expect(sorted.rows == Array(expected.prefix(limit ?? .max)))
        let served = try indexed.run(query)
        #expect(served.rows.map { $0 - indexed.photos[0].id } == sorted.rows.map { $0 - plain.photos[0].id })
        guard limit != nil else { return }
        #expect(served.plan.arrangement == .served, "\(served.plan.explanation())")
        #expect(served.work.entries == 25 && served.work.records == 25 && served.work.sorted == 0)
    }

    @Test func theDayOfATimeZoneIsThatOfTheCalendar() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: PhotoAlbum.berlin))
        let album = try PhotoAlbum([PhotoAlbum.byDay])
        let query = Query(
            entity: "Photo",
            sort: [
                SortKey("startOfDay(taken, '\(PhotoAlbum.berlin)')", direction: .descending), SortKey("rating"),
            ], limit: 40, offset: 100)
        let (plan, rows, work) = try album.run(query)
        #expect(plan.arrangement == .served && work.sorted == 0 && work.entries <= 60, "\(plan.explanation())")
        let days = rows.compactMap { id in album.photos.first { $0.id == id } }
            .map { $0.taken.map(calendar.startOfDay) }
        let expected = album.sorted(by: { $0.taken.map(calendar.startOfDay) }, descending: true)
            .map { $0.taken.map(calendar.startOfDay) }
        #expect(days == Array(expected[100..<140]))
    }

    /// Behind equal components, merged from ranges, and in groups of equal leading keys.
    @Test func itIsServedAsAPlainComponentIs() throws {
        let equal = try PhotoAlbum([.init([.init("rating"), .init("caption", function: .length)])])
        let predicate = try PredicateParser.parse("rating == 3")
        let one = try equal.run(
            Query(
                entity: "Photo", predicate: predicate, sort: [SortKey("length(caption)", direction: .descending)],
                limit: 10))
        #expect(one.plan.arrangement == .served && one.work.entries == 10, "\(one.plan.explanation())")
        let merged = try equal.run(
            Query(
                entity: "Photo", predicate: try PredicateParser.parse("rating IN {1, 4}"),
                sort: [SortKey("length(caption)")], limit: 10))
        #expect(merged.plan.explanation().contains("2 ranges merged") && merged.work.entries <= 24)
        let groups = try PhotoAlbum([PhotoAlbum.byDay]).run(
            Query(
                entity: "Photo",
                sort: [
                    SortKey("startOfDay(taken, '\(PhotoAlbum.berlin)')", direction: .descending), SortKey("caption"),
                ],
                limit: 5))
        #expect(groups.plan.arrangement == .partial(1), "\(groups.plan.explanation())")
        #expect(groups.work.records < 20)
    }

    /// Of another function, or in another time zone, an index gives no order.
    @Test(arguments: ["startOfDay(taken)", "startOfMonth(taken, 'Europe/Berlin')", "taken", "length(caption)"])
    func anotherFunctionIsSorted(path: String) throws {
        let query = Query(entity: "Photo", sort: [SortKey(path)], limit: 5)
        #expect(try PhotoAlbum([PhotoAlbum.byDay]).run(query).plan.arrangement == .top(5))
    }

    /// What the predicate fixes is no key of the order, be it the function or its argument.
    @Test(arguments: ["length(caption) == 4", "caption == 'sea1'"])
    func aFixedKeyIsNotSortedBy(format: String) throws {
        let query = Query(
            entity: "Photo", predicate: try PredicateParser.parse(format),
            sort: [SortKey("length(caption)"), SortKey("rating")])
        let album = try PhotoAlbum()
        let plan = try album.run(query).plan
        #expect(plan.query.openOrder.map(\.description) == ["rating"])
    }

    /// "Ά" and a letter, and "Α" and a letter with the mark: the mark of the small letter that becomes a letter stands
    /// before the other one or behind it, which makes no difference to the small one.
    @Test func capitalsAreNotDecidedByEqualTexts() throws {
        let texts = ["\u{3B1}\u{345}\u{301}", "\u{3B1}\u{301}\u{345}"]
        try #require(texts[0] == texts[1] && texts[1].uppercased() < texts[0].uppercased())
        for predicate in [nil, "caption == '\(texts[0])'"] {
            let album = try PhotoAlbum(captions: texts + texts)
            let query = Query(
                entity: "Photo", predicate: try predicate.map { try PredicateParser.parse($0) },
                sort: [SortKey("caption"), SortKey("uppercase(caption)"), SortKey("length(caption)")])
            let (plan, rows, _) = try album.run(query)
            #expect(rows == [1, 3, 0, 2].map { album.photos[$0].id })
            #expect(!plan.query.openOrder.map(\.description).contains("length(caption)"))
        }
    }

    /// Where one component is a function in a time zone, columns with the zone's other names are that function, too.
    @Test func namesOfOneTimeZoneAreOneFunction() throws {
        let album = try PhotoAlbum([IndexDefinition([.init("taken", function: .startOfDay)])])
        let columns = ["startOfDay(taken)", "startOfDay(taken, 'GMT')", "startOfDay(taken, 'UTC')"]
        for key in columns {
            let query = Query(entity: "Photo", sort: [SortKey(key)], limit: 30, offset: 300, columns: columns)
            try album.store.read { snapshot in
                let plan = try Planner.plan(query, in: snapshot)
                var work = Work()
                let rows = try plan.rows(in: snapshot, work: &work)
                #expect(plan.arrangement == .served && work.records == 0, "\(plan.explanation(with: work))")
                #expect(rows.count == 30)
                for (_, values) in rows {
                    #expect(values[0] != .null && values[1] == values[0] && values[2] == values[0])
                }
                #expect(plan.query.columns.map(\.written) == [columns[2]] + columns.dropFirst())
            }
        }
    }
}

/// Every plan of a query with functions in its order gives what a full scan gives, also under pending changes.
@Suite struct RandomFunctionOrderTests {
    @Test(arguments: [(seed: 31, share: 1), (seed: 32, share: 0.3)] as [(seed: UInt64, share: Double)])
    func plansEqualAFullScan(seed: UInt64, share: Double) throws {
        let sample = try SampleStore(seed: seed, rowCount: 120, longStrings: seed % 2 == 0, indexShare: share)
        let keys = [
            "length(name)", "lowercase(name)", "length(note)", "floor(size)", "round(price)", "negate(small)",
            "startOfDay(day)", "year(day, 'Europe/Berlin')", "month(day, 'Pacific/Apia')", "first(tags)",
            "lowercase(address.city)", "abs(address.zip)", "string(weight)",
        ]
        try sample.store.read { snapshot in
            let entity = try snapshot.entity(named: "Thing")
            let ids = sample.rows[0].rowID...sample.rows[sample.rows.count - 1].rowID + 20
            var arrangements: Set<String> = []
            for number in 0..<UInt64(150) {
                var generator = SeededGenerator(seed: seed << 32 | number)
                var source = RandomQuery(entity, seed: seed << 32 | number)
                var query = source.query(rowIDs: ids)
                let direction = Bool.random(using: &generator) ? SortDirection.ascending : .descending
                query.sort.insert(SortKey(ValuePool.pick(keys, &generator), direction: direction), at: 0)
                if query.section != nil { query.section = query.sort[0].path }
                let (overlay, rows) = sample.overlay(of: entity, &generator)
                for (overlay, rows) in [(nil, sample.rows), (overlay, rows)]
                    as [(Overlay?, [(rowID: RowID, values: [Value])])]
                {
                    let check = QueryCheck(FullScan(entity: entity, rows: rows), in: snapshot, overlay: overlay)
                    let plans = try check.plans(of: query)
                    for plan in plans where !plan.query.openOrder.isEmpty { arrangements.insert("\(plan.arrangement)") }
                    let difference = try check.difference(of: query, in: plans)
                    try #require(difference == nil, "seed \(seed) number \(number)")
                }
            }
            #expect(arrangements.contains("served") && arrangements.contains { $0.hasPrefix("partial") })
        }
    }
}
