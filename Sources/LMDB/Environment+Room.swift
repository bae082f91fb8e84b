import CLMDB
import Synchronization

/// LMDB fixes how many named databases there can be when an environment is opened. A process that meets more opens it
/// anew.
extension Environment {
    /// How many named databases there is room for, now.
    package var databaseRoom: Int { room.load(ordering: .acquiring) }

    /// Makes room after ``LMDBError/Kind/tooManyDatabases``: opens LMDB's environment anew with twice as much, unless
    /// another thread did since there was only so much.
    ///
    /// Waits until no transaction of this process is open, and throws ``LMDBError/Kind/reentrant`` when this thread has
    /// one itself. Every database keeps its handle, so nothing that was looked up has to be looked up again. Throws
    /// ``LMDBError/Kind/tooManyDatabases`` where the options set a limit, the file is not at its path or nobody can be
    /// kept from opening it. Where it fails in the middle, the environment is of no use any more, as after a map that
    /// could not be mapped: ``LMDBError/Kind/panic``.
    package func makeRoom(beyond seen: Int) throws(LMDBError) {
        try checkProcess(thoroughly: true)
        let full = LMDBError(kind: .tooManyDatabases, call: "make room for databases", path: path)
        guard options.maxDatabases == nil, options.staysAtPath, !isUnlocked, seen < Options.largestMaxDatabases else {
            throw full
        }
        _ = try entering("make room for databases") { () throws(Gate.Refusal) in try gate.close() }
        defer { gate.open(isLost: !isOpen) }
        guard databaseRoom == seen else { return }
        let isDone: Void? = try files.keepingOthersOut { () throws(LMDBError) in
            if let displacement = files.displacement() {
                throw LMDBError(kind: displacement, call: "make room for databases", path: path)
            }
            try reopen(room: min(2 * seen, Options.largestMaxDatabases))
        }
        guard isDone != nil else { throw full }
    }

    /// Opens the file again with room for more databases. Called behind the closed gate, while nobody else in this
    /// process opens the file. For other processes, this one has it open all the time.
    private func reopen(room wanted: Int) throws(LMDBError) {
        let (size, _) = mapSizeAndUse()
        gate.drain().forEach { mdb_txn_abort($0) }
        mdb_env_close(pointer)
        isOpen = false
        let (code, reopened) = CandidateFile.attempt(
            path, options: options, room: wanted, size: size, flags: options.flags)
        guard code == MDB_SUCCESS, let reopened else { throw error(code, call: "mdb_env_open") }
        do throws(LMDBError) {
            guard files.areOpen(in: reopened) else {
                throw LMDBError(kind: .fileDisplaced, call: "mdb_env_open", path: path)
            }
            // Others tell by the reader table whether the lock file is in use.
            try ReaderTable.use(reopened, path: path)
            let known = handles.all
            if try !openAgain(known, in: reopened, fillsGaps: false) {
                guard !isReadOnly, try openAgain(known, in: reopened, fillsGaps: true) else {
                    throw LMDBError(kind: .databaseMissing, call: "mdb_dbi_open", path: path)
                }
            }
        } catch {
            mdb_env_close(reopened)
            throw error
        }
        pointer = reopened
        isOpen = true
        durabilityFlags.store(options.durability.flags, ordering: .relaxed)
        room.store(wanted, ordering: .releasing)
        handles.lookAgain()
    }

    /// Opens databases with the handles that they had: LMDB gives out the lowest that is free.
    ///
    /// - Parameter fillsGaps: makes databases for handles that nobody has, of such as were dropped, and takes them away
    ///   again; waits for other processes' writers.
    /// - Returns: false where that would take gaps to be filled.
    private func openAgain(
        _ known: [Database], in environment: OpaquePointer, fillsGaps: Bool
    ) throws(LMDBError) -> Bool {
        var transaction: OpaquePointer?
        var code = mdb_txn_begin(environment, nil, fillsGaps ? 0 : UInt32(MDB_RDONLY), &transaction)
        guard code == MDB_SUCCESS, let transaction else { throw error(code, call: "mdb_txn_begin") }
        var fillers: [UInt32] = []
        func open(_ name: String, as wanted: UInt32) -> Bool {
            var handle: UInt32 = 0
            code = mdb_dbi_open(transaction, name, 0, &handle)
            if code == MDB_NOTFOUND && fillsGaps {
                code = mdb_dbi_open(transaction, name, UInt32(MDB_CREATE), &handle)
                if code == MDB_SUCCESS { fillers.append(handle) }
            }
            return code == MDB_SUCCESS && handle == wanted
        }
        var next = DatabaseHandles.main + 1
        for database in known {
            while next <= database.handle {
                let isGap = next < database.handle
                guard !isGap || fillsGaps, open(isGap ? "gap.\(next)" : database.name, as: next) else {
                    mdb_txn_abort(transaction)
                    return false
                }
                next += 1
            }
        }
        for filler in fillers where code == MDB_SUCCESS { code = mdb_drop(transaction, filler, 1) }
        guard code == MDB_SUCCESS else {
            mdb_txn_abort(transaction)
            throw error(code, call: "mdb_drop")
        }
        code = mdb_txn_commit(transaction)
        guard code == MDB_SUCCESS else { throw error(code, call: "mdb_txn_commit") }
        return true
    }
}
