import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A private file for what exceeds a bound of memory: unlinked as soon as it is open, so that its room is given back
/// however the process ends. It grows at its end, and what was written is read from anywhere.
///
/// One thread at a time. It is closed with the object.
package final class TemporaryFile {
    private let descriptor: Int32
    private let folder: String
    /// Bytes that were written.
    package private(set) var count = 0

    /// Makes a file that only this user can read.
    ///
    /// - Parameter folder: where; nil for the temporary folder of the system.
    /// - Throws: `temporaryFile` where there is no such folder, or no file can be made in it.
    package convenience init(in folder: String? = nil) throws {
        let folder = folder ?? FileManager.default.temporaryDirectory.path
        let path = "\(folder)/loam-sort-\(UUID().uuidString)"
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(0o600))
        guard descriptor >= 0 else { throw Self.failure(errno, folder: folder) }
        unlink(path)
        self.init(descriptor: descriptor, folder: folder)
    }

    /// - Parameter descriptor: of a file that is open for both reading and writing; it is closed with the object.
    init(descriptor: Int32, folder: String) { (self.descriptor, self.folder) = (descriptor, folder) }

    deinit { close(descriptor) }

    /// Writes bytes at the end.
    ///
    /// - Throws: `temporaryFile`, as where the disk is full. Then the file is of no use any more.
    package func append(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let written = pwrite(descriptor, part.baseAddress, part.count, off_t(count))
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw Self.failure(written < 0 ? errno : ENOSPC, folder: folder) }
            rest = rest.dropFirst(written)
            count += written
        }
    }

    /// Fills a buffer with what was written from an offset on.
    ///
    /// - Throws: `temporaryFile`, also where less was written than that.
    package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws {
        var filled = 0
        while filled < buffer.count {
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let found = pread(descriptor, part.baseAddress, part.count, off_t(offset + filled))
            if found < 0, errno == EINTR { continue }
            guard found > 0 else { throw Self.failure(found < 0 ? errno : EIO, folder: folder) }
            filled += found
        }
    }

    /// What to throw where other bytes come back than were written.
    package var damage: StorageError { Self.failure(EIO, folder: folder) }

    private static func failure(_ code: Int32, folder: String) -> StorageError {
        StorageError(.temporaryFile(folder: folder, reason: String(cString: strerror(code))))
    }
}
