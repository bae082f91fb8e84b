import Foundation
import LMDB
import Synchronization
import Testing

/// Several processes, several readers, and those that die.
@Suite struct ProcessTests {
    @Test func aForkedChildIsRefused() throws {
        let store = try TemporaryStore()
        #expect(try OtherProcess("fork", store.path).finish() == "child 2, parent writes")
    }

    @Test func twoProcessesCountTogether() throws {
        let store = try TemporaryStore()
        let environment = try store.open()
        let (first, second) = (
            try OtherProcess("increment", store.path, 500), try OtherProcess("increment", store.path, 500)
        )
        for _ in 0..<500 {
            try environment.write { transaction in
                let counters = try transaction.openDatabase(named: "counters", integerKeys: true)
                let old = try transaction.value(for: 1, in: counters)?.unsafeLoadUnaligned(as: UInt64.self) ?? 0
                let new = [old + 1]
                try transaction.put(new.span.bytes, for: 1, in: counters)
            }
        }
        #expect(try first.finish() == "done")
        #expect(try second.finish() == "done")
        let counters = try #require(try environment.database(named: "counters"))
        let total = try environment.read { try $0.value(for: 1, in: counters)?.unsafeLoadUnaligned(as: UInt64.self) }
        #expect(total == 1500)
    }

    @Test func databasesAreFoundThoughTheirNumberIsTheSame() throws {
        let store = try TemporaryStore()
        let environment = try store.open()
        try environment.write { _ = try $0.openDatabase(named: "words", integerKeys: true) }
        #expect(try OtherProcess("swap", store.path).finish() == "done")
        #expect(try environment.database(named: "others") == nil)
        try environment.openNewDatabases()
        let others = try #require(try environment.database(named: "others"))
        #expect(try environment.read { try $0.value(for: 1, in: others) == nil })
        #expect(try environment.database(named: "words") == nil)
    }

