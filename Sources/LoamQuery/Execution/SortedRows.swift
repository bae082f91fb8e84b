import Foundation
import LoamStorage

/// Collects rows and gives them back in order: all of them, or under a limit the first so many, of which a heap is
/// kept while rows come in.
///
/// Keys lie one behind another in one buffer, and what is moved about holds no reference. A row that comes behind all
/// that are wanted costs a comparison, for which the first bytes of its key mostly are enough.
struct SortedRows {
    private struct Item {
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
    private struct Kept {
        var values: [Value]
        var record: UnsafeRawBufferPointer?
        var isPending: Bool
        var isComplete: Bool

        init(_ match: Match) {
            (values, record) = (match.values, match.record)
            (isPending, isComplete) = (match.isPending, match.isComplete)
        }
    }

    /// The rows; under a limit a heap with the last row of the order on top.
    private var items: [Item] = []
    private var keys: [UInt8] = []
    /// Bytes of ``keys`` that belong to an item.
    private var usedBytes = 0
    private var kept: [Kept] = []
    private let limit: Int?
    private let rowIDDirection: SortDirection

    init(limit: Int?, rowIDDirection: SortDirection) {
        self.limit = limit
        self.rowIDDirection = rowIDDirection
    }

    var count: Int { items.count }

    /// Whether a row whose key begins so comes behind all that are wanted. False where more bytes decide. O(1).
    func isUnwanted(_ prefix: KeyPrefix) -> Bool {
        guard let limit, items.count >= limit else { return false }
        return limit == 0 || prefix.isBehind(items[0].prefix)
    }

    /// Whether a row with this key comes before the last one that is kept, or there is room for more. O(1).
    func isWanted(_ rowID: RowID, key: UnsafeRawBufferPointer) -> Bool {
        guard let limit, items.count >= limit else { return true }
        guard limit > 0 else { return false }
        let last = items[0]
        let prefix = Self.prefix(of: key)
        if prefix != last.prefix { return prefix < last.prefix }
        let order = keys.withUnsafeBytes { keys in
            Self.compareRest(key, last.key(in: keys))
        }
        return order != 0 ? order < 0 : precedes(rowID, last.rowID)
    }

    /// Takes a row in, unless it comes behind all that are wanted. O(log limit), or O(1) without one.
    ///
    /// - Parameter key: the row's sort key, which is copied.
    mutating func insert(_ match: Match, key: UnsafeRawBufferPointer) {
        guard isWanted(match.rowID, key: key) else { return }
        var item = Item(
            prefix: Self.prefix(of: key), start: keys.count, count: key.count, rowID: match.rowID, index: items.count)
        keys.append(contentsOf: key)
        usedBytes += item.count
        guard let limit, items.count >= limit else {
            items.append(item)
            kept.append(Kept(match))
            if limit != nil { siftUp(items.count - 1) }
            return
        }
        let last = items[0]
        item.index = last.index
        kept[item.index] = Kept(match)
        usedBytes -= last.count
        items[0] = item
        siftDown()
        if keys.count > 4 * usedBytes + 65_536 { dropUnusedKeys() }
    }

    /// All rows in order, and the bytes in which their keys lie. O(n log n).
    consuming func sorted() -> (matches: [Match], keys: [UInt8]) {
        let direction = rowIDDirection
        let order = keys.withUnsafeBytes { keys in
            items.sorted { Self.precedes($0, right: $1, keys: keys, rowIDDirection: direction) }
        }
        let matches = order.map { item in
            let kept = kept[item.index]
            return Match(
                rowID: item.rowID, values: kept.values, record: kept.record, isPending: kept.isPending,
                isComplete: kept.isComplete, key: item.start..<item.start + item.count)
        }
        return (matches, keys)
    }

    /// The first eight bytes of a key, zeros behind its end.
    @inline(__always)
    private static func prefix(of key: UnsafeRawBufferPointer) -> UInt64 {
        if key.count >= 8 { return UInt64(bigEndian: key.loadUnaligned(as: UInt64.self)) }
        var prefix: UInt64 = 0
        for offset in 0..<8 { prefix = prefix << 8 | UInt64(offset < key.count ? key[offset] : 0) }
        return prefix
    }

    private mutating func dropUnusedKeys() {
        var kept: [UInt8] = []
        kept.reserveCapacity(usedBytes)
        for index in items.indices {
            let start = kept.count
            kept += keys[items[index].start..<items[index].start + items[index].count]
            items[index].start = start
        }
        keys = kept
    }

    private func precedes(_ left: Item, _ right: Item) -> Bool {
        keys.withUnsafeBytes { Self.precedes(left, right: right, keys: $0, rowIDDirection: rowIDDirection) }
    }

    @inline(__always)
    private static func precedes(
        _ left: Item, right: Item, keys: UnsafeRawBufferPointer, rowIDDirection: SortDirection
    ) -> Bool {
        if left.prefix != right.prefix { return left.prefix < right.prefix }
        let order = compareRest(left.key(in: keys), right.key(in: keys))
        if order != 0 { return order < 0 }
        return rowIDDirection == .ascending ? left.rowID < right.rowID : left.rowID > right.rowID
    }

    private func precedes(_ left: RowID, _ right: RowID) -> Bool {
        rowIDDirection == .ascending ? left < right : left > right
    }

    /// The order of two keys whose prefixes are equal.
    @inline(__always)
    private static func compareRest(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        let common = min(left.count, right.count)
        if common > 8, let leftBase = left.baseAddress, let rightBase = right.baseAddress {
            let order = memcmp(leftBase + 8, rightBase + 8, common - 8)
            if order != 0 { return Int(order) }
        }
        return left.count - right.count
    }

    private mutating func siftUp(_ start: Int) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard precedes(items[parent], items[index]) else { return }
            items.swapAt(parent, index)
            index = parent
        }
    }

    private mutating func siftDown() {
        var index = 0
        while true {
            let (left, right) = (2 * index + 1, 2 * index + 2)
            var last = index
            if left < items.count, precedes(items[last], items[left]) { last = left }
            if right < items.count, precedes(items[last], items[right]) { last = right }
            guard last != index else { return }
            items.swapAt(index, last)
            index = last
        }
    }
}
