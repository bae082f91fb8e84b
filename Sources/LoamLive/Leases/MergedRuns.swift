import LoamQuery
import LoamStorage

/// How an index keeps the rows of a section that takes in rows without a value: those without one, and beside them those
/// whose value is empty.
struct NilSection: Hashable, Sendable {
    /// What the keys of the ones begin with, and those of the others.
    let nilHead: [UInt8]
    let emptyHead: [UInt8]
    let rowIDDirection: SortDirection

    /// Nil where no section takes in rows without a value, or where others lie between them.
    init?(_ query: ResolvedQuery, in index: Index) {
        guard query.sectionOfNil == .string(""), let leading = index.components.first, leading.form == .exact,
            query.section?.type == .string,
            let component = try? KeyComponent(.string, isOptional: true, direction: leading.direction, share: 16),
            let nils = try? component.range(after: [], .isNull),
            let empty = try? component.range(after: [], .equal(.string("")))
        else { return nil }
        (nilHead, emptyHead) = (nils.range.lower, empty.range.lower)
        rowIDDirection = query.rowIDDirection
    }
}

/// Two runs of entries that lie side by side and make one section, in which rows stand by what their keys have behind
/// that.
struct MergedRuns {
    typealias Reader = (_ entry: Int) throws -> IndexEntry

    /// The entries of the runs, the second of which begins where the first ends.
    private let first: Range<Int>
    private let second: Range<Int>
    private let heads: (first: Int, second: Int)
    private let isReversed: Bool
    private let rowIDDirection: SortDirection

    /// Nil where one of the runs is empty, so that nothing is to be merged. O(log n).
    init?(_ section: NilSection, in span: IndexSpan, start: Int, count: Int, snapshot: Snapshot) throws {
        func entries(_ head: [UInt8]) throws -> Range<Int> {
            let range = KeyRange.prefix(head)
            let lower = try snapshot.position(in: span.index, fullKey: range.lower) - start
            let upper = try range.upper.map { try snapshot.position(in: span.index, fullKey: $0) - start } ?? count
            let found = (lower..<max(lower, upper)).clamped(to: 0..<count)
            return span.isReversed ? count - found.upperBound..<count - found.lowerBound : found
        }
        let (nils, empty) = (try entries(section.nilHead), try entries(section.emptyHead))
        guard !nils.isEmpty, !empty.isEmpty else { return nil }
        let nilsLead = nils.lowerBound < empty.lowerBound
        (first, second) = nilsLead ? (nils, empty) : (empty, nils)
        let counts = (section.nilHead.count, section.emptyHead.count)
        heads = nilsLead ? counts : (counts.1, counts.0)
        (isReversed, rowIDDirection) = (span.isReversed, section.rowIDDirection)
    }

    /// The places of the section, which are those of both runs.
    var places: Range<Int> { first.lowerBound..<second.upperBound }

    /// The entry of a place. O(log n) looks at entries.
    func entry(at place: Int, _ read: Reader) throws -> Int {
        guard places.contains(place) else { return place }
        let (left, right) = try split(before: place, read)
        return try takesFirst(left, right, read) ? left : right
    }

    /// The place of an entry. O(log n) looks at entries.
    func place(ofEntry entry: Int, _ read: Reader) throws -> Int {
        guard places.contains(entry) else { return entry }
        let key = try read(entry)
        if first.contains(entry) {
            let passed = try partition(second) { try precedes(try read($0), heads.second, key, heads.first) }
            return entry + passed - second.lowerBound
        }
        let passed = try partition(first) { try precedes(try read($0), heads.first, key, heads.second) }
        return passed + entry - second.lowerBound
    }

    /// Calls the closure with the entries at some places of the section, in order.
    func forEachEntry(at range: Range<Int>, _ read: Reader, _ body: (IndexEntry) -> Void) throws {
        guard !range.isEmpty else { return }
        var (left, right) = try split(before: range.lowerBound, read)
        var (one, other): (IndexEntry?, IndexEntry?)
        for _ in range {
            if one == nil, left < first.upperBound { one = try read(left) }
            if other == nil, right < second.upperBound { other = try read(right) }
            guard let key = one, try other.map({ try precedes(key, heads.first, $0, heads.second) }) ?? true else {
                if let key = other { body(key) }
                (other, right) = (nil, right + 1)
                continue
            }
            body(key)
            (one, left) = (nil, left + 1)
        }
    }

    /// The entries of both runs that come first behind those that stand before a place of the section.
    private func split(before place: Int, _ read: Reader) throws -> (left: Int, right: Int) {
        let rank = place - first.lowerBound
        let range = max(0, rank - second.count)..<min(rank, first.count)
        // Of so many in the first run all stand before the place, as long as the next one comes before the last of the
        // other run that would.
        let taken = try partition(range) { number in
            let key = try read(first.lowerBound + number)
            return try precedes(key, heads.first, try read(second.lowerBound + rank - 1 - number), heads.second)
        }
        return (first.lowerBound + taken, second.lowerBound + rank - taken)
    }

    private func takesFirst(_ left: Int, _ right: Int, _ read: Reader) throws -> Bool {
        guard left < first.upperBound else { return false }
        guard right < second.upperBound else { return true }
        return try precedes(try read(left), heads.first, try read(right), heads.second)
    }

    private func precedes(_ left: IndexEntry, _ leftHead: Int, _ right: IndexEntry, _ rightHead: Int) throws -> Bool {
        let side = Array(left.key.dropFirst(leftHead)).order(against: Array(right.key.dropFirst(rightHead)))
        if side == 0 { return ResultOrder(rowIDDirection: rowIDDirection).precedes(left.rowID, right.rowID) }
        return isReversed ? side > 0 : side < 0
    }

    /// The first number for which a condition does not hold that holds for a beginning of the range.
    private func partition(_ range: Range<Int>, _ holds: (Int) throws -> Bool) rethrows -> Int {
        var (lower, upper) = (range.lowerBound, range.upperBound)
        while lower < upper {
            let middle = lower + (upper - lower) / 2
            if try holds(middle) { lower = middle + 1 } else { upper = middle }
        }
        return lower
    }
}
