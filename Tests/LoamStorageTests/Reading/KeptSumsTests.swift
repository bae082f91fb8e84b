import Dispatch
import LMDB
import SeededRandom
import Testing

@testable import LoamStorage

/// The sums of an index are kept from snapshot to snapshot: they are what the file says, and only changed runs are
/// read.
@Suite struct KeptSumsTests {
    private let temporary: TemporaryStore
    private let store: Store

    /// Four entries to a block, so that few rows make many runs of blocks.
    private static let padding = String(repeating: "x", count: 440)

    init() throws {
        temporary = try TemporaryStore()
        store = try temporary.open()
        try store.apply(
            .addEntity(
                EntityDefinition(
                    "Note", properties: [.init("text", type: .string), .init("number", type: .int64)],
                    indexes: [.init([.init("text")]), .init([.init("number")])])))
    }

    private static func values(_ number: Int) -> [String: Value] {
        ["text": .string("\(number % 9_973 + 10_000)" + padding), "number": .int(Int64(number))]
    }

    private func fill(_ count: Int) throws -> [RowID] {
        try store.insert((0..<count).map { Self.values($0 * 7_919) }, into: "Note")
    }

    /// Compares the sums that a new snapshot of a store has with those of the file.
    ///
    /// - Returns: how many runs the snapshot has read, and how many there are.
    @discardableResult
    private static func check(_ store: Store) throws -> (read: Int, of: Int) {
        try store.read { snapshot in
            let indexes = try snapshot.entity(named: "Note").indexes.filter(\.isReadable)
            var runs = 0
            for index in indexes {
                let known = try snapshot.sums(of: snapshot.access(index))
                let stored = try IndexSums.read(
                    index.id, in: snapshot.transaction, databases: snapshot.databases.blocks)
                #expect(known == stored)
                runs += stored.runCount
                try checkOutlines(
                    known, of: index.id, databases: snapshot.databases.blocks, in: snapshot.transaction)
                try checkCounts(in: index, snapshot)
            }
            return (snapshot.runsRead, runs)
        }
    }

    /// Compares the outlines that are kept of runs with those that the file gives now. The others are kept, so that
    /// later states of the store take them over.
    private static func checkOutlines(
        _ sums: IndexSums, of index: IndexID, databases: IndexDatabases, in transaction: borrowing ReadTransaction
    ) throws {
        var cursor = IndexCursor(overBlocks: try transaction.cursor(in: databases.indexes), of: index)
        for run in 0..<sums.runCount {
            let stored = try cursor.readOutline(ofRun: run, sums)
            if let known = sums.outline(ofRun: run).known {
                try #require(known.blockCount == stored.blockCount)
                for block in 0..<stored.blockCount {
                    #expect(known.entries(before: block + 1) == stored.entries(before: block + 1))
                    let separator = stored.withSeparator(block) { Array($0) }
                    #expect(known.withSeparator(block) { Array($0) } == separator)
                }
            } else {
                sums.outline(ofRun: run).keep(stored)
            }
        }
    }

    /// Counts ranges of every kind with the outlines, and compares the counts with a scan.
    private static func checkCounts(in index: Index, _ snapshot: Snapshot) throws {
        var keys: [[UInt8]] = []
        try snapshot.scanIndex(index, range: .all) { batch in
            for position in 0..<batch.count {
                var key = try batch.key(at: position).withUnsafeBytes { Array($0) }
                key.appendRowID(batch.rowID(at: position), inverted: false)
                keys.append(key)
            }
            return true
        }
        guard keys.count > 1 else { return }
        let sums = try snapshot.sums(of: snapshot.access(index))
        func position(of bound: [UInt8]) -> Int { keys.indices.partitionPoint { keys[$0].isBelow(bound) } }
        for position in [0, 1, keys.count / 2, 977 % keys.count, keys.count - 1, keys.count] {
            let entry = try snapshot.entry(in: index, at: position)
            #expect(entry?.fullKey(invertsRowID: false) == (position < keys.count ? keys[position] : nil))
            #expect(try snapshot.rowID(in: index, at: position) == entry?.rowID)
            var first: RowID?
            try snapshot.scanIndex(index, range: .all, skipping: position) { batch in
                first = batch.rowIDs[0]
                return false
            }
            #expect(first == entry?.rowID)
        }
        for number in 0..<4 {
            let (one, other) = (keys[number * 977 % keys.count], keys[number * 3_571 % keys.count])
            let ranges = [
                KeyRange.prefix(one), KeyRange.prefix(Array(one.prefix(number))), KeyRange(lower: one),
                KeyRange(upper: other),
                one.isBelow(other) ? KeyRange(lower: one, upper: other) : KeyRange(lower: other, upper: one),
            ]
            for range in ranges where !range.isEmpty {
                let exact = (range.upper.map(position) ?? keys.count) - position(of: range.lower)
                #expect(try snapshot.count(in: index, range: range) == exact)
                let places = try #require(sums.places(of: range))
                #expect(exact <= places.mostEntries)
                let before = snapshot.rangesCounted
                let estimate = try snapshot.estimatedCount(
                    in: index, ranges: [range], mostCounted: 1, uncounted: keys.count)
                #expect(snapshot.rangesCounted == before)
                #expect(abs(estimate.entries - exact) <= max(places.first.count, places.last.count))
                let counted = try snapshot.estimatedCount(in: index, ranges: [range], mostCounted: 1)
                #expect(counted.entries == (places.isShort ? exact : estimate.entries))
                #expect(snapshot.rangesCounted == before + (places.isShort ? 1 : 0))
            }
        }
    }

