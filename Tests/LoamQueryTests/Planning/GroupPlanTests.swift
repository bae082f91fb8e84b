import LoamStorage
import RandomQueries
import SeededRandom
import Testing

@testable import LoamQuery

/// The plan for the rows of which groups are made: chosen by what it costs where rows may come in any order, kept by its
/// shape, and explained with the cost that chose it.
@Suite struct GroupPlanTests {
    private static let definition = EntityDefinition(
        "Thing",
        properties: [
            .init("id", type: .int64), .init("a", type: .int64), .init("b", type: .int64, isOptional: true),
            .init("c", type: .int64), .init("text", type: .string), .init("level", type: .double),
        ],
        indexes: [
            .init([.init("a"), .init("b")]), .init([.init("c")], included: ["b", "level"]), .init([.init("text")]),
        ])

    private static func sample(_ rowCount: Int, seed: UInt64 = 5, longTexts: Bool = false) throws -> SampleStore {
        func value(_ property: Property, _ random: inout SeededGenerator) -> Value {
            switch property.type {
            case .string:
                let isLong = longTexts && Int.random(in: 0..<40, using: &random) == 0
                return .string((isLong ? String(repeating: "x", count: 600) : "x") + "\(random.next() % 9)")
            case .double: return .double(Double(Int.random(in: 0..<8, using: &random)) / 4)
            default:
                if property.isOptional, Int.random(in: 0..<9, using: &random) == 0 { return .null }
                return .int(Int64.random(in: 0..<20, using: &random))
            }
        }
        return try SampleStore(definition, seed: seed, rowCount: rowCount, change: value, makeValue: value)
    }

    private static func query(
        _ keys: [String], _ aggregates: [String], where format: String? = nil, _ arguments: Int...
    ) throws -> GroupedQuery {
        let arguments = arguments.map { Value.int(Int64($0)) }
        return GroupedQuery(
            entity: "Thing", predicate: try format.map { try PredicateParser.parse($0, arguments: arguments) },
            keys: keys,
            aggregates: try aggregates.map { try GroupAggregate($0) })
    }

    private static func rowsPlan(_ plan: GroupedPlan) throws -> Plan {
        guard case .rows(let rows) = plan.method else {
            throw QueryError(.invalidQuery("no groups of rows"), part: plan.explanation())
        }
        return rows
    }

    /// A sort that is not made costs nothing.
    @Test(arguments: [nil, "a > 3", "b > 4", "a > 18"] as [String?])
    func theCostThatIsShownIsTheOneThatWasCompared(format: String?) throws {
        try Self.sample(2_000).store.read { snapshot in
            let plan = try GroupedPlan(Self.query(["a"], ["sum(b)", "count()"], where: format), in: snapshot)
            let rows = try Self.rowsPlan(plan)
            let all = try Planner.plans(rows.query, statistics: snapshot)
            let least = try #require(all.map(\.estimate.cost).min())
            let explanation = plan.explanation(.estimates)
            let total = try #require(explanation.root.estimate?.cost)
            #expect(abs(total - least) < 1e-6 * least && rows.estimate.cost == least, "\(explanation)")
            let parts = explanation.operators.dropFirst().compactMap { $0.estimate?.cost }
            #expect(abs(parts.reduce(0, +) - total) < 1e-6 * total, "\(explanation)")
            guard let scan = rows.accessPath.scan, rows.covering != nil else {
                Issue.record("\(explanation)")
                return
            }
            let entries = Double(scan.entryCount) * Cost.coveredEntry
            #expect(abs(total - entries - Double(scan.ranges.count) * Cost.range) < 1, "\(explanation)")
        }
    }

    @Test func anIndexThatHoldsAllIsReadInPlaceOfTheRecords() throws {
        try Self.sample(2_000).store.read { snapshot in
            for format in [nil, "b > 4", "level >= 0"] as [String?] {
                let key = format == "level >= 0" ? "c" : "a"
                let plan = try GroupedPlan(Self.query([key], ["maximum(b)", "count()"], where: format), in: snapshot)
                var work = Work()
                _ = try plan.groups(in: snapshot, work: &work)
                #expect(work.records == 0 && work.entries == 2_000, "\(plan.explanation(with: work))")
            }
            // Its sums are added up in the order of ids.
            let plan = try GroupedPlan(Self.query(["c"], ["sum(level)"]), in: snapshot)
            #expect(try Self.rowsPlan(plan).accessPath == .table(from: .min, through: .max))
        }
    }

