import LoamQuery
import LoamStorage

/// Which rows were taken out of the held ones and which were put in.
struct HeldChanges {
    /// The rows taken out, by their position before, ascending.
    var removed: [PlacedRow] = []
    /// The rows put in, by their position after, ascending.
    var inserted: [PlacedRow] = []
}

extension ResultState {
    /// Brings the state up to where changed rows stand now: nil for those that are not in the result. O(log n) each.
    mutating func apply(_ places: [RowID: PlacementRule.Placement?]) -> HeldChanges {
        let old = self
        var changes = HeldChanges()
        var arrivals: [ResultRow] = []
        for (rowID, place) in places {
            let before = old.row(rowID)
            let after = place.map { ResultRow(rowID: rowID, key: $0.key) }.flatMap(held(orBehindBound:))
            guard before != after else { continue }
            if let before {
                changes.removed.append(PlacedRow(index: old.position(of: before), rowID: rowID))
                remove(before)
            }
            if let after { arrivals.append(after) }
        }
        for row in arrivals {
            guard case .some(.some(let place)) = places[row.rowID] else { continue }
            insert(row, sectionCount: place.sectionCount, identifier: place.section)
        }
        changes.removed.sort { $0.index < $1.index }
        changes.inserted = placed(arrivals)
        return changes
    }

    /// Whether rows behind the bound belong into the window.
    var isShort: Bool {
        guard bound != nil else { return false }
        return held.count < (heldCount(reserve: 0) ?? .max)
    }

    /// Takes in rows from behind the bound, after those of a beginning of the result that are held already.
    ///
    /// - Parameter rows: the beginning of the result, in order; all of it when `isComplete`.
    mutating func extend(
        by rows: [(row: ResultRow, place: PlacementRule.Placement)], isComplete: Bool, _ changes: inout HeldChanges
    ) {
        guard let end = bound else { return }
        let new = rows.filter { order.precedes(end, $0.row) }
        for (row, place) in new { insert(row, sectionCount: place.sectionCount, identifier: place.section) }
        bound = isComplete ? nil : rows.last?.row ?? end
        changes.inserted += placed(new.map(\.row))
    }

    /// Drops rows behind the window where they are too many for a reserve.
    mutating func trim() {
        guard let most = heldCount(reserve: 2 * reserve), held.count > most, let kept = heldCount(reserve: reserve)
        else { return }
        while held.count > kept { remove(held[held.count - 1]) }
        bound = held.last
    }

    /// How many rows are read: the window and a reserve; nil for all.
    package var wanted: Int? { heldCount(reserve: reserve) }

    /// The number of rows that are held behind the window. So many can leave the window one by one before the store
    /// is asked for more.
    private var reserve: Int { max(32, (limit ?? 0) / 2) }

    private func heldCount(reserve: Int) -> Int? {
        guard let limit else { return nil }
        let (end, overflow) = offset.addingReportingOverflow(limit)
        let (count, isTooMuch) = end.addingReportingOverflow(reserve)
        return overflow || isTooMuch ? nil : count
    }

    private func held(orBehindBound row: ResultRow) -> ResultRow? {
        if let bound, order.precedes(bound, row) { return nil }
        return row
    }

    private func placed(_ rows: [ResultRow]) -> [PlacedRow] {
        rows.map { PlacedRow(index: position(of: $0), rowID: $0.rowID) }.sorted { $0.index < $1.index }
    }
}
