package import LMDB

/// Fills an index from entries in order, all above those that it has: blocks filled to the limit, appended at the end
/// of `indexes` when no index with a higher id is there, with their sums.
///
/// An index that has entries is gone on with after ``resume(before:in:)`` only.
/// It keeps one block's entries in memory. A load may spread it over several transactions; the index is whole after
/// ``finish(in:)``.
package struct IndexAppender: ~Copyable {
    let shape: BlockShape
    let databases: IndexDatabases
    let limits: BlockLimits
    private var contents: BlockContents
    private var measure = RunningMeasure()
    private var key = ByteBuffer(capacity: 512)
    private var value = ByteBuffer(capacity: RunSums.byteCount)
    /// The separator of the block that is being filled; nil before the first.
    private var separator: [UInt8] = []
    /// The separator of the run's first block; nil before that block.
    private var runSeparator: [UInt8]?
    /// The separators of the runs that were put.
    private(set) var writtenRuns: [[UInt8]] = []
    private var run = RunSums()
    private var isStarted = false
    /// The number of entries appended so far.
    package private(set) var count = 0

    package init(shape: BlockShape, databases: IndexDatabases, limits: BlockLimits = .standard) {
        self.shape = shape
        self.databases = databases
        self.limits = limits
        contents = BlockContents(shape: shape)
    }

    /// Appends an entry, which is above all others. O(1) amortised.
    ///
    /// - Throws: `inconsistent` when it is not above the one before, or the index has entries of its own.
    package mutating func append(_ entry: IndexEntry, in transaction: inout WriteTransaction) throws {
        try entry.key.withUnsafeBytes {
            try append(
                key: $0, rowID: entry.rowID, isInexact: entry.isInexact, included: entry.included, in: &transaction)
        }
    }

    mutating func append(_ entry: SortedEntry, in transaction: inout WriteTransaction) throws {
        try append(
            key: entry.key, rowID: entry.rowID, isInexact: entry.isInexact, included: entry.included, in: &transaction)
    }

    /// Appends an entry, which is above all others, from borrowed component bytes. O(1) amortised.
    ///
    /// - Throws: as the form that takes an entry.
    package mutating func append(
        key: UnsafeRawBufferPointer, rowID: RowID, isInexact: Bool = false, included: [[UInt8]?] = [],
        in transaction: inout WriteTransaction
    ) throws {
        try contents.append(key: key, rowID: rowID, isInexact: isInexact, included: included)
        try contents.checkLastOrder()
        measure.add(contents, last: contents.count - 1)
        if measure.atMost + separator.count > limits.blockBytes, contents.count > 1 { try flush(in: &transaction) }
        count += 1
    }

    /// Writes what is left. The appender is then done with.
    ///
    /// - Throws: `inconsistent` where the index has entries of its own, and what LMDB throws; the transaction is then
    ///   to be given up.
    package mutating func finish(in transaction: inout WriteTransaction) throws {
        if contents.count > 0 {
            contents.prepare()
            for piece in contents.pieces(separator: separator, limit: limits.blockBytes, bias: .fillLeft) {
                try put(piece, in: &transaction)
            }
            contents.removeAll()
        }
        if run.blocks > 0 { try putRun(in: &transaction) }
    }

    /// Writes all entries but the last as a block, which begins the next one.
    private mutating func flush(in transaction: inout WriteTransaction) throws {
        let last = contents.count - 1
        contents.prepare()
        let next = contents.separator(last)
        try put(
            BlockPiece(range: 0..<last, separator: separator, measure: contents.measure(0..<last)), in: &transaction)
        separator = next
        contents.keepLast()
        measure = RunningMeasure()
        measure.add(contents, last: contents.count - 1)
    }

    private mutating func put(_ piece: BlockPiece, in transaction: inout WriteTransaction) throws {
        guard piece.measure.byteCount + piece.separator.count <= BlockFormat.largestBlock else {
            throw StorageError(.invalidIndex("an entry does not fit into a block"))
        }
        if !isStarted { try start(in: transaction) }
        if run.blocks >= limits.appendedRun { try putRun(in: &transaction) }
        if runSeparator == nil { runSeparator = piece.separator }
        try piece.separator.withUnsafeBytes { separator in
            IndexKeys.fill(&key, level: .blocks, index: shape.id, separator: separator)
            try transaction.reserve(
                byteCount: piece.measure.byteCount, for: key.span, in: databases.indexes,
                append: isLast(key, in: databases.indexes, of: transaction)
            ) { block in
                contents.encode(piece.range, measure: piece.measure, separator: separator, into: block)
            }
        }
        run += RunSums(
            entries: piece.range.count, inexact: piece.measure.inexactCount, blocks: 1,
            bytes: piece.measure.byteCount + piece.separator.count)
    }

    private mutating func start(in transaction: borrowing WriteTransaction) throws {
        var blocks = IndexCursor(overBlocks: try transaction.cursor(in: databases.indexes), of: shape.id)
        guard try !blocks.moveToFirst() else { throw StorageError(.inconsistent("an index to be filled has entries")) }
        isStarted = true
    }

    /// Goes on behind the entries that the index has: its last block is filled up, and its last run goes on.
    ///
    /// - Returns: false, and nothing is done, where an entry of the index is not below `bound`.
    mutating func resume(
        before bound: UnsafeRawBufferPointer, in transaction: borrowing WriteTransaction
    ) throws -> Bool {
        var blocks = IndexCursor(overBlocks: try transaction.cursor(in: databases.indexes), of: shape.id)
        if try blocks.moveToLast() {
            let view = try BlockView(blocks.block, shape: shape)
            guard try view.lowerBound(of: bound) == view.count else { return false }
            try BlockChecksum.verify(blocks.block, separator: blocks.separator, id: shape.id)
            try contents.decode(view)
            for position in 0..<contents.count { measure.add(contents, last: position) }
            separator = Array(blocks.separator)
            var runs = IndexCursor(overRuns: try transaction.cursor(in: databases.counters), of: shape.id)
            guard try separator.withUnsafeBytes({ try runs.seek(containing: $0) }) else { throw RunSums.wrong }
            runSeparator = Array(runs.separator)
            run = try runs.sums
            run += -(try RunSums(block: blocks.block, separatorCount: separator.count))
            guard run.isPossible else { throw RunSums.wrong }
        }
        isStarted = true
        return true
    }

    private mutating func putRun(in transaction: inout WriteTransaction) throws {
        guard let separator = runSeparator else { return }
        runSeparator = nil
        writtenRuns.append(separator)
        value.removeAll()
        run.append(to: &value)
        separator.withUnsafeBytes { IndexKeys.fill(&key, level: .runs, index: shape.id, separator: $0) }
        try transaction.put(
            value.span, for: key.span, in: databases.counters,
            append: isLast(key, in: databases.counters, of: transaction))
        run = RunSums()
    }

    /// Whether a key would be the last of a database.
    private func isLast(
        _ key: borrowing ByteBuffer, in database: Database, of transaction: borrowing WriteTransaction
    ) throws -> Bool {
        var cursor = try transaction.cursor(in: database)
        return try !cursor.moveToLast() || cursor.key.pointer.isBelow(key.bytes)
    }
}

