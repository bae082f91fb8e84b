import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A store's file and its lock file, which no output may go onto and which are no input: writing to either loses the
/// store, and closing a descriptor of the lock file gives up the locks of this process.
struct StoreFiles {
    let path: String

    /// Throws where the file, by whatever name, is the store or its lock file, or those of another store.
    func refuse(_ other: String) throws {
        try refuseOwn(other)
        guard !Self.isLMDB(other), !Self.isLockOfStore(other) else { throw ArgumentError(.storeFile(other)) }
    }

    /// Throws where the file, by whatever name, is the store or its lock file.
    func refuseOwn(_ other: String) throws {
        let isSame = Self.identity(other).map { own.contains($0) } ?? false
        guard !isSame, Self.resolved(other) != Self.resolved(path) + "-lock" else {
            throw ArgumentError(.sameFile(other))
        }
    }

    /// Throws where standard output or standard error goes onto the store or its lock file (`>s.loam-lock`).
    func refuseStandardStreams() throws {
        for stream in StandardStream.allCases {
            var status = stat()
            guard fstat(stream.rawValue, &status) == 0, own.contains(Identity(status)) else { continue }
            stream.giveUp()
            throw ArgumentError(.sameFile(stream.name))
        }
    }

    /// Throws where standard output or standard error goes onto any store or lock file (`>>s.loam`).
    static func refuseStreamsOntoStores() throws {
        for stream in StandardStream.allCases {
            var status = stat()
            guard fstat(stream.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                isLMDB("/dev/fd/\(stream.rawValue)")
            else { continue }
            stream.giveUp()
            throw ArgumentError(.storeFile(stream.name))
        }
    }

    private enum StandardStream: Int32, CaseIterable {
        case output = 1
        case error = 2

        var name: String { self == .output ? "standard output" : "standard error" }

        /// Keeps the error's message out of the store as well: a standard error that goes there is led to standard
        /// output.
        func giveUp() {
            if self == .error { dup2(1, 2) }
        }
    }

    private struct Identity: Hashable {
        let device: UInt64
        let inode: UInt64

        init(_ status: stat) {
            device = UInt64(truncatingIfNeeded: status.st_dev)
            inode = UInt64(truncatingIfNeeded: status.st_ino)
        }
    }

    private var own: [Identity] {
        [path, path + "-lock", Self.resolved(path) + "-lock"].compactMap { Self.identity($0) }
    }

    private static func identity(_ path: String) -> Identity? {
        var status = stat()
        return stat(path, &status) == 0 ? Identity(status) : nil
    }

    /// The path without symbolic links; of a file that does not exist, its folder's with its name.
    private static func resolved(_ path: String) -> String {
        if let resolved = realpath(path, nil) {
            defer { free(resolved) }
            return String(cString: resolved)
        }
        let end = path.lastIndex(of: "/")
        let name = end.map { path[path.index(after: $0)...] } ?? path[...]
        guard let folder = realpath(end.map { String(path[...$0]) } ?? ".", nil) else { return path }
        defer { free(folder) }
        let parent = String(cString: folder)
        return parent == "/" ? "/\(name)" : "\(parent)/\(name)"
    }

    private static func isLockOfStore(_ path: String) -> Bool {
        path.hasSuffix("-lock") && isLMDB(String(path.dropLast("-lock".count)))
    }

    /// Whether the file has LMDB's magic number where its data files have it (16 bytes from the start) or where its
    /// lock files do (at the start).
    private static func isLMDB(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        return [0, 16].contains { offset in
            var magic: UInt32 = 0
            return pread(descriptor, &magic, 4, off_t(offset)) == 4 && magic == 0xBEEF_C0DE
        }
    }
}
