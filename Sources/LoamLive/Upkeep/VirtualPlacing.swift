import LoamQuery
import LoamStorage

/// Where changed rows of a virtual result stood, and where they stand.
struct VirtualPlacing {
    /// The rows that left their place, by the place, ascending.
    private(set) var removed: [PlacedRow] = []
    /// The rows that have come to a place, by the place, ascending.
    private(set) var inserted: [PlacedRow] = []
    /// Those of ``removed`` with their keys, in no order.
    private(set) var left: [ResultRow] = []
    /// The places of those of ``inserted``, in no order.
    private(set) var entered: [PlacementRule.Placement] = []
    /// The changed rows that stand where they stood, with their places, in no order.
    private(set) var kept: [PlacedRow] = []
    private(set) var passages: [RowID: RowPassage] = [:]

    /// The rows that are looked at in the old snapshot at a time, while others wait for it.
    private static let batchSize = 256

    private struct Former {
        var index: Int
        var place: PlacementRule.Placement
    }

    /// - Throws: `inconsistent` where a row that matches has no entry in the index; what reading rows throws.
    ///
    /// A row of which no field has changed that places it is looked for once, others as they were and as they are.
    ///
    /// - Parameters:
    ///   - interest: what of the changes concerns the result.
    ///   - now: the entries of the span in the round's snapshot.
    init(
        _ changes: RowChanges, of rows: VirtualRows, by order: PlacementRule, interest: ResultInterest,
        in round: LiveRound, now: SpanEntries
    ) throws {
        // In the order in which the records lie.
        let rowIDs = changes.rows.keys.sorted()
        let mayMove = rowIDs.filter { !interest.keepsPlace(changes.fields(of: $0)) }
        let former = try Self.formerPlaces(mayMove, changes, of: rows, by: order, in: round)
        for rowID in rowIDs {
            guard let change = changes.rows[rowID] else { continue }
            let (place, record) = try order.placement(of: rowID, after: change, in: round.snapshot)
            let after = place.map { ResultRow(rowID: rowID, key: $0.key) }
            let before =
                interest.keepsPlace(change.fields)
                ? after : former[rowID].map { ResultRow(rowID: rowID, key: $0.place.key) }
            if before != nil || after != nil {
                passages[rowID] = RowPassage(
                    before: before, after: after, fields: change.fields, last: change.last)
            }
            guard before != after else {
                guard after != nil else { continue }
                guard let index = try now.place(of: rowID, record: record) else { throw Self.missing(now.span) }
                kept.append(PlacedRow(index: index, rowID: rowID))
                continue
            }
            if let before, let index = former[rowID]?.index {
                removed.append(PlacedRow(index: index, rowID: rowID))
                left.append(before)
            }
            if let place {
                guard let index = try now.place(ofEntry: rowID, record: record) else { throw Self.missing(now.span) }
                inserted.append(PlacedRow(index: index, rowID: rowID))
                entered.append(place)
            }
        }
        removed.sort { $0.index < $1.index }
        inserted.sort { $0.index < $1.index }
    }

    /// The same where every row stands where it stood: among the entries as they were before, whose pages have been read,
    /// while those of the newest commit have not, or are not even written. Nil where some row cannot be found in these.
    ///
    /// - Parameter generation: of the catalog that the changes were made with.
    init?(
        keeping changes: RowChanges, of rows: VirtualRows, by order: PlacementRule, interest: ResultInterest,
        generation: UInt64
    ) {
        guard changes.keepPlaces(of: interest) else { return nil }
        let rowIDs = changes.rows.keys.sorted()
        for start in stride(from: 0, to: rowIDs.count, by: Self.batchSize) {
            let batch = rowIDs[start..<min(rowIDs.count, start + Self.batchSize)]
            let found = try? rows.standing.leases.read(rows.standing) { source -> [(row: ResultRow, index: Int)] in
                guard case .entries(let entries) = source, entries.snapshot.catalog.generation == generation else {
                    throw UnknownFormerPlace()
                }
                return try batch.compactMap { rowID in
                    guard let change = changes.rows[rowID] else { return nil }
                    let (place, record) = try order.placement(of: rowID, after: change, in: entries.snapshot)
                    guard let place else { return nil }
                    guard let index = try entries.place(of: rowID, record: record) else { throw UnknownFormerPlace() }
                    return (ResultRow(rowID: rowID, key: place.key), index)
                }
            }
            guard let found else { return nil }
            for (row, index) in found {
                guard let change = changes.rows[row.rowID] else { continue }
                passages[row.rowID] = RowPassage(before: row, after: row, fields: change.fields, last: change.last)
                kept.append(PlacedRow(index: index, rowID: row.rowID))
            }
        }
    }

    /// Where some of the changed rows stood that were in the result: as the old snapshot has them, or where it had to end,
    /// as the change sets do.
    private static func formerPlaces(
        _ rowIDs: [RowID], _ changes: RowChanges, of rows: VirtualRows, by order: PlacementRule, in round: LiveRound
    ) throws -> [RowID: Former] {
        var found: [RowID: Former] = [:]
        for start in stride(from: 0, to: rowIDs.count, by: batchSize) {
            let batch = rowIDs[start..<min(rowIDs.count, start + batchSize)]
            let formers = try rows.standing.leases.read(rows.standing) { source in
                // Of rows outside of the window nobody knows where they stood.
                if case .list(let rows) = source, !rows.isWhole { throw UnknownFormerPlace() }
                return try batch.map { rowID -> Former? in
                    guard let place = try formerPlace(of: rowID, changes, by: order, from: source, in: round) else {
                        return nil
                    }
                    guard let index = try source.place(of: rowID) else {
                        throw missing(rows.standing.span)
                    }
                    return Former(index: index, place: place)
                }
            }
            for (rowID, former) in zip(batch, formers) { found[rowID] = former }
        }
        return found
    }

    private static func formerPlace(
        of rowID: RowID, _ changes: RowChanges, by order: PlacementRule, from source: RowSource, in round: LiveRound
    ) throws -> PlacementRule.Placement? {
        if case .entries(let entries) = source { return try order.placement(of: rowID, in: entries.snapshot) }
        switch changes.rows[rowID]?.former {
        case nil, .absent: return nil
        case .unknown: throw UnknownFormerPlace()
        case .record(let record):
            switch try order.placement(of: rowID, record: record, in: round.snapshot) {
            case .place(let place): return place
            case .elsewhere: return nil
            case .unknown: throw UnknownFormerPlace()
            }
        }
    }

    private static func missing(_ span: IndexSpan) -> StorageError {
        StorageError(.inconsistent("a row that matches has no entry in the index"), index: span.index.name)
    }
}

/// It cannot be told where a row stood: the snapshot had to end that showed it.
struct UnknownFormerPlace: Error {}

extension PlacementRule {
    /// Where a changed row stands now, and the record that tells: the one of its last change where that is known, which
    /// need not be looked for in the store.
    func placement(
        of rowID: RowID, after change: RowChanges.Row, in snapshot: Snapshot
    ) throws -> (place: Placement?, record: [UInt8]?) {
        if let record = change.latter {
            switch try placement(of: rowID, record: record, in: snapshot) {
            case .place(let place): return (place, record)
            case .elsewhere: return (nil, record)
            case .unknown: break
            }
        }
        return (try placement(of: rowID, in: snapshot), nil)
    }
}
