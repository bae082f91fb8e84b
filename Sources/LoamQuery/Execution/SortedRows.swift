import LoamStorage

/// Collects rows and gives them back in order: all of them, or under a limit the first so many, of which a heap is
/// kept while rows come in.
///
/// Keys lie one behind another in one buffer, and what is moved about holds no reference. A row that comes behind all
/// that are wanted costs a comparison, for which the first bytes of its key mostly are enough. Rows that exceed the
/// memory that there is are written to a temporary file as a sorted run (``SortRunFile``), and runs are merged when rows
/// are handed out. Under a limit the runs tell which rows come behind all that are wanted (``SortBound``): those are
/// neither taken in nor written. It is not copied: whoever asks it for each row shares it in place.
struct SortedRows: ~Copyable {
    struct Item {
        /// The first eight bytes of the key, which decide most comparisons.
        var prefix: UInt64
        var start: Int
        var count: Int
        var rowID: RowID
        /// Where in ``kept`` the row is.
        var index: Int

        @inline(__always)
        func key(in keys: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
            UnsafeRawBufferPointer(rebasing: keys[start..<start + count])
        }
    }

    /// A match without what its item has.
    struct Kept {
        var values: [Value]
        var record: UnsafeRawBufferPointer?
        var isPending: Bool
        var isComplete: Bool

        init(_ match: Match) {
            (values, record) = (match.values, match.record)
            (isPending, isComplete) = (match.isPending, match.isComplete)
        }
    }

    /// The rows in memory; under a limit a heap with the last row of the order on top.
    var items: [Item] = []
    var keys: [UInt8] = []
    /// Bytes of ``keys`` that belong to an item.
    var usedBytes = 0
    var kept: [Kept] = []
    /// Bytes that the values of rows in memory take, but for those of the overlay.
    var valueBytes = 0
    /// Rows, bytes of keys and bytes of values up to which nobody has to look whether there is memory.
    var rowRoom = 0
    var keyRoom = 0
    var valueRoom = 0
    /// The runs that were written; nil where all rows are in memory.
    var runs: SortRunFile?
    /// What the runs tell of the rows that are wanted; nil without a limit, and before the first run.
    var bound: SortBound?
    /// The most bytes that were held at a time.
    var mostBytes = 0
    let limit: Int?
    let rowIDDirection: SortDirection
    /// Nil where rows stay in memory, however many they are.
    let space: SortSpace?

    init(limit: Int?, rowIDDirection: SortDirection, space: SortSpace?) {
        (self.limit, self.rowIDDirection, self.space) = (limit, rowIDDirection, space)
    }

    /// The rows of a query.
    init(_ query: ResolvedQuery, limit: Int?) {
        self.init(limit: limit, rowIDDirection: query.rowIDDirection, space: query.sortSpace)
    }

    /// Those that were written, too.
    var count: Int { items.count + (runs?.rowCount ?? 0) }

    /// Whether a row whose key begins so comes behind all that are wanted. False where more bytes decide. O(1).
    func isUnwanted(_ prefix: KeyPrefix) -> Bool {
        guard let limit else { return false }
        guard items.count >= limit else { return bound?.isBefore(prefix) ?? false }
        return limit == 0 || prefix.isBehind(items[0].prefix)
    }

    /// Whether a row with this key comes before the last one that is kept, or there is room for more and the runs have not
    /// as many rows before it as are wanted. O(1).
    func isWanted(_ rowID: RowID, key: UnsafeRawBufferPointer) -> Bool {
        guard let limit else { return true }
        let prefix = SortedKey.prefix(of: key)
        guard bound?.isBefore(rowID, prefix: prefix, key: key) != true else { return false }
        guard items.count >= limit else { return true }
        guard limit > 0 else { return false }
        let last = items[0]
        if prefix != last.prefix { return prefix < last.prefix }
        let order = keys.withUnsafeBytes { keys in
            SortedKey.compareRest(key, last.key(in: keys))
        }
        return order != 0 ? order < 0 : rowIDDirection.precedes(rowID, last.rowID)
    }

    /// Takes a row in, unless it comes behind all that are wanted. O(log limit), or O(1) without one; where rows have to
    /// be written besides, O(log rows) taken over all.
    ///
    /// - Parameter key: the row's sort key, which is copied.
    /// - Throws: `temporaryFile` where rows cannot be written.
    mutating func insert(_ match: Match, key: UnsafeRawBufferPointer) throws {
        if limit != nil, !isWanted(match.rowID, key: key) { return }
        if !match.values.isEmpty, !match.isComplete { valueBytes += match.values.sortedByteCount }
        if items.count == rowRoom && rowRoom != limit || keys.count + key.count > keyRoom || valueBytes > valueRoom {
            try makeRoom(for: match, key: key)
        }
        var item = Item(
            prefix: SortedKey.prefix(of: key), start: keys.count, count: key.count, rowID: match.rowID,
            index: items.count)
        keys.append(contentsOf: key)
        usedBytes += item.count
        guard let limit, items.count >= limit else {
            items.append(item)
            kept.append(Kept(match))
            if limit != nil { withHeap { $0.siftUp($0.count - 1, by: $1) } }
            return
        }
        let last = items[0]
        item.index = last.index
        if !kept[item.index].values.isEmpty, !kept[item.index].isComplete {
            valueBytes -= kept[item.index].values.sortedByteCount
        }
        kept[item.index] = Kept(match)
        usedBytes -= last.count
        items[0] = item
        withHeap { $0.siftDown(0, by: $1) }
        if keys.count > 4 * usedBytes + 65_536 { dropUnusedKeys() }
    }

    mutating func dropUnusedKeys() {
        var kept: [UInt8] = []
        kept.reserveCapacity(usedBytes)
        for index in items.indices {
            let start = kept.count
            kept += keys[items[index].start..<items[index].start + items[index].count]
            items[index].start = start
        }
        keys = kept
        keyRoom = usedBytes
    }

    @inline(__always)
    static func precedes(
        _ left: Item, right: Item, keys: UnsafeRawBufferPointer, rowIDDirection: SortDirection
    ) -> Bool {
        if left.prefix != right.prefix { return left.prefix < right.prefix }
        let order = SortedKey.compareRest(left.key(in: keys), right.key(in: keys))
        return order != 0 ? order < 0 : rowIDDirection.precedes(left.rowID, right.rowID)
    }

    /// Calls a closure with the heap and its order, in which the last row is on top.
    private mutating func withHeap(_ body: (inout [Item], (Item, Item) -> Bool) -> Void) {
        let (direction, keys) = (rowIDDirection, keys)
        keys.withUnsafeBytes { keys in
            body(&items) { Self.precedes($1, right: $0, keys: keys, rowIDDirection: direction) }
        }
    }
}
