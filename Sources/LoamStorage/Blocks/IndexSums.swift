package import LMDB
import Synchronization

/// The sums of an index in one state of the store: how many entries lie before each run of blocks.
///
/// Some 90 bytes for every 64 to 256 blocks: 75 KB for ten million entries. Runs that are often asked for keep an
/// outline besides (``RunOutline``), runs that were walked through for their sections keep these (``RunSections``). An
/// object, so that passing it on counts one reference and copies nothing.
package final class IndexSums: Sendable {
    /// All runs together.
    package let total: RunSums
    /// The runs' lower bounds, one after another, and where each ends.
    private let separators: [UInt8]
    private let ends: [Int]
    private let runs: [RunSums]
    /// Entries before each run, and at last all.
    private let entriesBefore: [Int]
    /// What is kept of each run's blocks: an object for as long as nobody changes the run.
    private let outlines: [KeptOutline]
    private let keptSample = AtomicLazyReference<IndexSample>()
    private let keptGroup = Mutex<GroupPlace?>(nil)
    let alikeEntries = KeptAlikeEntries()

    private init(_ draft: consuming Draft) {
        total = draft.total
        (separators, ends, runs) = (draft.separators, draft.ends, draft.runs)
        (entriesBefore, outlines) = (draft.entriesBefore, draft.outlines)
    }

    /// Reads the sums of an index. O(runs).
    ///
    /// - Throws: `inconsistent` when they cannot be right.
    package static func read(
        _ index: IndexID, in transaction: borrowing some Transaction & ~Copyable, databases: IndexDatabases
    ) throws -> IndexSums {
        var sums = Draft()
        var cursor = IndexCursor(overRuns: try transaction.cursor(in: databases.counters), of: index)
        var isAtRun = try cursor.moveToFirst()
        while isAtRun {
            try sums.append(try cursor.sums, separator: cursor.separator)
            isAtRun = try cursor.next()
        }
        return IndexSums(sums)
    }

    /// These sums with the runs of some separators as a transaction has them. A run that is not among them must be
    /// there as it is here; one that is may have come, changed or gone. O(changed x log n) in the file, O(runs) in
    /// memory.
    ///
    /// - Throws: `inconsistent` when they cannot be right.
    func reading(
        _ changed: Set<[UInt8]>, of index: IndexID, in transaction: borrowing some Transaction & ~Copyable,
        databases: IndexDatabases
    ) throws -> IndexSums {
        let changed = changed.sorted { $0.isBelow($1) }
        var found: [RunSums?] = []
        var cursor = IndexCursor(overRuns: try transaction.cursor(in: databases.counters), of: index)
        for separator in changed {
            let isThere = try separator.withUnsafeBytes { try cursor.seek(to: $0) }
            found.append(isThere ? try cursor.sums : nil)
        }
        return try replacing(changed, by: found)
    }

    /// - Parameter changed: separators in order; runs that are nil are gone.
    private func replacing(_ changed: [[UInt8]], by found: [RunSums?]) throws -> IndexSums {
        var sums = Draft()
        var next = 0
        func takeNext() throws {
            if let run = found[next] { try changed[next].withUnsafeBytes { try sums.append(run, separator: $0) } }
            next += 1
        }
        for run in runs.indices {
            try withSeparator(run) { separator in
                while next < changed.count, changed[next].withUnsafeBytes({ $0.isBelow(separator) }) { try takeNext() }
                if next < changed.count, changed[next].elementsEqual(separator) {
                    try takeNext()
                } else {
                    try sums.append(runs[run], separator: separator, outline: outlines[run])
                }
            }
        }
        while next < changed.count { try takeNext() }
        return IndexSums(sums)
    }

    /// Sums to which runs are appended, in order.
    private struct Draft {
        var total = RunSums()
        var separators: [UInt8] = []
        var ends: [Int] = []
        var runs: [RunSums] = []
        var entriesBefore = [0]
        var outlines: [KeptOutline] = []

        mutating func append(
            _ run: RunSums, separator: UnsafeRawBufferPointer, outline: KeptOutline = KeptOutline()
        ) throws(StorageError) {
            total += run
            // Far from overflow, whatever the file says.
            guard total.entries < 1 << 48 else { throw RunSums.wrong }
            separators.append(contentsOf: separator)
            ends.append(separators.count)
            runs.append(run)
            entriesBefore.append(total.entries)
            outlines.append(outline)
        }
    }

    package var runCount: Int { ends.count }

    /// Entries in all runs before run `index`.
    @inline(__always)
    func entries(before index: Int) -> Int { entriesBefore[index] }

    /// Lends the lower bound of a run.
    @inline(__always)
    func withSeparator<R>(_ index: Int, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        let start = index == 0 ? 0 : ends[index - 1]
        return try separators.withUnsafeBytes {
            try body(UnsafeRawBufferPointer(rebasing: $0[start..<ends[index]]))
        }
    }

    /// The run in which a block of separator `bound` would lie; nil without runs. O(log runs).
    func run(containing bound: UnsafeRawBufferPointer) -> Int? {
        guard runCount > 0 else { return nil }
        let next = (0..<runCount).partitionPoint { run in !withSeparator(run) { bound.isBelow($0) } }
        return max(next - 1, 0)
    }

    /// Whether a range goes through no whole run of blocks, so that it may be worth to count it. O(log runs).
    func isWithinTwoRuns(_ range: KeyRange) -> Bool {
        if !range.hasLower && !range.hasUpper { return false }
        guard runCount > 2, let first = range.withLower({ run(containing: $0) }), first + 2 < runCount
        else { return true }
        guard range.hasUpper else { return false }
        return withSeparator(first + 2) { separator in
            range.withUpper { upper in upper.map { $0.isBelow(separator) } ?? false }
        }
    }

    /// How many runs lie between the one in which a range begins and the one in which it ends. O(log runs).
    func runDistance(of range: KeyRange) -> Int {
        guard runCount > 1 else { return 0 }
        let (first, last) = edges(of: range)
        return last - first
    }

    /// The entries of a range, if it began and ended in the middle of a run; half a run's at least. O(log runs).
    func estimatedCount(_ range: KeyRange) -> Int {
        guard runCount > 0 else { return 0 }
        let (first, last) = edges(of: range)
        let start = !range.hasLower ? 0 : (entriesBefore[first] + entriesBefore[first + 1]) / 2
        let end = !range.hasUpper ? total.entries : (entriesBefore[last] + entriesBefore[last + 1]) / 2
        return max(end - start, (entriesBefore[first + 1] - entriesBefore[first]) / 2)
    }

    /// The runs in which a range begins and ends; there is one.
    func edges(of range: KeyRange) -> (first: Int, last: Int) {
        let first = range.withLower { run(containing: $0) } ?? 0
        return (first, range.withUpper { upper in upper.flatMap { run(containing: $0) } } ?? runCount - 1)
    }

    /// The run that holds the entry at `position`; nil when there is none. O(log runs).
    func run(atEntry position: Int) -> Int? {
        guard position >= 0, position < total.entries else { return nil }
        return (1..<max(runCount, 1)).partitionPoint { entriesBefore[$0] <= position } - 1
    }
}

