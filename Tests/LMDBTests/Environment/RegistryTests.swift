import Foundation
import LMDB
import Synchronization
import Testing

/// A process has a file open once.
@Suite struct RegistryTests {
    @Test func theSameFileIsTheSameEnvironment() throws {
        let store = try TemporaryStore()
        let environment = try store.open()
        #expect(try store.open() === environment)
        #expect(try Environment.open(path: store.directory + "/./store") === environment)
    }

    @Test func linksLeadToTheSameEnvironment() throws {
        let store = try TemporaryStore()
        let environment = try store.open()
        #expect(symlink(store.path, store.directory + "/symbolic") == 0)
        #expect(link(store.path, store.directory + "/hard") == 0)
        #expect(try Environment.open(path: store.directory + "/symbolic") === environment)
        #expect(try Environment.open(path: store.directory + "/hard") === environment)
    }

    @Test func aSymbolicLinkSharesTheLockFile() throws {
        let store = try TemporaryStore()
        _ = try store.open()
        #expect(symlink(store.path, store.directory + "/symbolic") == 0)
        #expect(try Environment.open(path: store.directory + "/symbolic").path.hasSuffix("/store"))
        #expect(!FileManager.default.fileExists(atPath: store.directory + "/symbolic-lock"))
    }

    @Test func theLastReleaseCloses() throws {
        let store = try TemporaryStore()
        var first: Environment? = try store.open()
        var second: Environment? = try store.open()
        weak let observed = first
        first = nil
        #expect(observed != nil)
        withExtendedLifetime(second) {}
        second = nil
        #expect(observed == nil)
        // An environment that is opened after the last close takes its own options.
        #expect(try store.open { $0.isReadOnly = true }.isReadOnly)
    }

    @Test func aSnapshotKeepsTheEnvironmentOpen() throws {
        let store = try TemporaryStore()
        weak var observed: Environment?
        do {
            var environment: Environment? = try store.open()
            observed = environment
            guard let snapshot = try environment?.beginRead() else { return }
            environment = nil
            #expect(observed != nil)
            #expect(snapshot.id == 0)
        }
        #expect(observed == nil)
    }

    @Test func whatIsOpenReadOnlyIsNotReopenedForWriting() throws {
        let store = try TemporaryStore()
        _ = try store.open()
        let reader = try store.open { $0.isReadOnly = true }
        #expect(try kind { _ = try store.open() } == .incompatible)
        #expect(try store.open { $0.isReadOnly = true } === reader)
    }

    @Test func aReaderOfWhatIsOpenForWritingGetsThat() throws {
        let store = try TemporaryStore()
        let writer = try store.open()
        #expect(try store.open { $0.isReadOnly = true } === writer)
    }

    @Test func openingAndClosingFromManyThreadsNeverOpensTwice() async throws {
        let store = try TemporaryStore()
        let path = store.path
        try store.open().fill(store.open().makeRows(), 0..<1, bytes: 8)
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var wrong = 0
                    for _ in 0..<300 {
                        do {
                            let environment = try Environment.open(path: path)
                            guard let rows = try environment.database(named: "rows") else { wrong += 1; continue }
                            if try environment.count(rows) != 1 { wrong += 1 }
                        } catch {
                            wrong += 1
                        }
                    }
                    return wrong
                }
            }
            for await wrong in group { #expect(wrong == 0) }
        }
    }
}
