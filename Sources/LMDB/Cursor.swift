import CLMDB

/// A place in a database, moving in key order, for reading.
///
/// ```swift
/// var cursor = try transaction.cursor(in: words)
/// var isAtEntry = try cursor.seek(atLeast: 100)
/// while isAtEntry {
///     consume(cursor.integerKey, cursor.value)
///     isAtEntry = try cursor.next()
/// }
/// ```
///
/// Keys and values live as long as the borrow of the transaction, also after the cursor has moved on. Every move says
/// whether it ended at an entry; where it did not, ``key`` and ``value`` are empty. A move costs O(1) amortised, a seek
/// O(log n).
package struct Cursor: ~Copyable, ~Escapable {
    private let pointer: OpaquePointer
    private let environment: Unmanaged<Environment>
    private let database: Database
    private var place = CursorPlace()

    @_lifetime(immortal)
    init(_ pointer: OpaquePointer, of database: Database, in environment: Environment) {
        self.pointer = pointer
        self.database = database
        self.environment = .passUnretained(environment)
    }

    deinit {
        mdb_cursor_close(pointer)
    }

    /// The key at the cursor; empty where there is no entry.
    package var key: RawSpan {
        @_lifetime(copy self)
        get { _overrideLifetime(place.key.span, copying: self) }
    }

    /// The value at the cursor; empty where there is no entry.
    package var value: RawSpan {
        @_lifetime(copy self)
        get { _overrideLifetime(place.value.span, copying: self) }
    }

    /// The key as a number; 0 where there is no entry or the database has no integer keys.
    package var integerKey: UInt64 { place.integerKey }

    /// Moves to the smallest key.
    @_lifetime(self: copy self)
    package mutating func moveToFirst() throws(LMDBError) -> Bool { try move(MDB_FIRST) }

    /// Moves to the largest key.
    @_lifetime(self: copy self)
    package mutating func moveToLast() throws(LMDBError) -> Bool { try move(MDB_LAST) }

    /// Moves to the next key; to the first when the cursor has not been moved yet.
    @_lifetime(self: copy self)
    package mutating func next() throws(LMDBError) -> Bool { try move(MDB_NEXT) }

    /// Moves to the key before; to the last when the cursor has not been moved yet.
    @_lifetime(self: copy self)
    package mutating func previous() throws(LMDBError) -> Bool { try move(MDB_PREV) }

    /// Moves to the smallest key that is not below the one given, which may be empty.
    @_lifetime(self: copy self)
    package mutating func seek(atLeast key: RawSpan) throws(LMDBError) -> Bool {
        if key.isEmpty { return try moveToFirst() }
        let code = key.withUnsafeBytes { place.seek(pointer, MDB_SET_RANGE, $0, in: database, isInteger: false) }
        return try moved(code)
    }

    /// Moves to the smallest integer key that is not below the one given.
    @_lifetime(self: copy self)
    package mutating func seek(atLeast key: UInt64) throws(LMDBError) -> Bool {
        let code = withUnsafeBytes(of: key) {
            place.seek(pointer, MDB_SET_RANGE, $0, in: database, isInteger: true)
        }
        return try moved(code)
    }

    /// Moves to exactly this key.
    @_lifetime(self: copy self)
    package mutating func seek(to key: RawSpan) throws(LMDBError) -> Bool {
        let code = key.withUnsafeBytes { place.seek(pointer, MDB_SET_KEY, $0, in: database, isInteger: false) }
        return try moved(code)
    }

    /// Moves to exactly this integer key.
    @_lifetime(self: copy self)
    package mutating func seek(to key: UInt64) throws(LMDBError) -> Bool {
        let code = withUnsafeBytes(of: key) { place.seek(pointer, MDB_SET_KEY, $0, in: database, isInteger: true) }
        return try moved(code)
    }

    @inline(__always)
    @_lifetime(self: copy self)
    private mutating func move(_ operation: MDB_cursor_op) throws(LMDBError) -> Bool {
        try moved(place.move(pointer, operation, in: database))
    }

    @inline(__always)
    private func moved(_ code: Int32) throws(LMDBError) -> Bool {
        if code == MDB_SUCCESS { return true }
        if code == MDB_NOTFOUND { return false }
        throw environment._withUnsafeGuaranteedRef { $0.error(code, "mdb_cursor_get", database) }
    }
}

/// The entry that a cursor is at, as LMDB last reported it.
struct CursorPlace {
    private(set) var key = MDB_val()
    private(set) var value = MDB_val()

    var integerKey: UInt64 {
        guard key.mv_size == 8, let data = key.mv_data else { return 0 }
        return data.loadUnaligned(as: UInt64.self)
    }

    /// Moves LMDB's cursor and notes where it is. Returns LMDB's code.
    @inline(__always)
    mutating func move(_ cursor: OpaquePointer, _ operation: MDB_cursor_op, in database: Database) -> Int32 {
        noted(mdb_cursor_get(cursor, &key, &value, operation), in: database)
    }

    /// As ``move(_:_:in:)``, to a key; refuses a key that cannot be one in the database.
    mutating func seek(
        _ cursor: OpaquePointer, _ operation: MDB_cursor_op, _ bytes: UnsafeRawBufferPointer, in database: Database,
        isInteger: Bool
    ) -> Int32 {
        key = MDB_val(bytes)
        let refusal = isInteger ? database.refusalOfIntegerKey : database.refusal(of: key)
        return noted(refusal ?? mdb_cursor_get(cursor, &key, &value, operation), in: database)
    }

    mutating func clear() {
        key = MDB_val()
        value = MDB_val()
    }

    @inline(__always)
    private mutating func noted(_ code: Int32, in database: Database) -> Int32 {
        if code != MDB_SUCCESS {
            clear()
        } else if database.hasIntegerKeys && key.mv_size != 8 {
            clear()
            return MDB_CORRUPTED
        }
        return code
    }
}