extension IndexSums {
    /// What is kept of the keys, or now made.
    func sample(_ make: () throws -> IndexSample) rethrows -> IndexSample {
        try keptSample.load() ?? keptSample.storeIfNil(make())
    }
}

/// Entries of an index that are equal in their first components, among all entries in one direction.
private struct GroupPlace {
    let reversed: Bool
    let componentCount: Int
    /// The first position that is known to lie in it, and the one behind its last.
    let positions: Range<Int>
}

extension IndexSums {
    /// Where the group ends that holds the entry at a position, as it is kept of the group that was asked for last, or now
    /// found.
    func groupEnd(
        at position: Int, reversed: Bool, componentCount: Int, _ find: () throws -> Int?
    ) rethrows -> Int? {
        let known = keptGroup.withLock { group -> Int? in
            guard let group, group.positions.contains(position), group.reversed == reversed,
                group.componentCount == componentCount
            else { return nil }
            return group.positions.upperBound
        }
        if let known { return known }
        guard let end = try find(), position < end else { return nil }
        let group = GroupPlace(reversed: reversed, componentCount: componentCount, positions: position..<end)
        keptGroup.withLock { $0 = group }
        return end
    }
}

// MARK: Outlines of runs

extension IndexSums {
    /// What a run holds.
    func sums(ofRun index: Int) -> RunSums { runs[index] }

