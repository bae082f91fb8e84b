import Foundation
import LMDB
import Synchronization
import Testing

/// Files that are moved, replaced or deleted while they are open.
@Suite struct DisplacementTests {
    private let store: TemporaryStore
    private var lock: String { store.path + "-lock" }
    private let files = FileManager.default

    init() throws { store = try TemporaryStore() }

    /// Opens the store with one row in it.
    private func open() throws -> Environment {
        let environment = try store.open()
        try environment.fill(environment.makeRows(), 0..<1)
        return environment
    }

    private func write(_ environment: Environment) throws -> LMDBError.Kind? {
        try kind { try environment.fill(environment.makeRows(), 0..<10) }
    }

    private func move(_ path: String, _ destination: String) throws {
        try files.moveItem(atPath: path, toPath: destination)
    }

    @Test func aFileThatWasMovedAwayIsNotWrittenUntilItIsBack() throws {
        let environment = try open()
        try move(store.path, store.path + "2")
        #expect(try write(environment) == .fileDisplaced)
        // The rows that were saved before the move can still be read and copied.
        let rows = try #require(try environment.database(named: "rows"))
        #expect(try environment.count(rows) == 1)
        try environment.copy(to: store.directory + "/copy", compacting: true)
        #expect(files.fileExists(atPath: store.directory + "/copy"))
        try move(store.path + "2", store.path)
        #expect(try write(environment) == nil)
        #expect(try environment.count(rows) == 10)
    }

    @Test func aFileThatWasDeletedIsNotWritten() throws {
        let environment = try open()
        try files.removeItem(atPath: store.path)
        #expect(try write(environment) == .fileDisplaced)
    }

    @Test func aFileThatWasReplacedByItsCopyIsNotWritten() throws {
        let environment = try open()
        try files.copyItem(atPath: store.path, toPath: store.path + "2")
        #expect(rename(store.path + "2", store.path) == 0)
        #expect(try write(environment) == .fileDisplaced)
    }

    @Test func aLockFileThatWasReplacedOrDeletedIsNoLock() throws {
        let environment = try open()
        try move(lock, lock + "2")
        #expect(try write(environment) == .lockDisplaced)
        try files.copyItem(atPath: lock + "2", toPath: lock)
        #expect(try write(environment) == .lockDisplaced)
        #expect(rename(lock + "2", lock) == 0)
        #expect(try write(environment) == nil)
    }

    @Test func aNewStoreDoesNotTakeALockFileThatIsInUse() throws {
        let environment = try open()
        try move(store.path, store.path + "2")
        #expect(try kind { _ = try store.open() } == .lockOfAnotherFile)
        #expect(try OtherProcess("increment", store.path, 1).finish() == "lockOfAnotherFile")
        // The opens that were refused leave no file behind.
        #expect(!files.fileExists(atPath: store.path))
        try move(store.path + "2", store.path)
        #expect(try write(environment) == nil)
        #expect(try OtherProcess("increment", store.path, 1).finish() == "done")
    }

    @Test func aStoreThatWasThereBeforeIsRefusedAndKeptBesideALockFileInUse() throws {
        do { _ = try open() }
        try move(store.path, store.path + "2")
        let environment = try open()
        try move(store.path, store.path + "3")
        try move(store.path + "2", store.path)
        #expect(try kind { _ = try store.open() } == .lockOfAnotherFile)
        #expect(try OtherProcess("increment", store.path, 1).finish() == "lockOfAnotherFile")
        #expect(files.fileExists(atPath: store.path))
        #expect(try write(environment) == .fileDisplaced)
    }

    @Test func aFileInUseIsNotOpenedWithAFreshLockFile() throws {
        let environment = try open()
        try files.removeItem(atPath: lock)
        #expect(try OtherProcess("increment", store.path, 1).finish() == "lockDisplaced")
        #expect(try OtherProcess("read", store.path, 1).nextOutput() == "lockDisplaced")
        #expect(try write(environment) == .lockDisplaced)
    }

    @Test func aHardLinkIsNoSecondStore() throws {
        let environment = try open()
        #expect(link(store.path, store.directory + "/hard") == 0)
        #expect(try OtherProcess("increment", store.directory + "/hard", 1).finish() == "lockDisplaced")
        #expect(try write(environment) == nil)
    }

