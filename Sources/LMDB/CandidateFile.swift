import CLMDB

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// An environment as LMDB has just opened it.
struct OpenedFile {
    let pointer: OpaquePointer
    let path: String
    let file: FileIdentity
    let isUnlocked: Bool
    let pageSize: Int
}

/// A file that may become an environment: found or made, looked at, not yet mapped.
struct CandidateFile: ~Copyable {
    let file: FileIdentity
    private let path: String
    private let descriptor: Int32
    private let isNew: Bool

    /// Opens the file for looking at it. A missing one is made, empty, when the options allow it.
    init(path: String, options: Environment.Options) throws(LMDBError) {
        let (descriptor, isNew) = try CandidateFile.descriptor(
            path, creates: options.createsFile && !options.isReadOnly)
        do throws(LMDBError) {
            (file, self.path) = try CandidateFile.identity(descriptor, path)
        } catch {
            Glibc.close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        self.isNew = isNew
    }

    deinit {
        Glibc.close(descriptor)
    }

    private static func identity(_ descriptor: Int32, _ path: String) throws(LMDBError) -> (FileIdentity, String) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, let resolved = realpath(path, nil) else {
            throw LMDBError(kind: .init(code: errno), code: errno, call: "fstat", path: path)
        }
        defer { free(resolved) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw LMDBError(kind: .foreignFile, call: "fstat", path: path)
        }
        return (FileIdentity(status), String(cString: resolved))
    }

    private static func descriptor(_ path: String, creates: Bool) throws(LMDBError) -> (Int32, isNew: Bool) {
        var attemptsLeft = 8
        while true {
            // Not blocking: the path may lead to a pipe.
            let found = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            if found >= 0 { return (found, false) }
            var code = errno
            if code == ENOENT && creates && attemptsLeft > 0 {
                let made = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
                if made >= 0 { return (made, true) }
                code = errno
                attemptsLeft -= 1
                if code == EEXIST { continue }
            }
            throw LMDBError(kind: .init(code: code), code: code, call: "open", path: path)
        }
    }

    /// Checks the file and its lock file, then lets LMDB open it, with as large a map as the system grants.
    func open(_ options: Environment.Options) throws(LMDBError) -> OpenedFile {
        let meta = try MetaPages.check(descriptor, path: path)
        if meta == nil && options.isReadOnly { throw LMDBError(kind: .missing, call: "open an empty file", path: path) }
        let lock = try checkLockFile()
        let opened = try map(options, smallest: meta?.usedBytes ?? 0, lock: lock)
        if isNew { syncDirectory() }
        return opened
    }

    private enum LockFile { case found, missing }

    /// The lock file holds the reader table and the writer's lock: who can write to it can spoil the store. It is looked
    /// at by name only, since closing a descriptor of it would drop the locks that LMDB holds.
    private func checkLockFile() throws(LMDBError) -> LockFile {
        var status = stat()
        guard lstat(path + "-lock", &status) == 0 else { return .missing }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o022 == 0 else {
            throw LMDBError(kind: .insecureLockFile, call: "lstat", path: path)
        }
        return .found
    }

    private func map(_ options: Environment.Options, smallest: Int, lock: LockFile) throws(LMDBError) -> OpenedFile {
        var size = MapSize.initial(options, used: smallest)
        var flags = UInt32(MDB_NOSUBDIR | MDB_NOTLS | MDB_NORDAHEAD) | options.durability.flags
        if options.isReadOnly { flags |= UInt32(MDB_RDONLY) }
        while true {
            let (code, pointer) = attempt(options, size: size, flags: flags)
            if let pointer { return try opened(pointer) }
            if code == ENOMEM, let smaller = MapSize.smaller(size, used: smallest) {
                size = smaller
            } else if options.isReadOnly && lock == .missing && flags & UInt32(MDB_NOLOCK) == 0
                && (code == EACCES || code == EPERM || code == EROFS)
            {
                flags |= UInt32(MDB_NOLOCK)
            } else {
                throw LMDBError(kind: .init(code: code), code: code, call: "mdb_env_open", path: path)
            }
        }
    }

    private func attempt(_ options: Environment.Options, size: Int, flags: UInt32) -> (Int32, OpaquePointer?) {
        var pointer: OpaquePointer?
        var code = mdb_env_create(&pointer)
        guard code == MDB_SUCCESS, let pointer else { return (code, nil) }
        code = mdb_env_set_mapsize(pointer, size)
        if code == MDB_SUCCESS {
            code = mdb_env_set_maxdbs(pointer, UInt32(clamping: min(options.maxDatabases, 1 << 16)))
        }
        if code == MDB_SUCCESS { code = mdb_env_set_maxreaders(pointer, UInt32(clamping: options.maxReaders)) }
        if code == MDB_SUCCESS { code = mdb_env_open(pointer, path, flags, 0o600) }
        if code == MDB_SUCCESS { return (code, pointer) }
        mdb_env_close(pointer)
        return (code, nil)
    }

    /// Makes sure that LMDB opened the file that was checked, and frees what dead readers left.
    private func opened(_ pointer: OpaquePointer) throws(LMDBError) -> OpenedFile {
        var descriptor: Int32 = -1
        var status = stat()
        var stat = MDB_stat()
        guard mdb_env_get_fd(pointer, &descriptor) == MDB_SUCCESS, fstat(descriptor, &status) == 0,
            FileIdentity(status) == file, mdb_env_stat(pointer, &stat) == MDB_SUCCESS
        else {
            mdb_env_close(pointer)
            throw LMDBError(kind: .other, call: "file replaced while it was opened", path: path)
        }
        var dead: Int32 = 0
        mdb_reader_check(pointer, &dead)
        return OpenedFile(
            pointer: pointer, path: path, file: file, isUnlocked: ReaderTable.isMissing(pointer),
            pageSize: Int(stat.ms_psize))
    }

    /// Makes the new file's name survive a power cut. A file system that cannot do that keeps its own promises.
    private func syncDirectory() {
        let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
        let directory = path[..<end].isEmpty ? "/" : String(path[..<end])
        let descriptor = Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        Glibc.close(descriptor)
    }
}
