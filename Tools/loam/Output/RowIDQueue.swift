import Foundation
import LoamStorage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Row ids in the order in which they come, taken out in the same order: the first million in memory (8 MiB), the
/// others in a temporary file without a name.
final class RowIDQueue {
    private let memoryLimit: Int
    private var memory: [RowID] = []
    private var taken = 0
    /// The ids behind those in memory that are not written yet.
    private var unwritten: [RowID] = []
    private var descriptor: Int32 = -1
    private var readOffset = 0
    private var writtenOffset = 0

    private static let writeCount = 8_192
    private static let width = MemoryLayout<RowID>.size

    /// - Parameter memoryLimit: the most ids that are kept in memory.
    init(memoryLimit: Int = 1 << 20) {
        self.memoryLimit = memoryLimit
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    func append(_ rowID: RowID) throws {
        guard memory.count >= memoryLimit else { return memory.append(rowID) }
        unwritten.append(rowID)
        if unwritten.count == Self.writeCount { try writeOut() }
    }

    /// The next ids, at most so many; empty at the end.
    func next(_ count: Int) throws -> [RowID] {
        if taken < memory.count {
            let ids = Array(memory[taken...].prefix(count))
            taken += ids.count
            return ids
        }
        if readOffset < writtenOffset { return try read(min(count, (writtenOffset - readOffset) / Self.width)) }
        let ids = Array(unwritten.prefix(count))
        unwritten.removeFirst(ids.count)
        return ids
    }

    private func writeOut() throws {
        if descriptor < 0 { try makeFile() }
        try unwritten.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let buffer = UnsafeRawBufferPointer(rebasing: rest)
                let count = pwrite(descriptor, buffer.baseAddress, buffer.count, off_t(writtenOffset))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw OutputError("a temporary file") }
                writtenOffset += count
                rest = rest.dropFirst(count)
            }
        }
        unwritten.removeAll(keepingCapacity: true)
    }

    private func makeFile() throws {
        let name = NSTemporaryDirectory() + "/loam-rows-\(String(UInt64.random(in: .min ... .max), radix: 36))"
        descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw OutputError("a temporary file") }
        unlink(name)
    }

    private func read(_ count: Int) throws -> [RowID] {
        var ids = [RowID](repeating: 0, count: count)
        let wanted = count * Self.width
        var done = 0
        while done < wanted {
            let got = ids.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress?.advanced(by: done), wanted - done, off_t(readOffset + done))
            }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { throw OutputError("a temporary file") }
            done += got
        }
        readOffset += wanted
        return ids
    }
}