    /// The records of keys that were cut would be read one by one, out of their order.
    @Test func anIndexWithCutKeysIsNotGoneThrough() throws {
        try Self.sample(2_000, longTexts: true).store.read { snapshot in
            let plan = try GroupedPlan(Self.query(["text"], ["count(text)"]), in: snapshot)
            var work = Work()
            _ = try plan.groups(in: snapshot, work: &work)
            #expect(work.records == 2_000 && work.entries == 0, "\(plan.explanation(with: work))")
        }
    }

    @Test func aKnownShapeIsNotPlannedAgain() throws {
        try Self.sample(2_000).store.read { snapshot in
            let cache = snapshot.attachment { PlanCache() }
            for number in 0..<6 {
                let query = try Self.query(["a"], ["sum(b)", "count()"], where: "b > %@", number)
                let before = snapshot.rangesCounted
                let plan = try GroupedPlan(query, in: snapshot)
                let rows = try Self.rowsPlan(plan)
                #expect(rows.covering != nil && rows.accessPath.scan?.isNarrowed == false, "\(plan.explanation())")
                #expect(cache.newCount == 1 && cache.keptCount == number)
                if number > 0 { #expect(snapshot.rangesCounted == before) }
                var work = Work()
                _ = try plan.groups(in: snapshot, work: &work)
                #expect(work.records == 0)
            }
        }
    }

    /// Which index is read follows from the constants, also where the shape is known.
    @Test func aKnownShapeTakesTheNarrowIndexWhereItPays() throws {
        try Self.sample(4_000).store.read { snapshot in
            let cache = snapshot.attachment { PlanCache() }
            for (number, bound) in [-1, 18, 3, 19].enumerated() {
                let query = try Self.query(["a"], ["sum(b)"], where: "c > %@ AND a >= %@", bound, 0)
                let plan = try GroupedPlan(query, in: snapshot)
                #expect(cache.keptCount == number)
                let anew = try Planner.plans(Self.rowsPlan(plan).query, statistics: snapshot)
                let least = try #require(anew.map(\.estimate.cost).min())
                #expect(try Self.rowsPlan(plan).estimate.cost <= least * 1.1, "\(plan.explanation())")
            }
        }
    }

    /// Four queries of each shape, under pending changes too.
    @Test(arguments: [51, 52] as [UInt64]) func groupsOfKeptPlansEqualAFullScan(seed: UInt64) throws {
        let sample = try Self.sample(700, seed: seed, longTexts: true)
        var (covered, kept) = (0, 0)
        try sample.store.read { snapshot in
            let entity = try snapshot.entity(named: "Thing")
            let cache = snapshot.attachment { PlanCache() }
            for number in 0..<UInt64(40) {
                var random = SeededGenerator(seed: seed << 32 | number)
                func pick<Element>(_ elements: [Element]) -> Element {
                    elements[Int.random(in: elements.indices, using: &random)]
                }
                let condition = pick([
                    "a > %@", "b <= %@", "c == %@", "a == %@ OR c == %@", "b != %@", "a > %@ AND c < %@",
                ])
                let keys = pick([["a"], ["c"], ["b"], ["a", "b"], ["text"], []])
                let aggregates = pick([["count()"], ["sum(b)", "count()"], ["maximum(b)"], ["average(level)"]])
                let (overlay, rows) = number % 3 == 0 ? (nil, sample.rows) : sample.overlay(of: entity, &random)
                for _ in 0..<4 {
                    let (one, other) = (
                        Int.random(in: 0..<20, using: &random), Int.random(in: 0..<20, using: &random)
                    )
                    let query =
                        try condition.count(where: { $0 == "%" }) == 1
                        ? Self.query(keys, aggregates, where: condition, one)
                        : Self.query(keys, aggregates, where: condition, one, other)
                    let before = cache.keptCount
                    let plan = try GroupedPlan(query, in: snapshot)
                    kept += cache.keptCount - before
                    if case .rows(let rows) = plan.method, rows.covering != nil { covered += 1 }
                    var work = Work()
                    let found = try plan.groups(in: snapshot, overlay: overlay, work: &work)
                    let expected = try FullScan(entity: entity, rows: rows)
                        .groups(of: query, sum: { _ in nil }, average: { _ in nil })
                    try #require(found == expected, "seed \(seed << 32 | number): \(plan.explanation(with: work))")
                }
            }
        }
        #expect(covered > 20 && kept > 100, "\(covered) \(kept)")
    }
}
