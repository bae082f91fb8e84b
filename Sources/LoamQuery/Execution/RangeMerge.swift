import Foundation
import LoamStorage

/// Ranges of one index, read side by side and merged into the order of what follows the components that are points in
/// every one of them.
///
/// The ranges are read in portions, the first of which is short: a limit that ends the merge early reads few entries
/// of each range. A merge of n entries from r ranges costs O(n log r) comparisons and O(r) look-ups, and a look-up more
/// for each portion; portions double, so that there are O(log n) of them for a range.
struct RangeMerge {
    private let index: Index
    private let isReversed: Bool
    private var heads: [Head] = []
    /// The positions of heads that have an entry, as a heap: none comes before its parent.
    private var heap: [Int] = []
    private var hasBegun = false

    private static let longestPortion = 4_096

    /// What is known of one range.
    private struct Head {
        /// What is not read yet; empty where all is.
        var rest: KeyRange
        /// The bytes of a key that are left out of the order.
        let prefixLength: Int
        var portion: Int
        /// The keys of the portion that was read last, behind the prefix, one after another.
        var keys: [UInt8] = []
        var ends: [Int] = []
        var rowIDs: [RowID] = []
        var next = 0

        var key: Range<Int> { (next == 0 ? 0 : ends[next - 1])..<ends[next] }
    }

    /// - Parameter wanted: how many entries are taken to be asked for; nil for all.
    /// - Throws: `StorageError` for bounds that are no keys of the index.
    init(_ scan: IndexScan, wanted: Int?) throws {
        index = scan.index
        isReversed = scan.isReversed
        let components = try index.components.prefix(scan.pointCount).map { try KeyComponent($0) }
        let share = wanted.map { $0 / max(1, scan.ranges.count) + 2 } ?? Self.longestPortion
        heads.reserveCapacity(scan.ranges.count)
        for range in scan.ranges {
            let prefixLength = try components.reduce(0) { try $1.skip(range.lower.span.bytes, from: $0) }
            heads.append(Head(rest: range, prefixLength: prefixLength, portion: min(share, Self.longestPortion)))
        }
    }

    /// The row of the next entry; nil behind the last one.
    ///
    /// - Parameter snapshot: the same each time.
    /// - Throws: `StorageError` for damage.
    mutating func next(in snapshot: Snapshot, work: inout Work) throws -> RowID? {
        if !hasBegun {
            hasBegun = true
            work.ranges += heads.count
            for position in heads.indices where try read(position, in: snapshot, work: &work) { heap.append(position) }
            withHeap { $0.makeHeap(by: $1) }
        } else if let first = heap.first {
            heads[first].next += 1
            if heads[first].next == heads[first].ends.count, try !read(first, in: snapshot, work: &work) {
                heap[0] = heap[heap.count - 1]
                heap.removeLast()
            }
            withHeap { $0.siftDown(0, by: $1) }
        }
        return heap.first.map { heads[$0].rowIDs[heads[$0].next] }
    }

    /// Reads the next portion of a range; false where nothing is left of it.
    private mutating func read(_ position: Int, in snapshot: Snapshot, work: inout Work) throws -> Bool {
        var head = heads[position]
        // The array holds no second reference to the buffers while they are filled.
        heads[position] = Head(rest: .none, prefixLength: 0, portion: 0)
        defer { heads[position] = head }
        head.keys.removeAll(keepingCapacity: true)
        head.ends.removeAll(keepingCapacity: true)
        head.rowIDs.removeAll(keepingCapacity: true)
        head.next = 0
        guard !head.rest.isEmpty else { return false }
        var last: [UInt8] = []
        var isCut = false
        try snapshot.scanIndex(index, range: head.rest, reversed: isReversed) { batch in
            work.blocks += 1
            let count = min(batch.count, head.portion - head.rowIDs.count)
            for entry in 0..<count {
                try batch.appendFullKey(at: entry, behind: head.prefixLength, to: &head.keys)
                head.ends.append(head.keys.count)
                head.rowIDs.append(batch.rowID(at: entry))
            }
            isCut = head.rowIDs.count == head.portion
            if isCut { last = try batch.fullKey(at: count - 1) }
            return !isCut
        }
        work.entries += head.rowIDs.count
        if !isCut {
            head.rest = .none
        } else if isReversed {
            head.rest.upper = last
        } else {
            head.rest = KeyRange(lower: last + [0], upper: head.rest.upper)
        }
        head.portion = min(2 * head.portion, Self.longestPortion)
        return !head.rowIDs.isEmpty
    }

    /// Calls a closure with the heap and its order.
    private mutating func withHeap(_ body: (inout [Int], (Int, Int) -> Bool) -> Void) {
        let (heads, isReversed) = (heads, isReversed)
        body(&heap) { Self.precedes($0, right: $1, of: heads, isReversed: isReversed) }
    }

    private static func precedes(_ left: Int, right: Int, of heads: [Head], isReversed: Bool) -> Bool {
        let (leftKey, rightKey) = (heads[left].key, heads[right].key)
        let order = heads[left].keys.withUnsafeBytes { leftBytes in
            heads[right].keys.withUnsafeBytes { rightBytes -> Int in
                guard let leftStart = leftBytes.baseAddress, let rightStart = rightBytes.baseAddress else { return 0 }
                let order = memcmp(
                    leftStart + leftKey.lowerBound, rightStart + rightKey.lowerBound,
                    min(leftKey.count, rightKey.count))
                return order == 0 ? leftKey.count - rightKey.count : Int(order)
            }
        }
        return isReversed ? order > 0 : order < 0
    }
}
