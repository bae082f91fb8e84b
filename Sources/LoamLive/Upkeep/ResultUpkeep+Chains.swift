import LoamQuery
import LoamStorage

extension ResultUpkeep {
    /// The rows that changes touch, those along relationships too: what has changed is laid over the snapshot as it was,
    /// and the chains of relationships are walked backwards from there, in both. O(log n) for each row that is touched.
    ///
    /// - Returns: nil where the query reads no related rows, where the changes do not tell what was before, and where
    ///   so many rows are touched that the result is read again for less.
    func touchedRows(_ changes: RowChanges, in snapshot: Snapshot) throws -> [ChangedRow]? {
        guard state.virtual == nil, order.readsRelations, changes.count <= mostPlaced,
            changes.count > 0 || changes.concernsOthers,
            let overlay = try changes.former.overlay(own: changes.rows, interest: interest, in: snapshot)
        else { return nil }
        let former = try order.pendingPlaces(under: overlay, in: snapshot)
        guard former.count <= mostPlaced else { return nil }
        var rows: [ChangedRow] = []
        for (rowID, former) in former {
            var row = ChangedRow(rowID: rowID, place: try order.placement(of: rowID, in: snapshot))
            row.before = former.place.map { ResultRow(rowID: rowID, key: $0.key) }
            if let before = row.before, state.held.index(of: before, state.order) == nil { row.before = nil }
            if let own = changes.rows[rowID] {
                (row.fields, row.last) = (own.fields, own.last)
            } else if !showsOthers {
                if row.place.map({ ResultRow(rowID: rowID, key: $0.key) }) == row.before { continue }
                row.fields = []
            }
            rows.append(row)
        }
        return rows
    }
}
