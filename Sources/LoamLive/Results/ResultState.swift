package import LoamStorage

/// A result as it stands after a save: a value, whose copies share what they have in common.
///
/// Offset and limit are a window on the rows that are held, or virtual. A state without a limit holds every row that
/// matches; one with a limit holds the beginning up to ``bound``, with some rows behind the window in reserve, so that a row that
/// goes from the window is followed by the next one without asking.
package struct ResultState: Sendable {
    /// The save that the state was last brought up to.
    package var save: UInt64 = 0
    package let order: ResultOrder
    package let offset: Int
    package let limit: Int?
    /// All held rows, in the order of the result; none where the rows are virtual.
    package internal(set) var held: RowTree
    /// The rows of a state that holds none of them.
    var virtual: VirtualRows?
    /// The sections of the held rows; nil for a result without sections.
    var heldSections: SectionTree?
    /// The row up to which the held rows are complete: all rows that match and do not come behind it are held. Nil when
    /// all rows that match are held.
    var bound: ResultRow?

    /// - Parameters:
    ///   - held: in order.
    ///   - sections: the sections of the rows; nil for a result without.
    init(
        held: RowTree, sections: SectionTree?, order: ResultOrder, offset: Int = 0, limit: Int? = nil,
        isComplete: Bool = true
    ) {
        (self.order, self.offset, self.limit) = (order, offset, limit)
        (self.held, heldSections) = (held, sections)
        bound = isComplete ? nil : held.last
    }

    /// A state of virtual rows: all that match.
    ///
    /// - Parameter sections: the sections of the rows; nil for a result without.
    init(
        virtual: VirtualRows, sections: SectionTree?, order: ResultOrder, save: UInt64, offset: Int, limit: Int?
    ) {
        self.init(held: RowTree(capacity: .rows), sections: sections, order: order, offset: offset, limit: limit)
        (self.virtual, self.save) = (virtual, save)
    }

    /// A state without rows.
    package init(
        isSectioned: Bool = false, order: ResultOrder = ResultOrder(), offset: Int = 0, limit: Int? = nil,
        capacity: TreeCapacity = .rows
    ) {
        self.init(
            held: RowTree(capacity: capacity), sections: isSectioned ? SectionTree() : nil, order: order,
            offset: offset, limit: limit)
    }

    /// Whether an offset or a limit decides which of the rows that match are the result.
    var isWindow: Bool { limit != nil || offset != 0 }

    package var isSectioned: Bool { heldSections != nil }

    /// The positions of the held or virtual rows that are the result.
    package var window: Range<Int> {
        let all = virtual?.count ?? held.count
        let start = min(offset, all)
        let count = min(limit ?? .max, all - start)
        return start..<start + count
    }

    package var count: Int { window.count }

    /// The row at a place in the result. O(log n).
    package subscript(index: Int) -> RowID {
        rowID(standingAt: window.lowerBound + index)
    }

    /// The row at a position among all that are held, or virtual. O(log n).
    func rowID(standingAt position: Int) -> RowID { virtual?.rowID(at: position) ?? held.rowID(at: position) }

    /// The rows at places in the result, in order. O(log n + rows), and O(log n) for each 256 virtual ones.
    package func forEachRowID(in range: Range<Int>, _ body: (RowID) throws -> Void) rethrows {
        let start = window.lowerBound
        let range = start + range.lowerBound..<start + range.upperBound
        if let virtual { return try virtual.forEachRowID(in: range, body) }
        try held.forEachRowID(in: range, body)
    }

    /// All rows of the result, in order. O(n).
    package var rowIDs: [RowID] {
        var rowIDs: [RowID] = []
        rowIDs.reserveCapacity(count)
        forEachRowID(in: 0..<count) { rowIDs.append($0) }
        return rowIDs
    }

    /// The place of a row in the result; nil where it is not in it. O(log n) for virtual rows, else O(n), some
    /// three nanoseconds for each row: the state keeps no order by row id.
    package func index(of rowID: RowID) -> Int? {
        if let virtual { return virtual.index(of: rowID).flatMap(placeInWindow) }
        return held.find([rowID]).first.flatMap { placeInWindow($0.index) }
    }

    /// Which of some rows are held, or among the virtual ones. O(log n) for each where they are virtual, else O(n).
    package func rowIDs(among rows: [RowID]) -> Set<RowID> {
        if let virtual { return Set(rows.filter { virtual.index(of: $0) != nil }) }
        return Set(held.find(rows).map(\.row.rowID))
    }

    /// The place of a row whose key is known; nil where it is not in the result with that key. O(log n).
    package func index(of row: ResultRow) -> Int? {
        if let virtual { return virtual.index(of: row.rowID).flatMap(placeInWindow) }
        return held.index(of: row, order).flatMap(placeInWindow)
    }

    /// Those of some rows that the window has, by their places in it, where they are known by those among all.
    func inWindow(_ rows: [PlacedRow]) -> [PlacedRow] {
        let window = window
        return rows.filter { window.contains($0.index) }.map {
            PlacedRow(index: $0.index - window.lowerBound, rowID: $0.rowID)
        }
    }

    private func placeInWindow(_ position: Int) -> Int? {
        window.contains(position) ? position - window.lowerBound : nil
    }

    /// The position among the held rows at which a row stands, or at which it would stand. O(log n).
    func position(of row: ResultRow) -> Int { held.position(of: row, order) }

    /// The position among all rows at which a row of the state stands; nil where virtual rows cannot be read. O(log n).
    func place(of row: ResultRow) -> Int? { virtual == nil ? position(of: row) : virtual?.index(of: row.rowID) }
}
