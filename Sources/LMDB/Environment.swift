import CLMDB
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A file of named databases, mapped into memory: LMDB's environment, once per file in a process.
///
/// The file is at ``path``, its lock file beside it (`path` with `-lock`), both readable by their owner only. Reads see
/// a snapshot and wait for nobody; there is one writer at a time among all processes. When the last reference goes, the
/// environment is closed.
///
/// ```swift
/// let environment = try Environment.open(path: "/tmp/store")
/// try environment.write { transaction in
///     let words = try transaction.openDatabase(named: "words", integerKeys: true)
///     try transaction.put("hello".utf8.span.bytes, for: 1, in: words)
/// }
/// ```
package final class Environment: Sendable {
    /// How much of what was committed survives a power cut. None of them lets a process crash lose anything.
    package enum Durability: Hashable, Sendable {
        /// Every commit survives.
        case durable
        /// The last commits may be lost, but the file stays sound (`MDB_NOMETASYNC`).
        case recent
        /// The file may be damaged (`MDB_NOSYNC`), until ``Environment/sync()`` was called. For a file that one can
        /// make again.
        case unsynced
    }

    /// How to open an environment. A file that is open already keeps the options it was opened with.
    package struct Options: Sendable {
        /// Bytes of address space for the file to begin with; halved until the system grants it. No memory is used.
        package var mapSize: Int = 16 << 30
        /// Bytes that the file may grow to; nil for as much as can be mapped. Deletions may go beyond by a reserve.
        package var maximumMapSize: Int?
        /// Named databases at most; nil for as many as there come to be. There is room for 1,024 to begin with, or for
        /// 256 more than the file has and ``expectedDatabases`` says together.
        package var maxDatabases: Int?
        /// Named databases that are going to be there.
        package var expectedDatabases = 0
        /// Whether each database that is there may be followed by another one, which counts like one that is there.
        package var hasLateDatabases = false
        /// Read transactions at most in all processes, those included that a process keeps for its next reads; the
        /// process that makes the lock file decides. One takes 64 bytes of that file.
        package var maxReaders = 1_022
        package var isReadOnly = false
        /// Whether a missing file is made.
        package var createsFile = true
        package var durability: Durability = .durable
        /// Whether the file is to stay where it was opened: every write makes sure of it. False for a file that is
        /// unlinked as soon as it is open.
        package var staysAtPath = true
        /// Whether the file is held by `flock`, so that files and lock files that do not belong together are told.
        /// False opens it as a file system without `flock` does.
        package var asksForHolds = true

        package init() {}

        /// Beyond it LMDB's tables of databases, which every transaction has, would take megabytes.
        static let largestMaxDatabases = 1 << 16

        /// The number of databases that a file with so many is opened with room for.
        func databaseLimit(present: Int) -> Int {
            // Those that are expected may be others than those that are there.
            let most = Self.largestMaxDatabases
            let there = min(present, most) * (hasLateDatabases ? 2 : 1)
            return min(maxDatabases ?? max(1024, there + min(expectedDatabases, most) + 256), most)
        }
    }

    /// The file's path without symbolic links.
    package let path: String
    package let options: Options
    /// No lock file could be made, so nothing keeps a writer from reusing pages that are being read here.
    package let isUnlocked: Bool
    /// Whether this opening made the file.
    package let isNew: Bool
    /// The number of bytes in a page.
    package let pageSize: Int

    /// LMDB's environment. Replaced behind the closed gate only, so it stays as it is for who is inside.
    nonisolated(unsafe) var pointer: OpaquePointer
    /// Whether LMDB has it open; false once it could not be opened anew.
    nonisolated(unsafe) var isOpen = true
    /// Named databases at most, now; see ``makeRoom(beyond:)``.
    let room: Atomic<Int>
    let files: OpenFiles
    let gate = Gate()
    let handles = DatabaseHandles()
    /// See ``Reserve``.
    let reserve = Atomic(Reserve.closed)
    /// LMDB's durability flags as they are now; changed by the writer only.
    let durabilityFlags: Atomic<UInt32>
    /// Writes that were begun; see ``reapNowAndThen()``.
    let writeCount = Atomic(0)
    /// The last transaction of a file that is to go with the environment; see ``discardWhenClosed()``.
    let discarded = Atomic(-1)
    private let processID = getpid()
    private let forkMark = ForkMark.start()

    init(_ opened: OpenedFile, options: Options) {
        pointer = opened.pointer
        path = opened.path
        files = opened.files
        isUnlocked = opened.isUnlocked
        isNew = opened.isNew
        pageSize = opened.pageSize
        room = Atomic(opened.room)
        durabilityFlags = Atomic(options.durability.flags)
        self.options = options
    }

    deinit {
        // A child process inherited this from its parent; closing would release the parent's readers.
        guard !isForked else { return }
        EnvironmentRegistry.shared.close(files.data) {
            gate.drain().forEach { mdb_txn_abort($0) }
            if isOpen { closeForGood() }
            files.discard(path, after: discarded.load(ordering: .relaxed))
            files.close()
        }
    }

    /// Opens the environment in a file, or returns the one that this process has open for that file already, whatever
    /// path led to it.
    ///
    /// The file at the path and its lock file must belong together: ``LMDBError/Kind/lockOfAnotherFile`` where a store
    /// was moved away while it was open and its lock file was left behind, ``LMDBError/Kind/lockDisplaced`` where
    /// others have the file open and use another lock file, also that of a hard link. Before that is said it is looked
    /// at again for up to a second, since others may be opening or closing the file. A file system without `flock`
    /// cannot tell either, and nobody is refused there. ``LMDBError/Kind/lockNotWritable`` where others have the file
    /// open and the file is mounted read-only here.
    ///
    /// Throws before anything is mapped when the file is not LMDB's, is truncated, or has a newer format, or when
    /// others may write to its lock file or own it; and ``LMDBError/Kind/incompatible`` when the file is open read-only
    /// in this process and is now wanted for writing.
    package static func open(path: String, options: Options = Options()) throws(LMDBError) -> Environment {
        try EnvironmentRegistry.shared.open(path: path, options: options)
    }

    package var isReadOnly: Bool { options.isReadOnly }

    /// The version of the liblmdb that is linked: major, minor, patch.
    ///
    package static var libraryVersion: (major: Int, minor: Int, patch: Int) {
        var numbers: (Int32, Int32, Int32) = (0, 0, 0)
        _ = mdb_version(&numbers.0, &numbers.1, &numbers.2)
        return (Int(numbers.0), Int(numbers.1), Int(numbers.2))
    }

    /// Whether a version of LMDB destroys the locks in the lock file when the last process closes it, also while
    /// another one is opening it, which then gets EINVAL for each write (ITS#9278; reverted in 0.9.32, ITS#10095).
    package static func destroysLocks(_ version: (major: Int, minor: Int, patch: Int)) -> Bool {
        (version.major, version.minor) == (0, 9) && (26...31).contains(version.patch)
    }

    /// Closes LMDB's environment. Where that would cost them their locks, others who may write the file do not open it
    /// meanwhile; who has been opening it for a second is not waited for any longer.
    private func closeForGood() {
        if Self.destroysLocks(Self.libraryVersion), files.keepingOthersOut({ mdb_env_close(pointer) }) != nil { return }
        mdb_env_close(pointer)
    }

    /// Whether another process has the file open: also true where the file system has no `flock` to tell by. Costs a
    /// few system calls, during which nobody else can open the file.
    package func isOpenElsewhere() -> Bool { files.isOpenElsewhere() }

    /// Whether this is a child of the process that opened the environment.
    var isForked: Bool { ForkMark.current != forkMark }

    /// Refuses a forked child; `thoroughly` asks the system as well.
    ///
    /// - Throws: ``LMDBError/Kind/forked``.
    package func checkProcess(thoroughly: Bool = false) throws(LMDBError) {
        if isForked || (thoroughly && getpid() != processID) {
            throw LMDBError(kind: .forked, call: "begin", path: path)
        }
    }

    /// An error of this environment from a code.
    func error(_ code: Int32, call: String, database: Database? = nil) -> LMDBError {
        var kind = LMDBError.Kind(code: code)
        // LMDB reports a write cut short by a full disk as EIO.
        if code == EIO && isDiskFull { kind = .diskFull }
        // A handle that the transaction does not know: the database is not in its snapshot.
        if code == EINVAL && database != nil { kind = .databaseMissing }
        return LMDBError(kind: kind, code: code, call: call, database: database?.name, path: path)
    }

    /// Passes through the gate, a refusal becoming this environment's error.
    func entering<R>(_ call: String, _ body: () throws(Gate.Refusal) -> R) throws(LMDBError) -> R {
        do {
            return try body()
        } catch {
            throw LMDBError(kind: error == .reentrant ? .reentrant : .panic, call: call, path: path)
        }
    }

    /// Whether the file system, or the process's limit for a file, leaves no room for a few pages.
    private var isDiskFull: Bool {
        var space = statvfs()
        if statvfs(path, &space) == 0 && space.f_bavail < 16 { return true }
        var status = stat()
        var limit = rlimit()
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        #else
            let resource = RLIMIT_FSIZE
        #endif
        guard stat(path, &status) == 0, getrlimit(resource, &limit) == 0 else { return false }
        return UInt64(clamping: status.st_size) + UInt64(pageSize) > limit.rlim_cur
    }
}

extension Environment.Options {
    /// LMDB's flags for opening.
    var flags: UInt32 {
        UInt32(MDB_NOSUBDIR | MDB_NOTLS | MDB_NORDAHEAD | (isReadOnly ? MDB_RDONLY : 0)) | durability.flags
    }
}

extension Environment.Durability {
    /// LMDB's flags for it.
    var flags: UInt32 {
        switch self {
        case .durable: 0
        case .recent: UInt32(MDB_NOMETASYNC)
        case .unsynced: UInt32(MDB_NOSYNC)
        }
    }
}
