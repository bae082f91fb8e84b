import Foundation
import LoamStorage
import RandomQueries
import SeededRandom
import Testing

@testable import LoamQuery

/// The work of a measured execution is that of an ordinary one, and all of it is some operator's.
@Suite struct OperatorWorkTests {
    @Test(arguments: [41, 42] as [UInt64]) func `operators' work is the execution's`(seed: UInt64) throws {
        let sample = try SampleStore(seed: seed, rowCount: 120, longStrings: seed == 42)
        var kinds: Set<Explanation.Operator.Kind> = []
        try sample.store.read { snapshot in
            let entity = try snapshot.entity(named: "Thing")
            for number in 0..<UInt64(80) {
                let seed = seed << 32 | number
                var generator = SeededGenerator(seed: seed)
                let overlay = number % 3 == 0 ? sample.overlay(of: entity, &generator).0 : nil
                var source = RandomQuery(entity, seed: seed)
                let query = source.query(rowIDs: sample.rows[0].rowID...sample.rows[sample.rows.count - 1].rowID + 20)
                let scan = FullScan(entity: entity, rows: sample.rows)
                for plan in try QueryCheck(scan, in: snapshot, overlay: overlay).plans(of: query) {
                    let found = try Self.work(of: plan, overlay: overlay, in: snapshot, "seed \(seed)")
                    if kinds.isSuperset(of: found.operators.map(\.kind)) { continue }
                    try Self.checkForms(found, "seed \(seed)")
                    kinds.formUnion(found.operators.map(\.kind))
                }
            }
        }
        #expect(
            kinds.isSuperset(of: [
                .rows, .count, .sections, .limit, .sort, .top, .partialSort, .pending, .filter, .fetch, .table, .lookUp,
                .index, .union, .abandoned,
            ]), "\(kinds)")
    }

    @Test func `operators along relationships are measured too`() throws {
        let atlas = try AtlasStore(seed: 5, rowCount: 200)
        try atlas.store.read { snapshot in
            for (entity, format) in [
                ("City", "country.name == 'a'"), ("Country", "ANY cities.population == 7"),
                ("Person", "city.country.name == 'bc'"), ("City", "mayor.age == 3 AND population > 2"),
            ] {
                let query = try ResolvedQuery(
                    Query(entity: entity, predicate: PredicateParser.parse(format)),
                    in: snapshot.entity(named: entity), schema: snapshot.schema)
                let plans = try Planner.plans(query, statistics: snapshot)
                #expect(plans.contains { if case .join = $0.accessPath { true } else { false } })
                for plan in plans { _ = try Self.check(plan, overlay: nil, in: snapshot, Comment("\(format)")) }
            }
        }
    }

    /// What was thrown away, and what gave the rows.
    @Test func `a search that was left is shown with the one that gave the rows`() throws {
        let cities = try CityStore()
        try cities.store.read { snapshot in
            let query = Query(
                entity: "City", predicate: try PredicateParser.parse("name ENDSWITH '77'"),
                sort: [SortKey("population", direction: .descending)], limit: 5)
            let plan = try #require(try Planner.plan(query, in: snapshot).leaving(after: 40))
            let explanation = try Self.check(plan, overlay: nil, in: snapshot, "left")
            let left = try #require(explanation.root.children.first)
            #expect(left.kind == .abandoned && explanation.root.children.count == 2)
            let read = Explanation(left, level: .work).operators.reduce(0) {
                $0 + ($1.actual?.entries ?? 0) + ($1.actual?.records ?? 0)
            }
            #expect(read == explanation.total?.abandoned && read >= 40, "\(explanation)")
            #expect(explanation.total?.rowsOut == 5)
        }
    }

    @Test func `groups are measured`() throws {
        let cities = try CityStore()
        try cities.store.read { snapshot in
            for query in [
                GroupedQuery(entity: "City", keys: ["country"]),
                GroupedQuery(entity: "City", keys: ["mayor"], aggregates: [.init(.sum, of: "population")]),
                GroupedQuery(entity: "City", aggregates: [.count, .init(.maximum, of: "population")]),
            ] {
                let plan = try GroupedPlan(query, in: snapshot)
                for memory in [GroupedPlan.usualMemory, 1_500] {
                    var (plain, work) = (Work(), Work())
                    _ = try plan.groups(in: snapshot, memory: memory, work: &plain)
                    let explanation = try plan.measuredExplanation(in: snapshot, memory: memory, work: &work)
                    #expect(work == plain && explanation.sum == Explanation.Actual(plain).counts, "\(explanation)")
                    try Self.checkForms(explanation, "groups")
                }
            }
        }
    }

    /// Each pass over the rows finds the join's target again.
    @Test func `groups in several passes over a join are measured`() throws {
        let atlas = try AtlasStore(seed: 5, rowCount: 600)
        try atlas.store.read { snapshot in
            let query = GroupedQuery(
                entity: "City", predicate: try PredicateParser.parse("country.name == 'a'"),
                keys: ["name", "population"])
            let plan = try GroupedPlan(query, in: snapshot)
            guard case .rows(let rows) = plan.method, case .join = rows.accessPath else {
                Issue.record("\(plan.explanation())")
                return
            }
            var (once, plain, work) = (Work(), Work(), Work())
            _ = try plan.groups(in: snapshot, work: &once)
            _ = try plan.groups(in: snapshot, memory: 1_500, work: &plain)
            try #require(plain.entries >= 2 * once.entries, "\(once), \(plain)")
            let start = ContinuousClock.now
            let explanation = try plan.measuredExplanation(in: snapshot, memory: 1_500, work: &work)
            try Self.checkTimes(explanation, since: start, "groups")
            #expect(work == plain && explanation.sum == Explanation.Actual(plain).counts, "\(explanation)")
            try Self.checkForms(explanation, "groups")
        }
    }

    @Test func `groups take the rows of a covering index as they come`() throws {
        let cities = try CityStore()
        try cities.store.read { snapshot in
            let query = GroupedQuery(
                entity: "City", predicate: try PredicateParser.parse("country > 'C8'"), keys: ["country"],
                aggregates: [.init(.sum, of: "population")])
            let plan = try GroupedPlan(query, in: snapshot)
            guard case .rows(let rows) = plan.method, rows.covering != nil else {
                Issue.record("\(plan.explanation())")
                return
            }
            #expect(!plan.explanation(.estimates).operators.contains { $0.kind == .sort }, "\(plan.explanation())")
        }
    }

    @Test func `the rows of an offset come out of the sort, and an offset needs no limit`() throws {
        let cities = try CityStore()
        try cities.store.read { snapshot in
            var query = Query(
                entity: "City", predicate: try PredicateParser.parse("country == 'C3'"), sort: [SortKey("name")],
                limit: 4, offset: 7)
            var explanation = try Self.check(
                Planner.plan(query, in: snapshot), overlay: nil, in: snapshot, "an offset")
            let top = try #require(explanation.operators.first { $0.kind == .top }, "\(explanation)")
            #expect(top.actual?.rowsIn == 200 && top.actual?.rowsOut == 11, "\(explanation)")
            query.limit = nil
            explanation = try Self.check(Planner.plan(query, in: snapshot), overlay: nil, in: snapshot, "no limit")
            let sort = try #require(explanation.operators.first { $0.kind == .sort }, "\(explanation)")
            #expect(sort.actual?.rowsOut == 200, "\(explanation)")
            #expect(explanation.description.contains("\n  offset 7 (estimated"), "\(explanation)")
        }
    }

    @Test func `rows that are different are counted behind their operator`() throws {
        let cities = try CityStore()
        try cities.store.read { snapshot in
            let query = Query(entity: "City", columns: ["country"])
            var work = Work()
            let explanation = try Planner.plan(query, in: snapshot).measuredExplanation(
                in: snapshot, distinct: DistinctPage(offset: 2, limit: 5), work: &work)
            #expect(explanation.root.children.first?.kind == .distinct)
            #expect(explanation.root.children.first?.actual?.rowsOut == 5, "\(explanation)")
            #expect(explanation.sum == Explanation.Actual(work).counts)
        }
    }

    @Test func `only the last level has work, and the first has no numbers`() throws {
        let cities = try CityStore()
        try cities.store.read { snapshot in
            let query = Query(entity: "City", predicate: try PredicateParser.parse("population > 99000"), limit: 5)
            let plan = try Planner.plan(query, in: snapshot)
            for level in [Explanation.Level.plan, .estimates] {
                let explanation = plan.explanation(level)
                #expect(explanation.level == level && explanation.total == nil)
                #expect(explanation.operators.allSatisfy { $0.actual == nil })
                #expect(explanation.operators.contains { $0.estimate != nil } == (level == .estimates))
                try Self.checkForms(explanation, "\(level.rawValue)")
            }
            #expect(
                plan.explanation(.plan).description == """
                    City: rows where population > 99000, limit 5
                      limit 5
                        fetch records in row id order
                          index -population, forwards, 1 range: population > 99000
                    """)
        }
    }

    @Test func `times stand in the text where they are asked for`() throws {
        let cities = try CityStore()
        try cities.store.read { snapshot in
            var work = Work()
            let plan = try Planner.plan(Query(entity: "City"), in: snapshot)
            let explanation = try plan.measuredExplanation(in: snapshot, work: &work)
            func tellsTimes(_ text: String) -> Bool { text.contains(" µs") || text.contains(" ms") }
            #expect(tellsTimes(explanation.text(showsTimes: true)) && !tellsTimes(explanation.description))
            #expect(explanation.total?.nanoseconds ?? 0 > 0)
        }
    }

    private static func check(
        _ plan: Plan, overlay: Overlay?, in snapshot: Snapshot, _ comment: Comment
    ) throws -> Explanation {
        let explanation = try work(of: plan, overlay: overlay, in: snapshot, comment)
        try checkForms(explanation, comment)
        return explanation
    }

    /// The explanation of a plan that was run, whose work is that of another run.
    private static func work(
        of plan: Plan, overlay: Overlay?, in snapshot: Snapshot, _ comment: Comment
    ) throws -> Explanation {
        var (plain, work) = (Work(), Work())
        switch plan.query.result {
        case .count: _ = try plan.count(in: snapshot, overlay: overlay, work: &plain)
        case .sections: _ = try plan.sections(in: snapshot, overlay: overlay, work: &plain)
        case .rows: try plan.execute(in: snapshot, overlay: overlay, work: &plain) { _, _, _ in true }
        }
        let start = ContinuousClock.now
        let explanation = try plan.measuredExplanation(in: snapshot, overlay: overlay, work: &work)
        try checkTimes(explanation, since: start, comment)
        try #require(work == plain, "\(comment)\n\(explanation)\n\(work)\nnot \(plain)")
        try #require(explanation.sum == Explanation.Actual(plain).counts, "\(comment)\n\(explanation)")
        return explanation
    }

    /// No time is two operators': together they have at most what has passed.
    private static func checkTimes(
        _ explanation: Explanation, since start: ContinuousClock.Instant, _ comment: Comment
    ) throws {
        let passed = ContinuousClock.now - start
        let total = try #require(explanation.total?.nanoseconds, comment)
        try #require(.nanoseconds(total) <= passed, "\(comment)\n\(explanation.text(showsTimes: true))\n\(passed)")
    }

    /// The JSON gives the explanation back, and the text has a line for each operator.
    private static func checkForms(_ explanation: Explanation, _ comment: Comment) throws {
        let read = try JSONDecoder().decode(Explanation.self, from: explanation.json)
        try #require(read == explanation, comment)
        let lines = explanation.description.split(separator: "\n", omittingEmptySubsequences: false)
        let ends = [explanation.root.estimate != nil, explanation.total != nil]
        let advice = explanation.advice.isEmpty ? 0 : 1 + explanation.advice.count
        try #require(lines.count == explanation.operators.count + ends.count { $0 } + advice, comment)
        try checkCosts(explanation, comment)
    }

    /// The operators cost together what the whole does.
    private static func checkCosts(_ explanation: Explanation, _ comment: Comment) throws {
        guard explanation.level != .plan else {
            return try #require(explanation.operators.allSatisfy { $0.estimate == nil }, comment)
        }
        let operators = explanation.operators
        try #require(operators.allSatisfy { $0.estimate?.cost != nil || $0.kind == .abandoned }, comment)
        guard !operators.contains(where: { $0.kind == .abandoned }) else { return }
        let roots: [Explanation.Operator.Kind] = [.rows, .count, .sections]
        let parts = operators.dropFirst().filter { !roots.contains($0.kind) }
        let sum = parts.reduce(0) { $0 + ($1.estimate?.cost ?? 0) }
        let whole = try #require(explanation.root.estimate?.cost, comment)
        try #require(abs(sum - whole) <= 1e-6 * max(1, whole), "\(comment)\n\(explanation)\n\(sum), not \(whole)")
    }
}

extension Explanation {
    /// What the operators did, each by itself, added up.
    fileprivate var sum: Actual {
        var sum = Actual()
        for actual in operators.compactMap(\.actual) { sum.add(actual.counts) }
        return sum
    }
}

extension Explanation.Actual {
    /// Without what is no sum over operators: rows, time, and what of the work was in vain.
    fileprivate var counts: Self {
        var counts = self
        (counts.rowsIn, counts.rowsOut, counts.abandoned, counts.nanoseconds) = (nil, nil, 0, 0)
        return counts
    }
}
