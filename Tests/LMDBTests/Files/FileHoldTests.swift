import Foundation
import Testing

@testable import LMDB

/// What `flock` tells of others who have a file open, and what is done where it tells nothing.
@Suite struct FileHoldTests {
    private let store: TemporaryStore

    init() throws { store = try TemporaryStore() }

    private func total() throws -> UInt64? {
        let environment = try store.open { $0.asksForHolds = false }
        let counters = try #require(try environment.database(named: "counters"))
        return try environment.read { try $0.value(for: 1, in: counters)?.unsafeLoadUnaligned(as: UInt64.self) }
    }

    @Test func withoutHoldsASecondProcessIsLetIn() throws {
        let environment = try store.open { $0.asksForHolds = false }
        try environment.fill(environment.makeRows(), 0..<10)
        #expect(try OtherProcess("reopenWithoutHolds", store.path, 2).finish() == "done")
        try environment.fill(environment.makeRows(), 10..<20)
        #expect(try total() == 2)
    }

    @Test func withoutHoldsManyProcessesOpenAndCloseAFile() throws {
        let processes = try (0..<4).map { _ in try OtherProcess("reopenWithoutHolds", store.path, 40) }
        for process in processes { #expect(try process.finish() == "done") }
        #expect(try total() == 160)
    }

    /// A file without a holder is not removed, since without holds another process may have opened it meanwhile.
    @Test func withoutHoldsNoFileIsTakenAway() throws {
        try Data("x".utf8).write(to: URL(fileURLWithPath: store.path + "-lock"))
        #expect(chmod(store.path + "-lock", 0o666) == 0)
        #expect(try kind { _ = try store.open { $0.asksForHolds = false } } == .insecureLockFile)
        #expect(FileManager.default.fileExists(atPath: store.path))
        #expect(unlink(store.path) == 0)
        #expect(try kind { _ = try store.open() } == .insecureLockFile)
        #expect(!FileManager.default.fileExists(atPath: store.path))
    }

    @Test func anotherProcessThatHasTheFileOpenIsSeen() throws {
        let environment = try store.open()
        #expect(!environment.isOpenElsewhere())
        let process = try OtherProcess("read", store.path, 1)
        #expect(process.nextOutput() == "ready")
        #expect(environment.isOpenElsewhere())
        // Asking whether a file is open elsewhere disturbs nobody who has it open, and lets the next process in.
        #expect(try OtherProcess("increment", store.path, 1).finish() == "done")
        try process.finish()
        #expect(!environment.isOpenElsewhere())
        #expect(try OtherProcess("increment", store.path, 1).finish() == "done")
        let unheld = try TemporaryStore()
        #expect(try unheld.open { $0.asksForHolds = false }.isOpenElsewhere())
    }

    @Test func timeSpentOnOtherReasonsDoesNotCount() {
        var patience = Patience()
        let begun = ContinuousClock.now
        let met: [(LMDBError.Kind, Duration, after: Duration)] = [
            (.fileHeld, .seconds(10), .zero), (.fileHeld, .seconds(10), .seconds(8)),
            (.lockDisplaced, .seconds(1), .seconds(9)), (.fileHeld, .seconds(10), .seconds(10)),
            (.lockDisplaced, .seconds(1), .seconds(10)),
        ]
        let lasts = met.map { patience.lasts($0.1, for: $0.0, at: begun + $0.after) }
        #expect(lasts == [true, true, true, false, false])
    }
}
