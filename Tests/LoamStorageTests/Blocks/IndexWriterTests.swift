import LMDB
import Testing

@testable import LoamStorage

/// The changes that the writer refuses, and those that it lets pass while an index is built.
@Suite struct IndexWriterTests {
    let fixture: IndexFixture
    let entry = IndexEntry(key: [1, 0, 0, 0, 5], rowID: 9)
    let other = IndexEntry(key: [1, 0, 0, 0, 6], rowID: 3)

    init() throws {
        fixture = try IndexFixture(BlockShape(id: 2, stride: 5, leadingLength: .fixed(5)))
    }

    private func isInconsistent(_ error: any Error) -> Bool {
        guard case .inconsistent = (error as? StorageError)?.kind else { return false }
        return true
    }

    @Test func removingAnAbsentEntryThrows() throws {
        try fixture.apply([IndexChange(.insert, entry: entry)])
        #expect { try fixture.apply([IndexChange(.remove, entry: other)]) } throws: { isInconsistent($0) }
        #expect(try fixture.keys().count == 1)
    }

    @Test func insertingAPresentEntryThrows() throws {
        try fixture.apply([IndexChange(.insert, entry: entry)])
        #expect { try fixture.apply([IndexChange(.insert, entry: entry)]) } throws: { isInconsistent($0) }
    }

    @Test func bothPassWhileAnIndexIsBuilt() throws {
        try fixture.apply([IndexChange(.remove, entry: other), IndexChange(.insert, entry: entry)], isTolerant: true)
        try fixture.apply([IndexChange(.insert, entry: entry)], isTolerant: true)
        #expect(try fixture.keys() == [entry.fullKey(invertsRowID: false)])
        let faults = try fixture.environment.read { try fixture.reader.checkInvariants(in: $0) }
        #expect(faults == [])
    }

    @Test func changesOfOneEntryAreMadeInTheirOrder() throws {
        try fixture.apply([
            IndexChange(.insert, entry: entry), IndexChange(.remove, entry: entry), IndexChange(.insert, entry: other),
        ])
        #expect(try fixture.keys() == [other.fullKey(invertsRowID: false)])
        try fixture.apply([IndexChange(.remove, entry: other), IndexChange(.insert, entry: other)])
        #expect(try fixture.keys() == [other.fullKey(invertsRowID: false)])
    }

    @Test func aKeyOfAnotherWidthIsRefused() throws {
        let short = IndexEntry(key: [1, 2], rowID: 1)
        #expect { try fixture.apply([IndexChange(.insert, entry: short)]) } throws: {
            guard case .damagedKey = ($0 as? StorageError)?.kind else { return false }
            return true
        }
    }

    @Test func theLastRemovalLeavesNothingBehind() throws {
        try fixture.apply([IndexChange(.insert, entry: entry), IndexChange(.insert, entry: other)])
        try fixture.apply([IndexChange(.remove, entry: entry), IndexChange(.remove, entry: other)])
        let left = try fixture.environment.read { transaction in
            (
                try transaction.statistics(of: fixture.databases.indexes).entries,
                try transaction.statistics(of: fixture.databases.counters).entries
            )
        }
        #expect(left == (0, 0))
    }

    @Test func removingAnIndexLeavesTheOthers() throws {
        try fixture.apply([IndexChange(.insert, entry: entry)])
        let second = BlockShape(id: 3, stride: 5, leadingLength: .fixed(5))
        try fixture.environment.write { transaction in
            try IndexWriter.apply(
                [IndexChange(.insert, entry: other)], shape: second, in: &transaction, databases: fixture.databases)
            let isDone = try IndexWriter.removeAll(of: 2, in: &transaction, databases: fixture.databases)
            #expect(isDone)
        }
        #expect(try fixture.keys().isEmpty)
        let kept = IndexReader(shape: second, databases: fixture.databases)
        let isKept = try fixture.environment.read { try kept.contains(key: other.key, rowID: 3, in: $0) }
        #expect(isKept)
    }

    @Test func rowsThatComeInOrderFillTheirBlocks() throws {
        for step in 0..<400 {
            try fixture.apply([
                IndexChange(
                    .insert,
                    entry: IndexEntry(key: [1, 0, 0, UInt8(step / 256), UInt8(step % 256)], rowID: RowID(step)))
            ])
        }
        let sums = try fixture.environment.read {
            try IndexSums.read(fixture.reader.shape.id, in: $0, databases: fixture.databases)
        }
        #expect(sums.total.blocks == 1 + sums.total.bytes / BlockLimits.standard.blockBytes)
    }
}