/// The size of a growing block, kept up to date in O(1) for each entry: exact at fixed stride, else not too small.
private struct RunningMeasure {
    private var lowest = RowID.max
    private var highest = RowID.min
    private var inexact = 0
    private var count = 0
    private var prefixCount = 0
    /// Component bytes of all entries.
    private var keyBytes = 0
    /// Bytes of front-compressed entries if nothing were common to all.
    private var compressedBytes = 0
    private var includedBytes = 0
    private var columns = 0
    private var isFixed = false

    /// The size of a block of the entries so far, or somewhat more.
    var atMost: Int {
        let width = max(1, (64 - (highest - lowest).leadingZeroBitCount + 7) / 8)
        let restarts = (count + BlockFormat.restartInterval - 1) / BlockFormat.restartInterval
        let keys = isFixed ? keyBytes - count * prefixCount : compressedBytes - restarts * prefixCount + 2 * restarts
        let bits = inexact > 0 ? (count + 7) / 8 : 0
        return BlockFormat.headerCount + prefixCount + count * width + bits + 2 + keys + includedBytes + 2 * columns
    }

    /// Takes an entry of `contents` in, which follows the one taken in before.
    @inline(__always)
    mutating func add(_ contents: borrowing BlockContents, last: Int) {
        let rowID = contents.rowIDs[last]
        lowest = min(lowest, rowID)
        highest = max(highest, rowID)
        if contents.inexact[last] { inexact += 1 }
        let keyCount = contents.keyCount(last)
        isFixed = contents.shape.stride != nil
        prefixCount = count == 0 ? keyCount : contents.sharedCount(0, last, atMost: prefixCount)
        keyBytes += keyCount
        if !isFixed {
            let isRestart = count % BlockFormat.restartInterval == 0
            let common = isRestart ? 0 : contents.sharedCount(last - 1, last, atMost: keyCount)
            let rest = keyCount - common
            compressedBytes += BlockFormat.numberCount(common) + BlockFormat.numberCount(rest) + rest
        }
        columns = contents.shape.includedCount
        if columns > 0 { includedBytes += contents.includedEnds[last] - contents.includedStart(last) }
        count += 1
    }
}
