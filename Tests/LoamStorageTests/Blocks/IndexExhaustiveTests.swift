import LMDB
import Testing

@testable import LoamStorage

/// Every sequence of operations over a small set of entries, up to a length.
///
/// What an operation does depends on the bytes stored alone, so each reachable state is visited once, with every
/// operation from there; sequences that meet in a state go on as one.
@Suite struct IndexExhaustiveTests {
    /// The bytes of an index: all blocks, all runs.
    private struct State: Hashable {
        var blocks: [[UInt8]: [UInt8]] = [:]
        var runs: [[UInt8]: [UInt8]] = [:]
        /// The entries that are there, a bit for each.
        var present = 0
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var shape: BlockShape
        var limits: BlockLimits
        var entries: [IndexEntry]
    }

    /// Entries that are equal up to the row id, and neighbours of those, in blocks of one to three entries.
    static let cases: [Case] = [
        Case(
            testDescription: "equal numbers", shape: BlockShape(id: 3, stride: 3, leadingLength: .fixed(3)),
            limits: BlockLimits(blockBytes: 36, largestRun: 3, smallestRun: 2, appendedRun: 2),
            entries: [(0, 1), (0, 2), (1, 1), (1, 700), (9, 1), (9, 2), (9, 70_000), (10, 1), (10, 2)]
                .map { IndexEntry(key: [1, 0, $0.0], rowID: $0.1) }),
        Case(
            testDescription: "descending texts, one inexact",
            shape: BlockShape(
                id: 3, stride: nil, invertsRowID: true, isSectioned: true,
                leadingLength: .variable(descending: true, share: 8)),
            limits: BlockLimits(blockBytes: 44, largestRun: 2, smallestRun: 1, appendedRun: 2),
            entries: ["", "a", "ab", "aba", "abcdefg", "abcdefgh", "b", "c"].enumerated().map { place, text in
                let key = [1] + text.utf8 + (text.utf8.count > 7 ? [] : [0])
                return IndexEntry(
                    key: key.prefix(8).map { ~$0 }, rowID: RowID(place * 90), isInexact: text.utf8.count > 6)
            }),
        Case(
            testDescription: "fields", shape: BlockShape(id: 3, stride: 2, includedCount: 1, leadingLength: .fixed(2)),
            limits: BlockLimits(blockBytes: 48, largestRun: 2, smallestRun: 2, appendedRun: 2),
            entries: (0..<8).map { place in
                IndexEntry(
                    key: [1, UInt8(place / 2)], rowID: RowID(place),
                    included: [place == 3 ? nil : Array(repeating: 7, count: place)])
            }),
    ]

    @Test(arguments: cases) func everySequenceOfEightOperationsKeepsTheInvariants(_ sample: Case) throws {
        let fixture = try IndexFixture(sample.shape, limits: sample.limits)
        let keys = sample.entries.map { $0.fullKey(invertsRowID: sample.shape.invertsRowID) }
        var seen: Set<State> = [State()]
        var frontier = [State()]
        try fixture.environment.write { transaction in
            for _ in 0..<8 {
                var next: [State] = []
                for state in frontier {
                    for (place, entry) in sample.entries.enumerated() {
                        try Self.restore(state, fixture, &transaction)
                        let kind: IndexChange.Kind = state.present & 1 << place == 0 ? .insert : .remove
                        try IndexWriter.apply(
                            [IndexChange(kind, entry: entry)], shape: sample.shape, limits: sample.limits,
                            in: &transaction,
                            databases: fixture.databases)
                        var result = try Self.state(fixture, transaction)
                        result.present = state.present ^ 1 << place
                        guard seen.insert(result).inserted else { continue }
                        next.append(result)
                        let expected = keys.indices.filter { result.present & 1 << $0 != 0 }.map { keys[$0] }
                            .sorted { $0.lexicographicallyPrecedes($1) }
                        try Self.check(fixture, expected, transaction)
                    }
                }
                frontier = next
            }
        }
        #expect(seen.count > 1_000)
    }

    private static func check(
        _ fixture: IndexFixture, _ expected: [[UInt8]], _ transaction: borrowing WriteTransaction
    ) throws {
        let reader = fixture.reader
        let faults = try reader.checkInvariants(limits: fixture.limits, in: transaction)
        try #require(faults == [])
        let sums = try IndexSums.read(reader.shape.id, in: transaction, databases: fixture.databases)
        try #require(sums.total.entries == expected.count)
        var found: [[UInt8]] = []
        try reader.scan(in: transaction) { batch in
            for index in 0..<batch.count { found.append(try batch.fullKey(at: index)) }
            return true
        }
        try #require(found == expected)
        for (position, key) in expected.enumerated() {
            try #require(try reader.position(of: key, sums: sums, in: transaction) == position)
        }
    }

    private static func restore(_ state: State, _ fixture: IndexFixture, _ transaction: inout WriteTransaction) throws {
        try transaction.empty(fixture.databases.indexes)
        try transaction.empty(fixture.databases.counters)
        for (key, value) in state.blocks {
            try transaction.put(value.span.bytes, for: key.span.bytes, in: fixture.databases.indexes)
        }
        for (key, value) in state.runs {
            try transaction.put(value.span.bytes, for: key.span.bytes, in: fixture.databases.counters)
        }
    }

    private static func state(_ fixture: IndexFixture, _ transaction: borrowing WriteTransaction) throws -> State {
        var state = State()
        state.blocks = try contents(fixture.databases.indexes, transaction)
        state.runs = try contents(fixture.databases.counters, transaction)
        return state
    }

    private static func contents(
        _ database: Database, _ transaction: borrowing WriteTransaction
    ) throws -> [[UInt8]: [UInt8]] {
        var contents: [[UInt8]: [UInt8]] = [:]
        var cursor = try transaction.cursor(in: database)
        var isAtEntry = try cursor.moveToFirst()
        while isAtEntry {
            contents[Array(cursor.key.pointer)] = Array(cursor.value.pointer)
            isAtEntry = try cursor.next()
        }
        return contents
    }
}
