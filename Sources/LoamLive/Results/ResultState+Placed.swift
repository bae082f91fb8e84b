package import LoamQuery

extension ResultState {
    /// A state of rows that were read, with the sections that they form. They are sorted where they do not come in
    /// order.
    package init(
        placed rows: [(row: ResultRow, place: PlacementRule.Placement)], isSectioned: Bool, order: ResultOrder,
        offset: Int = 0, limit: Int? = nil, isComplete: Bool = true, capacity: TreeCapacity = TreeCapacity()
    ) {
        let isSorted = zip(rows, rows.dropFirst()).allSatisfy { order.precedes($0.row, $1.row) }
        let rows = isSorted ? rows : rows.sorted { order.precedes($0.row, $1.row) }
        var sections: [LiveSection] = []
        if isSectioned {
            for (row, place) in rows {
                let key = row.key.prefix(place.sectionCount)
                if let last = sections.last, last.key.elementsEqual(key) {
                    sections[sections.count - 1].count += 1
                } else {
                    sections.append(LiveSection(key: Array(key), identifier: place.section, count: 1))
                }
            }
        }
        self.init(
            rows: rows.map(\.row), sections: isSectioned ? sections : nil, order: order, offset: offset, limit: limit,
            isComplete: isComplete, capacity: capacity)
    }
}
