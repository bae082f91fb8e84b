import CLMDB

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// LMDB's cursor in a database, and the entry that it is at, as LMDB last reported it: what reading and writing cursors
/// share.
struct CursorPosition {
    let pointer: OpaquePointer
    let database: Database
    private let environment: Unmanaged<Environment>
    /// The state of a writing cursor's transaction, which notes what ends it; nil for a reading cursor.
    private let state: WriteState?
    private(set) var key = MDB_val()
    private(set) var value = MDB_val()

    init(_ pointer: OpaquePointer, of database: Database, in environment: Environment, state: WriteState? = nil) {
        self.pointer = pointer
        self.database = database
        self.state = state
        self.environment = .passUnretained(environment)
    }

    /// The key as a number; 0 where there is no entry or the database has no integer keys.
    var integerKey: UInt64 {
        guard key.mv_size == 8, let data = key.mv_data else { return 0 }
        return data.loadUnaligned(as: UInt64.self)
    }

    /// Moves LMDB's cursor and notes where it is.
    @inline(__always)
    mutating func move(_ operation: MDB_cursor_op) throws(LMDBError) -> Bool {
        try moved(mdb_cursor_get(pointer, &key, &value, operation))
    }

    /// Calls the closure with the entry that the cursor is at, if any, and with those that follow, until it returns false.
    mutating func walk(
        _ operation: MDB_cursor_op, _ body: (_ key: UInt64, _ value: RawSpan) throws -> Bool
    ) throws {
        guard key.mv_data != nil else { return }
        repeat { guard try body(integerKey, value.span) else { return } } while try move(operation)
    }

    /// Moves to the smallest key that is not below the one given, which may be empty.
    mutating func seek(atLeast key: RawSpan) throws(LMDBError) -> Bool {
        key.isEmpty ? try move(MDB_FIRST) : try seek(MDB_SET_RANGE, sought: key)
    }

    /// Moves to the smallest integer key that is not below the one given.
    mutating func seek(atLeast key: UInt64) throws(LMDBError) -> Bool { try seek(MDB_SET_RANGE, sought: key) }

    /// Moves to exactly this key.
    mutating func seek(to key: RawSpan) throws(LMDBError) -> Bool { try seek(MDB_SET_KEY, sought: key) }

    /// Moves to exactly this integer key.
    mutating func seek(to key: UInt64) throws(LMDBError) -> Bool { try seek(MDB_SET_KEY, sought: key) }

    /// Notes that a call of LMDB's has changed the entry, or throws what it says.
    mutating func changed(_ code: Int32, call: String) throws(LMDBError) {
        clear()
        if code != MDB_SUCCESS { throw error(code, call: call) }
    }

    /// The bytes given need to be there for the call only: where LMDB finds an entry, it notes its own.
    private mutating func seek(_ operation: MDB_cursor_op, sought: RawSpan) throws(LMDBError) -> Bool {
        let code = sought.withUnsafeBytes { bytes in
            key = MDB_val(bytes)
            return database.refusal(of: key) ?? mdb_cursor_get(pointer, &key, &value, operation)
        }
        return try moved(code)
    }

    private mutating func seek(_ operation: MDB_cursor_op, sought: UInt64) throws(LMDBError) -> Bool {
        let code = withUnsafeBytes(of: sought) { bytes in
            key = MDB_val(bytes)
            return database.refusalOfIntegerKey ?? mdb_cursor_get(pointer, &key, &value, operation)
        }
        return try moved(code)
    }

    @inline(__always)
    private mutating func moved(_ code: Int32) throws(LMDBError) -> Bool {
        if code == MDB_SUCCESS {
            if !database.hasIntegerKeys || key.mv_size == 8 { return true }
            clear()
            throw error(MDB_CORRUPTED, call: "mdb_cursor_get")
        }
        clear()
        // EINVAL is what LMDB says where GET_CURRENT, which writing cursors alone ask for, has no entry.
        if code == MDB_NOTFOUND || code == EINVAL && state != nil { return false }
        throw error(code, call: "mdb_cursor_get")
    }

    private mutating func clear() {
        key = MDB_val()
        value = MDB_val()
    }

    @inline(never)
    private func error(_ code: Int32, call: String) -> LMDBError {
        environment._withUnsafeGuaranteedRef { environment in
            state?.error(code, call: call, database: database, environment: environment)
                ?? environment.error(code, call: call, database: database)
        }
    }
}
