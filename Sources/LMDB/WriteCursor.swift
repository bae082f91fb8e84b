import CLMDB

/// A position in a database of a write transaction, for reading and changing entries in key order.
///
/// It has the transaction to itself. Keys and values that it gives out live until it moves or changes anything. Putting
/// and reserving leave it at the entry written, whose ``key`` and ``value`` are then empty until it moves or
/// ``reload()`` is called.
package struct WriteCursor: ~Copyable, ~Escapable {
    private var position: CursorPosition

    @_lifetime(immortal)
    init(_ pointer: OpaquePointer, of database: Database, environment: Environment, state: WriteState) {
        position = CursorPosition(pointer, of: database, in: environment, state: state)
    }

    /// The key at the cursor; empty where there is no entry.
    package var key: RawSpan {
        @_lifetime(borrow self)
        get { _overrideLifetime(position.key.span, borrowing: self) }
    }

    /// The value at the cursor; empty where there is no entry.
    package var value: RawSpan {
        @_lifetime(borrow self)
        get { _overrideLifetime(position.value.span, borrowing: self) }
    }

    /// The key as a number; 0 where there is no entry or the database has no integer keys.
    package var integerKey: UInt64 { position.integerKey }

    // MARK: Moving

    /// Moves to the smallest key.
    ///
    /// - Throws: ``LMDBError/Kind/damaged`` where the pages on the way contradict each other. The transaction is lost
    ///   then.
    @_lifetime(self: copy self)
    package mutating func moveToFirst() throws(LMDBError) -> Bool { try position.move(MDB_FIRST) }

    /// Moves to the largest key.
    ///
    /// - Throws: ``LMDBError/Kind/damaged`` where the pages on the way contradict each other. The transaction is lost
    ///   then.
    @_lifetime(self: copy self)
    package mutating func moveToLast() throws(LMDBError) -> Bool { try position.move(MDB_LAST) }

    /// Moves to the next key; to the first when the cursor has not been moved yet.
    ///
    /// - Throws: ``LMDBError/Kind/damaged`` where the pages on the way contradict each other. The transaction is lost
    ///   then.
    @_lifetime(self: copy self)
    package mutating func next() throws(LMDBError) -> Bool { try position.move(MDB_NEXT) }

    /// Moves to the key before; to the last when the cursor has not been moved yet.
    ///
    /// - Throws: ``LMDBError/Kind/damaged`` where the pages on the way contradict each other. The transaction is lost
    ///   then.
    @_lifetime(self: copy self)
    package mutating func previous() throws(LMDBError) -> Bool { try position.move(MDB_PREV) }

    /// Reads the entry that the cursor is at again. False where it is at none.
    ///
    /// - Throws: ``LMDBError/Kind/damaged`` where the pages contradict each other. The transaction is lost then.
    @_lifetime(self: copy self)
    package mutating func reload() throws(LMDBError) -> Bool { try position.move(MDB_GET_CURRENT) }

    /// Moves to the smallest key that is not below the one given, which may be empty.
    ///
    /// - Throws: ``LMDBError/Kind/keySize`` in a database with integer keys for a key that is neither empty nor of 8
    ///   bytes; ``LMDBError/Kind/damaged`` where the pages on the way contradict each other.
    @_lifetime(self: copy self)
    package mutating func seek(atLeast key: RawSpan) throws(LMDBError) -> Bool { try position.seek(atLeast: key) }

    /// Moves to the smallest integer key that is not below the one given.
    ///
    /// - Throws: ``LMDBError/Kind/incompatible`` where the database has no integer keys; ``LMDBError/Kind/damaged``
    ///   where the pages on the way contradict each other.
    @_lifetime(self: copy self)
    package mutating func seek(atLeast key: UInt64) throws(LMDBError) -> Bool { try position.seek(atLeast: key) }

    /// Moves to exactly this key. False where it is not there.
    ///
    /// - Throws: ``LMDBError/Kind/keySize`` for an empty key, and in a database with integer keys for one that has not
    ///   8 bytes; ``LMDBError/Kind/damaged`` where the pages on the way contradict each other.
    @_lifetime(self: copy self)
    package mutating func seek(to key: RawSpan) throws(LMDBError) -> Bool { try position.seek(to: key) }

    /// Moves to exactly this integer key. False where it is not there.
    ///
    /// - Throws: ``LMDBError/Kind/incompatible`` where the database has no integer keys; ``LMDBError/Kind/damaged``
    ///   where the pages on the way contradict each other.
    @_lifetime(self: copy self)
    package mutating func seek(to key: UInt64) throws(LMDBError) -> Bool { try position.seek(to: key) }

    // MARK: Changing

    /// Stores a value under a key; see ``WriteTransaction/put(_:for:in:append:overwrites:)``.
    ///
    /// - Throws: ``LMDBError/Kind/keySize``, ``LMDBError/Kind/valueSize`` and ``LMDBError/Kind/keyExists``, after
    ///   which the transaction goes on; ``LMDBError/Kind/mapFull``, ``LMDBError/Kind/transactionFull`` and
    ///   ``LMDBError/Kind/damaged``, after which it is lost.
    @_lifetime(self: copy self)
    package mutating func put(
        _ value: RawSpan, for key: RawSpan, append: Bool = false, overwrites: Bool = true
    ) throws(LMDBError) {
        let flags = WriteState.flags(append, overwrites: overwrites)
        let code = key.withUnsafeBytes { keyBytes in
            value.withUnsafeBytes {
                put($0, for: keyBytes, refusal: position.database.refusal(of: MDB_val(keyBytes)), flags: flags)
            }
        }
        try position.changed(code, call: "mdb_cursor_put")
    }

    /// Stores a value under an integer key; see ``WriteTransaction/put(_:for:in:append:overwrites:)``.
    ///
    /// - Throws: ``LMDBError/Kind/incompatible`` where the database has no integer keys, ``LMDBError/Kind/valueSize``
    ///   and ``LMDBError/Kind/keyExists``, after which the transaction goes on; ``LMDBError/Kind/mapFull``,
    ///   ``LMDBError/Kind/transactionFull`` and ``LMDBError/Kind/damaged``, after which it is lost.
    @_lifetime(self: copy self)
    package mutating func put(
        _ value: RawSpan, for key: UInt64, append: Bool = false, overwrites: Bool = true
    ) throws(LMDBError) {
        let flags = WriteState.flags(append, overwrites: overwrites)
        let code = withUnsafeBytes(of: key) { keyBytes in
            value.withUnsafeBytes {
                put($0, for: keyBytes, refusal: position.database.refusalOfIntegerKey, flags: flags)
            }
        }
        try position.changed(code, call: "mdb_cursor_put")
    }

    /// Makes room for a value; see ``WriteTransaction/reserve(byteCount:for:in:append:_:)``.
    ///
    /// - Throws: ``LMDBError/Kind/keySize``, ``LMDBError/Kind/valueSize`` and ``LMDBError/Kind/keyExists``, after
    ///   which the transaction goes on; ``LMDBError/Kind/mapFull``, ``LMDBError/Kind/transactionFull`` and
    ///   ``LMDBError/Kind/damaged``, after which it is lost. What the body throws comes out as it is, and the value
    ///   is zeros then.
    @_lifetime(self: copy self)
    package mutating func reserve(
        byteCount: Int, for key: RawSpan, append: Bool = false, _ body: (UnsafeMutableRawBufferPointer) throws -> Void
    ) throws {
        var data = MDB_val(mv_size: byteCount, mv_data: nil)
        let code = key.withUnsafeBytes {
            reserve(&data, for: $0, refusal: position.database.refusal(of: MDB_val($0)), append: append)
        }
        try position.changed(code, call: "mdb_cursor_put")
        try data.fill(body)
    }

    /// Makes room for a value under an integer key; see ``WriteTransaction/reserve(byteCount:for:in:append:_:)``.
    ///
    /// - Throws: ``LMDBError/Kind/incompatible`` where the database has no integer keys, ``LMDBError/Kind/valueSize``
    ///   and ``LMDBError/Kind/keyExists``, after which the transaction goes on; ``LMDBError/Kind/mapFull``,
    ///   ``LMDBError/Kind/transactionFull`` and ``LMDBError/Kind/damaged``, after which it is lost. What the body
    ///   throws comes out as it is, and the value is zeros then.
    @_lifetime(self: copy self)
    package mutating func reserve(
        byteCount: Int, for key: UInt64, append: Bool = false, _ body: (UnsafeMutableRawBufferPointer) throws -> Void
    ) throws {
        var data = MDB_val(mv_size: byteCount, mv_data: nil)
        let code = withUnsafeBytes(of: key) {
            reserve(&data, for: $0, refusal: position.database.refusalOfIntegerKey, append: append)
        }
        try position.changed(code, call: "mdb_cursor_put")
        try data.fill(body)
    }

    // MARK: Calls

    private func put(
        _ value: UnsafeRawBufferPointer, for key: UnsafeRawBufferPointer, refusal: Int32?, flags: UInt32
    ) -> Int32 {
        if let refusal { return refusal }
        if value.count > WriteTransaction.maximumValueSize { return WriteState.valueTooLong }
        var keyValue = MDB_val(key)
        var data = MDB_val(value)
        return mdb_cursor_put(position.pointer, &keyValue, &data, flags)
    }

    private func reserve(
        _ data: inout MDB_val, for key: UnsafeRawBufferPointer, refusal: Int32?, append: Bool
    ) -> Int32 {
        if let refusal { return refusal }
        guard (0...WriteTransaction.maximumValueSize).contains(data.mv_size) else { return WriteState.valueTooLong }
        var keyValue = MDB_val(key)
        return mdb_cursor_put(
            position.pointer, &keyValue, &data, WriteState.flags(append, overwrites: true) | UInt32(MDB_RESERVE))
    }
}