    @Test func aStoreThatMovesWithItsLockFileIsOpenedWhereItIs() throws {
        let environment = try open()
        try move(store.path, store.path + "2")
        try move(lock, store.path + "2-lock")
        #expect(try OtherProcess("increment", store.path + "2", 1).finish() == "done")
        #expect(try write(environment) == .fileDisplaced)
        // The old path is free for a new store.
        #expect(try OtherProcess("increment", store.path, 1).finish() == "done")
    }

    @Test func afterTheLastCloseAnyLockFileWillDo() throws {
        do { _ = try open() }
        try files.removeItem(atPath: lock)
        #expect(try write(open()) == nil)
        try move(store.path, store.path + "2")
        #expect(try write(open()) == nil)
    }

    @Test func aFileThatAnotherProgramHoldsIsOpenedWhenItLetsGo() throws {
        do { _ = try open() }
        let descriptor = Glibc.open(store.path, O_RDONLY | O_CLOEXEC)
        #expect(flock(descriptor, LOCK_EX) == 0)
        let process = try OtherProcess("increment", store.path, 1)
        // The process waits for the lock, so it has said nothing when the lock is given up.
        close(descriptor)
        #expect(try process.finish() == "done")
    }

    @Test func aFileIsOpenedAndClosedByManyProcessesAtOnce() throws {
        let processes = try (0..<6).map { _ in try OtherProcess("reopen", store.path, 40) }
        for process in processes { #expect(try process.finish() == "done") }
        let counters = try #require(try store.open().database(named: "counters"))
        let total = try store.open().read {
            try $0.value(for: 1, in: counters)?.unsafeLoadUnaligned(as: UInt64.self)
        }
        #expect(total == 240)
    }

    /// A process that may no longer look into the directory of its file writes all the same, for it cannot tell a move.
    @Test func aFileThatMayNotBeLookedAtAnyMoreIsWritten() throws {
        do { _ = try open() }
        let said = try OtherProcess("incrementUnseen", store.path).finish()
        #expect(chmod(store.directory, 0o700) == 0)
        #expect(said == "done")
        #expect(try store.open().database(named: "counters") != nil)
    }

    @Test func aFileIsUnlinkedAndUsedWhereItIsMeantToBe() throws {
        let environment = try store.open { $0.staysAtPath = false }
        try files.removeItem(atPath: store.directory)
        #expect(try write(environment) == nil)
        #expect(try environment.info.usedBytes > 0)
    }

    /// LMDB opens a path twice, the second time for the meta pages: never two files.
    @Test func aPathThatLeadsToAnotherFileMeanwhileIsOpenedOnce() throws {
        do { _ = try open() }
        let (names, link) = (["first", "second"].map { store.directory + "/" + $0 }, store.directory + "/link")
        try files.linkItem(atPath: store.path, toPath: names[0])
        try files.copyItem(atPath: store.path, toPath: names[1])
        let isOver = Mutex(false)
        let (path, hasEnded) = (store.path, DispatchSemaphore(value: 0))
        Thread {
            while !isOver.withLock({ $0 }) {
                for name in names where Glibc.link(name, link) == 0 {
                    rename(link, path)
                    // Where both lead to one file, a rename does nothing.
                    unlink(link)
                }
            }
            hasEnded.signal()
        }.start()
        defer {
            isOver.withLock { $0 = true }
            hasEnded.wait()
        }
        var opened = 0
        for _ in 0..<1_000 {
            var environment: Environment?
            guard try kind({ environment = try store.open() }) == nil else { continue }
            opened += 1
            #expect(try dataFiles().count == 1)
            withExtendedLifetime(environment) {}
        }
        #expect(opened > 100)
    }

    /// The files of the directory that this process has open, without lock files.
    private func dataFiles() throws -> Set<UInt64> {
        var found: Set<UInt64> = []
        for entry in try files.contentsOfDirectory(atPath: "/proc/self/fd") {
            var status = stat()
            guard let target = try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + entry),
                target.hasPrefix(store.directory), !target.contains("-lock"), let descriptor = Int32(entry),
                fstat(descriptor, &status) == 0
            else { continue }
            found.insert(UInt64(status.st_ino))
        }
        return found
    }

    @Test(.enabled(if: getuid() == 0, "needs a user to give the file to"))
    func aLockFileOfAnotherUserIsRefused() throws {
        do { _ = try open() }
        #expect(chown(lock, 65534, 65534) == 0)
        #expect(try kind { _ = try store.open() } == .insecureLockFile)
        // Where the store belongs to that user, its lock file may belong to the same one.
        #expect(chown(store.path, 65534, 65534) == 0)
        #expect(try kind { _ = try store.open() } == nil)
    }
}
