import Foundation
import LoamStorage
import RandomQueries
import SeededRandom
import Testing

@testable import LoamQuery

/// A sort whose wanted rows exceed its memory writes those rows that may be wanted, and few others.
@Suite struct SortBoundTests {
    private struct Row {
        let key: [UInt8]
        let rowID: RowID
    }

    private static func rows(_ count: Int, keyCounts: ClosedRange<Int>, letters: UInt8, seed: UInt64) -> [Row] {
        var generator = SeededGenerator(seed: seed)
        return (1...count).map { number in
            let length = Int.random(in: keyCounts, using: &generator)
            return Row(
                key: (0..<length).map { _ in UInt8.random(in: 1...letters, using: &generator) } + [0],
                rowID: RowID(number))
        }.shuffled(using: &generator)
    }

    private static func isBefore(_ left: Row, _ right: Row, _ direction: SortDirection) -> Bool {
        if left.key != right.key { return left.key.lexicographicallyPrecedes(right.key) }
        return direction == .ascending ? left.rowID < right.rowID : left.rowID > right.rowID
    }

    private struct Outcome {
        var rowIDs: [RowID] = []
        var written = (runs: 0, rows: 0, bytes: 0)
        var mostBytes = 0
    }

    private static func sort(
        _ rows: [Row], limit: Int?, memory: Int, direction: SortDirection = .ascending
    ) throws -> Outcome {
        var sorter = SortedRows(limit: limit, rowIDDirection: direction, space: SortSpace(memory: memory))
        for row in rows {
            try row.key.withUnsafeBytes { try sorter.insert(Match(rowID: row.rowID), key: $0) }
        }
        var sorted = try sorter.sorted()
        var outcome = Outcome()
        while case let portion = try sorted.next(atMost: 500, keepsKeys: false), !portion.isEmpty {
            outcome.rowIDs += portion.map(\.rowID)
        }
        (outcome.written, outcome.mostBytes) = (sorted.written, sorted.mostBytes)
        return outcome
    }

    /// A row in no particular order is written as long as fewer than the wanted ones are known to come before it: of the
    /// n-th row about limit / n.
    @Test(arguments: [2, 3]) func fewMoreThanTheWantedOnesAreWritten(runsWanted: Int) throws {
        let rows = Self.rows(40_000, keyCounts: 8...20, letters: 255, seed: 71)
        let all = try Self.sort(rows, limit: nil, memory: 64_000)
        #expect(all.written.rows == 40_000)
        let limit = runsWanted * (40_000 / all.written.runs)
        let first = try Self.sort(rows, limit: limit, memory: 64_000)
        #expect(first.rowIDs == Array(all.rowIDs.prefix(limit)))
        let expected = Double(limit) * (1 + log(40_000 / Double(limit)))
        #expect(
            first.written.rows > limit && Double(first.written.rows) < 1.2 * expected,
            "\(first.written.rows) written, about \(Int(expected)) of 40,000 expected, limit \(limit)")
        #expect(first.mostBytes <= 64_000)
    }

    /// Whatever the keys, their order when they come, and how little of them is kept.
    @Test(arguments: [0, 1_024, 3_072, 16_000], [30, 200, 1_500])
    func theFirstRowsAreFound(memory: Int, limit: Int) throws {
        let kinds: [(counts: ClosedRange<Int>, letters: UInt8)] = [(0...3, 2), (6...12, 255), (1...700, 3)]
        for (number, kind) in kinds.enumerated() {
            let rows = Self.rows(
                memory == 0 ? 150 : 2_000, keyCounts: kind.counts, letters: kind.letters, seed: UInt64(80 + number))
            for direction in [.ascending, .descending] as [SortDirection] {
                let sorted = rows.sorted { Self.isBefore($0, $1, direction) }
                for given in [rows, sorted, sorted.reversed()] {
                    let found = try Self.sort(given, limit: limit, memory: memory, direction: direction)
                    #expect(found.rowIDs == sorted.prefix(limit).map(\.rowID))
                }
            }
        }
    }

    /// Rows that come in the order of the result end where the wanted ones do; where each comes before all others, all
    /// are written.
    @Test func theOrderInWhichRowsComeTells() throws {
        let rows = Self.rows(20_000, keyCounts: 8...8, letters: 255, seed: 90).sorted {
            Self.isBefore($0, $1, .ascending)
        }
        let forwards = try Self.sort(rows, limit: 1_000, memory: 64_000)
        #expect(forwards.written.rows >= 1_000 && forwards.written.rows < 1_500, "\(forwards.written)")
        let backwards = try Self.sort(rows.reversed(), limit: 1_000, memory: 64_000)
        #expect(backwards.written.rows == 20_000 && backwards.rowIDs == forwards.rowIDs)
    }

    /// With unsaved changes, too.
    @Test(arguments: [91, 92] as [UInt64]) func plansEqualAFullScan(seed: UInt64) throws {
        let sample = try SampleStore(seed: seed, rowCount: 500, longStrings: false)
        var (bounded, overlaid) = (0, 0)
        try sample.checkSorts(60, seed: seed) { query, number, generator in
            if number % 2 == 0 { query.predicate = nil }
            (query.offset, query.limit) = (ValuePool.pick([0, 3, 40], &generator), 25 + Int(number))
        } holding: { work, _ in
            guard work.spilledRows > 0, work.spilledRows < work.sorted else { return nil }
            bounded += 1
            if work.pending > 0 { overlaid += 1 }
            return nil
        }
        #expect(bounded > 20 && overlaid > 5, "\(bounded), \(overlaid)")
    }

    @Test func theWorkTellsHowManyAreWritten() throws {
        try QuakeStore(rowCount: 20_000).store.read { snapshot in
            var query = Query(entity: "Quake", sort: [SortKey("place", direction: .descending), SortKey("code")])
            query.limit = 1_500
            let plain = try Planner.plan(query, in: snapshot)
            query.sortSpace = SortSpace(memory: 100_000)
            let plan = try Planner.plan(query, in: snapshot)
            #expect(plan.arrangement == .top(1_500))
            var (work, other) = (Work(), Work())
            let (found, expected) = (
                try plan.rows(in: snapshot, work: &work), try plain.rows(in: snapshot, work: &other)
            )
            #expect(found.map(\.rowID) == expected.map(\.rowID) && found.map(\.values) == expected.map(\.values))
            #expect(work.sorted == 20_000 && other.spilledRows == 0)
            #expect(work.spilledRows >= 1_500 && work.spilledRows < 7_000, "\(work.spilledRows)")
            #expect(work.sortMemory <= 100_000)
        }
    }
}
