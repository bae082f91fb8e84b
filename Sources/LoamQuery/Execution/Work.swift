/// What was done to answer a query.
package struct Work: Hashable, Sendable {
    /// Ranges of indexes that were sought.
    package var ranges = 0
    package var blocks = 0
    package var entries = 0
    package var records = 0
    /// Rows that went through a sort by keys.
    package var sorted = 0
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
        sums += part.sums
        pending += part.pending
        abandoned += part.abandoned
    }
}
