import Foundation
import LoamStorage

/// Collects rows and gives them back in order: all of them, or under a limit the first so many, of which a heap is
/// kept while rows come in.
///
/// Keys lie one behind another in one buffer, and what is moved about holds no reference.
struct SortedRows {
    private struct Item {
        /// The first eight bytes of the key, which decide most comparisons.
        var prefix: UInt64
        var start: Int
        var count: Int
        var rowID: RowID
        /// Where in ``matches`` the row is.
        var place: Int
    }

    /// Under a limit a heap with the last row of the order on top.
    private var items: [Item] = []
    private var keys: [UInt8] = []
    /// Bytes of ``keys`` that belong to an item.
    private var usedBytes = 0
    private var matches: [Match] = []
    private let limit: Int?
    private let rowIDDirection: SortDirection

    init(limit: Int?, rowIDDirection: SortDirection) {
        self.limit = limit
        self.rowIDDirection = rowIDDirection
    }

    var count: Int { items.count }

    /// Takes a row in. O(log limit), or O(1) without one.
    ///
    /// - Parameter appendKey: appends the row's sort key to the buffer that it gets.
    mutating func insert(_ match: Match, appendKey: (inout [UInt8]) throws -> Void) rethrows {
        let start = keys.count
        try appendKey(&keys)
        var item = Item(
            prefix: prefix(from: start), start: start, count: keys.count - start, rowID: match.rowID,
            place: items.count)
        guard let limit, items.count >= limit else {
            usedBytes += item.count
            items.append(item)
            matches.append(match)
            if limit != nil { siftUp(items.count - 1) }
            return
        }
        guard let last = items.first, precedes(item, last) else {
            keys.removeSubrange(start...)
            return
        }
        item.place = last.place
        matches[item.place] = match
        usedBytes += item.count - last.count
        items[0] = item
        siftDown()
        if keys.count > 4 * usedBytes + 65_536 { dropUnusedKeys() }
    }

    /// All rows in order. O(n log n).
    consuming func sorted() -> [Match] {
        let direction = rowIDDirection
        let order = keys.withUnsafeBytes { keys in
            items.sorted { Self.precedes($0, $1, keys, direction) }
        }
        return order.map { matches[$0.place] }
    }

    private func prefix(from start: Int) -> UInt64 {
        var prefix: UInt64 = 0
        for offset in start..<start + 8 { prefix = prefix << 8 | UInt64(offset < keys.count ? keys[offset] : 0) }
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
        keys.withUnsafeBytes { Self.precedes(left, right, $0, rowIDDirection) }
    }

    @inline(__always)
    private static func precedes(
        _ left: Item, _ right: Item, _ keys: UnsafeRawBufferPointer, _ rowIDDirection: SortDirection
    ) -> Bool {
        if left.prefix != right.prefix { return left.prefix < right.prefix }
        let order = compareRest(left, right, keys)
        if order != 0 { return order < 0 }
        return rowIDDirection == .ascending ? left.rowID < right.rowID : left.rowID > right.rowID
    }

    /// The order of two keys whose prefixes are equal.
    @inline(__always)
    private static func compareRest(_ left: Item, _ right: Item, _ keys: UnsafeRawBufferPointer) -> Int {
        let common = min(left.count, right.count)
        if common > 8, let base = keys.baseAddress {
            let order = memcmp(base + left.start + 8, base + right.start + 8, common - 8)
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
