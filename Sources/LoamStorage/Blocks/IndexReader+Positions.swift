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
        return try bound.withUnsafeBytes { try cursor.position(of: $0, shape: shape, sums: sums) }
    }

    /// How many entries lie in a range. O(log n), a few microseconds whatever the range.
    ///
    /// - Throws: `damagedBlock` where a block could lead out of its bytes, `inconsistent` where the sums cannot be
    ///   right.
    package func count<T: Transaction & ~Copyable>(
        _ range: KeyRange, sums: IndexSums, in transaction: borrowing T
    ) throws -> Int {
        guard !range.isEmpty else { return 0 }
        if !range.hasLower && !range.hasUpper { return sums.total.entries }
        var cursor = IndexCursor(overBlocks: try transaction.cursor(in: databases.indexes), of: shape.id)
        let places = sums.places(of: range)
        if places == nil { try cursor.readOutlines(at: range, sums) }
        if range.hasUpper, places?.isShort ?? (sums.runDistance(of: range) < 2),
            let count = try cursor.nearbyCount(in: range, shape)
        {
            return count
        }
        return try range.withBounds { lower, upper in
            let end = try upper.map { try cursor.position(of: $0, shape: shape, sums: sums) } ?? sums.total.entries
            let start = lower.isEmpty ? 0 : try cursor.position(of: lower, shape: shape, sums: sums)
            return max(0, end - start)
        }
    }

    /// How many entries lie between two bounds, where the range ends in the block in which it begins, or soon behind;
    /// nil for a longer one. O(log n), with nothing taken from the heap.
    func shortCount<T: Transaction & ~Copyable>(
        from lower: UnsafeRawBufferPointer, to upper: UnsafeRawBufferPointer, in transaction: borrowing T
    ) throws -> Int? {
        var cursor = IndexCursor(overBlocks: try transaction.cursor(in: databases.indexes), of: shape.id)
        return try cursor.nearbyCount(from: lower, to: upper, blocks: 2, shape)
    }

    /// As ``count(_:sums:in:)`` of the ranges together where each ends within a few blocks and there are few.
    ///
    /// Of a longer range it is an estimate, which is wrong by at most half of its first and half of its last block where
    /// the outlines of their runs are known, else by half of these runs. Of more short ranges `mostCounted` are counted,
    /// and the others are taken to be as large as these; a range that goes through a whole run is none of them.
    ///
    /// O(log n) for each range that is counted, and O(log runs) for each other one.
    ///
    /// - Parameters:
    ///   - ranges: in order; at most 64; of more, those behind are taken to be short.
    ///   - mostCounted: at least 1.
    ///   - uncounted: short ranges are not counted, and taken to begin and end in the middle of a block, where the
    ///     blocks that they reach hold no more entries together. They are not even looked for where that is sure of as
    ///     many beginnings of keys.
    ///   - work: counts the ranges that are counted.
    package func estimatedCount<T: Transaction & ~Copyable>(
        _ ranges: [KeyRange], mostCounted: Int, uncounted: Int = 0, sums: IndexSums, in transaction: borrowing T,
        work: inout Int
    ) throws -> Int {
        try sums.knownCount(ranges, uncounted: uncounted)
            ?? estimateLooking(
                into: ranges, mostCounted: mostCounted, uncounted: uncounted, sums: sums, in: transaction, work: &work)
    }

    /// The same where the sums alone do not tell it.
    func estimateLooking<T: Transaction & ~Copyable>(
        into ranges: [KeyRange], mostCounted: Int, uncounted: Int, sums: IndexSums, in transaction: borrowing T,
        work: inout Int
    ) throws -> Int {
        var estimate = 0
        // A bit for each range that is not to be counted, and for each whose blocks' outlines are not known.
        var (others, unknown): (UInt64, UInt64) = (0, 0)
        var few = (ranges: 0 as UInt64, estimate: 0, most: 0, last: BlockPlace(before: 0, count: 0))
        ranges.withUnsafeBufferPointer { ranges in
            for position in 0..<min(64, ranges.count) {
                let bit: UInt64 = 1 << UInt64(position)
                if let places = sums.places(of: ranges[position]) {
                    if !places.isShort {
                        estimate += places.estimatedCount
                        others |= bit
                    } else if uncounted > 0 {
                        few.ranges |= bit
                        few.estimate += places.estimatedCount
                        // Neighbours may lie in the same block.
                        if places.first != places.last || places.last != few.last { few.most += places.mostEntries }
                        few.last = places.last
                    }
                } else {
                    unknown |= bit
                    guard !sums.isWithinTwoRuns(ranges[position]) else { continue }
                    estimate += sums.estimatedCount(ranges[position])
                    others |= bit
                }
            }
        }
        if few.most <= uncounted {
            estimate += few.estimate
            others |= few.ranges
        }
        let shortCount = ranges.count - others.nonzeroBitCount
        guard shortCount > 0 || unknown != 0 else { return estimate }
        var cursor = IndexCursor(overBlocks: try transaction.cursor(in: databases.indexes), of: shape.id)
        let counted = min(shortCount, max(1, mostCounted))
        var (sum, number) = (0, 0)
        for position in ranges.indices {
            let bit: UInt64 = position < 64 ? 1 << UInt64(position) : 0
            if unknown & bit != 0 { try cursor.readOutlines(at: ranges[position], sums) }
            guard others & bit == 0 else { continue }
            number += 1
            // The last of each of as many equal stretches.
            guard counted == shortCount || number * counted / shortCount != (number - 1) * counted / shortCount,
                !ranges[position].isEmpty
            else { continue }
            work += 1
            sum += try cursor.nearbyCount(in: ranges[position], shape) ?? sums.estimatedCount(ranges[position])
        }
        return counted == 0 ? estimate : estimate + (sum * shortCount + counted - 1) / counted
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

    /// The row of the entry at a position in the order of the index; nil beyond its ends. O(log n), with nothing copied.
    ///
    /// - Throws: `damagedBlock` where a block could lead out of its bytes, `inconsistent` where the sums cannot be
    ///   right.
    package func rowID<T: Transaction & ~Copyable>(
        at position: Int, sums: IndexSums, in transaction: borrowing T
    ) throws -> RowID? {
        var cursor = IndexCursor(overBlocks: try transaction.cursor(in: databases.indexes), of: shape.id)
        guard let index = try cursor.seek(toEntry: position, sums) else { return nil }
        let view = try BlockView(cursor.block, shape: shape)
        guard index < view.count else { throw RunSums.wrong }
        return view.rowID(at: index)
    }

    /// How many entries of a range are inexact. O(1) where the index has none, or for all of it, from the sums; else
    /// O(blocks of the range), and O(entries) of blocks that have some.
    ///
    /// - Throws: `damagedBlock` where a block could lead out of its bytes.
    package func inexactCount<T: Transaction & ~Copyable>(
        _ range: KeyRange = .all, sums: IndexSums, in transaction: borrowing T
    ) throws -> Int {
        if sums.total.inexact == 0 || (!range.hasLower && !range.hasUpper) { return sums.total.inexact }
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
