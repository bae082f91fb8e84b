import LMDB
import SeededRandom
import Testing

@testable import LoamStorage

/// Damage to what is stored is found by a check, and never traps a reader.
@Suite struct IndexDamageTests {
    private static func filled(_ sample: BlockSample, _ count: Int) throws -> IndexFixture {
        var generator = SeededGenerator(seed: 21)
        let fixture = try IndexFixture(sample.shape, limits: IndexFixture.small(260))
        try fixture.apply(sample.entries(count, &generator).map { IndexChange(.insert, entry: $0) })
        return fixture
    }

    /// Runs a body in a transaction in which one value of a database is replaced.
    private static func with(
        _ value: [UInt8], for key: [UInt8], in database: Database, _ fixture: IndexFixture,
        _ body: (borrowing WriteTransaction) throws -> Void
    ) throws {
        struct Undo: Error {}
        do {
            try fixture.environment.write { transaction in
                try transaction.put(value.span.bytes, for: key.span.bytes, in: database)
                try body(transaction)
                throw Undo()
            }
        } catch is Undo {}
    }

    private static func entries(_ database: Database, _ fixture: IndexFixture) throws -> [([UInt8], [UInt8])] {
        try fixture.environment.read { transaction in
            var entries: [([UInt8], [UInt8])] = []
            var cursor = try transaction.cursor(in: database)
            while try cursor.next() { entries.append((Array(cursor.key.pointer), Array(cursor.value.pointer))) }
            return entries
        }
    }

    @Test(arguments: BlockSample.all) func everyFlippedByteOfABlockIsReported(_ sample: BlockSample) throws {
        let fixture = try Self.filled(sample, 24)
        let blocks = try Self.entries(fixture.databases.indexes, fixture)
        for (key, block) in [blocks[0], blocks[blocks.count / 2]] {
            for at in stride(from: 0, to: block.count, by: block.count > 600 ? 7 : 1) {
                var damaged = block
                damaged[at] ^= 1 << UInt8(at % 8)
                try Self.with(damaged, for: key, in: fixture.databases.indexes, fixture) { transaction in
                    let faults = try fixture.reader.verify(in: transaction)
                    #expect(!faults.isEmpty)
                }
            }
        }
    }

    @Test func everyFlippedByteOfTheSumsIsReported() throws {
        let fixture = try Self.filled(BlockSample.all[0], 200)
        for (key, sums) in try Self.entries(fixture.databases.counters, fixture) {
            for at in sums.indices {
                var damaged = sums
                damaged[at] ^= 1 << UInt8(at % 8)
                try Self.with(damaged, for: key, in: fixture.databases.counters, fixture) { transaction in
                    let faults = try fixture.reader.verify(in: transaction)
                    #expect(!faults.isEmpty)
                }
            }
        }
    }

    @Test func aBlockUnderAnotherSeparatorIsReported() throws {
        let fixture = try Self.filled(BlockSample.all[0], 200)
        let blocks = try Self.entries(fixture.databases.indexes, fixture)
        try Self.with(blocks[2].1, for: blocks[3].0, in: fixture.databases.indexes, fixture) { transaction in
            let faults = try fixture.reader.verify(in: transaction)
            #expect(!faults.isEmpty)
        }
    }

    @Test(arguments: BlockSample.all) func readersMeetDamageWithErrorsOnly(_ sample: BlockSample) throws {
        var generator = SeededGenerator(seed: 22)
        let fixture = try Self.filled(sample, 40)
        let stored = try [fixture.databases.indexes, fixture.databases.counters].flatMap { database in
            try Self.entries(database, fixture).map { (database, $0.0, $0.1) }
        }
        for _ in 0..<150 {
            let (database, key, value) = stored[Int.random(in: stored.indices, using: &generator)]
            var damaged = value
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                damaged[Int.random(in: damaged.indices, using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
            }
            if Int.random(in: 0..<4, using: &generator) == 0 { damaged = Array(damaged.dropLast(damaged.count / 2)) }
            let probe = sample.entry(&generator)
            try Self.with(damaged, for: key, in: database, fixture) { transaction in
                Self.readEverything(fixture, probe, transaction)
            }
        }
    }

    /// Calls every way to read, and ignores the errors.
    private static func readEverything(
        _ fixture: IndexFixture, _ probe: IndexEntry, _ transaction: borrowing WriteTransaction
    ) {
        let reader = fixture.reader
        let range = KeyRange(lower: probe.key)
        _ = try? reader.verify(in: transaction)
        for reversed in [false, true] {
            try? reader.scan(range, reversed: reversed, in: transaction) { batch in
                for index in 0..<batch.count {
                    _ = try batch.fullKey(at: index)
                    _ = batch.isInexact(at: index)
                    for column in 0..<reader.shape.includedCount {
                        _ = try batch.included(column, at: index)?.byteCount
                    }
                }
                return true
            }
        }
        _ = try? reader.contains(key: probe.key, rowID: probe.rowID, in: transaction)
        guard let sums = try? IndexSums.read(reader.shape.id, in: transaction, databases: fixture.databases) else {
            return
        }
        _ = try? reader.count(range, sums: sums, in: transaction)
        _ = try? reader.inexactCount(range, sums: sums, in: transaction)
        _ = try? reader.sections(range, sums: sums, in: transaction)
        for position in [0, sums.total.entries / 2, sums.total.entries - 1] {
            _ = try? reader.entry(at: position, sums: sums, in: transaction)
            try? reader.scan(skipping: position, sums: sums, in: transaction) { _ in true }
        }
    }

    @Test func aDamagedBlockIsNotChanged() throws {
        let sample = BlockSample.all[0]
        let fixture = try IndexFixture(sample.shape)
        try fixture.apply([IndexChange(.insert, entry: IndexEntry(key: [1, 0, 0, 0, 1], rowID: 1))])
        let (key, block) = try Self.entries(fixture.databases.indexes, fixture)[0]
        var damaged = block
        damaged[block.count - 1] ^= 1
        try fixture.environment.write { transaction in
            try transaction.put(damaged.span.bytes, for: key.span.bytes, in: fixture.databases.indexes)
        }
        #expect(throws: StorageError(.damagedBlock("its checksum is wrong"))) {
            try fixture.apply([IndexChange(.insert, entry: IndexEntry(key: [1, 0, 0, 0, 2], rowID: 2))])
        }
    }
}
