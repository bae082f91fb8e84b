package import LMDB

extension IndexReader {
    /// How many entries are below a full key, or a beginning of one. O(log n), a few microseconds.
    ///
    /// - Throws: `damagedBlock` where a block could lead out of its bytes, `inconsistent` where the sums cannot be
    ///   right.
    package func position<T: Transaction & ~Copyable>(
        of bound: [UInt8], sums: IndexSums, in transaction: borrowing T
    ) throws -> Int {
        var cursor = IndexCursor(overBlocks: try transaction.cursor(in: databases.indexes), of: shape.id)
        return try cursor.position(of: bound, shape: shape, sums: sums)
    }

    /// How many entries lie in a range. O(log n), a few microseconds whatever the range.
    ///
    /// - Throws: `damagedBlock` where a block could lead out of its bytes, `inconsistent` where the sums cannot be
    ///   right.
    package func count<T: Transaction & ~Copyable>(
        _ range: KeyRange, sums: IndexSums, in transaction: borrowing T
    ) throws -> Int {
        guard !range.isEmpty else { return 0 }
        if range.lower.isEmpty && !range.hasUpper { return sums.total.entries }
        var cursor = IndexCursor(overBlocks: try transaction.cursor(in: databases.indexes), of: shape.id)
        if range.hasUpper, sums.runDistance(of: range) < 2, let count = try cursor.nearbyCount(in: range, shape) {
            return count
        }
        let end = try range.upper.map { try cursor.position(of: $0, shape: shape, sums: sums) } ?? sums.total.entries
        let start = range.lower.isEmpty ? 0 : try cursor.position(of: range.lower, shape: shape, sums: sums)
        return max(0, end - start)
    }

    /// As ``count(_:sums:in:)`` of the ranges together where each ends within a few blocks and there are few.
    ///
    /// Of a longer range it is an estimate that is wrong by at most half of its first and half of its last run of
    /// blocks. Of more short ranges `mostCounted` are counted, and the others are taken to be as large as these; a
    /// range that goes through a whole run is none of them.
    ///
    /// O(log n) for each range that is counted, and O(log runs) for each other one.
    ///
    /// - Parameters:
    ///   - ranges: at most 64; of more, those behind are taken to be short.
    ///   - mostCounted: at least 1.
    package func estimatedCount<T: Transaction & ~Copyable>(
        _ ranges: [KeyRange], mostCounted: Int, sums: IndexSums, in transaction: borrowing T
    ) throws -> Int {
        var estimate = 0
        // A bit for each range that is no short one.
        var others: UInt64 = 0
        for (position, range) in ranges.prefix(64).enumerated() where !sums.isWithinTwoRuns(range) {
            estimate += sums.estimatedCount(range)
            others |= 1 << UInt64(position)
        }
        let shortCount = ranges.count - others.nonzeroBitCount
        guard shortCount > 0 else { return estimate }
        var cursor = IndexCursor(overBlocks: try transaction.cursor(in: databases.indexes), of: shape.id)
        let counted = min(shortCount, max(1, mostCounted))
        var (sum, number) = (0, 0)
        for (position, range) in ranges.enumerated() where position >= 64 || others & 1 << UInt64(position) == 0 {
            number += 1
            // The last of each of as many equal stretches.
            guard number * counted / shortCount != (number - 1) * counted / shortCount, !range.isEmpty else { continue }
            sum += try cursor.nearbyCount(in: range, shape) ?? sums.estimatedCount(range)
        }
        return estimate + (sum * shortCount + counted - 1) / counted
    }

    /// The entry at a position in the order of the index; nil beyond its ends. O(log n), a few microseconds.
    ///
    /// - Throws: `damagedBlock` where a block could lead out of its bytes, `inconsistent` where the sums cannot be
    ///   right.
    package func entry<T: Transaction & ~Copyable>(
        at position: Int, sums: IndexSums, in transaction: borrowing T
    ) throws -> IndexEntry? {
        var cursor = IndexCursor(overBlocks: try transaction.cursor(in: databases.indexes), of: shape.id)
        guard let index = try cursor.seek(toEntry: position, sums) else { return nil }
        let view = try BlockView(cursor.block, shape: shape)
        guard index < view.count else { throw RunSums.wrong }
        var key = ByteBuffer(capacity: 512)
        try view.copyKey(at: index, into: &key)
        let memory = BatchMemory()
        let included = try (0..<shape.includedCount).map { column in
            try memory.included(column, index: index, in: view).map { Array($0) }
        }
        return IndexEntry(
            key: Array(key.bytes), rowID: view.rowID(at: index), isInexact: view.isInexact(at: index),
            included: included)
    }

    /// How many entries of a range are inexact. O(1) where the index has none, or for all of it, from the sums; else
    /// O(blocks of the range), and O(entries) of blocks that have some.
    ///
    /// - Throws: `damagedBlock` where a block could lead out of its bytes.
    package func inexactCount<T: Transaction & ~Copyable>(
        _ range: KeyRange = .all, sums: IndexSums, in transaction: borrowing T
    ) throws -> Int {
        if sums.total.inexact == 0 || (range.lower.isEmpty && !range.hasUpper) { return sums.total.inexact }
        var count = 0
        try scan(range, in: transaction) { batch in
            if batch.mayBeInexact {
                for index in 0..<batch.count where batch.isInexact(at: index) { count += 1 }
            }
            return true
        }
        return count
    }
}
