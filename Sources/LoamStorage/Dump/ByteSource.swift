import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Bytes in order, a chunk at a time: a file, standard input or memory.
package final class ByteSource {
    /// The number of bytes that are asked for at a time.
    package static let chunkSize = 1 << 20

    private var memory: ArraySlice<UInt8>?
    private var memoryChunkSize = chunkSize
    private var descriptor: Int32
    private let closes: Bool
    private let name: String

    /// Opens a file for reading.
    ///
    /// - Throws: `unreadableFile` with the system's reason.
    package init(path: String) throws(StorageError) {
        memory = nil
        closes = true
        name = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure(path) }
    }

    package init(standardInput: Void) {
        memory = nil
        closes = false
        name = "standard input"
        descriptor = 0
    }

    /// - Parameter chunkSize: the most bytes given out at a time.
    package init(bytes: [UInt8], chunkSize: Int = chunkSize) {
        memory = bytes[...]
        memoryChunkSize = chunkSize
        closes = false
        name = "memory"
        descriptor = -1
    }

    deinit {
        if closes, descriptor >= 0 { close(descriptor) }
    }

    /// The next bytes; empty at the end.
    ///
    /// - Throws: `unreadableFile` with the system's reason; never for bytes in memory.
    package func next() throws(StorageError) -> [UInt8] {
        if let bytes = memory {
            memory = bytes.dropFirst(memoryChunkSize)
            return Array(bytes.prefix(memoryChunkSize))
        }
        var count = 0
        let chunk = [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { buffer, initialized in
            repeat {
                count = read(descriptor, buffer.baseAddress, Self.chunkSize)
            } while count < 0 && errno == EINTR
            initialized = max(count, 0)
        }
        guard count >= 0 else { throw Self.failure(name) }
        return chunk
    }

    private static func failure(_ path: String) -> StorageError {
        StorageError(.unreadableFile(path: path, reason: String(cString: strerror(errno))))
    }
}
