package import LoamStorage

/// A result as it stands after a save: a value, whose copies share what they have in common.
///
/// Offset and limit are a window on the rows that are held. A state without a limit holds every row that matches; one
/// with a limit holds the beginning up to ``bound``, with some rows behind the window in reserve, so that a row that
/// goes from the window is followed by the next one without asking.
package struct ResultState: Sendable {
    /// The save that the state was last brought up to.
    package var save: UInt64 = 0
    package let order: ResultOrder
    package let offset: Int
    package let limit: Int?
    /// All held rows, in the order of the result.
    package internal(set) var held: CountedTree<ResultRow>
    /// The held rows, by row id.
    var byRowID: CountedTree<ResultRow>
    /// The sections of the held rows; nil for a result without sections.
    var heldSections: CountedTree<LiveSection>?
    /// The row up to which the held rows are complete: all rows that match and do not come behind it are held. Nil when
    /// all rows that match are held.
    var bound: ResultRow?

    /// - Parameters:
    ///   - rows: in order.
    ///   - sections: the sections of the rows; nil for a result without.
    package init(
        rows: [ResultRow] = [], sections: [LiveSection]? = nil, order: ResultOrder = ResultOrder(), offset: Int = 0,
        limit: Int? = nil, isComplete: Bool = true, capacity: TreeCapacity = TreeCapacity()
    ) {
        self.order = order
        self.offset = offset
        self.limit = limit
        held = CountedTree(sorted: rows, capacity: capacity)
        byRowID = CountedTree(sorted: rows.sorted { $0.rowID < $1.rowID }, capacity: capacity)
        heldSections = sections.map { CountedTree(sorted: $0, capacity: capacity) }
        bound = isComplete ? nil : rows.last
    }

    package var isSectioned: Bool { heldSections != nil }

    /// The positions of the held rows that are the result.
    package var window: Range<Int> {
        let start = min(offset, held.count)
        let count = min(limit ?? .max, held.count - start)
        return start..<start + count
    }

    package var count: Int { window.count }

    /// The row at a place in the result. O(log n).
    package subscript(index: Int) -> RowID { held[window.lowerBound + index].rowID }

    /// All rows of the result, in order. O(n).
    package var rowIDs: [RowID] {
        var rowIDs: [RowID] = []
        rowIDs.reserveCapacity(count)
        held.forEach(in: window) { rowIDs.append($0.rowID) }
        return rowIDs
    }

    /// The place of a row in the result; nil where it is not in it. O(log n).
    package func index(of rowID: RowID) -> Int? {
        guard let row = row(rowID) else { return nil }
        let position = self.position(of: row)
        return window.contains(position) ? position - window.lowerBound : nil
    }

    /// The held row with an id.
    func row(_ rowID: RowID) -> ResultRow? {
        let index = byRowID.firstPosition { $0.rowID < rowID }
        guard index < byRowID.count else { return nil }
        let row = byRowID[index]
        return row.rowID == rowID ? row : nil
    }

    /// The position among the held rows at which a row stands, or at which it would stand.
    func position(of row: ResultRow) -> Int {
        held.firstPosition { order.precedes($0, row) }
    }
}
