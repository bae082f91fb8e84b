import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Calls `write(2)` under a name that methods called `write` do not hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

/// A file or standard output could not be written.
struct OutputError: Error, Hashable, CustomStringConvertible {
    var path: String
    var code: Int32

    /// - Parameter code: what the last system call said.
    init(_ path: String, code: Int32 = errno) {
        self.path = path
        self.code = code
    }

    /// Whether nobody reads the output any more.
    var isClosedPipe: Bool { code == EPIPE }

    var description: String {
        "cannot write \(Printable.escaped(path, limit: 200)): \(String(cString: strerror(code)))"
    }
}

/// A file that bytes go to.
struct OutputDescriptor: Sendable {
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
                if count < 0, errno == EAGAIN {
                    waitUntilWritable()
                    continue
                }
                guard count > 0 else { throw OutputError(path) }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Waits until the descriptor takes bytes: somebody who shares it may have made it non-blocking.
    private func waitUntilWritable() {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&request, 1, -1)
    }
}
