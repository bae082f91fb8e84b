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
    let files: OpenFiles
    let isUnlocked: Bool
    /// Whether the file was made by opening it.
    let isNew: Bool
    let pageSize: Int
    /// The most named databases.
    let room: Int
}

/// A file that may become an environment: found or made, looked at, not yet mapped.
struct CandidateFile {
    let file: FileIdentity
    private let path: String
    private let owner: uid_t
    private let hold: FileHold
    private let isNew: Bool

    /// What became of an attempt to open it.
    enum Outcome {
        case opened(OpenedFile)
        /// Somebody is opening or closing it, or it cannot be opened: the error once it has been so for long enough.
        case unsettled(LMDBError, patience: Duration)
    }

    /// Opens the file for looking at it. A missing one is made, empty, when the options allow it.
    init(path: String, options: Environment.Options) throws(LMDBError) {
        let (descriptor, isNew) = try CandidateFile.descriptor(
            path, creates: options.createsFile && !options.isReadOnly)
        hold = FileHold(descriptor, isSupported: options.asksForHolds)
        self.isNew = isNew
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw LMDBError(kind: .init(code: errno), code: errno, call: "fstat", path: path)
        }
        guard let resolved = realpath(path, nil) else {
            // It was there a moment ago.
            let kind: LMDBError.Kind = errno == ENOENT ? .fileDisplaced : .init(code: errno)
            throw LMDBError(kind: kind, code: errno, call: "realpath", path: path)
        }
        defer { free(resolved) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw LMDBError(kind: .foreignFile, call: "fstat", path: path)
        }
        (file, owner, self.path) = (FileIdentity(status), status.st_uid, String(cString: resolved))
    }

    private static func descriptor(_ path: String, creates: Bool) throws(LMDBError) -> (Int32, isNew: Bool) {
        var attemptsLeft = 8
        while true {
            // Not blocking: the path may lead to a pipe. For writing where that is allowed: see ``FileHold``.
            var found = Glibc.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
            if found < 0 && errno != ENOENT { found = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
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

    /// The file beside it that LMDB would use for its locks; nil where there is none. Throws where others could write
    /// it.
    func lockFile() throws(LMDBError) -> FileIdentity? {
        do throws(LMDBError) {
            return try LockFile.check(beside: path, owner: owner)
        } catch {
            removeIfMade()
            throw error
        }
    }

    /// Takes away a file that was made for this and is not to be used, where it is sure that nobody else does.
    func removeIfMade() {
        guard isNew, hold.take(.exclusive) == .granted, FileIdentity(at: path) == file else { return }
        unlink(path)
    }

    /// Checks the file and its lock file, then lets LMDB open it, with as large a map as the system grants.
    ///
    /// Who has the file open holds it, and has a slot in the reader table of its lock file. So a lock file that is in
    /// use while nobody else holds the file serves another one; and where others hold the file, a lock file that is
    /// not in use is not theirs. On a file system without `flock` neither can be told, and both are let in.
    func open(_ options: Environment.Options) throws(LMDBError) -> Outcome {
        guard hold.beginOpening() else { return unsettled(.fileHeld, patience: .seconds(10)) }
        defer { hold.endOpening() }
        guard let company = company() else { return unsettled(.fileHeld, patience: .seconds(10)) }
        do throws(LMDBError) {
            let outcome = try open(options, company: company)
            if case .unsettled = outcome {
                if company == .nobody { removeIfMade() }
                // Others must not take this for somebody who has the file open.
                hold.release()
            }
            return outcome
        } catch {
            if company == .nobody { removeIfMade() }
            throw error
        }
    }

    /// Who else has the file open.
    private enum Company { case nobody, others, unknown }

    /// Takes hold of the file, exclusively where nobody else has it; nil where a program keeps everybody away.
    private func company() -> Company? {
        switch hold.take(.exclusive) {
        case .granted: .nobody
        case .unsupported: .unknown
        case .refused: hold.take(.shared) == .refused ? nil : .others
        }
    }

    private func open(_ options: Environment.Options, company: Company) throws(LMDBError) -> Outcome {
        guard FileIdentity(at: path) == file else { return unsettled(.fileDisplaced) }
        let meta = try MetaPages.check(hold.descriptor, path: path)
        if meta == nil && (options.isReadOnly || !options.createsFile) {
            throw LMDBError(kind: .missing, call: "open an empty file", path: path)
        }
        let lock = try LockFile.check(beside: path, owner: owner)
        var options = options
        options.maxDatabases = options.databaseLimit(present: meta?.databaseCount ?? 0)
        let pointer: OpaquePointer
        do throws(LMDBError) {
            pointer = try map(options, smallest: meta?.usedBytes ?? 0, isLocked: lock != nil)
        } catch {
            // LMDB opens the path more than once.
            guard error.kind == .missing else { throw error }
            return unsettled(.fileDisplaced)
        }
        do throws(LMDBError) {
            let outcome = try settle(
                pointer, company: company, lockBefore: lock, room: options.databaseLimit(present: 0))
            if case .unsettled = outcome { mdb_env_close(pointer) }
            return outcome
        } catch {
            mdb_env_close(pointer)
            throw error
        }
    }

    private func unsettled(_ kind: LMDBError.Kind, patience: Duration = .seconds(1)) -> Outcome {
        .unsettled(LMDBError(kind: kind, call: "open", path: path), patience: patience)
    }

    /// Makes sure that LMDB opened the files that belong together, and frees what dead readers left.
    private func settle(
        _ pointer: OpaquePointer, company: Company, lockBefore: FileIdentity?, room: Int
    ) throws(LMDBError) -> Outcome {
        var descriptor: Int32 = -1
        var status = stat()
        var stat = MDB_stat()
        guard mdb_env_get_fd(pointer, &descriptor) == MDB_SUCCESS, fstat(descriptor, &status) == 0,
            FileIdentity(status) == file, mdb_env_stat(pointer, &stat) == MDB_SUCCESS,
            MetaDescriptor.leads(to: file, in: pointer, orElse: FileIdentity(at: path) == file)
        else { return unsettled(.fileDisplaced) }
        let isUnlocked = ReaderTable.isMissing(pointer)
        var lock: FileIdentity?
        if isUnlocked {
            guard company != .others else { return unsettled(lockBefore == nil ? .lockDisplaced : .lockNotWritable) }
            // Who cannot lock must not keep those from opening the file who can.
            hold.release()
        } else {
            lock = FileIdentity(at: LockFile.path(of: path))
            let isInUse = ReaderTable.wasEverUsed(pointer)
            guard company != .others || isInUse else { return unsettled(.lockDisplaced) }
            guard company != .nobody || !isInUse else { return unsettled(.lockOfAnotherFile) }
            guard lock != nil, lockBefore == nil || lockBefore == lock else { return unsettled(.lockDisplaced) }
            if !isInUse { try ReaderTable.use(pointer, path: path) }
            guard company != .nobody || hold.take(.shared) != .refused else {
                return unsettled(.fileHeld, patience: .seconds(10))
            }
        }
        var dead: Int32 = 0
        mdb_reader_check(pointer, &dead)
        if isNew { syncDirectory() }
        return .opened(
            OpenedFile(
                pointer: pointer, path: path, files: OpenFiles(path: path, data: file, lock: lock, hold: hold),
                isUnlocked: isUnlocked, isNew: isNew, pageSize: Int(stat.ms_psize), room: room))
    }

    private func map(
        _ options: Environment.Options, smallest: Int, isLocked: Bool
    ) throws(LMDBError) -> OpaquePointer {
        var size = MapSize.initial(options, used: smallest)
        var flags = options.flags
        while true {
            let (code, pointer) = Self.attempt(
                path, options: options, room: options.databaseLimit(present: 0), size: size, flags: flags)
            if let pointer { return pointer }
            if code == ENOMEM, let smaller = MapSize.smaller(size, used: smallest) {
                size = smaller
            } else if options.isReadOnly && !isLocked && flags & UInt32(MDB_NOLOCK) == 0
                && (code == EACCES || code == EPERM || code == EROFS)
            {
                flags |= UInt32(MDB_NOLOCK)
            } else {
                throw LMDBError(kind: .init(code: code), code: code, call: "mdb_env_open", path: path)
            }
        }
    }

    /// One attempt of LMDB to open a file: its code and, where that is success, the environment.
    static func attempt(
        _ path: String, options: Environment.Options, room: Int, size: Int, flags: UInt32
    ) -> (Int32, OpaquePointer?) {
        var pointer: OpaquePointer?
        var code = mdb_env_create(&pointer)
        guard code == MDB_SUCCESS, let pointer else { return (code, nil) }
        code = mdb_env_set_mapsize(pointer, size)
        if code == MDB_SUCCESS { code = mdb_env_set_maxdbs(pointer, UInt32(clamping: room)) }
        if code == MDB_SUCCESS { code = mdb_env_set_maxreaders(pointer, UInt32(clamping: options.maxReaders)) }
        if code == MDB_SUCCESS { code = mdb_env_open(pointer, path, flags, 0o600) }
        if code == MDB_SUCCESS { return (code, pointer) }
        mdb_env_close(pointer)
        return (code, nil)
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
