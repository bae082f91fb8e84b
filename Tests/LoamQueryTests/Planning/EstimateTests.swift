import Foundation
import LoamStorage
import RandomQueries
import Testing

@testable import LoamQuery

/// The estimates by which a plan is chosen, where a predicate has more parts than are looked up.
@Suite struct EstimateTests {
    /// Counts rows by the key of `id`, or gives one number for any other range; notes how often an index was asked.
    private final class Counts: IndexStatistics {
        let ids: [(key: [UInt8], rows: Int)]
        let rowCount: Int
        let each: Int
        var lookups = 0

        init(ids: [(key: [UInt8], rows: Int)] = [], rows: Int, each: Int = 1) {
            self.ids = ids
            rowCount = rows
            self.each = each
        }

        func count(of entity: EntityID) -> Int { rowCount }
        func inexactCount(in index: Index) -> Int { 0 }

        func count(in index: Index, range: KeyRange) -> Int {
            lookups += 1
            if range == .all { return rowCount }
            guard index.name == "id", !ids.isEmpty else { return each }
            return ids.reduce(0) { sum, id in
                let isWithin =
                    !id.key.lexicographicallyPrecedes(range.lower)
                    && range.upper.map { id.key.lexicographicallyPrecedes($0) } ?? true
                return sum + (isWithin ? id.rows : 0)
            }
        }
    }

    private func entity(_ names: [String] = ["id", "name"]) throws -> Entity {
        var entity = SampleEntity.entity
        for name in names {
            let id = IndexID(entity.indexes.count + 1)
            entity.indexes.append(try Index(id: id, IndexDefinition([.init(name)]), of: entity))
        }
        return entity
    }

    private func counts(_ rows: [Int], in entity: Entity) throws -> Counts {
        let component = try KeyComponent(entity.indexes[0].components[0])
        let ids = try rows.enumerated().map { number, rows in
            var key: [UInt8] = []
            _ = try component.append(.int(Int64(number)), to: &key)
            return (key: key, rows: rows)
        }
        return Counts(ids: ids, rows: rows.reduce(0, +))
    }

    private func plan(_ format: String, _ counts: Counts) throws -> (chosen: Plan, table: Plan, scan: IndexScan?) {
        let query = Query(
            entity: "Sample", predicate: try PredicateParser.parse(format), sort: [SortKey("name")], limit: 10)
        let resolved = try ResolvedQuery(query, in: entity())
        let plans = try Planner.plans(resolved, statistics: counts)
        let table = try #require(plans.first { $0.accessPath == .table(from: .min, through: .max) })
        let scans = plans.compactMap { plan -> IndexScan? in
            if case .index(let scan) = plan.accessPath, scan.index.name == "id" { scan } else { nil }
        }
        let chosen = try #require(plans.min { $0.estimate.cost < $1.estimate.cost })
        return (chosen, table, scans.first)
    }

    /// Of 256 values the first 64 have a row each, and the others a hundred.
    @Test func pointsAreCountedAllOverTheList() throws {
        let counts = try counts((0..<256).map { $0 < 64 ? 1 : 100 }, in: entity())
        let list = (0..<256).map(String.init).joined(separator: ", ")
        let (chosen, _, scan) = try plan("id IN {\(list)}", counts)
        #expect(scan?.ranges.count == 256 && scan?.entryCount == counts.rowCount)
        guard case .index(let scan) = chosen.accessPath else {
            Issue.record("\(chosen.explanation())")
            return
        }
        // All rows match, so the first ten are found at once in the order that is wanted.
        #expect(scan.index.name == "name" && chosen.estimate.records <= 20, "\(chosen.explanation())")
    }

    /// Rows at even distances are found by the sample as often as they occur, and an estimate is never more than all
    /// rows.
    @Test func fewRowsAmongManyPoints() throws {
        for period in 2...9 {
            let rows = (0..<320).map { $0 % period == 0 ? 1 : 0 }
            let counts = try counts(rows, in: entity())
            let list = rows.indices.map(String.init).joined(separator: ", ")
            let entries = try #require(try plan("id IN {\(list)}", counts).scan).entryCount
            #expect(entries <= counts.rowCount && entries >= counts.rowCount / 2, "every \(period)th: \(entries)")
        }
    }

    @Test func aLongAlternativeIsAskedInPart() throws {
        let parts = (0..<2_000).map { $0 % 2 == 0 ? "id == \($0)" : "name == 'n\($0)'" }
        let counts = Counts(rows: 20_000)
        let table = try plan(parts.joined(separator: " OR "), counts).table
        #expect(counts.lookups <= 100)
        // Each of the parts holds for one row.
        let shares = try Selectivity(PlanContext(table.query, statistics: counts), candidates: [])
        #expect(abs(try shares.share(of: [0], among: 20_000) - 0.1) < 0.001)
    }

    @Test func alternativesWithinAlternativesAreAskedInPart() throws {
        let inner = (0..<60).map { "id == \($0) OR name == 'n\($0)'" }.joined(separator: " OR ")
        let parts = (0..<60).map { "(size == \($0) AND (\(inner)))" }
        let counts = Counts(rows: 20_000)
        _ = try plan(parts.joined(separator: " OR "), counts)
        #expect(counts.lookups <= 400)
    }

    /// A join is estimated by an average target. The target that is meant may have the most rows.
    @Test func aJoinsAverageIsNoBound() throws {
        let schema = try AtlasStore(seed: 1, rowCount: 4).store.read { $0.schema }
        let city = try #require(schema.entities.first { $0.name == "City" })
        let query = Query(entity: "City", predicate: try PredicateParser.parse("country.name == 'Peru'"))
        let context = try PlanContext(
            ResolvedQuery(query, in: city, schema: schema), statistics: Counts(rows: 1_000_000))
        let joins = try JoinRule.candidates(context)
        #expect(joins.map(\.rows) == [2])
        let share = try Selectivity(context, candidates: joins + TableRule.candidates(context)).share(
            of: [0], among: 1_000_000)
        #expect(share >= 0.0005 && share < 0.05)
    }
}
