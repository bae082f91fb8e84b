package import LoamStorage

/// Changes that are not saved yet, as a query sees them: laid over the stored rows when a plan runs.
///
/// ```
/// var overlay = Overlay()
/// overlay.masked[city.id] = [4, 7]
/// overlay.rows[city.id] = [PlainRow(rowID: 7, values: changed), PlainRow(rowID: 9, values: inserted)]
/// let count = try plan.count(in: snapshot, overlay: overlay, work: &work)
/// ```
package struct Overlay: Sendable {
    /// Stored rows that were changed or deleted.
    package var masked: [EntityID: Set<RowID>]
    /// Rows that were inserted or changed, each with all its values in the order of the entity's properties.
    package var rows: [EntityID: [PlainRow]]
    /// By relationship that is kept in links, then by source row: all rows that the source is to lead to. The other
    /// side of a relationship follows, unless it is given too. Relationships that are kept in records are in ``rows``.
    package var links: [PropertyID: [RowID: [RowID]]]

    package init(
        masked: [EntityID: Set<RowID>] = [:], rows: [EntityID: [PlainRow]] = [:],
        links: [PropertyID: [RowID: [RowID]]] = [:]
    ) {
        self.masked = masked
        self.rows = rows
        self.links = links
    }

    package var isEmpty: Bool {
        masked.values.allSatisfy(\.isEmpty) && rows.values.allSatisfy(\.isEmpty) && links.values.allSatisfy(\.isEmpty)
    }
}
