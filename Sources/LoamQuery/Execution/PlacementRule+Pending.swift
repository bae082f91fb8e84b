package import LoamStorage

/// A row that unsaved changes concern, as a result has it under them.
package struct PendingPlace: Hashable, Sendable {
    /// Where it stands; nil where it is not in the result.
    package var place: PlacementRule.Placement?
    /// Its values with the changes; nil for a stored row that is as it was, or goes.
    package var values: [Value]?
    /// Whether there may be a stored row.
    package var isStored: Bool
}

extension PlacementRule {
    /// Where the rows stand that an overlay concerns, with the overlay in view: those that it changes, inserts and
    /// deletes, and those that lead to such rows along the relationships that the query reads. O(rows of the overlay).
    ///
    /// - Throws: ``QueryError`` for a MATCHES that takes too much work, `StorageError` for damage.
    package func pendingPlaces(under overlay: Overlay, in snapshot: Snapshot) throws -> [RowID: PendingPlace] {
        guard let rows = try OverlaidRows(overlay, of: query, in: snapshot) else { return [:] }
        var places: [RowID: PendingPlace] = [:]
        for row in rows.touchedRows {
            let place = try placement(of: row.values, rows.related)
            places[row.values.rowID] = PendingPlace(place: place, values: nil, isStored: true)
        }
        guard let entity = rows.entity else { return places }
        for row in entity.masked { places[row] = PendingPlace(place: nil, values: nil, isStored: true) }
        for (id, row) in entity.rows {
            places[id] = PendingPlace(
                place: try placement(of: row, rows.related), values: row.values, isStored: entity.isMasked(id))
        }
        return places
    }

    /// Where a stored row stands, and a save since which it has stood there: the one that wrote it, or the last one where
    /// the query reads related rows, or the row is not there.
    ///
    /// - Throws: ``QueryError`` for a MATCHES that takes too much work, `StorageError` for damage.
    package func storedPlace(of rowID: RowID, in snapshot: Snapshot) throws -> (place: Placement?, since: UInt64) {
        if !readsRelations {
            let found = try snapshot.withRow(rowID, of: query.entity) { row in
                (place: try placement(of: row, nil), since: row.view.save)
            }
            if let found { return found }
        }
        return (try placement(of: rowID, in: snapshot), try snapshot.lastSave())
    }

    /// The fields that unsaved changes of a row change, by their positions; none where it is as it was or goes, nil where
    /// it is not stored. O(fields), and the bytes of long values.
    ///
    /// - Throws: `StorageError` for damage.
    package func changedFields(
        of rowID: RowID, _ pending: PendingPlace, in snapshot: Snapshot
    ) throws -> FieldMask? {
        guard let values = pending.values else { return [] }
        guard pending.isStored else { return nil }
        return try snapshot.withRow(rowID, of: query.entity) { row in
            let stored = try row.values()
            guard stored.count == values.count else { return nil }
            return FieldMask(values.indices.filter { values[$0] != stored[$0] })
        } ?? nil
    }

    /// The rows of the result without those that an overlay concerns, and with them as it has them: the first so many
    /// in order, offset and limit left aside, and whether these are all. O(limit + rows of the overlay) more than
    /// ``forEachRow(in:limit:_:)`` costs.
    ///
    /// - Parameter pending: what ``pendingPlaces(under:in:)`` gave.
    /// - Throws: as ``forEachRow(in:limit:_:)``.
    package func rows(
        under pending: [RowID: PendingPlace], limit: Int?, in snapshot: Snapshot
    ) throws -> [(rowID: RowID, place: Placement)] {
        var rows: [(rowID: RowID, place: Placement)] = []
        let wanted = limit.map { $0.addingReportingOverflow(pending.count) }
        try forEachRow(in: snapshot, limit: wanted.flatMap { $0.overflow ? nil : $0.partialValue }) { rowID, place in
            if pending[rowID] == nil { rows.append((rowID, place)) }
        }
        for (rowID, row) in pending { if let place = row.place { rows.append((rowID, place)) } }
        return rows
    }
}
