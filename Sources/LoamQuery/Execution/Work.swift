/// What was done to answer a query.
package struct Work: Hashable, Sendable {
    /// Ranges of indexes that were sought.
    package var ranges = 0
    package var blocks = 0
    package var entries = 0
    package var records = 0
    /// Rows that went through a sort by keys.
    package var sorted = 0
    /// Sorted runs of rows that were written to a temporary file, because they exceeded the memory of a sort.
    package var spilledRuns = 0
    /// Rows that were written so; under a limit those among them that may be wanted, as far as the runs before told.
    package var spilledRows = 0
    /// Bytes that were written so; where runs were merged into longer ones, those once more.
    package var spilledBytes = 0
    /// Rows that were read from such runs: each once when it is handed out, and once for each merge into a longer run.
    package var mergedRows = 0
    /// The most bytes that a sort held in memory at a time: keys, and what is kept with them.
    package var sortMemory = 0
    /// Rows or sections that were handed out; 0 for a count.
    package var returned = 0
    /// Numbers of rows that came from sums and headers, without looking at rows.
    package var sums = 0
    /// Rows of an overlay that were tested.
    package var pending = 0
    /// Entries and records that a search read which was then left for another plan. They count as such, too.
    package var abandoned = 0

    package init() {}

    /// The work of a part, without the rows that it returned.
    mutating func add(_ part: Work) {
        ranges += part.ranges
        blocks += part.blocks
        entries += part.entries
        records += part.records
        sorted += part.sorted
        spilledRuns += part.spilledRuns
        spilledRows += part.spilledRows
        spilledBytes += part.spilledBytes
        mergedRows += part.mergedRows
        sortMemory = max(sortMemory, part.sortMemory)
        sums += part.sums
        pending += part.pending
        abandoned += part.abandoned
    }
}
