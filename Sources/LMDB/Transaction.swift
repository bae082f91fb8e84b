import CLMDB

/// What read and write transactions have in common: looking up, iterating, counting.
///
/// Spans that come out point into the map. They live as long as the borrow of the transaction they came from, which the
/// compiler checks.
package protocol Transaction: ~Copyable {
    /// The environment that the transaction reads.
    var environment: Environment { get }
    /// LMDB's transaction.
    var pointer: OpaquePointer { get }
    /// Where its cursors lie that nobody uses; nil where they are closed.
    var shelf: UnsafeMutablePointer<CursorShelf>? { get }
    /// The named database, where the transaction sees one.
    ///
    /// - Throws: why a database of this name that exists could not be opened, as ``LMDBError/Kind/tooManyDatabases``.
    func database(named name: String) throws(LMDBError) -> Database?
    /// A database that is made late, where the transaction sees it. A few nanoseconds once it is known.
    ///
    /// - Throws: why a database of this name that exists could not be opened, as ``LMDBError/Kind/tooManyDatabases``.
    func database(_ late: LateDatabase) throws(LMDBError) -> Database?
}

extension Transaction where Self: ~Copyable {
    /// The number of the snapshot: that of the last write in it, or of the write that this is.
    package var id: Int { mdb_txn_id(pointer) }

    /// The number of named databases that the transaction sees.
    package var databaseCount: Int { DatabaseHandles.entries(in: pointer) }

    /// The value under a key, or nil. O(log n).
    ///
    /// - Throws: ``LMDBError/Kind/keySize`` for an empty key, or one of a wrong size,
    ///   ``LMDBError/Kind/databaseMissing`` for a database that is not in the snapshot, ``LMDBError/Kind/damaged``.
    @_lifetime(borrow self)
    package func value(for key: RawSpan, in database: Database) throws(LMDBError) -> RawSpan? {
        let (code, found) = key.withUnsafeBytes { bytes in
            var keyValue = MDB_val(bytes)
            var data = MDB_val()
            return (database.refusal(of: keyValue) ?? mdb_get(pointer, database.handle, &keyValue, &data), data)
        }
        return _overrideLifetime(try checkedValue(code, data: found, in: database), borrowing: self)
    }

    /// The value under an integer key, or nil. O(log n).
    ///
    /// - Throws: ``LMDBError/Kind/incompatible`` where the database has no integer keys,
    ///   ``LMDBError/Kind/databaseMissing`` for a database that is not in the snapshot, ``LMDBError/Kind/damaged``.
    @_lifetime(borrow self)
    package func value(for key: UInt64, in database: Database) throws(LMDBError) -> RawSpan? {
        let (code, found) = withUnsafeBytes(of: key) { bytes in
            var keyValue = MDB_val(bytes)
            var data = MDB_val()
            return (database.refusalOfIntegerKey ?? mdb_get(pointer, database.handle, &keyValue, &data), data)
        }
        return _overrideLifetime(try checkedValue(code, data: found, in: database), borrowing: self)
    }

    /// Whether the key exists. O(log n).
    ///
    /// - Throws: as the look-up of the value.
    package func contains(_ key: RawSpan, in database: Database) throws(LMDBError) -> Bool {
        try value(for: key, in: database) != nil
    }

    /// Whether the integer key exists. O(log n).
    ///
    /// - Throws: as the look-up of the value.
    package func contains(_ key: UInt64, in database: Database) throws(LMDBError) -> Bool {
        try value(for: key, in: database) != nil
    }

    /// A cursor, not yet at an entry. In a read transaction it costs an allocation where none lies idle from before.
    ///
    /// - Throws: ``LMDBError/Kind/databaseMissing`` for a database that is not in the snapshot,
    ///   ``LMDBError/Kind/outOfMemory``.
    @_lifetime(borrow self)
    package func cursor(in database: Database) throws(LMDBError) -> Cursor {
        let shelf = shelf
        var cursor = shelf?.pointee.take(database.handle)
        let code: Int32
        if let idle = cursor {
            code = mdb_cursor_renew(pointer, idle)
            if code != MDB_SUCCESS { mdb_cursor_close(idle) }
        } else {
            code = mdb_cursor_open(pointer, database.handle, &cursor)
        }
        guard code == MDB_SUCCESS, let cursor else {
            throw environment.error(code, call: "mdb_cursor_open", database: database)
        }
        return _overrideLifetime(Cursor(cursor, of: database, in: environment, shelf: shelf), borrowing: self)
    }

    /// The shape of a database. O(1).
    ///
    /// - Throws: ``LMDBError/Kind/databaseMissing`` for a database that is not in the snapshot.
    package func statistics(of database: Database) throws(LMDBError) -> DatabaseStatistics {
        var stat = MDB_stat()
        let code = mdb_stat(pointer, database.handle, &stat)
        guard code == MDB_SUCCESS else { throw environment.error(code, call: "mdb_stat", database: database) }
        return DatabaseStatistics(stat)
    }

    @_lifetime(immortal)
    private func checkedValue(_ code: Int32, data: MDB_val, in database: Database) throws(LMDBError) -> RawSpan? {
        if code == MDB_SUCCESS { return data.span }
        if code == MDB_NOTFOUND { return nil }
        throw environment.error(code, call: "mdb_get", database: database)
    }
}

extension DatabaseStatistics {
    init(_ stat: MDB_stat) {
        entries = stat.ms_entries
        depth = Int(stat.ms_depth)
        branchPages = stat.ms_branch_pages
        leafPages = stat.ms_leaf_pages
        overflowPages = stat.ms_overflow_pages
        bytes = (branchPages &+ leafPages &+ overflowPages) &* Int(stat.ms_psize)
    }
}

extension Database {
    /// A code for a key of bytes that cannot be one in this database; nil when it can. LMDB checks the other limits.
    func refusal(of key: MDB_val) -> Int32? {
        hasIntegerKeys && key.mv_size != 8 ? MDB_BAD_VALSIZE : nil
    }

    /// A code where integers are no keys.
    var refusalOfIntegerKey: Int32? { hasIntegerKeys ? nil : MDB_INCOMPATIBLE }
}

extension MDB_val {
    /// Borrows bytes for a call. LMDB does not write through keys and values that it is given.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.init(mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }

    /// The bytes; whoever calls ties them to a transaction.
    var span: RawSpan {
        @_lifetime(immortal)
        get {
            guard let mv_data else { return _overrideLifetime(RawSpan(), copying: ()) }
            return _overrideLifetime(RawSpan(_unsafeStart: mv_data, byteCount: mv_size), copying: ())
        }
    }
}
