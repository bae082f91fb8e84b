import Dispatch
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
            }
            return (snapshot.runsRead, runs)
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
