import LMDB

/// A cursor over the blocks of one index, or over its runs: entries under separators, which partition the index's keys.
///
/// What it points to lies in the map: good until the transaction's next change.
struct IndexCursor: ~Copyable, ~Escapable {
    private var cursor: Cursor
    private let id: IndexID
    private let level: IndexKeys.Level

    /// Over the blocks, given a cursor in the database of blocks.
    @_lifetime(copy cursor)
    init(overBlocks cursor: consuming Cursor, of id: IndexID) {
        self.cursor = cursor
        self.id = id
        level = .blocks
    }

    /// Over the runs, given a cursor in the database of counters.
    @_lifetime(copy cursor)
    init(overRuns cursor: consuming Cursor, of id: IndexID) {
        self.cursor = cursor
        self.id = id
        level = .runs
    }

    /// Moves to the block or run in whose range `bound` lies: the last whose separator is not above it. O(log n).
    ///
    /// - Returns: false when the index has none.
    @_lifetime(self: copy self)
    mutating func seek(containing bound: UnsafeRawBufferPointer) throws -> Bool {
        let isThere = try IndexKeys.withKey(level, index: id, separator: bound) { key -> Bool? in
            try cursor.seek(atLeast: RawSpan(_unsafeBytes: key)) ? isAt(key) : nil
        }
        guard let isThere else { return try cursor.moveToLast() && isInIndex }
        return try isThere || cursor.previous() && isInIndex
    }

    /// Moves to exactly this separator. O(log n).
    @_lifetime(self: copy self)
    mutating func seek(to separator: UnsafeRawBufferPointer) throws -> Bool {
        try IndexKeys.withKey(level, index: id, separator: separator) { key in
            try cursor.seek(to: RawSpan(_unsafeBytes: key))
        }
    }

    /// Moves to the first separator that is not below `bound`. O(log n).
    @_lifetime(self: copy self)
    mutating func seek(atLeast bound: UnsafeRawBufferPointer) throws -> Bool {
        try IndexKeys.withKey(level, index: id, separator: bound) { key in
            try cursor.seek(atLeast: RawSpan(_unsafeBytes: key)) && isInIndex
        }
    }

    /// Moves to the first block or run of the index. O(log n).
    @_lifetime(self: copy self)
    mutating func moveToFirst() throws -> Bool {
        try seek(atLeast: UnsafeRawBufferPointer(start: nil, count: 0))
    }

    /// Moves to the last block or run of the index. O(log n).
    @_lifetime(self: copy self)
    mutating func moveToLast() throws -> Bool {
        guard id < IndexID.max else { return try cursor.moveToLast() && isInIndex }
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        let hasNext = try IndexKeys.withKey(level, index: id + 1, separator: none) { key in
            try cursor.seek(atLeast: RawSpan(_unsafeBytes: key))
        }
        return try (hasNext ? cursor.previous() : cursor.moveToLast()) && isInIndex
    }

    @_lifetime(self: copy self)
    mutating func next() throws -> Bool { try cursor.next() && isInIndex }

    @_lifetime(self: copy self)
    mutating func previous() throws -> Bool { try cursor.previous() && isInIndex }

    /// The separator, without the index id.
    var separator: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: cursor.key.pointer.dropFirst(level.prefixCount))
    }

    /// The bytes of the block.
    var block: UnsafeRawBufferPointer { cursor.value.pointer }

    /// The sums of the run.
    ///
    /// - Throws: `inconsistent` for bytes that are no sums.
    var sums: RunSums {
        get throws(StorageError) { try RunSums(bytes: cursor.value.pointer) }
    }

    /// Whether the block or run begins below a bound; nil is above everything.
    func isBelow(_ bound: [UInt8]?) -> Bool {
        bound?.withUnsafeBytes { isBelow($0) } ?? true
    }

    /// Whether the block or run begins below a bound.
    func isBelow(_ bound: UnsafeRawBufferPointer) -> Bool { separator.isBelow(bound) }

    private var isInIndex: Bool { IndexKeys.isKey(cursor.key.pointer, of: id, level: level) }

    private func isAt(_ key: UnsafeRawBufferPointer) -> Bool {
        let found = cursor.key.pointer
        guard found.count == key.count, let left = found.baseAddress, let right = key.baseAddress else { return false }
        return left.compare(right, count: key.count) == 0
    }
}

extension RawSpan {
    /// The bytes without the compiler's guard; who takes them keeps to the span's life by hand.
    var pointer: UnsafeRawBufferPointer { withUnsafeBytes { $0 } }
}
