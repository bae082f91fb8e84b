import Foundation
import LoamStorage
import RandomQueries
import SeededRandom
import Testing

@testable import LoamQuery

/// Sorts whose rows exceed their memory give what a full scan gives, in the memory that they have, and tell what they
/// have written.
@Suite struct SpilledSortTests {
    // MARK: Rows and keys

    private struct Row {
        let key: [UInt8]
        let rowID: RowID
    }

    /// Keys of many lengths, of which some begin alike and some are equal.
    private static func rows(_ count: Int, longest: Int, seed: UInt64) -> [Row] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { number in
            let length = Int.random(in: 0...(Bool.random(using: &generator) ? 12 : longest), using: &generator)
            let letters: ClosedRange<UInt8> = Bool.random(using: &generator) ? 7...8 : 0...255
            let key = (0..<length).map { _ in UInt8.random(in: letters, using: &generator) }
            // Prefix-free, as sort keys are.
            return Row(key: key + [0], rowID: RowID(number + 1))
        }.shuffled(using: &generator)
    }

    private static func isBefore(_ left: Row, _ right: Row, _ direction: SortDirection) -> Bool {
        if left.key != right.key { return left.key.lexicographicallyPrecedes(right.key) }
        return direction == .ascending ? left.rowID < right.rowID : left.rowID > right.rowID
    }

    private static func insert(_ rows: [Row], into sorted: inout SortedRows) throws {
        for row in rows {
            let match = Match(rowID: row.rowID, values: [.int(Int64(row.rowID)), .string("row \(row.rowID)")])
            try row.key.withUnsafeBytes { try sorted.insert(match, key: $0) }
        }
    }

    @Test(arguments: [3_072, 4_096, 20_000, 64 << 20], [nil, 1, 40, 700, 5_000] as [Int?])
    func theOrderIsThatOfTheKeys(memory: Int, limit: Int?) throws {
        for (seed, direction) in [(1, .ascending), (2, .descending)] as [(UInt64, SortDirection)] {
            let rows = Self.rows(3_000, longest: 60, seed: seed)
            let expected = Array(rows.sorted { Self.isBefore($0, $1, direction) }.prefix(limit ?? .max))
            for offset in [0, 13, 4_000] {
                var sorter = SortedRows(limit: limit, rowIDDirection: direction, space: SortSpace(memory: memory))
                try Self.insert(rows, into: &sorter)
                let isInMemory = sorter.runs == nil
                #expect(isInMemory == (memory > 1 << 20) || limit == 1 || limit == 40)
                var sorted = try sorter.sorted()
                try sorted.skip(offset)
                var found: [Row] = []
                while case let portion = try sorted.next(atMost: 100, keepsKeys: true), !portion.isEmpty {
                    for match in portion {
                        #expect(match.values == [.int(Int64(match.rowID)), .string("row \(match.rowID)")])
                        found.append(Row(key: Array(sorted.keys[match.key]), rowID: match.rowID))
                    }
                }
                let rest = expected.dropFirst(offset)
                #expect(found.map(\.rowID) == rest.map(\.rowID) && found.map(\.key) == rest.map(\.key))
                #expect(sorted.count == expected.count)
                #expect(sorted.mostBytes > 0 && sorted.mostBytes <= memory)
            }
        }
    }

    /// In part after rows with what they hold, in part by themselves: each row is given out once.
    @Test(arguments: [3_072, 64 << 20]) func idsAreGivenOutAsRowsAre(memory: Int) throws {
        let rows = Self.rows(1_000, longest: 60, seed: 6)
        let expected = rows.sorted { Self.isBefore($0, $1, .ascending) }.map(\.rowID)
        var sorter = SortedRows(limit: nil, rowIDDirection: .ascending, space: SortSpace(memory: memory))
        try Self.insert(rows, into: &sorter)
        var sorted = try sorter.sorted()
        try sorted.skip(10)
        var found = try sorted.takeRowIDs(atMost: 5)
        found += try sorted.next(atMost: 7, keepsKeys: false).map(\.rowID)
        found += try sorted.takeRowIDs()
        #expect(found == Array(expected.dropFirst(10)))
        #expect(try sorted.takeRowIDs() == [] && sorted.next(atMost: 1, keepsKeys: false).isEmpty)
        #expect(sorted.mostBytes <= memory)
    }

    /// A heap whose rows are replaced keeps the keys that it needs, and writes nothing.
    @Test func aFewFirstRowsAreNotWritten() throws {
        let rows = Self.rows(20_000, longest: 100, seed: 3).sorted { Self.isBefore($1, $0, .ascending) }
        var sorter = SortedRows(limit: 10, rowIDDirection: .ascending, space: SortSpace(memory: 8_192))
        try Self.insert(rows, into: &sorter)
        let isInMemory = sorter.runs == nil
        #expect(isInMemory)
        var sorted = try sorter.sorted()
        #expect(try sorted.next(atMost: 20, keepsKeys: true).map(\.rowID) == rows.suffix(10).reversed().map(\.rowID))
        #expect(sorted.written == (0, 0, 0) && sorted.mostBytes <= 8_192)
    }

    /// Runs that are merged into longer ones hold a row each; here two long ones, that lie in the middle of the last runs.
    @Test func passesCountInTheMemory() throws {
        let long = [UInt8](repeating: 200, count: 100_000)
        let rows =
            [Row(key: long + [1, 0], rowID: 900), Row(key: long + [2, 0], rowID: 901)]
            + (1...100).map { Row(key: [UInt8($0), 0], rowID: RowID($0)) }
        var sorter = SortedRows(limit: nil, rowIDDirection: .ascending, space: SortSpace(memory: 3_072))
        try Self.insert(rows, into: &sorter)
        var sorted = try sorter.sorted()
        #expect(sorted.written.runs > 2)
        #expect(sorted.mostBytes > 200_000 && sorted.mostBytes < 200_000 + 3_072)
        var found: [RowID] = []
        while case let portion = try sorted.next(atMost: 100, keepsKeys: false), !portion.isEmpty {
            found += portion.map(\.rowID)
        }
        #expect(found == Array(1...100) + [900, 901])
    }

    @Test(arguments: [.min, -1, 0]) func withoutMemoryEachRowIsWritten(memory: Int) throws {
        let rows = Self.rows(40, longest: 20, seed: 5)
        var sorter = SortedRows(limit: nil, rowIDDirection: .ascending, space: SortSpace(memory: memory))
        try Self.insert(rows, into: &sorter)
        var sorted = try sorter.sorted()
        #expect(sorted.written.runs > 3)
        let expected = rows.sorted { Self.isBefore($0, $1, .ascending) }.map(\.rowID)
        var found: [RowID] = []
        while case let portion = try sorted.next(atMost: 100, keepsKeys: true), !portion.isEmpty {
            found += portion.map(\.rowID)
        }
        #expect(found == expected)
    }

    // MARK: Queries

    /// A few KiB: most sorts of so many rows exceed them.
    @Test(
        arguments: [(seed: 61, longStrings: false), (seed: 62, longStrings: true), (seed: 63, longStrings: false)]
            as [(seed: UInt64, longStrings: Bool)])
    func plansEqualAFullScan(seed: UInt64, longStrings: Bool) throws {
        let sample = try SampleStore(seed: seed, rowCount: 120, longStrings: longStrings)
        var (spilled, overlaid, refetched) = (0, 0, 0)
        try sample.checkSorts(150, seed: seed) { query, _, _ in
            query.limit = query.limit.map { $0 * 40 }
        } holding: { work, plan in
            guard work.spilledRuns > 0 else { return nil }
            spilled += 1
            if work.pending > 0 { overlaid += 1 }
            if plan.covering == nil { refetched += 1 }
            return work.spilledBytes > 0 ? nil : "runs without bytes"
        }
        #expect(
            spilled > 40 && overlaid > 10 && refetched > 10 && refetched < spilled,
            "\(spilled), \(overlaid), \(refetched)")
    }

    @Test(arguments: [64, 65] as [UInt64])
    func ordersByRelatedValuesEqualAFullScan(seed: UInt64) throws {
        let atlas = try AtlasStore(seed: seed, rowCount: 40)
        var spilled = 0
        try atlas.store.read { snapshot in
            for number in 0..<UInt64(60) {
                let seed = seed << 32 | number
                var changes = AtlasChanges(atlas.model, seed: ~seed)
                changes.make()
                var source = RandomRelationQuery(snapshot.schema, ids: changes.model.idsByEntity, seed: seed)
                var query = source.query()
                query.sortSpace = SortSpace(memory: 1_024)
                let check = QueryCheck(
                    changes.model.scan(try snapshot.entity(named: query.entity)), in: snapshot, overlay: changes.overlay
                )
                let difference = try check.difference(of: query, in: try check.plans(of: query)) { work, _ in
                    spilled += work.spilledRuns > 0 ? 1 : 0
                    return nil
                }
                try #require(difference == nil, "seed \(seed)")
            }
        }
        #expect(spilled > 20, "\(spilled)")
    }

    // MARK: What is told

    @Test(arguments: [[], ["place", "magnitude"], nil] as [[String]?])
    func aBoundIsKeptAndTold(columns: [String]?) throws {
        try SortedQuakes.get().store.read { snapshot in
            var (large, small) = (Work(), Work())
            let wide = try Planner.plan(SortedQuakes.query(memory: 64 << 20, columns: columns), in: snapshot)
            let narrow = try Planner.plan(SortedQuakes.query(memory: 100_000, columns: columns), in: snapshot)
            let expected = try wide.rows(in: snapshot, work: &large)
            let found = try narrow.rows(in: snapshot, work: &small)
            #expect(found.map(\.rowID) == expected.map(\.rowID) && found.map(\.values) == expected.map(\.values))
            #expect(large.spilledRuns == 0 && large.spilledBytes == 0 && large.sortMemory > 1 << 20)
            #expect(small.spilledRuns > 10 && small.spilledBytes > 20_000 * 30)
            #expect(small.sortMemory <= 100_000 && small.sortMemory > 50_000)
            #expect(small.records == large.records && small.sorted == large.sorted)
            var work = Work()
            let explanation = try narrow.measuredExplanation(in: snapshot, work: &work)
            let sort = try #require(explanation.operators.first { $0.kind == .sort })
            #expect(sort.actual?.spilledRuns == small.spilledRuns && sort.actual?.spilledBytes == small.spilledBytes)
            #expect(explanation.total?.spilledRuns == small.spilledRuns && work == small)
            #expect(
                explanation.description.contains(
                    "20000 sorted, \(small.spilledRuns) runs of \(small.spilledBytes) bytes written, 20000 rows"),
                "\(explanation)")
            work = Work()
            let inMemory = try wide.measuredExplanation(in: snapshot, work: &work)
            #expect(!inMemory.description.contains("written") && inMemory.total?.spilledRuns == nil)
        }
    }

    /// A group that exceeds the memory.
    @Test func groupsOfAPartialSortAreWritten() throws {
        try SortedQuakes.get().store.read { snapshot in
            var query = Query(
                entity: "Quake", sort: [SortKey("day"), SortKey("place"), SortKey("code")], limit: 150, offset: 20)
            let plain = try Planner.plan(query, in: snapshot)
            query.sortSpace = SortSpace(memory: 2_048)
            let plan = try Planner.plan(query, in: snapshot)
            #expect(plan.arrangement == .partial(1), "\(plan.explanation())")
            var (work, other) = (Work(), Work())
            let (found, expected) = (
                try plan.rows(in: snapshot, work: &work), try plain.rows(in: snapshot, work: &other)
            )
            #expect(found.map(\.rowID) == expected.map(\.rowID) && found.map(\.values) == expected.map(\.values))
            #expect(work.spilledRuns > 1 && other.spilledRuns == 0 && work.records == other.records)
        }
    }

    @Test func placesOfRowsAreTheSame() throws {
        try SortedQuakes.get().store.read { snapshot in
            let entity = try snapshot.entity(named: "Quake")
            var places: [[PlacementRule.Placement]] = []
            for memory in [64 << 20, 30_000] {
                var found: [PlacementRule.Placement] = []
                let query = SortedQuakes.query(memory: memory)
                let rule = try PlacementRule(ResolvedQuery(query, in: entity, schema: snapshot.schema))
                try rule.forEachRow(in: snapshot) { found.append($1) }
                places.append(found)
            }
            #expect(places[0].count == 20_000 && places[0] == places[1])
        }
    }

    // MARK: Files

    /// The open files that were made in a folder.
    private static func openFiles(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }.filter { $0.hasPrefix(folder) }
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd")))
    func aFileIsGoneHoweverTheSortEnds() throws {
        struct Stop: Error {}
        let folder = FileManager.default.temporaryDirectory.appending(path: "loam-runs-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try SortedQuakes.get().store.read { snapshot in
            let plan = try Planner.plan(SortedQuakes.query(memory: 50_000, folder: folder), in: snapshot)
            var (work, openWhileRowsCome) = (Work(), 0)
            var count = 0
            try plan.execute(in: snapshot, work: &work) { _, _ in
                count += 1
                if count == 3 { openWhileRowsCome = try Self.openFiles(in: folder).count }
                return count < 3
            }
            #expect(openWhileRowsCome == 1 && count == 3)
            #expect(try Self.openFiles(in: folder).isEmpty)
            #expect(throws: Stop.self) { try plan.execute(in: snapshot, work: &work) { _, _ in throw Stop() } }
            #expect(try Self.openFiles(in: folder).isEmpty)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        }
    }

    @Test(arguments: ["/nowhere/to/be/found", "/dev/null"])
    func aFolderThatCannotBeUsedIsAnError(folder: String) throws {
        try SortedQuakes.get().store.read { snapshot in
            var work = Work()
            let plan = try Planner.plan(SortedQuakes.query(memory: 50_000, folder: folder), in: snapshot)
            let error = try #require(throws: StorageError.self) { _ = try plan.rows(in: snapshot, work: &work) }
            guard case .temporaryFile(folder, _) = error.kind else {
                Issue.record("\(error)")
                return
            }
            // What fits needs no folder.
            let fitting = try Planner.plan(SortedQuakes.query(memory: 64 << 20, folder: folder), in: snapshot)
            #expect(try fitting.rows(in: snapshot, work: &work).count == 20_000)
        }
    }
}
