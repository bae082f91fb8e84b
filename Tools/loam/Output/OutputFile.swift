import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// `write(2)`, under a name that methods called `write` do not hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

/// A file or standard output could not be written.
struct OutputError: Error, CustomStringConvertible {
    var path: String
    var reason: String

    /// What the last system call said.
    init(_ path: String) {
        self.path = path
        reason = String(cString: strerror(errno))
    }

    var description: String { "cannot write \(path): \(reason)" }
}

/// A file that bytes go to.
struct OutputDescriptor {
    let descriptor: Int32
    let path: String

    static let standard = OutputDescriptor(descriptor: 1, path: "standard output")

    func write(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let buffer = UnsafeRawBufferPointer(rebasing: rest)
                let count = systemWrite(descriptor, buffer.baseAddress, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw OutputError(path) }
                rest = rest.dropFirst(count)
            }
        }
    }
}

/// A file that is written under another name and takes its own when it is complete. What is no regular file, such as
/// a pipe or `/dev/null`, is written as it is.
final class ReplacedFile {
    private let path: String
    /// The name until the file is complete; nil where it is written in place.
    private var partial: String?
    private let output: OutputDescriptor

    init(path: String) throws {
        self.path = path
        let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        let isReplaced = type == nil || type == .typeRegular
        partial = isReplaced ? "\(path).partial-\(ProcessInfo.processInfo.processIdentifier)" : nil
        let descriptor = open(partial ?? path, O_WRONLY | O_TRUNC | O_CLOEXEC | (isReplaced ? O_CREAT : 0), 0o666)
        guard descriptor >= 0 else { throw OutputError(path) }
        output = OutputDescriptor(descriptor: descriptor, path: path)
    }

    deinit {
        close(output.descriptor)
        if let partial { unlink(partial) }
    }

    func write(_ bytes: [UInt8]) throws {
        try output.write(bytes)
    }

    /// Puts the file in its place; one that was there is replaced.
    func commit() throws {
        guard let partial else { return }
        guard fsync(output.descriptor) == 0, rename(partial, path) == 0 else { throw OutputError(path) }
        self.partial = nil
    }
}

enum FilePaths {
    static func isSameFile(_ first: String, _ second: String) -> Bool {
        func resolved(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }
        return resolved(first) == resolved(second)
    }
}
