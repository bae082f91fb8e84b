import LoamStorage

/// What unsaved changes take out of virtual rows, and put in: by places, so that nothing is held of the other rows.
struct LaidPlaces: Sendable {
    enum Source {
        /// A saved row, by its place among the saved ones.
        case saved(Int)
        case unsaved(RowID)
    }

    /// The places of saved rows that are not shown there, ascending.
    private let removed: [Int]
    /// The unsaved rows by the places at which they are shown, ascending.
    private let inserted: [PlacedRow]
    /// Where the rows that were taken out or put in are shown; nil for those that are not.
    let places: [RowID: Int?]

    /// - Parameters:
    ///   - removed: the saved rows that are not shown at their places, in no order.
    ///   - inserted: the unsaved rows in the order of the result, each with the number of saved rows that come before it.
    init(removed: [PlacedRow], inserted: [PlacedRow]) {
        let taken = removed.map(\.index).sorted()
        self.removed = taken
        self.inserted = inserted.enumerated().map { number, row in
            PlacedRow(index: taken.rank(row.index) + number, rowID: row.rowID)
        }
        var places: [RowID: Int?] = [:]
        for row in removed { places.updateValue(nil, forKey: row.rowID) }
        for row in self.inserted { places.updateValue(row.index, forKey: row.rowID) }
        self.places = places
    }

    /// By how many rows there are more than are saved.
    var growth: Int { inserted.count - removed.count }

    /// Which row is shown at a place. O(log rows).
    func source(of index: Int) -> Source {
        let next = inserted.indices.partitionPoint { inserted[$0].index < index }
        if next < inserted.count, inserted[next].index == index { return .unsaved(inserted[next].rowID) }
        return .saved(removed.position(ofRank: index - next))
    }

    /// How many saved rows that stand side by side are shown from a place on, at least 1. O(log rows).
    ///
    /// - Parameter saved: the place of the first one among the saved rows.
    func savedRun(at index: Int, from saved: Int) -> Int {
        let next = inserted.indices.partitionPoint { inserted[$0].index < index }
        let gap = removed.indices.partitionPoint { removed[$0] < saved }
        return min(
            next < inserted.count ? inserted[next].index - index : .max,
            gap < removed.count ? removed[gap] - saved : .max)
    }

    /// Where a saved row is shown that was not taken out. O(log rows).
    func index(of saved: Int) -> Int {
        let rank = removed.rank(saved)
        return rank + inserted.indices.partitionPoint { inserted[$0].index - $0 <= rank }
    }
}
