import CLMDB

extension Environment {
    /// The named database, or nil when it does not exist. Usually a look-up in a table; where that has no such name,
    /// a read is begun, which opens databases that are new.
    ///
    /// - Throws: why the database could not be opened where it exists; what ``beginRead()`` throws where it is not
    ///   known yet.
    package func database(named name: String) throws(LMDBError) -> Database? {
        if let database = handles[name] { return database }
        // Beginning a read opens whatever is new.
        _ = try beginRead()
        return try handles.find(name)
    }

    /// The names of all databases, in the order of their bytes. O(databases).
    ///
    /// - Throws: what ``beginRead()`` throws, and ``LMDBError/Kind/damaged``.
    package func databaseNames() throws(LMDBError) -> [String] {
        try beginRead().databaseNames()
    }

    /// Opens the databases that have appeared and forgets those that are gone.
    ///
    /// Beginning a transaction does it when their number has changed. It is for those who miss one nevertheless,
    /// because another process has dropped as many as it has made; the handles work in transactions begun later.
    ///
    /// - Throws: what ``beginRead()`` throws, and ``LMDBError/Kind/reentrant`` where this thread's own write is making
    ///   or dropping databases. A single database that cannot be opened is no failure here: who asks for it is told.
    package func openNewDatabases() throws(LMDBError) {
        while true {
            let room = databaseRoom
            guard try openWhatIsNew() else { return }
            // Whoever asks for a database without room is told, where this thread's own transaction is in the way.
            do throws(LMDBError) { try makeRoom(beyond: room) } catch { return }
        }
    }

    /// - Returns: whether a database found no room.
    private func openWhatIsNew() throws(LMDBError) -> Bool {
        try entering("open databases") { () throws(Gate.Refusal) in try gate.beginChangingHandles(asWriter: false) }
        defer { gate.endChangingHandles() }
        let (slot, transaction, _) = try beginPlainRead()
        defer { gate.leave(slot, keeping: nil) }
        let names: [String]
        do {
            names = try self.names(in: transaction)
        } catch {
            mdb_txn_abort(transaction)
            throw error
        }
        var databases: [String: Database] = [:]
        var failures: [String: LMDBError] = [:]
        for name in names {
            databases[name] = handles[name]
            if databases[name] != nil { continue }
            do throws(LMDBError) {
                databases[name] = try handle(name, flags: 0, in: transaction)
            } catch {
                // Met by who asks for this one; the others are not to suffer.
                failures[name] = error
            }
        }
        let entries = DatabaseHandles.entries(in: transaction)
        // Committing is what keeps the handles.
        let committed = mdb_txn_commit(transaction)
        guard committed == MDB_SUCCESS else { throw error(committed, call: "mdb_txn_commit") }
        handles.replaceAll(databases, failures: failures, entries: entries)
        return failures.values.contains { $0.kind == .tooManyDatabases }
    }

    /// Opens or makes a database in a transaction whose thread has reserved the table of handles.
    func handle(_ name: String, flags: Int32, in transaction: OpaquePointer) throws(LMDBError) -> Database {
        guard !name.isEmpty, !name.utf8.contains(0) else {
            throw LMDBError(kind: .keySize, call: "mdb_dbi_open", database: name, path: path)
        }
        var handle: UInt32 = 0
        var code = mdb_dbi_open(transaction, name, UInt32(flags), &handle)
        var found: UInt32 = 0
        if code == MDB_SUCCESS { code = mdb_dbi_flags(transaction, handle, &found) }
        let foreign = UInt32(MDB_DUPSORT | MDB_REVERSEKEY)
        if code == MDB_SUCCESS && found & foreign != 0 { code = MDB_INCOMPATIBLE }
        guard code == MDB_SUCCESS else {
            let kind: LMDBError.Kind = code == MDB_NOTFOUND ? .databaseMissing : .init(code: code)
            throw LMDBError(kind: kind, code: code, call: "mdb_dbi_open", database: name, path: path)
        }
        return Database(name: name, hasIntegerKeys: found & UInt32(MDB_INTEGERKEY) != 0, handle: handle)
    }

    /// The names of the databases that a transaction sees, in the order of their bytes.
    func names(in transaction: OpaquePointer) throws(LMDBError) -> [String] {
        var cursor: OpaquePointer?
        var code = mdb_cursor_open(transaction, DatabaseHandles.main, &cursor)
        guard code == MDB_SUCCESS, let cursor else { throw error(code, call: "mdb_cursor_open") }
        defer { mdb_cursor_close(cursor) }
        var names: [String] = []
        var key = MDB_val()
        code = mdb_cursor_get(cursor, &key, nil, MDB_NEXT)
        while code == MDB_SUCCESS {
            names.append(
                String(decoding: UnsafeRawBufferPointer(start: key.mv_data, count: key.mv_size), as: UTF8.self))
            code = mdb_cursor_get(cursor, &key, nil, MDB_NEXT)
        }
        guard code == MDB_NOTFOUND else { throw error(code, call: "mdb_cursor_get") }
        return names
    }
}
