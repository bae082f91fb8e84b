import Foundation
import LMDB
import Testing

/// Disks that are full or fail. A device that refuses every byte stands in for the file's own descriptors.
@Suite(.serialized) struct DiskTests {
    /// LMDB's descriptors of a file, lowest first: it opens the one for data before the one for meta pages. The one
    /// that holds the file is not LMDB's.
    private func descriptors(of path: String) throws -> [Int32] {
        let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init).sorted()
            .filter { descriptor in
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")) == resolved
                    && !((try? String(contentsOfFile: "/proc/self/fdinfo/\(descriptor)", encoding: .utf8)) ?? "")
                        .contains("FLOCK")
            }
    }

    /// Runs a body while writes to a descriptor meet a full device.
    private func withFullDevice(in place: Int32, _ body: () throws -> Void) throws {
        let saved = dup(place)
        let full = Foundation.open("/dev/full", O_RDWR)
        defer {
            dup2(saved, place)
            close(saved)
            close(full)
        }
        #expect(dup2(full, place) == place)
        try body()
    }

    @Test func aFullDiskCostsTheTransactionOnly() throws {
        let store = try TemporaryStore()
        let environment = try store.open()
        let rows = try environment.makeRows()
        try environment.fill(rows, 0..<10)
        let data = try #require(try descriptors(of: store.path).first)
        try withFullDevice(in: data) {
            let failure = try kind { try environment.fill(rows, 10..<20) }
            #expect(failure == .diskFull)
        }
        #expect(try environment.count(rows) == 10)
        try environment.fill(rows, 10..<20)
        #expect(try environment.count(rows) == 20)
    }

    @Test func aMetaPageThatCannotBeWrittenDisablesTheEnvironmentUntilItIsReopened() throws {
        let store = try TemporaryStore()
        do {
            let environment = try store.open { $0.durability = .durable }
            let rows = try environment.makeRows()
            try environment.fill(rows, 0..<10)
            let meta = try #require(try descriptors(of: store.path).last)
            try withFullDevice(in: meta) {
                let failure = try kind { try environment.fill(rows, 10..<20) }
                #expect(failure == .diskFull)
            }
            #expect(try kind { try environment.fill(rows, 10..<20) } == .panic)
            #expect(try kind { try environment.read { _ in } } == .panic)
        }
        let environment = try store.open()
        let rows = try #require(try environment.database(named: "rows"))
        #expect(try environment.count(rows) == 10)
        try environment.fill(rows, 10..<20)
    }

    @Test func aFullFileSystemIsReportedAndSurvived() throws {
        let store = try TemporaryStore()
        let place = store.directory + "/small"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        guard mount("tmpfs", place, "tmpfs", 0, "size=1m") == 0 else {
            print("skipped: mounting is not permitted here")
            return
        }
        defer { umount(place) }
        var options = Environment.Options()
        options.mapSize = 64 << 20
        let environment = try Environment.open(path: place + "/store", options: options)
        let rows = try environment.makeRows()
        var count: UInt64 = 0
        while try kind({ try environment.fill(rows, count..<count + 50) }) == nil { count += 50 }
        #expect(try kind { try environment.fill(rows, count..<count + 50) } == .diskFull)
        #expect(try environment.count(rows) == Int(count))
        #expect(try kind { try environment.copy(to: place + "/copy", compacting: false) } == .diskFull)
        #expect(!FileManager.default.fileExists(atPath: place + "/copy"))
    }

    @Test func aFileSizeLimitIsReported() throws {
        let store = try TemporaryStore()
        #expect(try OtherProcess("writeBeyondFileSize", store.path, 1 << 20).finish() == "diskFull")
        #expect(try store.open().databaseNames() == [])
    }
}
