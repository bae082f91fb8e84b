import Foundation
import LMDB
import Testing

/// Files that may be read and not written.
@Suite(.serialized) struct ReadOnlyTests {
    private func makeStore() throws -> TemporaryStore {
        let store = try TemporaryStore()
        let environment = try store.open()
        try environment.fill(environment.makeRows(), 0..<10)
        return store
    }

    /// Lets everybody read the store, and only read.
    private func publish(_ store: TemporaryStore, lockMode: mode_t?) {
        #expect(chmod(store.directory, 0o755) == 0)
        #expect(chmod(store.path, 0o644) == 0)
        if let lockMode {
            #expect(chmod(store.path + "-lock", lockMode) == 0)
        } else {
            #expect(unlink(store.path + "-lock") == 0)
        }
    }

    @Test func aReadOnlyEnvironmentReadsAndRefusesToWrite() throws {
        let store = try makeStore()
        let environment = try store.open { $0.isReadOnly = true }
        let rows = try #require(try environment.database(named: "rows"))
        #expect(try environment.count(rows) == 10)
        #expect(try kind { try environment.write { _ in } } == .readOnly)
        #expect(!environment.isUnlocked)
    }

    @Test(.enabled(if: getuid() == 0, "needs a user to become"))
    func withoutALockFileThatCanBeMadeItIsReadUnlocked() throws {
        let store = try makeStore()
        publish(store, lockMode: nil)
        #expect(try OtherProcess("openAsNobody", store.path).finish() == "unlocked [\"rows\"]")
    }

    @Test(.enabled(if: getuid() == 0, "needs a user to become"))
    func aLockFileThatExistsIsNeverIgnored() throws {
        let store = try makeStore()
        publish(store, lockMode: 0o600)
        #expect(try OtherProcess("openAsNobody", store.path).finish() == "permissionDenied")
    }

    @Test(.enabled(if: getuid() == 0, "needs a user to become"))
    func aFileOfSomebodyElseIsNotOpenedForWriting() throws {
        let store = try makeStore()
        publish(store, lockMode: nil)
        #expect(try OtherProcess("openForWritingAsNobody", store.path).finish() == "permissionDenied")
        #expect(chmod(store.path, 0o600) == 0)
        #expect(try OtherProcess("openAsNobody", store.path).finish() == "permissionDenied")
    }

    @Test func aReadOnlyFileSystemIsReadUnlocked() throws {
        let store = try TemporaryStore()
        let place = store.directory + "/fixed"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        guard mount("tmpfs", place, "tmpfs", 0, "size=8m") == 0 else {
            print("skipped: mounting is not permitted here")
            return
        }
        defer { umount(place) }
        var options = Environment.Options()
        options.mapSize = 4 << 20
        do {
            let environment = try Environment.open(path: place + "/store", options: options)
            _ = try environment.makeRows()
        }
        #expect(mount("", place, "", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0)
        #expect(try kind { _ = try Environment.open(path: place + "/store", options: options) } == .readOnly)
        options.isReadOnly = true
        let environment = try Environment.open(path: place + "/store", options: options)
        #expect(environment.isUnlocked)
        #expect(try environment.databaseNames() == ["rows"])
        #expect(try environment.readers() == [])
    }

    @Test func besideAWriterAReadOnlyMountIsRefusedWithTheReason() throws {
        let store = try makeStore()
        let place = store.directory + "/fixed"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        let folder = store.directory + "/folder"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        guard mount(folder, place, "", UInt(MS_BIND), nil) == 0 else {
            print("skipped: mounting is not permitted here")
            return
        }
        defer { umount(place) }
        #expect(mount("", place, "", UInt(MS_REMOUNT | MS_BIND | MS_RDONLY), nil) == 0)
        do {
            let environment = try Environment.open(path: folder + "/store")
            _ = try environment.makeRows()
            #expect(try OtherProcess("openReadOnly", place + "/store").finish() == "lockNotWritable")
        }
        #expect(try OtherProcess("openReadOnly", place + "/store").finish() == "unlocked [\"rows\"]")
    }
}
