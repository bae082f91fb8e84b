package import LoamQuery
package import LoamStorage

extension ResultState {
    /// A state of rows that were read, with the sections that they form. They are sorted where they do not come in
    /// order.
    package init(
        placed rows: [(rowID: RowID, place: PlacementRule.Placement)], isSectioned: Bool, order: ResultOrder,
        offset: Int = 0, limit: Int? = nil, isComplete: Bool = true, capacity: TreeCapacity = .rows
    ) {
        var placed = rows.map { (row: ResultRow(rowID: $0.rowID, key: $0.place.key), place: $0.place) }
        let isSorted = zip(placed, placed.dropFirst()).allSatisfy { order.precedes($0.row, $1.row) }
        if !isSorted { placed.sort { order.precedes($0.row, $1.row) } }
        var builder = StateBuilder(isSectioned: isSectioned, order: order, capacity: capacity)
        for (row, place) in placed {
            place.key.withUnsafeBytes {
                _ = builder.append(row.rowID, key: $0, section: (place.sectionCount, place.section))
            }
        }
        self = builder.finish(offset: offset, limit: limit, isComplete: isComplete)
    }
}

/// Makes a state of rows that are read in the order of the result.
struct StateBuilder: ~Copyable {
    private let order: ResultOrder
    private let isSectioned: Bool
    private var rows: RowTreeBuilder
    private var sections: [LiveSection] = []
    /// The section's part of the last row's key, as it was given.
    private var sectionKey: [UInt8] = []
    /// The last row's key, without zeros at its end.
    private var lastKey: [UInt8] = []
    private var lastID: RowID?

    init(isSectioned: Bool, order: ResultOrder, capacity: TreeCapacity = .rows) {
        (self.isSectioned, self.order) = (isSectioned, order)
        rows = RowTreeBuilder(capacity: capacity)
    }

    /// Appends the next row; false where it comes before the last one, and the rows have to be sorted.
    mutating func append(
        _ rowID: RowID, key: UnsafeRawBufferPointer, section: (byteCount: Int, value: Value)
    ) -> Bool {
        let trimmed = key.withoutZerosAtItsEnd
        if let lastID {
            let side = lastKey.withUnsafeBytes { $0.order(against: trimmed) }
            guard side < 0 || side == 0 && order.precedes(lastID, rowID) else { return false }
        }
        lastID = rowID
        lastKey.removeAll(keepingCapacity: true)
        lastKey += trimmed
        rows.append(rowID, key: trimmed)
        guard isSectioned else { return true }
        if !sections.isEmpty, sectionKey.elementsEqual(key.prefix(section.byteCount)) {
            sections[sections.count - 1].count += 1
        } else {
            sectionKey = Array(key.prefix(section.byteCount))
            sections.append(
                LiveSection(key: sectionKey.withoutZerosAtItsEnd, identifier: section.value, count: 1))
        }
        return true
    }

    consuming func finish(offset: Int, limit: Int?, isComplete: Bool) -> ResultState {
        let sections = isSectioned ? SectionTree(sorted: sections) : nil
        return ResultState(
            held: rows.finish(), sections: sections, order: order, offset: offset, limit: limit,
            isComplete: isComplete)
    }
}