    @Test func onlyTheRunsThatASaveChangedAreReadAgain() throws {
        _ = try fill(5_000)
        let first = try Self.check(store)
        #expect(first.of > 8 && first.read == first.of)
        #expect(try Self.check(store).read == 0)
        // The row has one entry in each of two indexes.
        try store.insert([Self.values(1)], into: "Note")
        #expect(try Self.check(store).read == 2)
        #expect(try Self.check(store).read == 0)
        for number in 0..<5 { try store.insert([Self.values(number * 31)], into: "Note") }
        #expect(try (2...10).contains(Self.check(store).read))
        // What earlier saves have changed does not count again.
        try store.insert([Self.values(2)], into: "Note")
        #expect(try Self.check(store).read == 2)
    }

    @Test func aRehearsalInTheTransactionOfASaveDoesNotCount() throws {
        _ = try fill(5_000)
        let first = try Self.check(store)
        #expect(first.of > 8)
        var batch = WriteBatch()
        batch.insert(
            try store.catalog().encode(Self.values(1), as: "Note"), into: try store.entity("Note").id,
            rowID: try store.makeRowID())
        let (rehearsal, save) = (store.rehearsal(of: batch), WriterJob(isSave: true, body: BatchJob(batch).run))
        let writer = store.writer
        // Jobs that are handed in while the writer is at work wait together.
        try store.run(
            WriterJob(isSave: true) { _, _ in
                for job in [rehearsal, save] { writer.enqueue(job) }
            })
        // This job comes with those two or after them, so that both are done.
        try store.run(WriterJob(isSave: true) { _, _ in })
        for job in [rehearsal, save] { try #require(job.result).get() }
        #expect(try Self.check(store).read == 2)
    }

    /// Saves, erasure, a new index, and saves through another store of the file leave the kept sums right.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func whateverIsSavedTheSumsAreThoseOfTheFile(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var rows = try fill(3_000)
        let other = try temporary.open()
        var hasNewIndex = false
        for step in 0..<60 {
            let store = Int.random(in: 0..<4, using: &random) == 0 ? other : store
            switch Int.random(in: 0..<10, using: &random) {
            case 0...2:
                let count = Int.random(in: 0..<8, using: &random) == 0 ? 1_500 : Int.random(in: 1...20, using: &random)
                let numbers = (0..<count).map { _ in Int.random(in: 0..<1_000_000, using: &random) }
                rows += try store.insert(numbers.map(Self.values), into: "Note")
            case 3...4:
                let start = Int.random(in: 0...rows.count, using: &random)
                let end = min(rows.count, start + (Int.random(in: 0..<3, using: &random) == 0 ? 900 : 5))
                var batch = WriteBatch()
                for row in rows[start..<end] { batch.delete(row, of: try store.entity("Note").id) }
                if start < end { try store.save(batch) }
                rows.removeSubrange(start..<end)
            case 5...7:
                guard let row = rows.randomElement(using: &random) else { continue }
                try store.update(row, of: "Note", Self.values(Int.random(in: 0..<1_000_000, using: &random)))
            case 8 where step % 20 == 11:
                try store.erase()
                rows = try fill(500)
            case 9 where step > 30 && !hasNewIndex:
                hasNewIndex = true
                try store.apply(.addIndex(IndexDefinition([.init("number"), .init("text")]), to: "Note"))
            default: _ = try store.makeRowID()
            }
            try Self.check(self.store)
            if step % 3 == 0 { try Self.check(other) }
        }
        #expect(try store.check().faults == [])
    }

    /// A run's outline is read when it was asked for often, and again when somebody has changed the run.
    @Test func theBlocksOfARunAreKeptWhereTheyAreAskedForOften() throws {
        let rows = try fill(3_000)
        let index = try store.entity("Note").indexes[1]
        func ask(_ times: Int) throws -> Int {
            try store.read { snapshot in
                let range = KeyRange(lower: [], upper: try snapshot.entry(in: index, at: 5)?.key)
                for _ in 0..<times { #expect(try snapshot.count(in: index, range: range) == 5) }
                let sums = try snapshot.sums(of: snapshot.access(index))
                return (0..<sums.runCount).count { sums.outline(ofRun: $0).known != nil }
            }
        }
        #expect(try ask(5) == 0)
        #expect(try ask(60) == 1)
        #expect(try ask(1) == 1)
        try store.update(rows[0], of: "Note", Self.values(4))
        #expect(try ask(5) == 0)
        #expect(try ask(60) == 1)
    }

    /// Snapshots on other threads, some older than what is kept, have their own sums.
    @Test func snapshotsOnManyThreadsHaveTheirOwnSums() throws {
        _ = try fill(2_000)
        let store = store
        DispatchQueue.concurrentPerform(iterations: 3) { thread in
            for number in 0..<40 {
                #expect(throws: Never.self) {
                    if thread == 0 {
                        try store.insert([Self.values(number)], into: "Note")
                    } else {
                        try Self.check(store)
                    }
                }
            }
        }
        try Self.check(store)
        #expect(try Self.check(store).read == 0)
    }
}
