import Foundation

/// A file that is written under another name and takes its own when it is complete.
final class ReplacedFile {
    private let path: String
    private let partial: String
    private let handle: FileHandle
    private var isCommitted = false

    init(path: String) throws {
        self.path = path
        partial = "\(path).partial-\(ProcessInfo.processInfo.processIdentifier)"
        guard FileManager.default.createFile(atPath: partial, contents: nil),
            let handle = FileHandle(forWritingAtPath: partial)
        else { throw CocoaError(.fileWriteNoPermission, userInfo: [NSFilePathErrorKey: path]) }
        self.handle = handle
    }

    deinit {
        if !isCommitted { try? FileManager.default.removeItem(atPath: partial) }
    }

    func write(_ bytes: [UInt8]) throws {
        try handle.write(contentsOf: Data(bytes))
    }

    /// Puts the file in its place; one that was there is replaced.
    func commit() throws {
        try handle.synchronize()
        try handle.close()
        guard rename(partial, path) == 0 else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path])
        }
        isCommitted = true
    }
}

enum FilePaths {
    static func isSameFile(_ first: String, _ second: String) -> Bool {
        func resolved(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }
        return resolved(first) == resolved(second)
    }
}
