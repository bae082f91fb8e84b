package import LMDB

/// The sums of an index, read once per snapshot: how many entries lie before each run of blocks.
///
/// Some 60 bytes for every 64 to 256 blocks: 50 KB for ten million entries.
package struct IndexSums: Sendable {
    /// The sums of the whole index: of all runs together.
    package let total: RunSums
    /// The runs' lower bounds, one after another, and where each ends.
    private let separators: [UInt8]
    private let ends: [Int]
    /// Entries before each run, and at last all.
    private let entriesBefore: [Int]

    /// Reads the sums of an index. O(runs).
    ///
    /// - Throws: `inconsistent` when they cannot be right.
    package static func read(
        _ index: IndexID, in transaction: borrowing some Transaction & ~Copyable, databases: IndexDatabases
    ) throws -> IndexSums {
        var total = RunSums()
        var separators: [UInt8] = []
        var ends: [Int] = []
        var before = [0]
        var cursor = IndexCursor(overRuns: try transaction.cursor(in: databases.counters), of: index)
        var isAtRun = try cursor.moveToFirst()
        while isAtRun {
            total += try cursor.sums
            // Far from overflow, whatever the file says.
            guard total.entries < 1 << 48 else { throw RunSums.wrong }
            separators.append(contentsOf: cursor.separator)
            ends.append(separators.count)
            before.append(total.entries)
            isAtRun = try cursor.next()
        }
        return IndexSums(total: total, separators: separators, ends: ends, entriesBefore: before)
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

    /// The run that holds the entry at `position`; nil when there is none. O(log runs).
    func run(atEntry position: Int) -> Int? {
        guard position >= 0, position < total.entries else { return nil }
        return (1..<max(runCount, 1)).partitionPoint { entriesBefore[$0] <= position } - 1
    }
}
