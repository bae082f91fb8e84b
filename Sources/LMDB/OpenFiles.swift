import CLMDB

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What makes two paths the same file.
struct FileIdentity: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64

    private init(device: UInt64, inode: UInt64) {
        self.device = device
        self.inode = inode
    }

    init(_ status: stat) {
        self.init(
            device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(truncatingIfNeeded: status.st_ino))
    }

    /// That of the file at a path; nil where there is none, or none that can be reached, and then `errno` says why.
    ///
    /// Asks for nothing else: Linux gives the next write to a file whose times somebody has read a time of its own, and
    /// writes its inode once more. That made a commit of one row slower by a sixth.
    init?(at path: UnsafePointer<CChar>) {
        #if canImport(Glibc)
            var (device, inode): (UInt64, UInt64) = (0, 0)
            if loam_file_identity(path, &device, &inode) == 0 {
                self.init(device: device, inode: inode)
                return
            }
        #endif
        // Also where an old kernel, or a sandbox, does not know the other call.
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }
}

/// The data file and the lock file of an open environment: which they are, and the hold on the first.
///
/// The lock file is never opened here: closing any descriptor of it would drop the locks that LMDB holds ("Caveats" in
/// lmdb.h).
final class OpenFiles: @unchecked Sendable {
    let data: FileIdentity
    /// The lock file; nil where the environment is unlocked.
    let lock: FileIdentity?
    private let hold: FileHold
    /// The paths as the system takes them, so that asking allocates nothing. Never written after the initialiser.
    private let paths: (data: UnsafeMutablePointer<CChar>, lock: UnsafeMutablePointer<CChar>)

    init(path: String, data: FileIdentity, lock: FileIdentity?, hold: FileHold) {
        self.data = data
        self.lock = lock
        self.hold = hold
        paths = (OpenFiles.copy(path), OpenFiles.copy(LockFile.path(of: path)))
    }

    deinit {
        paths.data.deallocate()
        paths.lock.deallocate()
    }

    /// What is no longer where it was opened; nil when both files are in place. Two system calls.
    func displacement() -> LMDBError.Kind? {
        guard Self.mayLead(paths.data, to: data) else { return .fileDisplaced }
        guard let lock else { return nil }
        return Self.mayLead(paths.lock, to: lock) ? nil : .lockDisplaced
    }

    /// Whether a path leads to a file, as far as can be seen: what may not be looked at any more, because the process
    /// has given up rights, is not taken for moved.
    private static func mayLead(_ path: UnsafePointer<CChar>, to file: FileIdentity) -> Bool {
        if let found = FileIdentity(at: path) { return found == file }
        return errno != ENOENT && errno != ENOTDIR
    }

    /// Takes both files away, where nobody else has them open and this is the last transaction. LMDB has closed them.
    func discard(_ path: String, after transaction: Int) {
        guard transaction >= 0, hold.beginOpening(), hold.take(.exclusive) == .granted, displacement() == nil,
            let meta = try? MetaPages.check(hold.descriptor, path: path), meta.transaction == UInt64(transaction)
        else { return }
        unlink(paths.lock)
        unlink(paths.data)
    }

    /// Whether another process has the file open, as far as is known: true where the file system cannot say.
    func isOpenElsewhere() -> Bool {
        // Who opens the file meanwhile would take the exclusive hold for somebody else's.
        guard lock != nil, hold.beginOpening() else { return true }
        defer { hold.endOpening() }
        let outcome = hold.take(.exclusive)
        // Between the two nothing is held, and who may only read the file is not kept out by the opening: it lets go as
        // soon as it has looked.
        _ = Self.isSoon { hold.take(.shared) != .refused }
        return outcome != .granted
    }

    /// Runs a body while nobody else can open the file; nil where somebody is opening it all the time.
    func keepingOthersOut<R, Failure: Error>(_ body: () throws(Failure) -> R) throws(Failure) -> R? {
        guard Self.isSoon({ hold.beginOpening() }) else { return nil }
        defer { hold.endOpening() }
        return try body()
    }

    /// Whether something that others are in the way of comes to be within a second.
    private static func isSoon(_ isDone: () -> Bool) -> Bool {
        for _ in 0..<1_000 {
            if isDone() { return true }
            usleep(1_000)
        }
        return isDone()
    }

