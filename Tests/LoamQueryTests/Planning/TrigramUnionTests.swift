import LoamStorage
import RandomQueries
import SeededRandom
import Testing

@testable import LoamQuery

/// An OR of a part of a text and a condition on something else reads what the index of trigrams and the other index lead to.
@Suite struct TrigramUnionTests {
    private static let rowCount = 10_000
    private static let definition = EntityDefinition(
        "City",
        properties: [
            .init("id", type: .int64), .init("name", type: .string), .init("population", type: .int64),
            .init("note", type: .string, isOptional: true), .init("founded", type: .int64),
        ],
        indexes: [.init([.init("population")]), .init([.init("founded"), .init("id")]), .trigrams(of: "name")])

    /// Nobody changes it. Every 500th city is a Reykjavík, and there are as many populations as cities.
    private nonisolated(unsafe) static let cities = Result {
        var number = -1
        return try SampleStore(
            definition, seed: 3, rowCount: rowCount, change: { _, _ in .null },
            makeValue: { property, random in
                switch property.name {
                case "name":
                    number += 1
                    return .string(number % 500 == 9 ? "Reykjavík \(number)" : "Akureyri \(number)")
                case "population": return .int(Int64(number * 7_919 % rowCount))
                case "founded": return .int(Int64(number % 100))
                default: return .string("note")
                }
            })
    }

    private func run(
        _ format: String, sort: [SortKey] = [], limit: Int? = nil, result: ResultKind = .rows,
        _ body: (Plan, [RowID], Work) throws -> Void
    ) throws {
        let sample = try Self.cities.get()
        try sample.store.read { snapshot in
            let entity = try snapshot.entity(named: "City")
            let query = Query(
                entity: "City", predicate: try PredicateParser.parse(format), sort: sort, limit: limit, result: result)
            let plan = try Planner.plan(query, in: snapshot)
            let scan = FullScan(entity: entity, rows: sample.rows)
            var work = Work()
            if result == .count {
                let count = try plan.count(in: snapshot, work: &work)
                #expect(try count == scan.count(of: query))
                return try body(plan, Array(repeating: 0, count: count), work)
            }
            let rows = try plan.rows(in: snapshot, work: &work).map(\.rowID)
            #expect(try rows == scan.rows(of: query).map(\.rowID), "\(plan.explanation())")
            try body(plan, rows, work)
        }
    }

    private static let questions = [
        "name CONTAINS[cd] 'reykjav' OR population > 9985", "population > 9985 OR name CONTAINS[cd] 'REYKJAV'",
        "name CONTAINS[cd] 'reykjav' OR population IN {5, 7, 9}",
        "founded >= 0 AND (name CONTAINS[cd] 'reykjav' OR population < 15)",
        "name ENDSWITH[c] 'vík 9' OR (founded == 9 AND id < 500) OR population == 3",
        "name CONTAINS[cd] 'reykjav' OR population > 20000",
        // Every Reykjavík is found in two ways.
        "name CONTAINS[cd] 'reykjav' OR (founded == 9 AND id < 3000)",
    ]

    @Test(arguments: questions) func bothIndexesLeadToTheRows(format: String) throws {
        let order = SortKey("founded", direction: .descending)
        for (sort, limit) in [([], nil), ([order], nil), ([order], 5), ([], 5)] as [([SortKey], Int?)] {
            try run(format, sort: sort, limit: limit) { plan, rows, work in
                guard case .union(let scans) = plan.accessPath else {
                    Issue.record("\(plan.explanation())")
                    return
                }
                #expect(scans.contains(where: \.isOfTrigram) && !rows.isEmpty && Set(rows).count == rows.count)
                #expect(work.records <= 75 && work.entries <= 80, "\(plan.explanation(with: work))")
            }
        }
    }

    @Test(arguments: questions) func theNumberOfRowsIsThatOfTheUnion(format: String) throws {
        try run(format, result: .count) { plan, rows, work in
            #expect(!rows.isEmpty && work.records <= 60, "\(plan.explanation(with: work))")
        }
    }

    /// A part that most rows have, or of which nothing is known, has all rows tested.
    @Test(arguments: [
        "name CONTAINS[cd] 'akur' OR population == 5", "name CONTAINS[cd] 'reykjav' OR population > 20",
        "name CONTAINS[cd] 'reykjav' OR note == 'x'", "name CONTAINS[cd] 're' OR population == 5",
    ])
    func whatIsNotAllRareIsTestedOnEachRow(format: String) throws {
        try run(format) { plan, _, work in
            #expect(plan.accessPath == .table(from: .min, through: .max), "\(plan.explanation())")
            #expect(work.entries == 0)
        }
    }

    @Test func theExplanationTellsOfBoth() throws {
        try run("name CONTAINS[cd] 'reykjav' OR population > 9985") { plan, _, _ in
            let text = plan.explanation()
            #expect(text.contains("union of 2 scans") && text.contains("trigrams(name), rows with '"), "\(text)")
            #expect(text.contains("index population, forwards, 1 range: population > 9985"), "\(text)")
        }
    }

    /// Which way is taken follows from the constants, also where the shape is known.
    @Test func aKnownShapeAsksBothWhereItPays() throws {
        try Self.cities.get().store.read { snapshot in
            let entity = try snapshot.entity(named: "City")
            let cache = PlanCache()
            var found: [Bool] = []
            for (part, bound) in [("akur", 5), ("reykjav", 9_985), ("reykjav", 5), ("ykja", 9_990)] as [(String, Int64)]
            {
                let query = Query(
                    entity: "City",
                    predicate: try PredicateParser.parse(
                        "name CONTAINS[cd] %@ OR population > %@", arguments: [.string(part), .int(bound)]))
                let (plan, isKept) = try cache.plan(
                    query, of: entity, in: snapshot.schema, statistics: snapshot, analysisCount: 0)
                #expect(isKept == !found.isEmpty)
                if case .union = plan.accessPath { found.append(true) } else { found.append(false) }
            }
            #expect(found == [false, true, false, true])
        }
    }
}