    func outline(ofRun index: Int) -> KeptOutline { outlines[index] }

    /// The blocks in which a range begins and ends; nil where the outline of a run is not known, or where no block of
    /// that run begins so early. O(log runs + log blocks of a run) in memory.
    func places(of range: KeyRange) -> RangePlaces? {
        guard range.hasLower else {
            let last = range.withUpper { upper in upper.map { place(of: $0) } ?? end }
            return last.map { RangePlaces(first: BlockPlace(before: 0, count: 0), last: $0) }
        }
        return range.withLower { lower in
            guard let run = run(containing: lower) else { return nil }
            return outlines[run].withKnown { outline in
                guard let outline, let block = outline.block(containing: lower) else { return nil }
                let first = place(ofBlock: block, run: run, outline)
                // Mostly it ends in the same block or in one of the next.
                let endWord = range.endWord
                for next in block + 1..<max(block + 1, min(block + 1 + Self.nearbyBlocks, outline.blockCount))
                where !outline.isReached(next, by: range, end: endWord) {
                    return RangePlaces(first: first, last: place(ofBlock: next - 1, run: run, outline))
                }
                let last = range.withUpper { upper in upper.map { place(of: $0) } ?? end }
                return last.map { RangePlaces(first: first, last: $0) }
            }
        }
    }

    /// ``IndexReader/estimatedCount(_:mostCounted:uncounted:sums:in:work:)`` where that follows from what is kept in
    /// memory alone, and from one look at it; nil elsewhere. O(ranges), or of one range O(log runs + log blocks of a run).
    func knownCount(_ ranges: [KeyRange], uncounted: Int) -> Int? {
        if uncounted > 0, let few = fewEntries(in: ranges, atMost: uncounted) { return few }
        // Lent and not copied.
        guard ranges.count == 1, let places = ranges.withUnsafeBufferPointer({ places(of: $0[0]) }),
            !places.isShort || uncounted > 0 && places.mostEntries <= uncounted
        else { return nil }
        return places.estimatedCount
    }

    /// Blocks behind the first of a range that are looked at one by one for its end.
    private static var nearbyBlocks: Int { 4 }

    private func place(of bound: UnsafeRawBufferPointer) -> BlockPlace? {
        guard let run = run(containing: bound) else { return nil }
        return outlines[run].withKnown { outline in
            guard let outline, let block = outline.block(containing: bound) else { return nil }
            return place(ofBlock: block, run: run, outline)
        }
    }

    private func place(ofBlock block: Int, run: Int, _ outline: RunOutline) -> BlockPlace {
        let start = outline.entries(before: block)
        return BlockPlace(before: entriesBefore[run] + start, count: outline.entries(before: block + 1) - start)
    }

    /// Behind all entries.
    private var end: BlockPlace? { BlockPlace(before: total.entries, count: 0) }
}

extension IndexSums: Hashable {
    /// Whether both have the same runs, whatever is known of their blocks.
    package static func == (left: IndexSums, right: IndexSums) -> Bool {
        left.runs == right.runs && left.separators == right.separators && left.ends == right.ends
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(runs)
        hasher.combine(separators)
    }
}
