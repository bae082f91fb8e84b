import LoamQuery
import LoamStorage
import SeededRandom

@testable import LoamLive

/// Rows with few different keys, so that they often meet: the first byte is the section, the second the order in it.
struct ResultSample {
    var places: [RowID: PlacementRule.Placement] = [:]
    let isSectioned: Bool
    let order: ResultOrder
    let offset: Int
    let limit: Int?
    var random: SeededGenerator
    private var nextRow: RowID = 1

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        isSectioned = Bool.random(using: &random)
        order = ResultOrder(rowIDDirection: Bool.random(using: &random) ? .ascending : .descending)
        limit = Bool.random(using: &random) ? Int.random(in: 0...12, using: &random) : nil
        offset = Bool.random(using: &random) ? Int.random(in: 0...6, using: &random) : 0
        for _ in 0..<Int.random(in: 0...60, using: &random) { _ = insert() }
    }

    /// The first rows in order, and whether they are all rows.
    func read(_ wanted: Int?) -> (rows: [(rowID: RowID, place: PlacementRule.Placement)], isComplete: Bool) {
        let all = places.map { (rowID: $0.key, place: $0.value) }.sorted {
            order.precedes(ResultRow(rowID: $0.rowID, key: $0.place.key), ResultRow(rowID: $1.rowID, key: $1.place.key))
        }
        guard let wanted, all.count > wanted else { return (all, true) }
        return (Array(all.prefix(wanted)), false)
    }

    /// A state that was read.
    func state() -> ResultState {
        let empty = ResultState(order: order, offset: offset, limit: limit)
        let (rows, isComplete) = read(empty.wanted)
        return ResultState(
            placed: rows, isSectioned: isSectioned, order: order, offset: offset, limit: limit, isComplete: isComplete,
            capacity: TreeCapacity(leaf: 4, inner: 4))
    }

    /// The rows of the window, written out from the model alone.
    func expected() -> SectionedRows {
        let all = read(nil).rows
        let window = all.dropFirst(offset).prefix(limit ?? .max)
        guard isSectioned else {
            return SectionedRows(sections: [.init(identifier: .null, rows: window.map(\.rowID))])
        }
        var sections: [SectionedRows.Section] = []
        for (rowID, place) in window {
            if sections.last?.identifier == place.section {
                sections[sections.count - 1].rows.append(rowID)
            } else {
                sections.append(.init(identifier: place.section, rows: [rowID]))
            }
        }
        return SectionedRows(sections: sections)
    }

    /// Changes some rows; returns the placements that the state is to be told.
    mutating func change() -> [RowID: PlacementRule.Placement?] {
        var changes: [RowID: PlacementRule.Placement?] = [:]
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            let rowID = places.keys.sorted().randomElement(using: &random)
            switch (Int.random(in: 0..<10, using: &random), rowID) {
            case (0..<3, _), (_, nil):
                let inserted = insert()
                changes[inserted] = .some(places[inserted])
            case (3..<6, let rowID?):
                places[rowID] = nil
                changes[rowID] = .some(nil)
            case (6..<7, let rowID?): changes[rowID] = .some(places[rowID])
            case (_, let rowID?):
                places[rowID] = place()
                changes[rowID] = .some(places[rowID])
            }
        }
        return changes
    }

    private mutating func insert() -> RowID {
        defer { nextRow += 1 }
        places[nextRow] = place()
        return nextRow
    }

    private mutating func place() -> PlacementRule.Placement {
        let section = UInt8.random(in: 0..<5, using: &random)
        return PlacementRule.Placement(
            key: [section, .random(in: 0..<6, using: &random)], sectionCount: isSectioned ? 1 : 0,
            section: isSectioned ? .int(Int64(section)) : .null)
    }
}
