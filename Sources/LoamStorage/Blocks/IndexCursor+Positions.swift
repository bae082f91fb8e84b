/// Positions: entries are counted by sums up to a run, by headers within it, by a search in one block.
extension IndexCursor {
    /// How many entries are below `bound`. O(log n) and the headers of one run.
    @_lifetime(self: copy self)
    mutating func position(of bound: UnsafeRawBufferPointer, shape: BlockShape, sums: IndexSums) throws -> Int {
        guard bound.count > 0, let run = sums.run(containing: bound) else { return 0 }
        var before = sums.entries(before: run)
        if let outline = try outline(ofRun: run, sums), let block = outline.block(containing: bound) {
            guard try outline.withSeparator(block, { try seek(to: $0) }) else { throw RunSums.wrong }
            let view = try BlockView(self.block, shape: shape)
            return before + outline.entries(before: block) + (try view.lowerBound(of: bound))
        }
        guard try sums.withSeparator(run, { try seek(atLeast: $0) }) else { return before }
        if bound.isBelow(separator) {
            // The run's lower bound is no block's: what lies between is in the block before.
            guard try previous() else { return 0 }
            let view = try BlockView(block, shape: shape)
            return max(0, before - view.count) + (try view.lowerBound(of: bound))
        }
        while true {
            let candidate = block
            guard try next(), !bound.isBelow(separator) else {
                return before + (try BlockView(candidate, shape: shape).lowerBound(of: bound))
            }
            before += try BlockView.count(of: candidate)
        }
    }

    /// How many entries lie in a range that ends within a few blocks, by a look at those; nil for a longer one. O(log
    /// n).
    @_lifetime(self: copy self)
    mutating func nearbyCount(in range: KeyRange, _ shape: BlockShape) throws -> Int? {
        try range.withBounds { try nearbyCount(from: $0, to: $1, blocks: Self.nearbyBlocks, shape) }
    }

    /// The same for a range from one bound to another; nil is the end of the index.
    @_lifetime(self: copy self)
    mutating func nearbyCount(
        from lower: UnsafeRawBufferPointer, to upper: UnsafeRawBufferPointer?, blocks: Int, _ shape: BlockShape
    ) throws -> Int? {
        guard try seek(containing: lower) else { return 0 }
        var view = try BlockView(block, shape: shape)
        let first = try view.lowerBound(of: lower)
        // Mostly it ends in the same block, before its last entry.
        if let upper, case let end = try view.lowerBound(of: upper), end < view.count { return max(0, end - first) }
        var before = -first
        for _ in 0..<blocks {
            guard try next(), upper.map({ separator.isBelow($0) }) ?? true else {
                return max(0, before + (try upper.map { try view.lowerBound(of: $0) } ?? view.count))
            }
            before += view.count
            view = try BlockView(block, shape: shape)
        }
        return nil
    }

    /// Reads the outlines of the runs in which a range begins and ends, where they are worth it. A walk over the blocks'
    /// headers of both at most.
    @_lifetime(self: copy self)
    mutating func readOutlines(at range: KeyRange, _ sums: IndexSums) throws {
        guard sums.runCount > 0 else { return }
        let (first, last) = sums.edges(of: range)
        if range.hasLower { _ = try outline(ofRun: first, sums) }
        if range.hasUpper, last != first || !range.hasLower { _ = try outline(ofRun: last, sums) }
    }

    /// The outline of a run, if it is known or worth to be read now: O(blocks of the run), once for as long as nobody
    /// changes it.
    @_lifetime(self: copy self)
    private mutating func outline(ofRun run: Int, _ sums: IndexSums) throws -> RunOutline? {
        let kept = sums.outline(ofRun: run)
        if let known = kept.known { return known }
        guard kept.isWanted() else { return nil }
        let outline = try readOutline(ofRun: run, sums)
        kept.keep(outline)
        return outline
    }

    @_lifetime(self: copy self)
    mutating func readOutline(ofRun run: Int, _ sums: IndexSums) throws -> RunOutline {
        let wanted = sums.sums(ofRun: run)
        var (separators, ends, entriesBefore) = ([UInt8](), [Int](), [0])
        var isAtBlock = try sums.withSeparator(run) { try seek(atLeast: $0) }
        while isAtBlock, ends.count < wanted.blocks {
            separators.append(contentsOf: separator)
            ends.append(separators.count)
            entriesBefore.append(entriesBefore[ends.count - 1] + (try BlockView.count(of: block)))
            isAtBlock = try next()
        }
        guard ends.count == wanted.blocks, entriesBefore.last == wanted.entries else { throw RunSums.wrong }
        return RunOutline(separators: separators, ends: ends, entriesBefore: entriesBefore)
    }

    /// An eighth of the blocks of an appended run, so that what is longer is estimated well from the sums.
    private static var nearbyBlocks: Int { 16 }

    /// Moves to the block that holds the entry at `position`, and tells its index there; nil when there is none. O(log
    /// n), and the headers of one run where its outline is not known.
    @_lifetime(self: copy self)
    mutating func seek(toEntry position: Int, _ sums: IndexSums) throws -> Int? {
        guard let run = sums.run(atEntry: position) else { return nil }
        var left = position - sums.entries(before: run)
        if let outline = try outline(ofRun: run, sums), let block = outline.block(holdingEntry: left) {
            guard try outline.withSeparator(block, { try seek(to: $0) }) else { throw RunSums.wrong }
            left -= outline.entries(before: block)
            guard try left < BlockView.count(of: self.block) else { throw RunSums.wrong }
            return left
        }
        guard try sums.withSeparator(run, { try seek(atLeast: $0) }) else { throw RunSums.wrong }
        while true {
            let count = try BlockView.count(of: block)
            if left < count { return left }
            left -= count
            guard try next() else { throw RunSums.wrong }
        }
    }
}