    /// Whether LMDB's data file, and the lock file at its path, are these.
    func areOpen(in environment: OpaquePointer) -> Bool {
        var descriptor: Int32 = -1
        var status = stat()
        return mdb_env_get_fd(environment, &descriptor) == MDB_SUCCESS && fstat(descriptor, &status) == 0
            && FileIdentity(status) == data && FileIdentity(at: paths.lock) == lock
            && MetaDescriptor.leads(to: data, in: environment, orElse: FileIdentity(at: paths.data) == data)
    }

    /// Lets go of the file, once LMDB has.
    func close() { hold.release() }

    private static func copy(_ path: String) -> UnsafeMutablePointer<CChar> {
        let bytes = path.utf8CString
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
        bytes.withUnsafeBufferPointer { buffer in
            for (position, byte) in buffer.enumerated() { (copy + position).initialize(to: byte) }
        }
        return copy
    }
}

/// A hold on a data file by `flock`, which belongs to the file and not to its name: it goes with the last descriptor,
/// so at the latest with the process.
///
/// Everybody who has the file open shares it. Who finds nobody else there opens the file under an exclusive hold.
///
/// A file system may not know `flock`; then nobody holds anything, and who else has the file open cannot be seen.
final class FileHold: Sendable {
    let descriptor: Int32
    private let isSupported: Bool
    private let forkMark = ForkMark.start()

    /// Takes a descriptor over.
    ///
    /// - Parameter isSupported: false as if on a file system without `flock`.
    init(_ descriptor: Int32, isSupported: Bool = true) {
        self.descriptor = descriptor
        self.isSupported = isSupported
        ForkMark.setClosedInChild(descriptor, isClosed: true)
    }

    deinit {
        // A child has closed it.
        guard ForkMark.current == forkMark else { return }
        ForkMark.setClosedInChild(descriptor, isClosed: false)
        Glibc.close(descriptor)
    }

    enum Kind { case shared, exclusive }

    enum Outcome {
        case granted
        /// Somebody holds the file in a way that does not go with it.
        case refused
        /// The file system has no `flock`: says nothing of others.
        case unsupported
    }

    /// Takes the hold, or changes its kind, if that needs no waiting. What was held before may be lost when it does.
    func take(_ kind: Kind) -> Outcome {
        guard isSupported else { return .unsupported }
        while flock(descriptor, (kind == .shared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return .refused }
            if errno != EINTR { return .unsupported }
        }
        return .granted
    }

    func release() { flock(descriptor, LOCK_UN) }
}

extension FileHold {
    /// Locks of the open file, not of the process (fcntl(2), "Open file description locks").
    private static let setLock: Int32 = 37
    /// A byte that no file has.
    private static let openingByte: off_t = 1 << 62

    /// Keeps others from opening the file meanwhile, if that needs no waiting. Who may not write the file cannot: two
    /// of those may meet, and look again.
    func beginOpening() -> Bool { lock(Int16(F_WRLCK)) || errno != EAGAIN && errno != EACCES }

    func endOpening() { _ = lock(Int16(F_UNLCK)) }

    private func lock(_ type: Int16) -> Bool {
        var range = Glibc.flock()
        range.l_type = type
        range.l_whence = Int16(SEEK_SET)
        range.l_start = Self.openingByte
        range.l_len = 1
        return fcntl(descriptor, Self.setLock, &range) == 0
    }
}

/// The file beside a data file that LMDB keeps its reader table and its writer's lock in.
enum LockFile {
    static func path(of data: String) -> String { data + "-lock" }

    /// Which file it is; nil where there is none.
    ///
    /// Who can write to it can spoil the store, so it must belong to the user or to the data file's owner, and be
    /// writable for nobody else. It is looked at by name only: see ``OpenFiles``.
    static func check(beside data: String, owner: uid_t) throws(LMDBError) -> FileIdentity? {
        var status = stat()
        guard lstat(path(of: data), &status) == 0 else { return nil }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o022 == 0,
            status.st_uid == geteuid() || status.st_uid == owner
        else { throw LMDBError(kind: .insecureLockFile, call: "lstat", path: data) }
        return FileIdentity(status)
    }
}
