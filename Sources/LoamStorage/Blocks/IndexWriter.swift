package import LMDB

/// Makes changes to one index: every block touched is taken apart once and put once, the sums follow at the end.
///
/// Keep one over many saves to reuse its memory. Between two calls it holds nothing of the file but the names of
/// ``writtenRuns``, of which there are more with each call until ``forgetWrittenRuns()``.
package struct IndexWriter: ~Copyable {
    let shape: BlockShape
    let databases: IndexDatabases
    let limits: BlockLimits
    /// A block as it is stored.
    private var stored: BlockContents
    /// The block with its changes.
    private var merged: BlockContents
    /// The entries of two neighbouring blocks, when it is tried whether they fit into one.
    private var combined: BlockContents
    private var key = ByteBuffer(capacity: 512)
    private var sums: RunWriter
    private var appendedRuns: [[UInt8]] = []
    /// The measure of all merged entries together.
    private var measure: BlockMeasure?

    package init(shape: BlockShape, databases: IndexDatabases, limits: BlockLimits = .standard) {
        self.shape = shape
        self.databases = databases
        self.limits = limits
        stored = BlockContents(shape: shape)
        merged = BlockContents(shape: shape)
        combined = BlockContents(shape: shape)
        sums = RunWriter(id: shape.id, databases: databases, limits: limits)
    }

    /// The separators of the runs whose sums it has put or deleted; some may be there twice.
    var writtenRuns: [[UInt8]] { appendedRuns.isEmpty ? sums.written : sums.written + appendedRuns }

    /// Begins ``writtenRuns`` anew.
    mutating func forgetWrittenRuns() {
        sums.forgetWritten()
        appendedRuns = []
    }

    /// Bytes of memory that the writer keeps from use to use, those of a few buffers for one key left out.
    var byteCount: Int { stored.byteCount + merged.byteCount + combined.byteCount + sums.byteCount }

    /// Makes changes, sorted as ``Swift/Array/sortForIndex(invertsRowID:)`` does, to an index. O(changes x log n).
    ///
    /// - Parameter isTolerant: removing what is absent does nothing, inserting what is there replaces it.
    /// - Throws: `inconsistent` when an entry to be removed is absent or one to be inserted is there, `damagedBlock`
    ///   when a block that has to be changed is. The transaction must then be given up.
    package static func apply(
        _ changes: [IndexChange], shape: BlockShape, isTolerant: Bool = false, limits: BlockLimits = .standard,
        in transaction: inout WriteTransaction, databases: IndexDatabases
    ) throws {
        var writer = IndexWriter(shape: shape, databases: databases, limits: limits)
        let buffer = EntryBuffer(shape: shape)
        for change in changes { buffer.append(change) }
        try writer.apply(buffer, isTolerant: isTolerant, in: &transaction)
    }

    /// Applies a buffer of changes that is sorted, with this writer's memory.
    mutating func apply(
        _ changes: EntryBuffer, isTolerant: Bool = false, in transaction: inout WriteTransaction
    ) throws {
        if try append(changes, in: &transaction) { return }
        sums.removeAll()
        try changes.withItems { changes in
            var at = 0
            while at < changes.count { try changeBlock(changes, at: &at, isTolerant: isTolerant, in: &transaction) }
        }
        try sums.write(in: &transaction)
    }

    /// Removes the blocks of an index and its sums, or the first so many of both together. O(blocks).
    ///
    /// Returns whether nothing is left.
    ///
    /// - Throws: what LMDB throws; the transaction is then to be given up.
    package static func removeAll(
        of id: IndexID, in transaction: inout WriteTransaction, databases: IndexDatabases, atMost limit: Int = .max
    ) throws -> Bool {
        var left = limit
        for database in [databases.indexes, databases.counters] {
            let prefix = [UInt8](bigEndian: id)
            while let key = try firstKey(with: prefix, in: database, of: transaction) {
                guard left > 0 else { return false }
                left -= 1
                _ = try transaction.delete(key.span.bytes, in: database)
            }
        }
        return true
    }

    private static func firstKey(
        with prefix: [UInt8], in database: Database, of transaction: borrowing WriteTransaction
    ) throws -> [UInt8]? {
        var cursor = try transaction.cursor(in: database)
        guard try cursor.seek(atLeast: prefix.span.bytes) else { return nil }
        let key = Array(cursor.key.pointer)
        return key.starts(with: prefix) ? key : nil
    }
}