    @Test func aFileIsOpenedWhileAnotherProcessWritesIt() throws {
        let store = try TemporaryStore()
        do { _ = try store.open().makeRows() }
        let writers = [
            try OtherProcess("increment", store.path, 3000), try OtherProcess("fill", store.path, 30 << 20),
        ]
        for _ in 0..<300 {
            let environment = try store.open()
            #expect(try environment.database(named: "rows") != nil)
        }
        for writer in writers { #expect(try writer.finish() == "done") }
    }

    @Test func aWriterThatDiesLeavesNothingBehind() throws {
        let store = try TemporaryStore()
        let environment = try store.open()
        for _ in 0..<5 {
            #expect(try OtherProcess("dieWriting", store.path).finish() == "dying")
            #expect(try environment.databaseNames() == [])
        }
        _ = try environment.makeRows()
        #expect(try environment.databaseNames() == ["rows"])
    }

    @Test func aDeadReaderIsReaped() throws {
        let store = try TemporaryStore()
        let environment = try store.open()
        let process = try OtherProcess("read", store.path, 1)
        #expect(process.nextOutput() == "ready")
        #expect(try environment.readers().filter { $0.transaction != nil }.count == 1)
        process.kill()
        #expect(try environment.reapDeadReaders() == 1)
        #expect(try environment.readers().filter { $0.transaction != nil }.isEmpty)
        #expect(try environment.reapDeadReaders() == 0)
    }

    @Test func aKilledReaderDoesNotMakeTheFileGrow() throws {
        let store = try TemporaryStore()
        let environment = try store.open()
        let rows = try environment.makeRows()
        try environment.fill(rows, 0..<100)
        let process = try OtherProcess("read", store.path, 1)
        #expect(process.nextOutput() == "ready")
        process.kill()
        for _ in 0..<100 { try environment.fill(rows, 0..<100) }
        let used = try environment.info.usedBytes
        for _ in 0..<500 { try environment.fill(rows, 0..<100) }
        // Each fill writes some 30 pages, which are free again two commits later.
        #expect(try environment.info.usedBytes <= used)
        #expect(try environment.readers().allSatisfy { $0.transaction == nil })
    }

    @Test func deadReadersAreTakenAwayBeforeTheMapGrowsOrIsReportedFull() throws {
        let store = try TemporaryStore()
        let environment = try store.open { options in
            options.mapSize = 2 << 20
            options.maximumMapSize = 2 << 20
        }
        let rows = try environment.makeRows()
        try environment.fill(rows, 0..<200)
        let process = try OtherProcess("read", store.path, 1)
        #expect(process.nextOutput() == "ready")
        process.kill()
        var growths = 0
        for _ in 0..<20 {
            while try kind({ try environment.fill(rows, 0..<200) }) == .mapFull {
                growths += 1
                try environment.grow()
            }
        }
        #expect(growths == 1)
        #expect(try environment.info.mapSize == 2 << 20)
    }

    @Test func aTableFullOfDeadReadersIsReapedByTheNextRead() throws {
        let store = try TemporaryStore()
        let environment = try store.open { $0.maxReaders = 4 }
        let process = try OtherProcess("read", store.path, 4)
        #expect(process.nextOutput() == "ready")
        #expect(try kind { try environment.read { _ in } } == .readersFull)
        process.kill()
        #expect(try kind { try environment.read { _ in } } == nil)
    }

    @Test func moreReadsThanSlotsAreATypedError() throws {
        let store = try TemporaryStore()
        let environment = try store.open { $0.maxReaders = 3 }
        func read(_ depth: Int) throws {
            try environment.read { _ in if depth > 1 { try read(depth - 1) } }
        }
        #expect(try kind { try read(3) } == nil)
        #expect(try kind { try read(4) } == .readersFull)
        #expect(try kind { try read(3) } == nil)
    }

    /// Hundreds of actors with contexts of their own may fetch at the same time.
    @Test func hundredsOfReadsAreOpenAtOnce() throws {
        let store = try TemporaryStore()
        let environment = try store.open()
        func read(_ depth: Int) throws {
            try environment.read { _ in if depth > 1 { try read(depth - 1) } }
        }
        #expect(try kind { try read(600) } == nil)
    }

    @Test func idleReadersPinNothing() throws {
        let store = try TemporaryStore()
        let environment = try store.open()
        try environment.read { _ in try environment.read { _ in } }
        let readers = try environment.readers()
        #expect(readers.count >= 2)
        #expect(readers.allSatisfy { $0.transaction == nil && $0.pid == getpid() })
        #expect(try environment.info.maxReaders == 1_022)
    }

    @Test func aSnapshotIsReadOnAnotherThread() throws {
        let store = try TemporaryStore()
        let environment = try store.open()
        let rows = try environment.makeRows()
        try environment.fill(rows, 0..<10)
        let snapshot = Snapshot(try environment.beginRead())
        try environment.fill(rows, 10..<20)
        let done = DispatchSemaphore(value: 0)
        let count = Mutex(0)
        Thread {
            let seen = (try? snapshot.transaction.statistics(of: rows).entries) ?? -1
            count.withLock { $0 = seen }
            done.signal()
        }.start()
        done.wait()
        #expect(count.withLock { $0 } == 10)
        #expect(try environment.count(rows) == 20)
    }

    @Test func readersWritersAndGrowthGoTogether() async throws {
        let store = try TemporaryStore()
        let environment = try store.open { $0.mapSize = 1 << 20 }
        let rows = try environment.makeRows()
        try environment.fill(rows, 0..<100, bytes: 100)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    for _ in 0..<2000 {
                        try environment.read { transaction in
                            var cursor = try transaction.cursor(in: rows)
                            var count = 0
                            while try cursor.next() {
                                if cursor.value.byteCount >= 100 { count += 1 }
                            }
                            #expect(count >= 100)
                        }
                    }
                }
            }
            group.addTask {
                for round in UInt64(0)..<300 {
                    try environment.fill(rows, (round % 10) * 10..<(round % 10) * 10 + 10, bytes: 100 + Int(round))
                    if round % 50 == 49 { try environment.grow() }
                }
            }
            try await group.waitForAll()
        }
        #expect(try environment.info.mapSize == 64 << 20)
    }

    @Test func theLinkedLibraryIsNamed() {
        let version = Environment.libraryVersion
        #expect(version.major == 0 && version.minor == 9)
        #expect(Environment.destroysLocks((0, 9, 26)))
        #expect(Environment.destroysLocks((0, 9, 31)))
        #expect(!Environment.destroysLocks((0, 9, 24)))
        #expect(!Environment.destroysLocks((0, 9, 32)))
    }
}

/// Keeps a snapshot beyond the function that began it, as the layers above do.
private final class Snapshot: @unchecked Sendable {
    let transaction: ReadTransaction
    init(_ transaction: consuming ReadTransaction) { self.transaction = transaction }
}
