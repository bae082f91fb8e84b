import LMDB

/// Adds up what one transaction changes in the blocks of an index, and writes each run's sums once.
struct RunWriter: ~Copyable {
    private let id: IndexID
    private let databases: IndexDatabases
    private let limits: BlockLimits
    private var changes: [Change] = []
    /// The separators of the runs that were put or deleted, by whichever call.
    private(set) var written: [[UInt8]] = []
    private var key = ByteBuffer(capacity: 512)
    private var value = ByteBuffer(capacity: RunSums.byteCount)

    /// What changed at a block; a block that goes counts below zero.
    private struct Change {
        var separator: [UInt8]
        var sums: RunSums
    }

    /// A run on its way to be written: it reaches up to `upper`, exclusive, nil for the index's last.
    private struct Run {
        var separator: [UInt8]
        var upper: [UInt8]?
        var sums: RunSums
        var isStored: Bool
    }

    init(id: IndexID, databases: IndexDatabases, limits: BlockLimits) {
        self.id = id
        self.databases = databases
        self.limits = limits
    }

    /// Begins ``written`` anew. Somebody may have the array, so its memory is not kept.
    mutating func forgetWritten() { written = [] }

    /// Bytes of memory that it keeps from use to use.
    var byteCount: Int { changes.capacity * MemoryLayout<Change>.stride }

    mutating func removeAll() { changes.removeAll(keepingCapacity: true) }

    mutating func add(_ sums: RunSums, at separator: [UInt8]) {
        changes.append(Change(separator: separator, sums: sums))
    }

    /// Writes the sums of all runs that changed. O(changed runs x log runs), and a walk over a run that is split.
    ///
    /// - Throws: `inconsistent` when the sums stored cannot have been right.
    mutating func write(in transaction: inout WriteTransaction) throws {
        changes.sort { $0.separator.isBelow($1.separator) }
        var at = 0
        while at < changes.count {
            var run = try load(changes[at].separator, in: transaction)
            addChanges(to: &run, &at)
            while run.sums.blocks < limits.smallestRun, let upper = run.upper {
                // An empty run but the first is dropped: its range falls to its predecessor.
                if run.sums.blocks == 0 && !run.separator.isEmpty { break }
                let next = try load(upper, in: transaction)
                try delete(upper, in: &transaction)
                run.sums += next.sums
                run.upper = next.upper
                addChanges(to: &run, &at)
            }
            try settle(run, in: &transaction)
        }
        removeAll()
    }

    private mutating func addChanges(to run: inout Run, _ at: inout Int) {
        while at < changes.count, run.upper.map({ changes[at].separator.isBelow($0) }) ?? true {
            run.sums += changes[at].sums
            at += 1
        }
    }

    private mutating func settle(_ run: Run, in transaction: inout WriteTransaction) throws {
        guard run.sums.isPossible, (run.sums.blocks == 0) == (run.sums.entries == 0) else { throw RunSums.wrong }
        if run.sums.blocks == 0 {
            if run.isStored { try delete(run.separator, in: &transaction) }
        } else if run.sums.blocks > limits.largestRun {
            for part in try split(run, in: transaction) {
                try put(part.sums, separator: part.separator, in: &transaction)
            }
        } else {
            try put(run.sums, separator: run.separator, in: &transaction)
        }
    }

    /// Cuts a run into equal ones of about three quarters of the largest, by a walk over its blocks' headers.
    private func split(_ run: Run, in transaction: borrowing WriteTransaction) throws -> [Run] {
        let wanted = max(1, limits.largestRun * 3 / 4)
        let most = run.sums.blocks / max(1, limits.smallestRun)
        let count = max(2, min((run.sums.blocks + wanted - 1) / wanted, most))
        var parts: [Run] = []
        var total = RunSums()
        var cursor = IndexCursor(overBlocks: try transaction.cursor(in: databases.indexes), of: id)
        var isAtBlock = try run.separator.withUnsafeBytes { try cursor.seek(atLeast: $0) }
        while isAtBlock, cursor.isBelow(run.upper) {
            let sums = try RunSums(block: cursor.block, separatorCount: cursor.separator.count)
            if parts.count < count, total.blocks >= run.sums.blocks * parts.count / count {
                let separator = parts.isEmpty ? run.separator : Array(cursor.separator)
                parts.append(Run(separator: separator, upper: nil, sums: RunSums(), isStored: false))
            }
            parts[parts.count - 1].sums += sums
            total += sums
            isAtBlock = try cursor.next()
        }
        guard total == run.sums else { throw RunSums.wrong }
        return parts
    }

    private mutating func load(_ separator: [UInt8], in transaction: borrowing WriteTransaction) throws -> Run {
        var cursor = IndexCursor(overRuns: try transaction.cursor(in: databases.counters), of: id)
        guard try separator.withUnsafeBytes({ try cursor.seek(containing: $0) }) else {
            return Run(separator: [], upper: nil, sums: RunSums(), isStored: false)
        }
        var run = Run(separator: Array(cursor.separator), upper: nil, sums: try cursor.sums, isStored: true)
        if try cursor.next() { run.upper = Array(cursor.separator) }
        return run
    }

    private mutating func put(_ sums: RunSums, separator: [UInt8], in transaction: inout WriteTransaction) throws {
        value.removeAll()
        sums.append(to: &value)
        written.append(separator)
        separator.withUnsafeBytes { IndexKeys.fill(&key, level: .runs, index: id, separator: $0) }
        try transaction.put(value.span, for: key.span, in: databases.counters)
    }

    private mutating func delete(_ separator: [UInt8], in transaction: inout WriteTransaction) throws {
        written.append(separator)
        separator.withUnsafeBytes { IndexKeys.fill(&key, level: .runs, index: id, separator: $0) }
        _ = try transaction.delete(key.span, in: databases.counters)
    }
}
