package import LMDB

/// A section: entries that share their leading component.
package struct IndexSection: Hashable, Sendable {
    /// The bytes of the leading component.
    package var key: [UInt8]
    package var count: Int

    package init(key: [UInt8], count: Int) {
        self.key = key
        self.count = count
    }
}

extension IndexReader {
    /// The sections of a range in the order of the index or in reverse, with their sizes.
    ///
    /// A block whose first and last entry share the leading component is counted by its header; runs that lie in one
    /// section as a whole are counted by their sums. The sections of a run that was walked through are kept for as long
    /// as nobody changes the run, where they are no more than its blocks. O(blocks + sections x log n), without the
    /// blocks of those runs; O(runs + sections) for an index all of whose runs were walked through before.
    ///
    /// - Throws: `damagedBlock` where a block could lead out of its bytes or a key ends within its leading component,
    ///   `inconsistent` where the sums cannot be right.
    package func sections<T: Transaction & ~Copyable>(
        _ range: KeyRange = .all, reversed: Bool = false, sums: IndexSums, in transaction: borrowing T
    ) throws -> [IndexSection] {
        guard !range.isEmpty else { return [] }
        var cursor = IndexCursor(overBlocks: try transaction.cursor(in: databases.indexes), of: shape.id)
        guard try range.withLower({ try cursor.seek(containing: $0) }) else { return [] }
        let upper = range.upper
        let firstRun = sums.run(containing: cursor.separator) ?? 0
        var sections = SectionWalk(shape: shape, sums: sums, upper: upper, nextRun: firstRun + 1)
        var isFirst = range.hasLower
        var isAtBlock = true
        // The first block of an index begins a run.
        if !range.hasLower, let run = sections.skipRuns() { isAtBlock = try cursor.move(toRun: run, of: sums) }
        while isAtBlock {
            guard isFirst || cursor.isBelow(upper) else { break }
            let block = cursor.block
            isAtBlock = try cursor.next()
            let endsHere = upper != nil && (!isAtBlock || !cursor.isBelow(upper))
            // Most blocks lie in one section, which their header and prefix tell.
            let isAdded = try !isFirst && !endsHere && sections.addWhole(block)
            if !isAdded {
                let view = try BlockView(block, shape: shape)
                let start = isFirst ? try range.withLower { try view.lowerBound(of: $0) } : 0
                var end = view.count
                if endsHere, let upper {
                    end = try upper.withUnsafeBytes { try view.lowerBound(of: $0) }
                }
                if start < end { try sections.add(view, range: start..<end) }
            }
            isFirst = false
            if isAtBlock, sections.enterRun(at: cursor.separator), let run = sections.skipRuns() {
                isAtBlock = try cursor.move(toRun: run, of: sums)
            }
        }
        if upper == nil { sections.keepRun() }
        return reversed ? sections.found.reversed() : sections.found
    }
}

extension IndexCursor {
    /// Moves to the first block of a run; false behind the last one.
    @_lifetime(self: copy self)
    fileprivate mutating func move(toRun run: Int, of sums: IndexSums) throws -> Bool {
        try run < sums.runCount && sums.withSeparator(run) { try seek(atLeast: $0) }
    }
}

/// The sections of the entries of a run, in order: kept for all states of the store that have the run with the same
/// blocks.
final class RunSections: Sendable {
    let sections: [IndexSection]

    fileprivate init(_ sections: [IndexSection]) { self.sections = sections }
}

/// The sections found so far on a walk over blocks, in order.
private struct SectionWalk {
    let shape: BlockShape
    let sums: IndexSums
    let upper: [UInt8]?
    private(set) var found: [IndexSection] = []
    /// The first run whose lower bound the walk has not passed.
    private var nextRun: Int
    /// The run that is walked through from its first block on, and what was found before it.
    private var walked: (run: Int, sections: Int, entriesOfLast: Int)?

    init(shape: BlockShape, sums: IndexSums, upper: [UInt8]?, nextRun: Int) {
        self.shape = shape
        self.sums = sums
        self.upper = upper
        self.nextRun = nextRun
    }

    /// Adds a block that lies in the current section as a whole; false when its prefix does not show that.
    mutating func addWhole(_ block: UnsafeRawBufferPointer) throws(StorageError) -> Bool {
        let count = try BlockView.count(of: block)
        guard let last = found.last, let base = block.baseAddress,
            base.u16(BlockFormat.prefixCountAt) >= last.key.count,
            block.count >= BlockFormat.headerCount + last.key.count
        else { return false }
        let isCurrent = last.key.withUnsafeBytes { key in
            key.baseAddress.map { (base + BlockFormat.headerCount).compare($0, count: key.count) == 0 } ?? true
        }
        if isCurrent { found[found.count - 1].count += count }
        return isCurrent
    }

    /// Adds entries of one block.
    mutating func add(_ view: BlockView, range: Range<Int>) throws(StorageError) {
        if let end = shape.leadingLength.end(in: view.prefix) {
            add(UnsafeRawBufferPointer(rebasing: view.prefix.prefix(end)), count: range.count)
            return
        }
        var key = ByteBuffer(capacity: 512)
        var bound = ByteBuffer(capacity: 512)
        try view.copyKey(at: range.upperBound - 1, into: &bound)
        let last = Array(try leading(bound.bytes))
        var at = range.lowerBound
        while at < range.upperBound {
            try view.copyKey(at: at, into: &key)
            let leading = try leading(key.bytes)
            var end = range.upperBound
            if !leading.elementsEqual(last) {
                bound.removeAll()
                bound.append(leading)
                end = bound.makeSuccessor() ? min(end, max(at + 1, try view.lowerBound(of: bound.bytes))) : end
            }
            add(leading, count: end - at)
            at = end
        }
    }

