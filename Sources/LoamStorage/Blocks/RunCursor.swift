import LMDB

/// A cursor over the runs of one index. As with ``BlockCursor``, what it points to is good until the next change.
struct RunCursor: ~Copyable, ~Escapable {
    private var cursor: Cursor
    private let id: IndexID
    private var key = ByteBuffer(capacity: 512)

    @_lifetime(copy cursor)
    init(_ cursor: consuming Cursor, of id: IndexID) {
        self.cursor = cursor
        self.id = id
    }

    /// Moves to the run in which a block of this separator lies.
    ///
    /// - Returns: false when the index has no runs.
    @_lifetime(self: copy self)
    mutating func seek(containing separator: UnsafeRawBufferPointer) throws -> Bool {
        IndexKeys.fillRunKey(&key, id, separator)
        if try cursor.seek(atLeast: key.span) {
            let found = cursor.key.pointer
            if found.count == key.count, !found.isBelow(key.bytes), !key.bytes.isBelow(found) { return true }
            return try cursor.previous() && isInIndex
        }
        return try cursor.moveToLast() && isInIndex
    }

    @_lifetime(self: copy self)
    mutating func moveToFirst() throws -> Bool {
        IndexKeys.fillRunKey(&key, id, UnsafeRawBufferPointer(start: nil, count: 0))
        return try cursor.seek(atLeast: key.span) && isInIndex
    }

    @_lifetime(self: copy self)
    mutating func next() throws -> Bool { try cursor.next() && isInIndex }

    /// The run's lower bound.
    var separator: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: cursor.key.pointer.dropFirst(IndexKeys.runStart))
    }

    var sums: RunSums {
        get throws(StorageError) { try RunSums(bytes: cursor.value.pointer) }
    }

    private var isInIndex: Bool { IndexKeys.isRun(cursor.key.pointer, of: id) }
}
