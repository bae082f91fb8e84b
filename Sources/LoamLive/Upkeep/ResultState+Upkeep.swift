import LoamQuery
package import LoamStorage

/// Which rows were taken out of the held ones and which were put in.
struct HeldChanges {
    /// The rows taken out, by their position before, ascending.
    var removed: [PlacedRow] = []
    /// The rows put in, by their position after, ascending.
    var inserted: [PlacedRow] = []
    /// Where each of the rows stood among the held ones, and where it stands, whether it was moved or not.
    var passages: [RowID: RowPassage] = [:]
}

/// Where a row stood among the rows of a result, and where it stands; nil for where it is not among them.
package struct RowPassage: Hashable, Sendable {
    package var before: ResultRow?
    package var after: ResultRow?
    /// The fields that changed on the way, by their positions in the entity; nil where they may be any.
    package var fields: FieldMask? = []
    /// The record that the row had before it was deleted; nil where it was not, or the record is not known.
    var last: [UInt8]?
}

/// A row that has changed.
struct ChangedRow {
    var rowID: RowID
    /// The held row; nil where it is not held.
    var before: ResultRow?
    /// Its place now; nil where it is not in the result.
    var place: PlacementRule.Placement?
    /// The fields that changed; nil where they may be any.
    var fields: FieldMask?
    /// The record that it had before it was deleted.
    var last: [UInt8]?
}

extension ResultState {
    /// Brings the state up to where changed rows stand now. O(log n) each.
    mutating func apply(_ rows: [ChangedRow]) -> HeldChanges {
        let old = self
        var changes = HeldChanges()
        var arrivals: [(row: ResultRow, place: PlacementRule.Placement)] = []
        for changed in rows {
            let before = changed.before
            var arrival: ResultRow?
            if let place = changed.place {
                let row = ResultRow(rowID: changed.rowID, key: place.key)
                if !isBehindBound(row) {
                    arrival = row
                    if row != before { arrivals.append((row, place)) }
                }
            }
            changes.passages[changed.rowID] = RowPassage(
                before: before, after: arrival, fields: changed.fields, last: changed.last)
            guard let before, before != arrival else { continue }
            changes.removed.append(PlacedRow(index: old.position(of: before), rowID: before.rowID))
            remove(before)
        }
        for (row, place) in arrivals { insert(row.rowID, at: place) }
        changes.removed.sort { $0.index < $1.index }
        changes.inserted = placed(arrivals.map(\.row))
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
        by rows: [(rowID: RowID, place: PlacementRule.Placement)], isComplete: Bool, _ changes: inout HeldChanges
    ) {
        guard let end = bound else { return }
        var last = end
        var new: [ResultRow] = []
        for (rowID, place) in rows {
            last = ResultRow(rowID: rowID, key: place.key)
            guard order.precedes(end, last) else { continue }
            insert(rowID, at: place)
            new.append(last)
        }
        bound = isComplete ? nil : last
        changes.inserted += placed(new)
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

    private func isBehindBound(_ row: ResultRow) -> Bool { bound.map { order.precedes($0, row) } ?? false }

    private func placed(_ rows: [ResultRow]) -> [PlacedRow] {
        rows.map { PlacedRow(index: position(of: $0), rowID: $0.rowID) }.sorted { $0.index < $1.index }
    }
}
