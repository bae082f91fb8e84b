import Foundation
import LMDB
import Testing

/// Files that are not what they should be are refused before they are mapped.
@Suite struct FileCheckTests {
    private func makeStore(rows: UInt64 = 1000) throws -> TemporaryStore {
        let store = try TemporaryStore()
        let environment = try store.open()
        try environment.fill(environment.makeRows(), 0..<rows)
        return store
    }

    /// Changes bytes of a file at an offset.
    private func overwrite<T>(_ path: String, at offset: Int, with value: T) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: withUnsafeBytes(of: value) { Data($0) })
        try file.close()
    }

    private func size(of path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    }

    @Test func aTruncatedFileIsRefused() throws {
        for cut in [1, 4096, 4097, 100_000] {
            let store = try makeStore()
            #expect(truncate(store.path, try size(of: store.path) - cut) == 0)
            #expect(try kind { _ = try store.open() } == .truncated)
        }
    }

    @Test func aFileCutWithinItsMetaPagesIsRefused() throws {
        for length in [30, 100, 4096, 4200, 8191] {
            let store = try makeStore()
            #expect(truncate(store.path, length) == 0)
            #expect(try kind { _ = try store.open() } == .truncated, "\(length) bytes")
        }
    }

    @Test func aRefusedFileIsNotTouched() throws {
        let store = try makeStore()
        #expect(truncate(store.path, 20_000) == 0)
        let before = try Data(contentsOf: URL(fileURLWithPath: store.path))
        #expect(try kind { _ = try store.open() } == .truncated)
        #expect(try Data(contentsOf: URL(fileURLWithPath: store.path)) == before)
    }

    @Test(arguments: ["x", "a text file, longer than a meta page\n", "SQLite format 3\0"])
    func aForeignFileIsRefused(_ content: String) throws {
        let store = try TemporaryStore()
        try String(repeating: content, count: content.count == 1 ? 1 : 500).write(
            toFile: store.path, atomically: false, encoding: .utf8)
        #expect(try kind { _ = try store.open() } == .foreignFile)
        #expect(!FileManager.default.fileExists(atPath: store.path + "-lock"))
    }

    @Test func aDirectoryOrAPipeIsForeign() throws {
        let store = try TemporaryStore()
        #expect(try kind { _ = try Environment.open(path: store.directory) } == .foreignFile)
        #expect(mkfifo(store.path, 0o600) == 0)
        #expect(try kind { _ = try store.open() } == .foreignFile)
    }

    @Test func aNewerVersionNumberIsNamed() throws {
        let store = try makeStore()
        try overwrite(store.path, at: 20, with: UInt32(3))
        #expect(try kind { _ = try store.open() } == .newerFormat(3))
    }

    @Test func theLayoutOfLMDB1IsRecognised() throws {
        let store = try TemporaryStore()
        var page = [UInt8](repeating: 0, count: 8192)
        page.replaceSubrange(24..<28, with: [0xDE, 0xC0, 0xEF, 0xBE])
        page[28] = 2
        try Data(page).write(to: URL(fileURLWithPath: store.path))
        #expect(try kind { _ = try store.open() } == .newerFormat(2))
    }

    @Test(arguments: [
        (10, 0), (40, 0), (40, 3000), (40, 1 << 20), (46, 99), (80, 1 << 40), (128, 1 << 40), (136, 0), (4096 + 16, 0),
    ])
    func aMetaPageThatMakesNoSenseIsDamage(_ offset: Int, _ number: Int) throws {
        let store = try makeStore()
        let width = offset == 10 || offset == 46 ? 2 : offset == 40 || offset == 4096 + 16 ? 4 : 8
        for page in [0, 4096] where offset < 4096 || page == 0 {
            if width == 2 { try overwrite(store.path, at: page + offset, with: UInt16(number)) }
            if width == 4 { try overwrite(store.path, at: page + offset, with: UInt32(number)) }
            if width == 8 { try overwrite(store.path, at: page + offset, with: UInt64(number)) }
        }
        #expect(try kind { _ = try store.open() } == .damaged)
    }

    @Test func aMissingFileIsMadeOnlyWhenAsked() throws {
        let store = try TemporaryStore()
        #expect(try kind { _ = try store.open { $0.createsFile = false } } == .missing)
        #expect(try kind { _ = try store.open { $0.isReadOnly = true } } == .missing)
        #expect(!FileManager.default.fileExists(atPath: store.path))
        #expect(try kind { _ = try Environment.open(path: store.path + "/below/nothing") } == .missing)
        #expect(symlink(store.directory + "/nowhere/at/all", store.path) == 0)
        #expect(try kind { _ = try store.open() } == .missing)
    }

    @Test func anEmptyFileBecomesAStoreWhenWritten() throws {
        let store = try TemporaryStore()
        try Data().write(to: URL(fileURLWithPath: store.path))
        #expect(try kind { _ = try store.open { $0.isReadOnly = true } } == .missing)
        #expect(try kind { _ = try store.open() } == nil)
    }

    @Test func bothFilesAreTheOwnersOnly() throws {
        let store = try makeStore()
        for path in [store.path, store.path + "-lock"] {
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: store.directory).sorted() == ["store", "store-lock"])
    }

    @Test(arguments: [0o620, 0o602, 0o666])
    func aLockFileThatOthersMayWriteToIsRefused(_ mode: mode_t) throws {
        let store = try makeStore()
        #expect(chmod(store.path + "-lock", mode) == 0)
        #expect(try kind { _ = try store.open() } == .insecureLockFile)
        #expect(chmod(store.path + "-lock", 0o644) == 0)
        #expect(try kind { _ = try store.open() } == nil)
    }

    @Test func aLockFileThatLeadsElsewhereIsRefused() throws {
        let store = try makeStore()
        #expect(rename(store.path + "-lock", store.directory + "/other") == 0)
        #expect(symlink(store.directory + "/other", store.path + "-lock") == 0)
        #expect(try kind { _ = try store.open() } == .insecureLockFile)
    }

    /// LMDB leaves free pages at the end of the file unwritten: shorter than the last page, and sound all the same.
    @Test func aFileThatOnlyLacksFreePagesIsOpened() throws {
        var shortFiles = 0
        for kept in stride(from: UInt64(0), to: 400, by: 8) {
            let store = try makeStore(rows: 100)
            var expected = 0
            do {
                let environment = try store.open()
                let rows = try #require(try environment.database(named: "rows"))
                try environment.fill(rows, 0..<100, bytes: 900)
                try environment.write { transaction in
                    let value = [UInt8](repeating: 1, count: 1500)
                    for key in UInt64(1000)..<1400 { try transaction.put(value.span.bytes, for: key, in: rows) }
                    for key in (UInt64(1000) + kept)..<1400 { _ = try transaction.delete(key, in: rows) }
                }
                expected = try environment.count(rows)
                if try size(of: store.path) < environment.info.usedBytes { shortFiles += 1 }
            }
            let environment = try store.open()
            let rows = try #require(try environment.database(named: "rows"))
            #expect(try environment.count(rows) == expected)
        }
        #expect(shortFiles > 0)
    }
}
