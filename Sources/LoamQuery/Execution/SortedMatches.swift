import LoamStorage

/// Rows in order, given out a portion at a time: from memory, or as the merge of runs in a file.
struct SortedMatches {
    private enum Source {
        case memory([SortedRows.Item], [SortedRows.Kept])
        case runs(SortRunFile, SortRunMerge)
    }

    private var source: Source
    /// Rows that were given out or passed over.
    private var position = 0
    /// All rows, those that were given out too.
    let count: Int
    /// The most bytes that the sort held at a time.
    private(set) var mostBytes: Int
    /// What was done since ``takeWork()`` was called.
    private var work = Work()
    /// Where the keys of the last portion lie.
    private(set) var keys: [UInt8] = []
    private let portionBytes: Int

    /// Rows that lie in memory.
    ///
    /// - Parameters:
    ///   - items: in order.
    ///   - portionBytes: the most that the rows of a portion may take.
    init(
        _ items: [SortedRows.Item], kept: [SortedRows.Kept], keys: [UInt8], portionBytes: Int, mostBytes: Int
    ) {
        count = items.count
        (self.keys, self.portionBytes, self.mostBytes) = (keys, portionBytes, mostBytes)
        source = .memory(items, kept)
        work.sortMemory = mostBytes
    }

    /// - Parameters:
    ///   - limit: rows that are wanted; nil for all.
    ///   - mostBytes: that were held while runs were made.
    /// - Throws: `temporaryFile`.
    init(merging runs: consuming SortRunFile, limit: Int?, mostBytes: Int) throws {
        count = min(runs.rowCount, limit ?? .max)
        try runs.mergeToFew(limit: limit)
        let merge = try runs.merge()
        portionBytes = runs.space.portionBytes
        self.mostBytes = max(mostBytes, runs.mostBytes, merge.byteCount + portionBytes)
        (work.spilledRuns, work.spilledRows, work.spilledBytes) = (
            runs.writtenRuns, runs.writtenRows, runs.writtenBytes
        )
        (work.mergedRows, work.sortMemory) = (runs.mergedRows, self.mostBytes)
        source = .runs(runs, merge)
    }

    /// What was written; 0 where all rows were in memory.
    var written: (runs: Int, rows: Int, bytes: Int) {
        guard case .runs(let runs, _) = source else { return (0, 0, 0) }
        return (runs.writtenRuns, runs.writtenRows, runs.writtenBytes)
    }

    /// What of the sort and of handing rows out was not told yet.
    mutating func takeWork() -> Work {
        work.sortMemory = mostBytes
        defer { work = Work() }
        return work
    }

    /// Passes over so many rows. O(1) in memory.
    ///
    /// - Throws: `temporaryFile`.
    mutating func skip(_ count: Int) throws {
        _ = try withMerge(ofRows: count) { merge, count in
            for _ in 0..<count { try merge.advance() }
        }
    }

    /// The ids of the next rows, at most so many: they are given out with that.
    ///
    /// - Throws: `temporaryFile`.
    mutating func takeRowIDs(atMost most: Int = .max) throws -> [RowID] {
        let start = position
        var rowIDs: [RowID] = []
        let isMerged = try withMerge(ofRows: most) { merge, count in
            rowIDs.reserveCapacity(count)
            while rowIDs.count < count, let row = merge.first {
                rowIDs.append(row.rowID)
                try merge.advance()
            }
        }
        guard !isMerged, case .memory(let items, _) = source else { return rowIDs }
        return items[start..<position].map(\.rowID)
    }

    /// Calls a closure with the merge, where rows come from one, and goes on by so many rows, or all that are left.
    ///
    /// - Returns: whether there is a merge.
    private mutating func withMerge(
        ofRows most: Int, _ body: (inout SortRunMerge, _ count: Int) throws -> Void
    ) throws -> Bool {
        let count = min(most, self.count - position)
        position += count
        guard case .runs(let runs, var merge) = source else { return false }
        // Only one of the two holds the readers while they go on.
        source = .memory([], [])
        defer { source = .runs(runs, merge) }
        try body(&merge, count)
        work.mergedRows += count
        mostBytes = max(mostBytes, merge.mostBytes)
        return true
    }

    /// The next rows, at most so many and no more than take a share of the memory; none behind the last one.
    ///
    /// - Parameter keepsKeys: whether their keys are wanted, in ``keys``, where rows come from a file.
    /// - Throws: `temporaryFile`.
    mutating func next(atMost most: Int, keepsKeys: Bool) throws -> [Match] {
        let most = min(most, count - position, max(1, portionBytes / MemoryLayout<Match>.stride))
        guard most > 0 else { return [] }
        switch source {
        case .memory(let items, let kept):
            let matches = items[position..<position + most].map { Match($0, kept: kept[$0.index]) }
            position += most
            return matches
        case .runs(let runs, var merge):
            // Only one of the two holds the readers while they go on.
            source = .memory([], [])
            defer { source = .runs(runs, merge) }
            return try next(atMost: most, keepsKeys: keepsKeys, of: runs, in: &merge)
        }
    }

    private mutating func next(
        atMost most: Int, keepsKeys: Bool, of runs: SortRunFile, in merge: inout SortRunMerge
    ) throws -> [Match] {
        keys.removeAll(keepingCapacity: true)
        var (matches, bytes) = ([Match](), 0)
        while matches.count < most, let row = merge.first {
            var match = try runs.match(row)
            bytes += MemoryLayout<Match>.stride + (keepsKeys ? row.key.count : 0)
            if !match.isComplete, !match.values.isEmpty { bytes += match.values.sortedByteCount }
            if bytes > portionBytes, !matches.isEmpty { break }
            if keepsKeys {
                match.key = keys.count..<keys.count + row.key.count
                keys.append(contentsOf: row.key)
            }
            matches.append(match)
            try merge.advance()
        }
        position += matches.count
        work.mergedRows += matches.count
        mostBytes = max(mostBytes, merge.mostBytes + bytes)
        return matches
    }
}

extension Match {
    /// Of a row that lies in memory.
    fileprivate init(_ item: SortedRows.Item, kept: SortedRows.Kept) {
        self.init(
            rowID: item.rowID, values: kept.values, record: kept.record, isPending: kept.isPending,
            isComplete: kept.isComplete, key: item.start..<item.start + item.count)
    }
}
