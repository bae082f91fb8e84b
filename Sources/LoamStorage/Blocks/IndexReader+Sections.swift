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
    /// section as a whole are counted by their sums. O(blocks + sections x log n), without the blocks of those runs.
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
        var isFirst = true
        var isAtBlock = true
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
            if isAtBlock, let run = sections.skipRuns(from: cursor.separator) {
                isAtBlock = try sums.withSeparator(run) { try cursor.seek(atLeast: $0) }
            }
        }
        return reversed ? sections.found.reversed() : sections.found
    }
}

/// The sections found so far on a walk over blocks, in order.
private struct SectionWalk {
    let shape: BlockShape
    let sums: IndexSums
    let upper: [UInt8]?
    private(set) var found: [IndexSection] = []
    /// The first run whose lower bound the walk has not passed.
    private var nextRun: Int

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

    /// Counts runs that lie in the current section as a whole, when the next block, of this separator, begins one.
    ///
    /// - Returns: the run to go on with, nil when none was skipped.
    mutating func skipRuns(from separator: UnsafeRawBufferPointer) -> Int? {
        var isAtRun = false
        while nextRun < sums.runCount, sums.withSeparator(nextRun, { !separator.isBelow($0) }) {
            nextRun += 1
            isAtRun = true
        }
        guard isAtRun, isInSection(separator) else { return nil }
        var run = nextRun - 1
        // The run after next decides: a run's entries reach up to the first block of the next run, wherever that is.
        while run + 2 < sums.runCount, isInSection(run + 2) {
            found[found.count - 1].count += sums.entries(before: run + 1) - sums.entries(before: run)
            run += 1
        }
        guard run >= nextRun else { return nil }
        nextRun = run + 1
        return run
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