extension IndexWriter {
    /// A block that is being changed: its key, the next block's key, and the blocks that it will replace.
    private struct ChangedBlock {
        var separator: [UInt8]
        /// The separator of the next block, nil for the index's last.
        var upper: [UInt8]?
        /// Separators under which there are blocks now, and what those hold.
        var replaced: [(separator: [UInt8], sums: RunSums)]
    }

    /// Makes the changes from `at` on that lie in one block, and merges what becomes too small with a neighbour.
    private mutating func changeBlock(
        _ changes: EntryItems, at: inout Int, isTolerant: Bool, in transaction: inout WriteTransaction
    ) throws {
        key.removeAll()
        key.append(changes[at].fullKey)
        var changed = try load(.containing, in: transaction) ?? ChangedBlock(separator: [], upper: nil, replaced: [])
        let end = end(of: changes, from: at, below: changed.upper)
        let bias = bias(of: changes, at..<end, in: changed)
        try merged.merge(changes, range: at..<end, into: stored, isTolerant: isTolerant)
        at = end
        while measureMerged(changed) < limits.mergesBelow {
            guard try mergeWithRight(&changed, changes: changes, at: &at, isTolerant: isTolerant, in: transaction)
            else {
                if merged.count > 0, try mergeWithLeft(&changed, in: transaction) { _ = measureMerged(changed) }
                break
            }
        }
        try write(changed, bias: bias, in: &transaction)
    }

    /// The first change from `start` on that lies in the next block; the one at `start` does not.
    private func end(of changes: EntryItems, from start: Int, below upper: [UInt8]?) -> Int {
        guard let upper, start < changes.count else { return changes.count }
        return upper.withUnsafeBytes { changes.end(from: start, below: $0) }
    }

    /// On which side a split leaves room: beside the entries that come in at the end or at the beginning of the index.
    private func bias(of changes: EntryItems, _ range: Range<Int>, in changed: ChangedBlock) -> SplitBias {
        guard !range.isEmpty, stored.count > 0 else { return .fillLeft }
        if changed.upper == nil, stored.isBelow(stored.count - 1, bound: changes[range.lowerBound].fullKey) {
            return .fillLeft
        }
        if changed.separator.isEmpty, !stored.isBelow(0, bound: changes[range.upperBound - 1].fullKey) {
            return .fillRight
        }
        return .middle
    }

    /// The size of the merged entries as one block with its separator; 0 when there are none.
    private mutating func measureMerged(_ changed: ChangedBlock) -> Int {
        guard merged.count > 0 else {
            measure = nil
            return 0
        }
        merged.prepare()
        let measure = merged.measure(0..<merged.count)
        self.measure = measure
        return measure.byteCount + changed.separator.count
    }

    /// Takes in the next block, its changes made, when both fit into one block or nothing is left of this one.
    private mutating func mergeWithRight(
        _ changed: inout ChangedBlock, changes: EntryItems, at: inout Int, isTolerant: Bool,
        in transaction: borrowing WriteTransaction
    ) throws -> Bool {
        guard let upper = changed.upper else { return false }
        // An empty block but the first is dropped: its range falls to its predecessor.
        if merged.count == 0 && !changed.separator.isEmpty { return false }
        key.removeAll()
        upper.withUnsafeBytes { key.append($0) }
        guard let right = try load(.exactly, in: transaction) else {
            throw StorageError(.inconsistent("a block of an index has vanished"))
        }
        combined.removeAll()
        combined.append(merged, range: 0..<merged.count)
        combined.append(stored, range: 0..<stored.count)
        guard merged.count == 0 || combinedFits(changed.separator) else { return false }
        changed.replaced += right.replaced
        changed.upper = right.upper
        let end = end(of: changes, from: at, below: right.upper)
        if end > at {
            try merged.merge(changes, range: at..<end, into: combined, isTolerant: isTolerant)
            at = end
        } else {
            swap(&merged, &combined)
        }
        return true
    }

    /// Lets the block before take this one in, when both fit into one block.
    private mutating func mergeWithLeft(
        _ changed: inout ChangedBlock, in transaction: borrowing WriteTransaction
    ) throws -> Bool {
        guard !changed.separator.isEmpty else { return false }
        key.removeAll()
        changed.separator.withUnsafeBytes { key.append($0) }
        guard let left = try load(.before, in: transaction) else {
            throw StorageError(.inconsistent("an index has no first block"))
        }
        combined.removeAll()
        combined.append(stored, range: 0..<stored.count)
        combined.append(merged, range: 0..<merged.count)
        guard combinedFits(left.separator) else { return false }
        changed.replaced += left.replaced
        changed.separator = left.separator
        swap(&merged, &combined)
        return true
    }

