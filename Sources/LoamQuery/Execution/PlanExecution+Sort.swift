import LoamStorage

/// Sorted rows, handed out a portion at a time.
extension PlanExecution {
    /// Sorts what a placer has collected, and returns the number of rows.
    ///
    /// - Parameter keepsKeys: whether the placer is going to be asked for their keys.
    /// - Throws: `temporaryFile`.
    func sort(_ placer: RowPlacer, keepsKeys: Bool) throws -> Int {
        try measuring(.sort) {
            let count = try placer.sort(keepsKeys: keepsKeys)
            placer.note(in: &work)
            return count
        }
    }

    /// Calls `body` with each row that a placer has sorted, until it returns false. Records are read for what a row does
    /// not have of `paths`, and where they are wanted.
    ///
    /// - Returns: whether `body` never returned false.
    func handOutSorted(_ placer: RowPlacer, paths: [PropertyPath], _ body: Body) throws -> Bool {
        // Where ids alone are wanted no row lacks anything, and none is asked.
        let wantsMore = readsRecords || !paths.isEmpty
        while true {
            var portion = try measuring(.sort) { try placer.nextSorted(atMost: Self.longestPortion) }
            guard !portion.isEmpty else { return true }
            if wantsMore, portion.contains(where: { lacksValues($0, paths: paths) }) {
                try complete(&portion, paths: paths)
            }
            for match in portion { guard try body(match) else { return false } }
        }
    }

    private func lacksValues(_ match: Match, paths: [PropertyPath]) -> Bool {
        guard !match.isComplete else { return false }
        return match.values.count < paths.count || readsRecords && match.record == nil
    }
}