    private func leading(_ key: UnsafeRawBufferPointer) throws(StorageError) -> UnsafeRawBufferPointer {
        guard let end = shape.leadingLength.end(in: key) else {
            throw BlockFormat.damaged("a key ends within its leading component")
        }
        return UnsafeRawBufferPointer(rebasing: key.prefix(end))
    }

    private mutating func add(_ sections: [IndexSection]) {
        guard let first = sections.first else { return }
        guard first.key.withUnsafeBytes({ isCurrent($0) }) else { return found.append(contentsOf: sections) }
        found[found.count - 1].count += first.count
        found.append(contentsOf: sections.dropFirst())
    }

    private mutating func add(_ leading: UnsafeRawBufferPointer, count: Int) {
        if isCurrent(leading) {
            found[found.count - 1].count += count
        } else {
            found.append(IndexSection(key: Array(leading), count: count))
        }
    }

    private func isCurrent(_ leading: UnsafeRawBufferPointer) -> Bool {
        guard let last = found.last, last.key.count == leading.count else { return false }
        return last.key.withUnsafeBytes { key in
            guard let left = key.baseAddress, let right = leading.baseAddress else { return true }
            return left.compare(right, count: key.count) == 0
        }
    }

    /// Notes that the next block has a separator; returns whether it begins a run.
    mutating func enterRun(at separator: UnsafeRawBufferPointer) -> Bool {
        var isAtRun = false
        while nextRun < sums.runCount, sums.withSeparator(nextRun, { !separator.isBelow($0) }) {
            nextRun += 1
            isAtRun = true
        }
        if isAtRun { keepRun() }
        return isAtRun
    }

    /// Keeps the sections of the run that was walked through, as all of its blocks were.
    mutating func keepRun() {
        guard let (run, before, entriesOfLast) = walked else { return }
        walked = nil
        var sections: [IndexSection] = []
        if before > 0, found[before - 1].count > entriesOfLast {
            sections.append(IndexSection(key: found[before - 1].key, count: found[before - 1].count - entriesOfLast))
        }
        sections += found[before...]
        // Of many small ones a walk costs no more than to copy them.
        guard sections.count <= sums.sums(ofRun: run).blocks,
            sections.reduce(0, { $0 + $1.count }) == sums.sums(ofRun: run).entries
        else { return }
        sums.outline(ofRun: run).sections.keep(RunSections(sections))
    }

    /// Adds runs whose sections are known, or that lie in the current section as a whole, from the one that the next
    /// block begins on.
    ///
    /// - Returns: the run to go on with, which may be the one behind the last; nil when none was skipped.
    mutating func skipRuns() -> Int? {
        let first = nextRun - 1
        var run = first
        while run < sums.runCount {
            if endsInSection(run) {
                found[found.count - 1].count += sums.entries(before: run + 1) - sums.entries(before: run)
            } else if endsInRange(run), let known = sums.outline(ofRun: run).sections.known {
                add(known.sections)
            } else {
                break
            }
            run += 1
        }
        nextRun = run + 1
        walked = run < sums.runCount ? (run, found.count, found.last?.count ?? 0) : nil
        return run > first ? run : nil
    }

    // A run's entries reach up to the first block of the next run, wherever that is: so the run behind that decides.

    private func endsInRange(_ run: Int) -> Bool {
        guard let upper else { return true }
        guard run + 2 < sums.runCount else { return false }
        return sums.withSeparator(run + 2) { separator in upper.withUnsafeBytes { !$0.isBelow(separator) } }
    }

    /// Whether a run that begins with the next block lies in the current section as a whole, and in the range.
    private func endsInSection(_ run: Int) -> Bool {
        run + 2 < sums.runCount && isInSection(run) && isInSection(run + 2)
    }

    private func isInSection(_ separator: UnsafeRawBufferPointer) -> Bool {
        guard let end = shape.leadingLength.end(in: separator) else { return false }
        return isCurrent(UnsafeRawBufferPointer(rebasing: separator.prefix(end)))
    }

    /// Whether a run begins within the current section, and within the range.
    private func isInSection(_ run: Int) -> Bool {
        sums.withSeparator(run) { separator in
            guard isInSection(separator) else { return false }
            return upper.map { upper in upper.withUnsafeBytes { separator.isBelow($0) } } ?? true
        }
    }
}

extension ByteBuffer {
    /// Replaces the bytes by the smallest above everything that begins with them; false when there is nothing above.
    fileprivate mutating func makeSuccessor() -> Bool {
        var at = count - 1
        while at >= 0 {
            let byte = start.load(fromByteOffset: at, as: UInt8.self)
            if byte < 0xFF {
                start.storeBytes(of: byte + 1, toByteOffset: at, as: UInt8.self)
                truncate(to: at + 1)
                return true
            }
            at -= 1
        }
        return false
    }
}
