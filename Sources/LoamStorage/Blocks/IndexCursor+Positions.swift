/// Positions: entries are counted by sums up to a run, by headers within it, by a search in one block.
extension IndexCursor {
    /// How many entries are below `bound`. O(log n) and the headers of one run.
    @_lifetime(self: copy self)
    mutating func position(of bound: [UInt8], _ shape: BlockShape, _ sums: IndexSums) throws -> Int {
        try bound.withUnsafeBytes { bound in
            guard bound.count > 0, let run = sums.run(containing: bound) else { return 0 }
            var before = sums.entries(before: run)
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
    }

    /// Moves to the block that holds the entry at `position`, and tells its place there; nil when there is none.
    @_lifetime(self: copy self)
    mutating func seek(toEntry position: Int, _ sums: IndexSums) throws -> Int? {
        guard let run = sums.run(atEntry: position) else { return nil }
        var left = position - sums.entries(before: run)
        guard try sums.withSeparator(run, { try seek(atLeast: $0) }) else { throw RunSums.wrong }
        while true {
            let count = try BlockView.count(of: block)
            if left < count { return left }
            left -= count
            guard try next() else { throw RunSums.wrong }
        }
    }
}
