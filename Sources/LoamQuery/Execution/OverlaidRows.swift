import LoamStorage

/// What an overlay means for the rows of one query: which stored rows count no more, and which rows stand in for them.
///
/// Where the query reads related rows, a pending change of one of these may decide about a stored row that itself is as
/// it was: such rows are hidden too, and tested again with the overlay in view.
struct OverlaidRows {
    /// A stored row as it is seen under the overlay.
    struct TouchedRow {
        var values: PlainRow
        var record: UnsafeRawBufferPointer
    }

    /// What the overlay says of the entity itself; nil where it says nothing.
    let entity: OverlaidEntity?
    /// Stored rows that have to be tested again.
    private var touched: Set<RowID> = []
    private(set) var touchedRows: [TouchedRow] = []
    /// Related rows as the overlay changes them; nil where the query reads none.
    let related: SnapshotRelations?

    /// Finds the overlay's rows that concern a query; nil where the overlay changes nothing about it.
    init?(_ overlay: Overlay?, of query: ResolvedQuery, in snapshot: Snapshot) throws {
        guard let overlay, !overlay.isEmpty else { return nil }
        let known = overlay.entities[query.entity.id]
        entity = known?.isEmpty == false ? known : nil
        let reader = query.relationReader(in: snapshot.schema)
        guard !reader.chains.isEmpty else {
            related = nil
            if entity == nil { return nil }
            return
        }
        let related = SnapshotRelations(snapshot, overlay: overlay)
        self.related = related
        touched = try TouchedRows(overlay, snapshot: snapshot).rows(reader).filter { row in
            known.map { !$0.isMasked(row) && $0.rows[row] == nil } ?? true
        }
        guard entity != nil || !touched.isEmpty else { return nil }
        try addTouched(query, related: related, snapshot: snapshot)
    }

    private mutating func addTouched(
        _ query: ResolvedQuery, related: SnapshotRelations, snapshot: Snapshot
    ) throws {
        guard !touched.isEmpty else { return }
        try snapshot.visitRows(touched.sorted(), of: query.entity) { _, row in
            touchedRows.append(TouchedRow(values: try related.seen(row), record: row.record))
            return true
        }
    }

    /// Whether a stored row counts no more.
    func hides(_ row: RowID) -> Bool { entity?.isMasked(row) == true || touched.contains(row) }

    var hiddenCount: Int { (entity?.masked.count ?? 0) + touched.count }

    /// The stored rows that count no more, by id.
    var hidden: [RowID] { (entity?.masked.union(touched) ?? touched).sorted() }
}
