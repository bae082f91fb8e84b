import LMDB

extension Snapshot {
    private func reader(_ index: Index) throws -> (IndexReader, IndexAccess) {
        let access = try access(index)
        return (IndexReader(shape: access.blockShape, databases: databases.blocks), access)
    }

    /// Walks the entries of a range, a block at a time. The closure returns false to stop.
    ///
    /// Costs O(entries of the range) and one look-up for its beginning.
    ///
    /// - Throws: `unknownIndex` or `indexNotReady` where this state of the store has no such index that can be read,
    ///   `damagedBlock` where a block could lead out of its bytes, and what the closure throws.
    package func scanIndex(
        _ index: Index, range: KeyRange, reversed: Bool = false, _ body: (borrowing IndexBatch) throws -> Bool
    ) throws {
        let (reader, _) = try reader(index)
        try withBatchMemory { memory in
            try reader.scan(range, reversed: reversed, in: transaction, memory: memory, body)
        }
    }

    /// Walks the entries of a range after the first `skipping` ones, which are never read. The closure returns false
    /// to stop.
    ///
    /// Costs O(entries after those), O(log n) for the beginning, and the sums of the index, which a snapshot reads
    /// once: O(runs).
    ///
    /// - Throws: `unknownIndex` or `indexNotReady` where this state of the store has no such index that can be read,
    ///   `damagedBlock` where a block could lead out of its bytes, `inconsistent` where the sums of the index cannot
    ///   be right, and what the closure throws.
    package func scanIndex(
        _ index: Index, range: KeyRange, skipping: Int, reversed: Bool = false,
        _ body: (borrowing IndexBatch) throws -> Bool
    ) throws {
        let (reader, access) = try reader(index)
        let sums = try sums(of: access)
        try withBatchMemory { memory in
            try reader.scan(
                range, reversed: reversed, skipping: skipping, sums: sums, in: transaction, memory: memory, body)
        }
    }

    /// The number of entries in a range, from sums and block headers: O(log n), however many entries it has.
    ///
    /// The sums of an index are read when a snapshot is first asked for what needs them: O(runs), of which there is
    /// one for every 64 to 256 blocks.
    ///
    /// - Throws: `unknownIndex` or `indexNotReady` where this state of the store has no such index that can be read,
    ///   `damagedBlock` where a block could lead out of its bytes, `inconsistent` where the sums of the index cannot
    ///   be right.
    package func count(in index: Index, range: KeyRange) throws -> Int {
        let (reader, access) = try reader(index)
        return try reader.count(range, sums: try sums(of: access), in: transaction)
    }

    /// The number of entries in several ranges together: counted where they are short and few, else an estimate
    /// (``IndexReader/estimatedCount(_:mostCounted:uncounted:sums:in:work:)``), of long ones from what is kept in memory
    /// alone. O(log n) for each range, half a microsecond for one that is counted. With it whether ``inexactCount(in:)``
    /// is above 0.
    ///
    /// - Parameters:
    ///   - mostCounted: of short ranges no more than these are counted.
    ///   - uncounted: none of them where the blocks that they reach hold no more entries together.
    /// - Throws: `unknownIndex` or `indexNotReady` where this state of the store has no such index that can be read,
    ///   `damagedBlock` where a block could lead out of its bytes, `inconsistent` where the sums of the index cannot
    ///   be right.
    package func estimatedCount(
        in index: Index, ranges: [KeyRange], mostCounted: Int, uncounted: Int = 0
    ) throws -> (entries: Int, isInexact: Bool) {
        if let known = try knownCount(in: index, ranges: ranges, uncounted: uncounted) { return known }
        let (access, sums) = try accessWithSums(index)
        let reader = IndexReader(shape: access.blockShape, databases: databases.blocks)
        let entries = try reader.estimateLooking(
            into: ranges, mostCounted: mostCounted, uncounted: uncounted, sums: sums, in: transaction,
            work: &rangesCounted)
        return (entries, sums.total.inexact > 0)
    }

    /// The number of entries whose key was cut. Where it is not 0 the index gives neither order nor exact counts.
    ///
    /// From the sums of the index, which a snapshot reads once: O(runs), then O(1).
    ///
    /// - Throws: `unknownIndex` or `indexNotReady` where this state of the store has no such index that can be read,
    ///   `inconsistent` where the sums of the index cannot be right.
    package func inexactCount(in index: Index) throws -> Int {
        try accessWithSums(index).sums.total.inexact
    }

    /// A sample of the index's keys, kept for as long as nobody changes the index: the first one that was made.
    ///
    /// From the sums of the index, which a snapshot reads once: O(runs), then O(1) where there is one.
    ///
    /// - Throws: as ``inexactCount(in:)``, and what the closure throws.
    package func sample(of index: Index, _ make: () throws -> IndexSample) throws -> IndexSample {
        try accessWithSums(index).sums.sample(make)
    }

