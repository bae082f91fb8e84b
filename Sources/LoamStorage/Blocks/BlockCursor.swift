import LMDB

/// A cursor over the blocks of one index.
///
/// What it points to lies in the map: good until the transaction's next change.
struct BlockCursor: ~Copyable, ~Escapable {
    private var cursor: Cursor
    private let id: IndexID
    private var key = ByteBuffer(capacity: 512)

    @_lifetime(copy cursor)
    init(_ cursor: consuming Cursor, of id: IndexID) {
        self.cursor = cursor
        self.id = id
    }

    /// Moves to the block in whose range `bound` lies: the last whose separator is not above it. O(log n).
    ///
    /// - Returns: false when the index has no blocks.
    @_lifetime(self: copy self)
    mutating func seek(containing bound: UnsafeRawBufferPointer) throws -> Bool {
        IndexKeys.fillBlockKey(&key, id, bound)
        if try cursor.seek(atLeast: key.span) {
            if isAt(key.bytes) { return true }
            return try cursor.previous() && isInIndex
        }
        return try cursor.moveToLast() && isInIndex
    }

    /// Moves to the block with exactly this separator.
    @_lifetime(self: copy self)
    mutating func seek(to separator: UnsafeRawBufferPointer) throws -> Bool {
        IndexKeys.fillBlockKey(&key, id, separator)
        return try cursor.seek(to: key.span)
    }

    /// Moves to the first block whose separator is not below `bound`.
    @_lifetime(self: copy self)
    mutating func seek(atLeast bound: UnsafeRawBufferPointer) throws -> Bool {
        IndexKeys.fillBlockKey(&key, id, bound)
        return try cursor.seek(atLeast: key.span) && isInIndex
    }

    @_lifetime(self: copy self)
    mutating func moveToFirst() throws -> Bool {
        try seek(atLeast: UnsafeRawBufferPointer(start: nil, count: 0))
    }

    /// Moves to the index's last block.
    @_lifetime(self: copy self)
    mutating func moveToLast() throws -> Bool {
        guard id < IndexID.max else { return try cursor.moveToLast() && isInIndex }
        IndexKeys.fillBlockKey(&key, id + 1, UnsafeRawBufferPointer(start: nil, count: 0))
        let hasNext = try cursor.seek(atLeast: key.span)
        return try (hasNext ? cursor.previous() : cursor.moveToLast()) && isInIndex
    }

    @_lifetime(self: copy self)
    mutating func next() throws -> Bool { try cursor.next() && isInIndex }

    @_lifetime(self: copy self)
    mutating func previous() throws -> Bool { try cursor.previous() && isInIndex }

    /// The block's separator, without the index id.
    var separator: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: cursor.key.pointer.dropFirst(IndexKeys.idCount))
    }

    /// The block's bytes.
    var block: UnsafeRawBufferPointer { cursor.value.pointer }

    /// Whether the block begins below a bound; nil is above everything.
    func isBelow(_ bound: [UInt8]?) -> Bool {
        let separator = separator
        return bound?.withUnsafeBytes { separator.isBelow($0) } ?? true
    }

    private var isInIndex: Bool { IndexKeys.isBlock(cursor.key.pointer, of: id) }

    private func isAt(_ key: UnsafeRawBufferPointer) -> Bool {
        let found = cursor.key.pointer
        guard found.count == key.count, let left = found.baseAddress, let right = key.baseAddress else { return false }
        return left.compare(right, key.count) == 0
    }
}

extension RawSpan {
    /// The bytes without the compiler's guard; who takes them keeps to the span's life by hand.
    var pointer: UnsafeRawBufferPointer { withUnsafeBytes { $0 } }
}
