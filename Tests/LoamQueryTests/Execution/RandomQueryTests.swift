import Foundation
import LoamStorage
import Testing

@testable import LoamQuery

/// Every plan of every query gives what a full scan gives: rows in order, counts and sections.
@Suite struct RandomQueryTests {
    private static let isSoak = ProcessInfo.processInfo.environment["LOAM_SOAK"] != nil

    @Test(
        arguments: [
            (seed: 1, longStrings: false), (seed: 2, longStrings: true), (seed: 3, longStrings: false),
            (seed: 4, longStrings: true),
            (seed: 5, longStrings: false),
        ] as [(seed: UInt64, longStrings: Bool)])
    func plansEqualAFullScan(seed: UInt64, longStrings: Bool) throws {
        let sample = try SampleStore(seed: seed, rowCount: longStrings ? 90 : 160, longStrings: longStrings)
        let count = Self.isSoak ? 2000 : 300
        try sample.store.read { snapshot in
            let entity = try snapshot.entity(named: "Thing")
            let scan = FullScan(entity: entity, rows: sample.rows)
            let ids = sample.rows[0].rowID...sample.rows[sample.rows.count - 1].rowID
            var kept = 0
            for number in 0..<UInt64(count) {
                var source = RandomQuery(entity, seed: seed << 32 | number)
                let query = source.query(rowIDs: ids)
                try check(query, scan, snapshot, seed: seed << 32 | number)
                // Plans are kept by shape: what was chosen for these constants is asked for others.
                for _ in 0..<2 {
                    let varied = query.varied(&source.generator)
                    if try check(varied, scan, snapshot, seed: seed << 32 | number) { kept += 1 }
                }
            }
            #expect(kept > count / 20, "hardly any plan was kept")
        }
    }

    /// - Returns: whether the plan was one that was kept.
    @discardableResult
    private func check(_ query: Query, _ scan: FullScan, _ snapshot: Snapshot, seed: UInt64) throws -> Bool {
        let cache = snapshot.catalog.attachment { PlanCache() }
        let (chosen, isKept) = try cache.plan(
            query, of: scan.entity, in: snapshot.schema, statistics: snapshot, analysisCount: 0)
        var plans = [chosen]
        if Self.isSoak || seed % 3 == 0 {
            let all = try Planner.plans(ResolvedQuery(query, in: scan.entity), statistics: snapshot)
            plans = Self.isSoak ? all : plans + [all[Int(seed % UInt64(all.count))]]
        }
        let expected = try Outcome(query, scan)
        for plan in plans {
            let found = try Outcome(plan, snapshot)
            let isEqual = found == expected
            try #require(isEqual, "seed \(seed)\n\(plan.explanation())\n\(found.text)\nbut expected\n\(expected.text)")
            guard query.result == .rows else { continue }
            try checkRecords(plan, expected.rowIDs, snapshot, seed: seed)
        }
        return isKept
    }

    private func checkRecords(_ plan: Plan, _ expected: [RowID], _ snapshot: Snapshot, seed: UInt64) throws {
        var rowIDs: [RowID] = []
        var work = Work()
        try plan.forEachRecord(in: snapshot, work: &work) { rowID, record in
            rowIDs.append(rowID)
            let isEqual = try snapshot.record(rowID, of: plan.query.entity)?.elementsEqual(record) ?? false
            try #require(isEqual, "seed \(seed), row \(rowID)\n\(plan.explanation())")
            return true
        }
        try #require(rowIDs == expected, "seed \(seed)\n\(plan.explanation())")
    }

    /// Rows, sections (with no row ids) or a count, in one shape; printed without `Date.description`, which traps on
    /// NaN.
    private struct Outcome: Equatable {
        var rowIDs: [RowID] = []
        var values: [[Value]] = []
        var counts: [Int] = []

        init(_ plan: Plan, _ snapshot: Snapshot) throws {
            var work = Work()
            switch plan.query.result {
            case .rows:
                try plan.execute(in: snapshot, work: &work) {
                    rowIDs.append($0)
                    values.append($1)
                    return true
                }
            case .count: counts = [try plan.count(in: snapshot, work: &work)]
            case .sections:
                for (value, count) in try plan.sections(in: snapshot, work: &work) {
                    values.append([value])
                    counts.append(count)
                }
            }
        }

        init(_ query: Query, _ scan: FullScan) throws {
            switch query.result {
            case .rows:
                for (rowID, columns) in try scan.rows(of: query) {
                    rowIDs.append(rowID)
                    values.append(columns)
                }
            case .count: counts = [try scan.count(of: query)]
            case .sections:
                for (value, count) in try scan.sections(of: query) {
                    values.append([value])
                    counts.append(count)
                }
            }
        }

        var text: String {
            let rows = values.prefix(20).map {
                "{" + $0.map { String($0.formatText.prefix(60)) }.joined(separator: ", ") + "}"
            }
            return "\(rowIDs.prefix(40)) \(counts.prefix(40)) \(rows)"
        }
    }
}
