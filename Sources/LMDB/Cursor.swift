import CLMDB

/// A position in a database, moving in key order, for reading.
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
    private var position: CursorPosition
    /// Where the cursor goes when it is not used any more; nil where it is closed. It belongs to the transaction, which
    /// outlives the cursor.
    private let shelf: UnsafeMutablePointer<CursorShelf>?

    @_lifetime(immortal)
    init(
        _ pointer: OpaquePointer, of database: Database, in environment: Environment,
        shelf: UnsafeMutablePointer<CursorShelf>?
    ) {
        position = CursorPosition(pointer, of: database, in: environment)
        self.shelf = shelf
    }

    deinit {
        if let shelf {
            shelf.pointee.put(position.pointer, of: position.database.handle)
        } else {
            mdb_cursor_close(position.pointer)
        }
    }

    /// The key at the cursor; empty where there is no entry.
    package var key: RawSpan {
        @_lifetime(copy self)
        get { _overrideLifetime(position.key.span, copying: self) }
    }

    /// The value at the cursor; empty where there is no entry.
    package var value: RawSpan {
        @_lifetime(copy self)
        get { _overrideLifetime(position.value.span, copying: self) }
    }

    /// The key as a number; 0 where there is no entry or the database has no integer keys.
    package var integerKey: UInt64 { position.integerKey }

    /// Moves to the smallest key.
    ///
    /// - Throws: ``LMDBError/Kind/damaged`` where the pages on the way contradict each other.
    @_lifetime(self: copy self)
    package mutating func moveToFirst() throws(LMDBError) -> Bool { try position.move(MDB_FIRST) }

    /// Moves to the largest key.
    ///
    /// - Throws: ``LMDBError/Kind/damaged`` where the pages on the way contradict each other.
    @_lifetime(self: copy self)
    package mutating func moveToLast() throws(LMDBError) -> Bool { try position.move(MDB_LAST) }

    /// Moves to the next key; to the first when the cursor has not been moved yet.
    ///
    /// - Throws: ``LMDBError/Kind/damaged`` where the pages on the way contradict each other.
    @_lifetime(self: copy self)
    package mutating func next() throws(LMDBError) -> Bool { try position.move(MDB_NEXT) }

    /// Moves to the key before; to the last when the cursor has not been moved yet.
    ///
    /// - Throws: ``LMDBError/Kind/damaged`` where the pages on the way contradict each other.
    @_lifetime(self: copy self)
    package mutating func previous() throws(LMDBError) -> Bool { try position.move(MDB_PREV) }

    /// Walks the entries of a database with integer keys, from the one that the cursor is at, and none where it is at none.
    /// The closure returns false to stop: the cursor is at that entry then.
    ///
    /// For long walks: a loop of moves copies the cursor for every look at a key or value.
    ///
    /// - Throws: ``LMDBError/Kind/damaged`` where the pages on the way contradict each other, and what the closure throws.
    @_lifetime(self: copy self)
    package mutating func walk(
        reversed: Bool = false, _ body: (_ key: UInt64, _ value: RawSpan) throws -> Bool
    ) throws {
        try position.walk(reversed ? MDB_PREV : MDB_NEXT, body)
    }

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
}
