package import LMDB

/// What is wrong in an index, apart from its entries not being those of the records.
package struct IndexFault: Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        /// The block cannot be read; the sentence says why.
        case damagedBlock(String)
        /// An entry is not above the one before, or outside the range of its block.
        case disorder
        /// The first block's separator is not empty.
        case noFirstBlock
        /// The header's counts are not those of the entries.
        case wrongCounts
        /// The sums of a run are not those of its blocks.
        case wrongSums
        /// A run that cannot be read, or holds no blocks.
        case damagedSums
        /// A block of several entries above the limit, or a run with too many or too few blocks: slow, not wrong.
        case oversized
        case runSize
    }

    package var kind: Kind
    /// The number of the block or run in the index, from 0.
    package var number: Int

    /// Whether the entries of the block cannot be trusted, nor its place among the others.
    var makesEntriesUnreadable: Bool {
        switch kind {
        case .damagedBlock, .disorder, .noFirstBlock: true
        case .wrongCounts, .wrongSums, .damagedSums, .oversized, .runSize: false
        }
    }

    package var description: String {
        switch kind {
        case .damagedBlock(let what): "block \(number) is damaged: \(what)"
        case .disorder: "block \(number) has entries out of order"
        case .noFirstBlock: "the first block is missing"
        case .wrongCounts: "block \(number) has wrong counts"
        case .wrongSums: "run \(number) has wrong sums"
        case .damagedSums: "run \(number) is damaged"
        case .oversized: "block \(number) is above the limit"
        case .runSize: "run \(number) has an odd number of blocks"
        }
    }
}

extension IndexReader {
    /// Checks every block of the index and its sums. O(entries).
    ///
    /// Bad content is listed, never thrown.
    ///
    /// - Throws: an error of LMDB where it cannot read the database itself, and what `progress` throws.
    package func verify<T: Transaction & ~Copyable>(
        in transaction: borrowing T, progress: (_ entries: Int) throws -> Void = { _ in }
    ) throws -> [IndexFault] {
        var check = IndexCheck(shape: shape)
        var runs = IndexCursor(overRuns: try transaction.cursor(in: databases.counters), of: shape.id)
        var isAtRun = try runs.moveToFirst()
        if isAtRun && !runs.separator.isEmpty { check.report(.damagedSums, number: 0) }
        var run = 0
        var sums = RunSums()
        var cursor = IndexCursor(overBlocks: try transaction.cursor(in: databases.indexes), of: shape.id)
        var isAtBlock = try cursor.moveToFirst()
        var bound = try nextBound(&runs, isAtRun: isAtRun, check: &check, run: run)
        while isAtBlock {
            while let upper = bound.upper, !cursor.isBelow(upper) {
                check.compare(sums, stored: bound.sums, run: run)
                run += 1
                sums = RunSums()
                bound = try nextBound(&runs, isAtRun: isAtRun, check: &check, run: run)
            }
            let block = check.add(cursor.block, separator: cursor.separator)
            sums += block
            try progress(block.entries)
            isAtBlock = try cursor.next()
        }
        isAtRun = bound.sums != nil || check.blocks > 0
        if isAtRun { check.compare(sums, stored: bound.sums, run: run) }
        while bound.upper != nil {
            run += 1
            bound = try nextBound(&runs, isAtRun: true, check: &check, run: run)
            check.compare(RunSums(), stored: bound.sums, run: run)
        }
        return check.faults
    }

    /// The sums of the run that the cursor is at, and where the next begins; moves on to that.
    private func nextBound(
        _ runs: inout IndexCursor, isAtRun: Bool, check: inout IndexCheck, run: Int
    ) throws -> (sums: RunSums?, upper: [UInt8]?) {
        guard isAtRun else { return (nil, nil) }
        let sums = try? runs.sums
        if sums == nil { check.report(.damagedSums, number: run) }
        return (sums, try runs.next() ? Array(runs.separator) : nil)
    }
}

/// The course of a check over the blocks of an index.
private struct IndexCheck {
    let shape: BlockShape
    private(set) var faults: [IndexFault] = []
    private(set) var blocks = 0
    /// The full key of the last entry seen.
    private var last: [UInt8]?

    init(shape: BlockShape) { self.shape = shape }

    mutating func report(_ kind: IndexFault.Kind, number: Int) {
        faults.append(IndexFault(kind: kind, number: number))
    }

    /// Checks one block.
    ///
    /// - Returns: its sums, as its header has them.
    mutating func add(_ block: UnsafeRawBufferPointer, separator: UnsafeRawBufferPointer) -> RunSums {
        defer { blocks += 1 }
        if blocks == 0 && !separator.isEmpty { report(.noFirstBlock, number: 0) }
        do throws(StorageError) {
            let sums = try RunSums(block: block, separatorCount: separator.count)
            try BlockChecksum.verify(block, separator: separator, id: shape.id)
            var contents = BlockContents(shape: shape)
            try contents.decode(try BlockView(block, shape: shape))
            check(contents, separator: separator, sums: sums)
            return sums
        } catch {
            if case .damagedBlock(let what) = error.kind { report(.damagedBlock(what), number: blocks) }
            return (try? RunSums(block: block, separatorCount: separator.count)) ?? RunSums()
        }
    }

    private mutating func check(
        _ contents: borrowing BlockContents, separator: UnsafeRawBufferPointer, sums: RunSums
    ) {
        if contents.inexact.count(where: { $0 }) != sums.inexact { report(.wrongCounts, number: blocks) }
        let lowest = Array(separator)
        // The last entry of the block before must be below this separator, the first of this block not.
        var isOrdered = last.map { $0.isBelow(lowest) } ?? true
        var previous: [UInt8]?
        for index in 0..<contents.count {
            let key = contents.fullKey(index)
            isOrdered = isOrdered && (previous.map { $0.isBelow(key) } ?? !key.isBelow(lowest))
            previous = key
        }
        last = previous
        if !isOrdered { report(.disorder, number: blocks) }
    }

    mutating func compare(_ counted: RunSums, stored: RunSums?, run: Int) {
        if let stored, counted != stored || stored.blocks == 0 { report(.wrongSums, number: run) }
        if stored == nil && counted.blocks > 0
            && !faults.contains(where: { $0.kind == .damagedSums && $0.number == run })
        {
            report(.damagedSums, number: run)
        }
    }
}
