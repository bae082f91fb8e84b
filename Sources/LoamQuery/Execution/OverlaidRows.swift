import LoamStorage

/// What an overlay means for the rows of one query: which stored rows count no more, and which rows stand in for them.
///
/// Where the query reads related rows, a pending change of one of these may decide about a stored row that itself is as
/// it was: such rows are hidden too, and tested again with the overlay in view.
struct OverlaidRows {
    struct Row {
        var values: PlainRow
        /// The stored record; nil for a row of the overlay.
        var record: UnsafeRawBufferPointer?
    }

    var hidden: Set<RowID>
    var rows: [Row]
    /// Related rows as the overlay changes them; nil where the query reads none.
    let related: SnapshotRelations?

    /// Nil where the overlay changes nothing about the query.
    init?(_ overlay: Overlay, of query: ResolvedQuery, in snapshot: Snapshot) throws {
        guard !overlay.isEmpty else { return nil }
        hidden = overlay.masked[query.entity.id] ?? []
        rows = (overlay.rows[query.entity.id] ?? []).map { Row(values: $0) }
        let reader = query.relationReader(in: snapshot.schema)
        guard !reader.chains.isEmpty else {
            related = nil
            if hidden.isEmpty && rows.isEmpty { return nil }
            return
        }
        let related = SnapshotRelations(snapshot, overlay)
        self.related = related
        let touched = try TouchedRows(overlay, snapshot).rows(reader)
            .subtracting(hidden).subtracting(rows.map(\.values.rowID))
        guard !hidden.isEmpty || !rows.isEmpty || !touched.isEmpty else { return nil }
        try addTouched(touched, query, related, snapshot)
    }

    private mutating func addTouched(
        _ touched: Set<RowID>, _ query: ResolvedQuery, _ related: SnapshotRelations, _ snapshot: Snapshot
    ) throws {
        try snapshot.visitRows(touched.sorted(), of: query.entity) { _, row in
            rows.append(Row(values: try related.seen(row), record: row.record))
            return true
        }
        hidden.formUnion(touched)
    }
}
