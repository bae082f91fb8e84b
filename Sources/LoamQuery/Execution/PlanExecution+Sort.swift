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
    /// - Parameter notesRest: whether the pace is told of the rows that are left where `body` is the end.
    /// - Returns: whether `body` never returned false.
    func handOutSorted(
        _ placer: RowPlacer, paths: [PropertyPath], notingRest notesRest: Bool = false, _ body: Body
    ) throws -> Bool {
        // Where ids alone are wanted no row lacks anything, and none is asked.
        let wantsMore = readsRecords || !paths.isEmpty
        while true {
            var portion = try nextSorted(placer)
            guard !portion.isEmpty else { return true }
            var given = 0
            do {
                if wantsMore, portion.contains(where: { lacksValues($0, paths: paths) }) {
                    try complete(&portion, paths: paths)
                }
                for match in portion {
                    given += 1
                    if try body(match) { continue }
                    if notesRest { try noteRest(portion[given...], behind: placer) }
                    return false
                }
            } catch let pause as SearchPace.Pause {
                // While records were read, or by the row that was given out last.
                if notesRest { try noteRest(portion[given...], behind: placer) }
                throw pause
            }
        }
    }

    private func nextSorted(_ placer: RowPlacer) throws -> [Match] {
        try measuring(.sort) {
            defer { placer.note(in: &work) }
            return try placer.nextSorted(atMost: Self.longestPortion)
        }
    }

    /// Tells the pace, if there is one, of the rows that are not handed out: these, and those behind them.
    private func noteRest(_ matches: ArraySlice<Match>, behind placer: RowPlacer) throws {
        guard let pace else { return }
        try measuring(.sort) {
            defer { placer.note(in: &work) }
            pace.note(rest: matches.map(\.rowID) + (try placer.takeSortedRowIDs()))
        }
    }

    private func lacksValues(_ match: Match, paths: [PropertyPath]) -> Bool {
        guard !match.isComplete else { return false }
        return match.values.count < paths.count || readsRecords && match.record == nil
    }
}
