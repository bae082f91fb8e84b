import LoamStorage
import RandomQueries
import Testing

@testable import LoamQuery

/// Orders whose first keys an index gives: rows that are equal in these are sorted, a group at a time.
@Suite struct PartialSortTests {
    private static let quakes = Result { try QuakeStore(rowCount: 20_000) }

    private static func sort(_ names: String...) -> [SortKey] {
        names.map { $0.hasPrefix("-") ? SortKey(String($0.dropFirst()), direction: .descending) : SortKey($0) }
    }

    private static func run(
        _ format: String? = nil, sort: [SortKey], limit: Int?, offset: Int = 0, overlay: Overlay? = nil
    ) throws -> (plan: Plan, rows: Int, work: Work) {
        let query = Query(
            entity: "Quake", predicate: try format.map { try PredicateParser.parse($0) }, sort: sort, limit: limit,
            offset: offset)
        return try quakes.get().store.read { snapshot in
            let entity = try snapshot.entity(named: "Quake")
            let plan = try Planner.plan(query, in: snapshot)
            let resolved = try ResolvedQuery(query, in: entity, schema: snapshot.schema)
            let plans = try [plan] + Planner.plans(resolved, statistics: snapshot)
            var results: [([RowID], Work)] = []
            for plan in plans {
                var (rows, work) = ([RowID](), Work())
                try plan.execute(in: snapshot, overlay: overlay, work: &work) { rowID, _, _ in
                    rows.append(rowID)
                    return true
                }
                results.append((rows, work))
            }
            #expect(results.allSatisfy { $0.0 == results[0].0 }, "\(plan.explanation())")
            return (plan, results[0].0.count, results[0].1)
        }
    }

