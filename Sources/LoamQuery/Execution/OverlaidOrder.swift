import Foundation
import LoamStorage

/// The pending rows of an entity in an order and then by id, kept as they come and go.
///
/// Until somebody asks, it is only noted which rows have changed. Then these become a sorted run of their own, and runs
/// are merged so that each is some times as long as the next: a change costs O(log rows) moves of an entry, taken over
/// many changes. The entry of a row that has changed since stays until its run is merged; who comes past a stretch of
/// such entries notes how far it goes, so that the next one need not.
final class OverlaidOrder {
    /// Keys that are values of the row itself.
    let order: [ResolvedSortKey]
    let rowIDDirection: SortDirection
    /// Steps that were taken past entries that count no more, for whoever counts work.
    private(set) var passed = 0
    private let placer: RowPlacer
    private let leading: ComponentConditions?
    private var runs: [[Entry]] = []
    /// The serial number of the entry that counts, of each row.
    private var current: [RowID: Int] = [:]
    private var lastSerial = 0
    private var changed: Set<RowID>

    /// How many times as long as the next one a run is at least.
    private static let growth = 4
    /// So many entries that count no more are no reason to look through all.
    private static let fewEntries = 64

    private struct Entry {
        /// The sort key and then the row id, as bytes that compare as the order does.
        let key: [UInt8]
        let rowID: RowID
        let serial: Int
        /// The distance to the next entry that may count, where this one counts no more.
        var stride = 1
    }

    private struct Head {
        let run: Int
        var index: Int
        let end: Int
    }

    /// - Parameter rows: those that there are already.
    init(_ order: [ResolvedSortKey], rowIDDirection: SortDirection, rows: some Sequence<RowID>) throws {
        self.order = order
        self.rowIDDirection = rowIDDirection
        let keys = try SortKeys(order)
        placer = RowPlacer(keys)
        leading = zip(keys.program.components, order).map { ComponentConditions($0, of: $1.path) }.first
        changed = Set(rows)
    }

    /// A row has come, has changed or has gone. O(1).
    func noteChange(of row: RowID) { changed.insert(row) }

    /// Takes in what was noted.
    ///
    /// - Parameter rows: all that are pending now.
    func update(from rows: [RowID: PlainRow]) throws {
        guard !changed.isEmpty else { return }
        var run: [Entry] = []
        for rowID in changed {
            current[rowID] = nil
            guard let row = rows[rowID] else { continue }
            run.append(Entry(key: try key(of: row), rowID: rowID, serial: lastSerial + 1))
            lastSerial += 1
        }
        for entry in run { current[entry.rowID] = entry.serial }
        changed = []
        if !run.isEmpty { runs.append(run.sorted { Self.precedes($0.key, $1.key) }) }
        while runs.count > 1, runs[runs.count - 2].count <= Self.growth * runs[runs.count - 1].count { mergeLast() }
        let entryCount = runs.reduce(0) { $0 + $1.count }
        if entryCount > 2 * current.count + Self.fewEntries { dropOldEntries() }
    }

    /// The ranges of keys that hold at least the rows for which all of some predicates hold; all where none tells.
    func ranges(of conjuncts: [TypedPredicate]) throws -> [KeyRange] {
        guard let leading else { return [.all] }
        var known: RangeSet?
        for conjunct in conjuncts {
            // Every element of a list is a range to look up, every row only a test.
            if case .isIn(_, let elements, _) = conjunct, elements.count > current.count { continue }
            let paths = conjunct.paths
            guard paths.count == 1, paths.allSatisfy({ $0.related == nil && leading.concerns($0) }),
                !conjunct.readsIdentifier, let ranges = try leading.ranges(of: conjunct, after: [])
            else { continue }
            known = known?.intersection(ranges) ?? ranges
        }
        return known?.elements ?? [.all]
    }

    /// The number of rows in some ranges, or more. O(log² rows) for each range.
    func count(in ranges: [KeyRange]) -> Int {
        var count = 0
        for range in ranges {
            for run in runs.indices {
                let head = head(of: run, range)
                count += max(0, head.end - head.index)
            }
        }
        return count
    }

    /// Calls `body` with each row in some ranges until it returns false. O(log² rows) for each range, O(log rows) for
    /// each row.
    ///
    /// - Parameter ranges: in the order of keys, none of which is in two.
    func forEachRow(in ranges: [KeyRange], _ body: (RowID) throws -> Bool) rethrows {
        for range in ranges {
            var heads: [Head] = []
            for run in runs.indices {
                var head = head(of: run, range)
                if findCurrent(&head) { heads.append(head) }
            }
            while let first = heads.indices.min(by: { Self.precedes(entry(heads[$0]).key, entry(heads[$1]).key) }) {
                guard try body(entry(heads[first]).rowID) else { return }
                heads[first].index += 1
                if !findCurrent(&heads[first]) { heads.remove(at: first) }
            }
        }
    }

    private func key(of row: PlainRow) throws -> [UInt8] {
        var key = try placer.key(of: row)
        let rowID = rowIDDirection == .ascending ? row.rowID : ~row.rowID
        key.append(bigEndian: rowID)
        return key
    }

    private func counts(_ entry: Entry) -> Bool { current[entry.rowID] == entry.serial }

    private func entry(_ head: Head) -> Entry { runs[head.run][head.index] }

    /// Moves on to the next entry that counts, unless it is at one; false where there is none.
    private func findCurrent(_ head: inout Head) -> Bool {
        let start = head.index
        while head.index < head.end, !counts(entry(head)) {
            head.index += entry(head).stride
            passed += 1
        }
        var index = start
        while index < head.index {
            let stride = runs[head.run][index].stride
            runs[head.run][index].stride = head.index - index
            index += stride
        }
        return head.index < head.end
    }

    private func head(of run: Int, _ range: KeyRange) -> Head {
        let end = range.upper.map { firstIndex(in: run, notBefore: $0) } ?? runs[run].count
        return Head(run: run, index: firstIndex(in: run, notBefore: range.lower), end: end)
    }

    private func firstIndex(in run: Int, notBefore bound: [UInt8]) -> Int {
        guard !bound.isEmpty else { return 0 }
        return runs[run].indices.partitionPoint { Self.precedes(runs[run][$0].key, bound) }
    }

    private func mergeLast() {
        guard let right = runs.popLast(), let left = runs.popLast() else { return }
        var merged: [Entry] = []
        merged.reserveCapacity(left.count + right.count)
        var next = 0
        for entry in left where counts(entry) {
            while next < right.count, Self.precedes(right[next].key, entry.key) {
                if counts(right[next]) { merged.append(right[next]) }
                next += 1
            }
            merged.append(entry)
        }
        merged += right[next...].filter(counts)
        runs.append(merged)
    }

    private func dropOldEntries() {
        while runs.count > 1 { mergeLast() }
        runs = runs.map { $0.filter(counts) }
    }

    private static func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        let order = left.withUnsafeBytes { left in
            right.withUnsafeBytes { right -> Int32 in
                guard let leftBytes = left.baseAddress, let rightBytes = right.baseAddress else { return 0 }
                return memcmp(leftBytes, rightBytes, min(left.count, right.count))
            }
        }
        return order == 0 ? left.count < right.count : order < 0
    }
}
