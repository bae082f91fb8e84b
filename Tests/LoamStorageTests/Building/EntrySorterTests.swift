import SeededRandom
import Testing

@testable import LoamStorage

struct EntrySorterTests {
    private struct Entry: Hashable {
        var key: [UInt8]
        var rowID: RowID

        func precedes(_ other: Entry, inverted: Bool) -> Bool {
            func full(_ entry: Entry) -> [UInt8] {
                var bytes = entry.key
                bytes.appendRowID(entry.rowID, inverted: inverted)
                return bytes
            }
            return full(self).lexicographicallyPrecedes(full(other))
        }
    }

    private func shape(invertsRowID: Bool) -> BlockShape {
        BlockShape(
            id: 1, stride: nil, invertsRowID: invertsRowID, includedCount: 0, isSectioned: false,
            leadingLength: .variable(descending: false, share: 480))
    }

    private func check(_ entries: [Entry], inverted: Bool, budget: Int = .max) throws {
        let sorter = EntrySorter(shape: shape(invertsRowID: inverted), budget: budget)
        for entry in entries {
            try sorter.append(IndexEntry(key: entry.key, rowID: entry.rowID, isInexact: false, included: []))
        }
        var sorted: [Entry] = []
        try sorter.forEachSorted { sorted.append(Entry(key: Array($0.key), rowID: $0.rowID)) }
        #expect(sorted == entries.sorted { $0.precedes($1, inverted: inverted) })
    }

    @Test(arguments: [false, true]) func keysOfAllLengthsAreSortedAsBytes(inverted: Bool) throws {
        var random = SeededGenerator(seed: 11)
        for (count, bytes, longest) in [(1, 1, 1), (40, 2, 3), (3_000, 2, 12), (3_000, 256, 30), (5_000, 1, 40)] {
            let entries = (0..<count).map { position in
                let key = (0..<Int.random(in: 0...longest, using: &random)).map { _ in
                    UInt8.random(in: 0...UInt8(bytes - 1), using: &random)
                }
                return Entry(key: key, rowID: RowID(position))
            }
            try check(entries.shuffled(using: &random), inverted: inverted)
        }
    }

    @Test(arguments: [false, true]) func keysThatAgreeFarInAreSortedBehindThat(inverted: Bool) throws {
        var random = SeededGenerator(seed: 12)
        let entries = (0..<4_000).map { position in
            var key = [UInt8](repeating: 7, count: 60)
            key[position % 3 * 20 + 10] = UInt8(position % 251)
            return Entry(key: key, rowID: RowID(position))
        }
        try check(entries, inverted: inverted)
        try check(entries.reversed(), inverted: inverted)
        try check(entries.shuffled(using: &random), inverted: inverted)
    }

    /// What sorting them takes is counted: of short keys it is most.
    @Test func shortKeysStayWithinTheBudget() throws {
        let budget = 1 << 16
        let sorter = EntrySorter(shape: shape(invertsRowID: false), budget: budget)
        for row in 0..<3_000 as Range<RowID> {
            try sorter.append(IndexEntry(key: [UInt8(row % 251)], rowID: row, isInexact: false, included: []))
        }
        #expect(sorter.memoryBytes == nil && 50 * 1_000 < sorter.mostBytes && sorter.mostBytes <= budget)
        var rows: Set<RowID> = []
        try sorter.forEachSorted { rows.insert($0.rowID) }
        #expect(rows.count == 3_000)
    }

    @Test func runsInFilesAreMerged() throws {
        var random = SeededGenerator(seed: 13)
        let tail = [UInt8](repeating: 9, count: 100)
        let entries = (0..<2_000).map { Entry(key: [UInt8($0 % 7), UInt8($0 % 255)] + tail, rowID: RowID($0)) }
        try check(entries.shuffled(using: &random), inverted: false, budget: 1)
    }
}
