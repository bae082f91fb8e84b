import LoamStorage

/// Places rows by an order, one after another: makes their keys in a buffer that is used again, and where rows are
/// collected for a sort, keeps those that are wanted. For a row that is not, nothing is allocated where the order is of
/// plain fields.
final class RowPlacer {
    let keys: SortKeys
    /// What collects the rows; nil where they are only placed, or when they were sorted.
    private var rows: SortedRows?
    /// Whether rows are collected.
    private(set) var isCollecting = false
    /// Whether rows are collected under a limit: without one all are wanted, and nobody has to look.
    private var isLimited = false
    // Looking for overlapping accesses would cost each row more than a short key.
    @exclusivity(unchecked) private var buffer = KeyBuffer()
    /// The rows in order, once they were sorted.
    private var sorted: SortedMatches?
    /// Where the keys of sorted rows lie.
    private var sortedKeys: [UInt8]?
    /// Whether keys of sorted rows are asked for.
    private var keepsKeys = false

    init(_ keys: SortKeys) { self.keys = keys }

    /// Collects rows from now on.
    func begin(_ rows: consuming SortedRows) {
        (isCollecting, isLimited) = (true, rows.limit != nil)
        self.rows = consume rows
    }

    /// Collects no rows any more, and forgets those that were collected.
    func stop() {
        rows = nil
        isCollecting = false
    }

    /// The rows that were collected.
    var collectedCount: Int { rows?.count ?? 0 }

    /// Forgets the keys of all rows that were placed.
    func clear() { buffer.removeAll() }

    /// Makes a row's key.
    ///
    /// - Parameter entry: the row's entry in an index, for what can be copied from it.
    /// - Returns: where it lies, until ``clear()``.
    func place<Row: RowValues & ~Escapable>(
        _ row: borrowing Row, from entry: EntryKeys? = nil, related: (any RelatedRows)?
    ) throws -> Range<Int> {
        let start = buffer.count
        try keys.append(row, from: entry, related: related, to: &buffer)
        return start..<buffer.count
    }

    /// Takes a copy of a row's key that another placer of the same order has made.
    ///
    /// - Returns: where it lies, until ``clear()``.
    func adopt(_ key: UnsafeRawBufferPointer) -> Range<Int> {
        let start = buffer.count
        buffer.append(contentsOf: key)
        return start..<buffer.count
    }

    /// Whether the first bytes of a row's key tell that those who collect rows have no room for it.
    func isUnwanted<Row: RowValues & ~Escapable>(_ row: borrowing Row) throws -> Bool {
        guard isLimited, let prefix = try row.prefix(of: keys.program) else { return false }
        return rows?.isUnwanted(prefix) ?? false
    }

    /// Whether those who collect rows have room for one with this key.
    func isWanted(_ rowID: RowID, key: Range<Int>) -> Bool {
        guard isLimited else { return true }
        return buffer.withBytes { rows?.isWanted(rowID, key: UnsafeRawBufferPointer(rebasing: $0[key])) ?? true }
    }

    /// Calls a closure with the key of a match that was placed, or is one of the sorted rows.
    func withKey<R>(of match: Match, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        if let sortedKeys {
            return try sortedKeys.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[match.key])) }
        }
        return try buffer.withBytes { try body(UnsafeRawBufferPointer(rebasing: $0[match.key])) }
    }

    // MARK: Keys that are kept

    /// The key of a row, a copy.
    func key<Row: RowValues & ~Escapable>(
        of row: borrowing Row, _ related: (any RelatedRows)? = nil
    ) throws -> [UInt8] {
        clear()
        try keys.append(row, related: related, to: &buffer)
        return buffer.withBytes { Array($0) }
    }

    /// The key of a row with these values, one for each key of the order; a copy.
    func key(of values: some Sequence<Value>) throws -> [UInt8] {
        clear()
        try keys.append(values, to: &buffer)
        return buffer.withBytes { Array($0) }
    }

    // MARK: Sorting

    /// Takes a match in that was placed.
    ///
    /// - Throws: `temporaryFile` where the rows exceed their memory and cannot be written.
    func collect(_ match: Match) throws {
        try buffer.withBytes { try rows?.insert(match, key: UnsafeRawBufferPointer(rebasing: $0[match.key])) }
    }

    /// Takes a match in that has these values for the keys of the order.
    func collect(_ match: Match, values: some Sequence<Value>) throws {
        clear()
        try keys.append(values, to: &buffer)
        try buffer.withBytes { try rows?.insert(match, key: $0) }
    }

    /// Sorts the rows that were collected. O(n log n).
    ///
    /// - Parameter keepsKeys: whether ``withKey(of:_:)`` is going to be asked for their keys.
    /// - Returns: how many rows there are.
    /// - Throws: `temporaryFile`.
    func sort(keepsKeys: Bool) throws -> Int {
        (self.keepsKeys, isCollecting, isLimited) = (keepsKeys, false, false)
        guard let collected = rows.take() else { return 0 }
        let sorted = try collected.sorted()
        self.sorted = sorted
        return sorted.count
    }

    /// Passes over so many of the sorted rows.
    ///
    /// - Throws: `temporaryFile`.
    func skip(_ count: Int) throws { try sorted?.skip(count) }

    /// The ids of the next sorted rows, at most so many: they are given out with that.
    ///
    /// - Throws: `temporaryFile`.
    func takeSortedRowIDs(atMost count: Int = .max) throws -> [RowID] {
        try sorted?.takeRowIDs(atMost: count) ?? []
    }

    /// The next sorted rows, at most so many; none behind the last one. Their keys are good until more are asked for.
    ///
    /// - Throws: `temporaryFile`.
    func nextSorted(atMost count: Int) throws -> [Match] {
        let matches = try sorted?.next(atMost: count, keepsKeys: keepsKeys) ?? []
        sortedKeys = sorted?.keys
        return matches
    }

    /// Adds what the sort wrote, read and held, and was not added yet.
    func note(in work: inout Work) {
        if let part = sorted?.takeWork() { work.add(part) }
    }
}