    /// A day has about a hundred quakes.
    @Test(arguments: [["day", "place"], ["-day", "place"], ["day", "-code"], ["-day", "-felt", "code"]])
    func aPageReadsTheFirstGroup(_ names: [String]) throws {
        let sort = names.flatMap { Self.sort($0) }
        let (plan, rows, work) = try Self.run(sort: sort, limit: 10)
        #expect(plan.arrangement == .partial(1), "\(plan.explanation())")
        #expect(rows == 10 && work.records < 200 && work.entries == work.records)
        let text = plan.explanation()
        #expect(
            text.contains("partial sort by \(names[1]), ") && text.contains("within equal \(names[0]) of the index"))
    }

    @Test(arguments: [SortDirection.ascending, .descending])
    func rowsThatAreEqualInAllKeysComeById(_ direction: SortDirection) throws {
        let (plan, rows, work) = try Self.run(
            sort: [SortKey("magnitude"), SortKey("day", direction: direction)], limit: 30, offset: 50)
        #expect(plan.arrangement == .partial(1), "\(plan.explanation())")
        #expect(rows == 30 && work.records <= 160)
        #expect(try Self.run(sort: [SortKey("day", direction: direction)], limit: 5).plan.arrangement == .partial(1))
    }

    @Test func aTestKeepsTheGroups() throws {
        let (plan, rows, work) = try Self.run("place CONTAINS 'Chile'", sort: Self.sort("day", "place"), limit: 3)
        #expect(plan.arrangement == .partial(1), "\(plan.explanation())")
        #expect(rows == 3 && work.records < 400)
    }

    @Test func aSearchThatFindsTooLittleIsLeft() throws {
        let (plan, rows, work) = try Self.run("place CONTAINS 'zz'", sort: Self.sort("day", "place"), limit: 3)
        #expect(plan.arrangement == .partial(1), "\(plan.explanation())")
        #expect(rows == 0 && work.abandoned > 0)
    }

    /// A pace that is never over takes the groups as they are.
    @Test func aPacedPageReadsTheFirstGroup() throws {
        let query = Query(entity: "Quake", sort: Self.sort("day", "place"), limit: 10)
        try Self.quakes.get().store.read { snapshot in
            var work = Work()
            let plan = try Planner.plan(query, in: snapshot)
            #expect(plan.arrangement == .partial(1) && !plan.sortsGradually)
            try plan.execute(in: snapshot, work: &work, pace: SearchPace(every: 4) { false }) { _, _ in true }
            #expect(work.returned == 10 && work.records < 200 && work.entries == work.records)
        }
    }

    /// Wherever it is ended, what was handed out and what is left are the result.
    @Test(arguments: [0, 20], [nil, "place CONTAINS 'Chile'", "place CONTAINS 'Chile' AND felt > 480"])
    func aSearchIsContinuedWhereverItWasEnded(offset: Int, format: String?) throws {
        let query = Query(
            entity: "Quake", predicate: try format.map { try PredicateParser.parse($0) },
            sort: Self.sort("day", "place"), limit: 12, offset: offset)
        try Self.quakes.get().store.read { snapshot in
            let entity = try snapshot.entity(named: "Quake")
            let all = try Planner.plans(
                ResolvedQuery(query, in: entity, schema: snapshot.schema), statistics: snapshot)
            let table = try #require(all.first { $0.accessPath == .table(from: .min, through: .max) })
            var work = Work()
            let expected = try table.rows(in: snapshot, work: &work).map(\.rowID)
            let chosen = try Planner.plan(query, in: snapshot)
            for plan in [chosen, chosen.leaving(after: 130)].compactMap(\.self) {
                #expect(plan.arrangement == .partial(1) || format?.contains("felt") == true)
                for looks in [0, 40, 80] {
                    let rows = try Self.rows(of: plan, query, endedAfter: looks, in: snapshot)
                    #expect(rows == expected, "\(looks) looks of\n\(plan.explanation())")
                }
            }
        }
    }

    private static func rows(
        of plan: Plan, _ query: Query, endedAfter looks: Int, in snapshot: Snapshot
    ) throws -> [RowID] {
        var (rows, work, left) = ([RowID](), Work(), looks)
        let pace = SearchPace(every: 3) {
            left -= 1
            return left < 0
        }
        do {
            try plan.execute(in: snapshot, work: &work, pace: pace) { rowID, _ in
                rows.append(rowID)
                return true
            }
            return rows
        } catch is SearchPace.Pause {}
        switch try plan.unfinished(pace, after: rows.count, last: rows.last, in: snapshot) {
        case .found(let rest): return rows + rest
        case .unsorted(let rest, let sort):
            let left = try sort.add(rest, of: query, in: snapshot, pace: SearchPace { false })
            #expect(left == nil)
            var work = Work()
            return try rows + sort.rowIDs(work: &work)
        case .served:
            Issue.record("\(plan.explanation())")
            return []
        }
    }

    /// Three events without a kind, 150 of the first one, and the others of the second one.
    private static func events() throws -> Store {
        var options = StoreOptions()
        options.isInMemory = true
        let store = try Store.open(path: "", options: options)
        let definition = EntityDefinition(
            "Event", properties: [.init("kind", type: .string, isOptional: true), .init("name", type: .string)],
            indexes: [.init([.init("kind")])])
        _ = try store.load(.newEntity(definition), rowCount: 20_000) { load in
            for number in 0..<20_000 {
                let kind = number % 7_000 == 5 ? Value.null : .string(number % 133 == 0 ? "a" : "b")
                try load.append([kind, .string("name \(number * 7_919 % 20_011)")])
            }
        }
        return store
    }

    /// How many rows are looked at is told by the group in which the last row of the page is.
    @Test func aLargeGroupBehindSmallOnesIsCounted() throws {
        let store = try Self.events()
        for (limit, arrangement) in [(2, Arrangement.partial(1)), (100, .partial(1)), (300, .top(300))] {
            try store.read { snapshot in
                let query = Query(entity: "Event", sort: Self.sort("kind", "name"), limit: limit)
                let plan = try Planner.plan(query, in: snapshot)
                #expect(plan.arrangement == arrangement, "\(plan.explanation())")
                var work = Work()
                #expect(try plan.rows(in: snapshot, work: &work).count == limit)
                if limit == 2 { #expect(work.records == 3) }
            }
        }
        try store.read { snapshot in
            let query = Query(entity: "Event", sort: Self.sort("-kind", "name"), limit: 2)
            let plan = try Planner.plan(query, in: snapshot)
            #expect(plan.arrangement == .top(2), "\(plan.explanation())")
        }
    }

    /// What is tested holds for no row of the small groups.
    @Test func aSearchIsLeftWithinALargeGroup() throws {
        let query = Query(
            entity: "Event", predicate: try PredicateParser.parse("name CONTAINS 'zz'"),
            sort: Self.sort("kind", "name"), limit: 10)
        try Self.events().read { snapshot in
            let plan = try Planner.plan(query, in: snapshot)
            #expect(plan.arrangement == .partial(1), "\(plan.explanation())")
            var work = Work()
            #expect(try plan.rows(in: snapshot, work: &work).isEmpty)
            #expect(work.abandoned > 20_000 && work.abandoned < 21_000, "\(plan.explanation(with: work))")
            #expect(work.entries + work.records == 20_000 + work.abandoned)
        }
    }

    @Test func pendingRowsStandInTheirGroups() throws {
        let quakes = try Self.quakes.get()
        let overlay = Overlay()
        let entity = try quakes.store.read { try $0.entity(named: "Quake") }
        for number in 0..<60 {
            let rowID = RowID(1 + number * 331)
            overlay.mask(rowID, of: entity.id)
            guard number % 3 > 0 else { continue }
            var values = quakes.values(number)
            values[4] = .string(quakes.day(number % 4))
            overlay.set(PlainRow(rowID: rowID, values: values), isStored: true, of: entity.id)
        }
        for names in [["day", "place"], ["day", "magnitude", "code"], ["-day", "code"]] {
            for offset in [0, 7, 150] {
                let sort = names.flatMap { Self.sort($0) }
                let (plan, rows, _) = try Self.run(sort: sort, limit: 40, offset: offset, overlay: overlay)
                #expect(rows == 40, "\(plan.explanation())")
            }
        }
    }

    /// Most of the rows are wanted, or the first group is most of them.
    @Test func mostRowsAreSortedAsAWhole() throws {
        #expect(try Self.run(sort: Self.sort("day", "place"), limit: 15_000).plan.arrangement == .top(15_000))
        #expect(try Self.run(sort: Self.sort("day", "place"), limit: nil).plan.arrangement == .sorted)
    }
}