    /// Where a group of entries ends that are equal in their first components: the position behind the last one. It is
    /// kept, for as long as nobody changes the index, of the group that was asked for last; of others the closure tells.
    ///
    /// - Parameters:
    ///   - position: of an entry in the group, from the end of the index where it is `reversed`, as the result.
    ///   - find: finds where the group ends; nil where there is none.
    /// - Throws: as ``inexactCount(in:)``, and what the closure throws.
    package func groupEnd(
        at position: Int, in index: Index, reversed: Bool, componentCount: Int, _ find: () throws -> Int?
    ) throws -> Int? {
        try accessWithSums(index).sums.groupEnd(
            at: position, reversed: reversed, componentCount: componentCount, find)
    }

    /// What the last analysis found of an index's values (``Store/analyze(_:)``); nil where there was none, and
    /// where what it wrote is damaged, which `check` reports. O(log n).
    ///
    /// - Throws: what LMDB throws.
    package func distribution(of index: Index) throws -> IndexDistribution? {
        do {
            return try IndexDistribution.read(index.id, from: catalog.statistics, in: transaction)
        } catch let error as StorageError {
            guard case .damagedStatistics = error.kind else { throw error }
            return nil
        }
    }

    /// The number of entries before a full key (component bytes and row id). O(log n), and O(runs) for the first
    /// question of a snapshot that needs the sums.
    ///
    /// - Throws: `unknownIndex` or `indexNotReady` where this state of the store has no such index that can be read,
    ///   `damagedBlock` where a block could lead out of its bytes, `inconsistent` where the sums of the index cannot
    ///   be right.
    package func position(in index: Index, fullKey: [UInt8]) throws -> Int {
        let (reader, access) = try reader(index)
        return try reader.position(of: fullKey, sums: try sums(of: access), in: transaction)
    }

    /// The entry at a position; nil past the end. O(log n), and O(runs) for the first question of a snapshot that
    /// needs the sums.
    ///
    /// - Throws: `unknownIndex` or `indexNotReady` where this state of the store has no such index that can be read,
    ///   `damagedBlock` where a block could lead out of its bytes, `inconsistent` where the sums of the index cannot
    ///   be right.
    package func entry(in index: Index, at position: Int) throws -> IndexEntry? {
        let (reader, access) = try reader(index)
        return try reader.entry(at: position, sums: try sums(of: access), in: transaction)
    }

    /// The row of the entry at a position; nil past the end. O(log n), and O(runs) for the first question of a snapshot
    /// that needs the sums.
    ///
    /// - Throws: as ``entry(in:at:)``.
    package func rowID(in index: Index, at position: Int) throws -> RowID? {
        let (reader, access) = try reader(index)
        return try reader.rowID(at: position, sums: try sums(of: access), in: transaction)
    }

    /// The number of entries before that of a row. O(log n).
    ///
    /// - Parameter record: the row's record in this snapshot, where somebody has it: then it is not looked for.
    /// - Returns: nil where there is no such row, the index is one of trigrams, or a component of the key was cut.
    /// - Throws: as ``position(in:fullKey:)``; `unknownEntity` where this state of the store has no such entity,
    ///   `damagedRecord` or `damagedLongValue` where the row cannot be read.
    package func position(
        in index: Index, of rowID: RowID, of entity: Entity, record: [UInt8]? = nil
    ) throws -> Int? {
        let access = try access(index)
        guard !access.hasTrigrams else { return nil }
        var key = KeyBuffer()
        let isExact =
            if let record {
                try withRow(rowID, of: entity, record: record) { try access.appendKey(of: $0, to: &key) }
            } else {
                try withRow(rowID, of: entity) { try access.appendKey(of: $0, to: &key) }
            }
        guard isExact == true else { return nil }
        var fullKey = key.withBytes { Array($0) }
        fullKey.appendRowID(rowID, inverted: access.blockShape.invertsRowID)
        return try position(in: index, fullKey: fullKey)
    }

    /// The sections of equal leading components in a range, as key bytes with their sizes. O(sections x log n +
    /// blocks), without the blocks of runs that lie in one section as a whole, and O(runs) for the sums; O(runs +
    /// sections) where these are known of the runs, because a snapshot has asked for them that had the same blocks.
    ///
    /// - Throws: `unknownIndex` or `indexNotReady` where this state of the store has no such index that can be read,
    ///   `damagedBlock` where a block could lead out of its bytes, `inconsistent` where the sums of the index cannot
    ///   be right.
    package func sections(
        in index: Index, range: KeyRange, reversed: Bool = false
    ) throws -> [IndexSection] {
        let (reader, access) = try reader(index)
        return try reader.sections(range, reversed: reversed, sums: try sums(of: access), in: transaction)
    }
}
