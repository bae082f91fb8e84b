import Foundation
import Testing

@testable import LoamStorage

/// A file for what exceeds memory gives back what was written, leaves nothing behind, and says what is wrong with its
/// folder or its disk.
@Suite struct TemporaryFileTests {
    @Test func whatWasWrittenIsRead() throws {
        let file = try TemporaryFile()
        let bytes = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        for part in [0..<1, 1..<30_000, 30_000..<70_000] { try bytes[part].withUnsafeBytes { try file.append($0) } }
        #expect(file.count == bytes.count)
        for range in [0..<70_000, 29_999..<30_002, 69_999..<70_000, 5..<5] {
            var read = [UInt8](repeating: 0, count: range.count)
            try read.withUnsafeMutableBytes { try file.read(at: range.lowerBound, into: $0) }
            #expect(read == Array(bytes[range]))
        }
    }

    @Test func nothingStandsInTheFolder() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "loam-room-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = try TemporaryFile(in: folder.path)
        try [1, 2, 3].withUnsafeBytes { try file.append($0) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test(arguments: ["/nowhere/to/be/found", "/dev/null", "/proc"])
    func aFolderThatTakesNoFileIsNamed(folder: String) throws {
        let error = try #require(throws: StorageError.self) { _ = try TemporaryFile(in: folder) }
        guard case .temporaryFile(folder, let reason) = error.kind, !reason.isEmpty else {
            Issue.record("\(error)")
            return
        }
        #expect("\(error)".contains(folder))
    }

    /// A device that is always full.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func aFullDiskIsAnError() throws {
        let device = try #require(FileHandle(forUpdatingAtPath: "/dev/full"))
        let file = TemporaryFile(descriptor: dup(device.fileDescriptor), folder: "/full")
        let error = try #require(throws: StorageError.self) { try [1].withUnsafeBytes { try file.append($0) } }
        guard case .temporaryFile("/full", let reason) = error.kind else {
            Issue.record("\(error)")
            return
        }
        #expect(reason == String(cString: strerror(ENOSPC)))
    }

    @Test func whatIsNotThereCannotBeRead() throws {
        let file = try TemporaryFile()
        try [1].withUnsafeBytes { try file.append($0) }
        var bytes: [UInt8] = [0, 0]
        let error = try #require(throws: StorageError.self) {
            try bytes.withUnsafeMutableBytes { try file.read(at: 8, into: $0) }
        }
        guard case .temporaryFile = error.kind else {
            Issue.record("\(error)")
            return
        }
    }
}
