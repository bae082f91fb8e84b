import CLMDB

/// The one transaction among all processes that writes. It sees its own changes; others see them when it is committed.
///
/// It belongs to the thread that began it. Lives inside ``Environment/write(durability:_:)``, whose end commits it.
/// After an error that costs LMDB the transaction (a full map, a full disk, damage) every further call, and the commit,
/// throw that same error.
package struct WriteTransaction: ~Copyable, Transaction {
    /// Longest value in bytes. LMDB 0.9.24 mishandles values of 2 GiB; long ones also fragment the file.
    package static let maximumValueSize = 64 << 20

    package let environment: Environment
    package let pointer: OpaquePointer
    /// None: LMDB keeps the cursors of a write transaction in lists of its own.
    package var shelf: UnsafeMutablePointer<CursorShelf>? { nil }
    let state = WriteState()
    private var isOpen = true

    init(environment: Environment, pointer: OpaquePointer) {
        self.environment = environment
        self.pointer = pointer
    }

    deinit {
        if isOpen { environment.abandon(pointer) }
    }

    // MARK: Databases

    /// Opens a database, making it when it does not exist. Throws ``LMDBError/Kind/incompatible`` when it exists with
    /// the other kind of keys. Other threads get to open databases when this transaction has ended.
    package mutating func openDatabase(named name: String, integerKeys: Bool) throws(LMDBError) -> Database {
        if let database = environment.handles[name] ?? state.opened[name] {
            if database.hasIntegerKeys == integerKeys { return database }
            throw LMDBError(
                kind: .incompatible, call: "openDatabase", database: name, path: environment.path)
        }
        try reserveHandles()
        let flags = MDB_CREATE | (integerKeys ? MDB_INTEGERKEY : 0)
        do throws(LMDBError) {
            let database = try environment.handle(name, flags: flags, in: pointer)
            state.opened[name] = database
            guard database.hasIntegerKeys == integerKeys else {
                throw LMDBError(kind: .incompatible, call: "mdb_dbi_open", database: name, path: environment.path)
            }
            return database
        } catch {
            throw state.noted(error)
        }
    }

    /// The named database, where there is one.
    ///
    /// - Throws: why a database of this name that exists could not be opened, as ``LMDBError/Kind/tooManyDatabases``.
    package func database(named name: String) throws(LMDBError) -> Database? {
        if let database = state.opened[name] { return database }
        return try environment.handles.find(name)
    }

    /// A database that is made late, where there is one, also where this transaction has made it.
    ///
    /// - Throws: why a database of this name that exists could not be opened, as ``LMDBError/Kind/tooManyDatabases``.
    package func database(_ late: LateDatabase) throws(LMDBError) -> Database? {
        // What any snapshot has seen, the writer sees: it begins when all handles are open.
        if let database = late.known ?? state.opened[late.name] { return database }
        // One that others know is committed, and stays whatever becomes of this transaction.
        guard let database = try environment.handles.find(late.name) else { return nil }
        late.remember(database)
        return database
    }

    /// Makes a database that is made late, if it is not there yet; it is there for others with the commit.
    ///
    /// - Throws: as ``openDatabase(named:integerKeys:)``, and why a database of this name that exists could not be
    ///   opened, as ``LMDBError/Kind/tooManyDatabases``.
    package mutating func makeDatabase(_ late: LateDatabase) throws(LMDBError) -> Database {
        if let database = try database(late) { return database }
        return try openDatabase(named: late.name, integerKeys: false)
    }

    /// Deletes all entries of a database, and keeps the database. Frees whole pages: O(pages), however many entries
    /// they hold.
    ///
    /// - Throws: ``LMDBError/Kind/mapFull``, ``LMDBError/Kind/transactionFull`` or ``LMDBError/Kind/damaged``; the
    ///   transaction is lost then.
    package mutating func empty(_ database: Database) throws(LMDBError) {
        try check(mdb_drop(pointer, database.handle, 0), call: "mdb_drop", database: database)
    }

    /// Removes a database with all its entries; its handle is good for nothing afterwards.
    ///
    /// Waits until no read of this process is open, and keeps new ones waiting until this transaction has ended, since
    /// readers use the handle that it closes. Throws ``LMDBError/Kind/reentrant`` when this thread itself has one.
    package mutating func drop(_ database: Database) throws(LMDBError) {
        try reserveHandles()
        let gate = environment.gate
        try environment.entering("drop") { () throws(Gate.Refusal) in try gate.closeAsWriter() }
        state.removeCursor(of: database)
        state.opened[database.name] = nil
        environment.handles.forget(database.name)
        try check(mdb_drop(pointer, database.handle, 1), call: "mdb_drop", database: database)
    }

    // MARK: Entries

    /// Stores a value under a key.
    ///
    /// - Parameters:
    ///   - append: the key is above all others: fills pages to the end. Throws ``LMDBError/Kind/keyExists`` when it is not.
    ///   - overwrites: when false, an existing key throws ``LMDBError/Kind/keyExists``.
    /// - Throws: ``LMDBError/Kind/keySize``, ``LMDBError/Kind/valueSize`` and ``LMDBError/Kind/keyExists``, after
    ///   which the transaction goes on; ``LMDBError/Kind/mapFull``, ``LMDBError/Kind/transactionFull`` and
    ///   ``LMDBError/Kind/damaged``, after which it is lost.
    package mutating func put(
        _ value: RawSpan, for key: RawSpan, in database: Database, append: Bool = false, overwrites: Bool = true
    ) throws(LMDBError) {
        let code = key.withUnsafeBytes { keyBytes in
            value.withUnsafeBytes { valueBytes in
                var keyValue = MDB_val(keyBytes)
                return database.refusal(of: keyValue)
                    ?? put(valueBytes, key: &keyValue, in: database, append: append, overwrites: overwrites)
            }
        }
        try check(code, call: "mdb_put", database: database)
    }

    /// Stores a value under an integer key; see ``put(_:for:in:append:overwrites:)``.
    ///
    /// - Throws: ``LMDBError/Kind/incompatible`` where the database has no integer keys, ``LMDBError/Kind/valueSize``
    ///   and ``LMDBError/Kind/keyExists``, after which the transaction goes on; ``LMDBError/Kind/mapFull``,
    ///   ``LMDBError/Kind/transactionFull`` and ``LMDBError/Kind/damaged``, after which it is lost.
    package mutating func put(
        _ value: RawSpan, for key: UInt64, in database: Database, append: Bool = false, overwrites: Bool = true
    ) throws(LMDBError) {
        let code = withUnsafeBytes(of: key) { keyBytes in
            value.withUnsafeBytes { valueBytes in
                var keyValue = MDB_val(keyBytes)
                return database.refusalOfIntegerKey
                    ?? put(valueBytes, key: &keyValue, in: database, append: append, overwrites: overwrites)
            }
        }
        try check(code, call: "mdb_put", database: database)
    }

    private func put(
        _ value: UnsafeRawBufferPointer, key: inout MDB_val, in database: Database, append: Bool, overwrites: Bool
    ) -> Int32 {
        if value.count > WriteTransaction.maximumValueSize { return WriteState.valueTooLong }
        var data = MDB_val(value)
        return mdb_put(pointer, database.handle, &key, &data, WriteState.flags(append, overwrites: overwrites))
    }

    /// Makes room for a value in the page itself and lets a body write it: all of it, since the room holds what was
    /// there.
    ///
    /// A body that throws leaves zeros.
    ///
    /// - Throws: ``LMDBError/Kind/keySize``, ``LMDBError/Kind/valueSize``, and with `append`
    ///   ``LMDBError/Kind/keyExists``, after which the transaction goes on; ``LMDBError/Kind/mapFull``,
    ///   ``LMDBError/Kind/transactionFull`` and ``LMDBError/Kind/damaged``, after which it is lost. What the body
    ///   throws comes out as it is, and the value is zeros then.
    package mutating func reserve(
        byteCount: Int, for key: RawSpan, in database: Database, append: Bool = false,
        _ body: (UnsafeMutableRawBufferPointer) throws -> Void
    ) throws {
        let (code, room) = key.withUnsafeBytes { keyBytes in
            var keyValue = MDB_val(keyBytes)
            var data = MDB_val(mv_size: byteCount, mv_data: nil)
            let code =
                database.refusal(of: keyValue) ?? reserve(&keyValue, data: &data, in: database, append: append)
            return (code, data)
        }
        try check(code, call: "mdb_put", database: database)
        try room.fill(body)
    }

    /// Makes room for a value under an integer key; see ``reserve(byteCount:for:in:append:_:)``.
    ///
    /// - Throws: ``LMDBError/Kind/incompatible`` where the database has no integer keys,
    ///   ``LMDBError/Kind/valueSize``, and with `append` ``LMDBError/Kind/keyExists``, after which the transaction
    ///   goes on; ``LMDBError/Kind/mapFull``, ``LMDBError/Kind/transactionFull`` and ``LMDBError/Kind/damaged``,
    ///   after which it is lost. What the body throws comes out as it is, and the value is zeros then.
    package mutating func reserve(
        byteCount: Int, for key: UInt64, in database: Database, append: Bool = false,
        _ body: (UnsafeMutableRawBufferPointer) throws -> Void
    ) throws {
        let (code, room) = withUnsafeBytes(of: key) { keyBytes in
            var keyValue = MDB_val(keyBytes)
            var data = MDB_val(mv_size: byteCount, mv_data: nil)
            let code = database.refusalOfIntegerKey ?? reserve(&keyValue, data: &data, in: database, append: append)
            return (code, data)
        }
        try check(code, call: "mdb_put", database: database)
        try room.fill(body)
    }

    private func reserve(_ key: inout MDB_val, data: inout MDB_val, in database: Database, append: Bool) -> Int32 {
        guard (0...WriteTransaction.maximumValueSize).contains(data.mv_size) else { return WriteState.valueTooLong }
        return mdb_put(
            pointer, database.handle, &key, &data, WriteState.flags(append, overwrites: true) | UInt32(MDB_RESERVE))
    }

    /// Deletes a key. False when it was not there.
    ///
    /// - Throws: ``LMDBError/Kind/keySize`` for an empty key, or one of a wrong size, after which the transaction
    ///   goes on; ``LMDBError/Kind/mapFull``, ``LMDBError/Kind/transactionFull`` and ``LMDBError/Kind/damaged``,
    ///   after which it is lost.
    package mutating func delete(_ key: RawSpan, in database: Database) throws(LMDBError) -> Bool {
        let code = key.withUnsafeBytes { bytes in
            var keyValue = MDB_val(bytes)
            return database.refusal(of: keyValue) ?? mdb_del(pointer, database.handle, &keyValue, nil)
        }
        return try found(code, database: database)
    }

    /// Deletes an integer key. False when it was not there.
    ///
    /// - Throws: ``LMDBError/Kind/incompatible`` where the database has no integer keys, after which the transaction
    ///   goes on; ``LMDBError/Kind/mapFull``, ``LMDBError/Kind/transactionFull`` and ``LMDBError/Kind/damaged``,
    ///   after which it is lost.
    package mutating func delete(_ key: UInt64, in database: Database) throws(LMDBError) -> Bool {
        let code = withUnsafeBytes(of: key) { bytes in
            var keyValue = MDB_val(bytes)
            return database.refusalOfIntegerKey ?? mdb_del(pointer, database.handle, &keyValue, nil)
        }
        return try found(code, database: database)
    }

    /// A cursor that can also change entries. It has the transaction to itself while it lives.
    ///
    /// The transaction keeps one LMDB cursor per database, so asking again costs a few nanoseconds; where it is then is
    /// not promised, so seek first.
    ///
    /// - Throws: ``LMDBError/Kind/databaseMissing`` for a database that the transaction does not know,
    ///   ``LMDBError/Kind/outOfMemory``.
    @_lifetime(&self)
    package mutating func writeCursor(in database: Database) throws(LMDBError) -> WriteCursor {
        if let cursor = state.cursor(of: database) {
            return _overrideLifetime(
                WriteCursor(cursor, of: database, environment: environment, state: state), mutating: &self)
        }
        var cursor: OpaquePointer?
        try check(mdb_cursor_open(pointer, database.handle, &cursor), call: "mdb_cursor_open", database: database)
        guard let cursor else { throw environment.error(MDB_PANIC, call: "mdb_cursor_open", database: database) }
        state.add(cursor, of: database)
        return _overrideLifetime(
            WriteCursor(cursor, of: database, environment: environment, state: state), mutating: &self)
    }

    // MARK: The end

    /// Makes the changes visible and durable; the thread gives up its turn as writer.
    @usableFromInline
    mutating func commit() throws(LMDBError) {
        if let failure = state.failure {
            isOpen = false
            environment.abandon(pointer)
            throw failure
        }
        let entries = DatabaseHandles.entries(in: pointer)
        let opened = state.opened
        isOpen = false
        // Ends LMDB's transaction whatever it returns, and closes its cursors.
        let code = mdb_txn_commit(pointer)
        if code == MDB_SUCCESS && state.changesHandles {
            environment.handles.add(opened, entries: entries)
        }
        environment.gate.endWriting()
        guard code == MDB_SUCCESS else { throw environment.error(code, call: "mdb_txn_commit") }
        environment.closeReserve(afterUse: true)
    }

    private mutating func reserveHandles() throws(LMDBError) {
        guard !state.changesHandles else { return }
        let gate = environment.gate
        try environment.entering("open database") { () throws(Gate.Refusal) in
            try gate.beginChangingHandles(asWriter: true)
        }
        state.changesHandles = true
    }

    private func found(_ code: Int32, database: Database) throws(LMDBError) -> Bool {
        if code == MDB_NOTFOUND { return false }
        try check(code, call: "mdb_del", database: database)
        return true
    }

    private func check(_ code: Int32, call: String, database: Database) throws(LMDBError) {
        if code != MDB_SUCCESS { throw state.error(code, call: call, database: database, environment: environment) }
    }
}