    private mutating func combinedFits(_ separator: [UInt8]) -> Bool {
        combined.prepare()
        return combined.measure(0..<combined.count).byteCount + separator.count <= limits.blockBytes
    }
}

extension IndexWriter {
    /// Fewer entries than this go into the last block as into any other.
    private static var leastAppended: Int { 64 }

    /// Appends many entries that are all above those of the index, block after block; false where that cannot be.
    private mutating func append(_ changes: EntryBuffer, in transaction: inout WriteTransaction) throws -> Bool {
        guard changes.isInsertOnly, changes.count >= Self.leastAppended else { return false }
        var appender = IndexAppender(shape: shape, databases: databases, limits: limits)
        let isAppended = try changes.withItems { changes in
            guard try appender.resume(before: changes[0].fullKey, in: transaction) else { return false }
            for position in 0..<changes.count { try appender.append(changes[position], in: &transaction) }
            try appender.finish(in: &transaction)
            return true
        }
        appendedRuns += appender.writtenRuns
        return isAppended
    }
}

// MARK: - Blocks in and out

extension IndexWriter {
    private enum Search {
        /// The block in whose range `key` lies.
        case containing
        /// The block with the separator `key`.
        case exactly
        /// The block before the one with the separator `key`.
        case before
    }

    /// Reads a block into `stored`, its checksum verified; nil when the index has no such block.
    private mutating func load(_ search: Search, in transaction: borrowing WriteTransaction) throws -> ChangedBlock? {
        stored.removeAll()
        var cursor = IndexCursor(overBlocks: try transaction.cursor(in: databases.indexes), of: shape.id)
        let isFound =
            switch search {
            case .containing: try cursor.seek(containing: key.bytes)
            case .exactly: try cursor.seek(to: key.bytes)
            case .before: try cursor.seek(to: key.bytes) && cursor.previous()
            }
        guard isFound else { return nil }
        let separator = cursor.separator
        try BlockChecksum.verify(cursor.block, separator: separator, id: shape.id)
        let view = try BlockView(cursor.block, shape: shape)
        try stored.decode(view)
        let bytes = Array(separator)
        let sums = RunSums(
            entries: view.count, inexact: view.inexactCount, blocks: 1, bytes: view.byteCount + bytes.count)
        let upper = try cursor.next() ? Array(cursor.separator) : nil
        return ChangedBlock(separator: bytes, upper: upper, replaced: [(bytes, sums)])
    }

    /// Puts the changed block, cut where it must be, in the place of those that it replaces.
    private mutating func write(_ changed: ChangedBlock, bias: SplitBias, in transaction: inout WriteTransaction) throws
    {
        let pieces =
            merged.count == 0
            ? []
            : merged.pieces(separator: changed.separator, limit: limits.blockBytes, bias: bias, whole: measure)
        for old in changed.replaced {
            sums.add(-old.sums, at: old.separator)
            guard !pieces.contains(where: { $0.separator == old.separator }) else { continue }
            old.separator.withUnsafeBytes { IndexKeys.fill(&key, level: .blocks, index: shape.id, separator: $0) }
            _ = try transaction.delete(key.span, in: databases.indexes)
        }
        for piece in pieces {
            try put(piece, in: &transaction)
            sums.add(
                RunSums(
                    entries: piece.range.count, inexact: piece.measure.inexactCount, blocks: 1,
                    bytes: piece.measure.byteCount + piece.separator.count),
                at: piece.separator)
        }
    }

    private mutating func put(_ piece: BlockPiece, in transaction: inout WriteTransaction) throws {
        guard piece.measure.byteCount + piece.separator.count <= BlockFormat.largestBlock else {
            throw StorageError(.invalidIndex("an entry does not fit into a block"))
        }
        try piece.separator.withUnsafeBytes { separator in
            IndexKeys.fill(&key, level: .blocks, index: shape.id, separator: separator)
            try transaction.reserve(byteCount: piece.measure.byteCount, for: key.span, in: databases.indexes) { block in
                merged.encode(piece.range, measure: piece.measure, separator: separator, into: block)
            }
        }
    }
}
