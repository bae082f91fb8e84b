import LoamQuery
import LoamStorage

/// Finds a row that unsaved changes concern among virtual ones.
struct PendingFinder {
    typealias Found = (index: Int, row: ResultRow)

    private let standing: RowStanding
    private let source: RowSource
    private let snapshot: Snapshot
    private let rule: PlacementRule
    private let order: ResultOrder

    /// Nil where the rows are in no snapshot.
    init?(_ standing: RowStanding, _ source: RowSource, _ rule: PlacementRule, order: ResultOrder) {
        guard case .entries(let entries) = source else { return nil }
        (self.standing, self.source, self.rule, self.order) = (standing, source, rule, order)
        snapshot = entries.snapshot
    }

    /// What becomes of the row, and the key with which it is saved; nil where the rows are in no snapshot any more, so that
    /// nothing can be found among them by its key. Others wait meanwhile. O(log² n).
    ///
    /// - Throws: ``QueryError`` for a MATCHES that takes too much work, `StorageError` for damage.
    static func change(
        of rowID: RowID, _ pending: PendingPlace, over virtual: VirtualRows, _ rule: PlacementRule, order: ResultOrder
    ) throws -> (change: LaidPlaces.Change, before: ResultRow?)? {
        try virtual.standing.leases.read(virtual.standing) { source in
            guard let finder = PendingFinder(virtual.standing, source, rule, order: order) else { return nil }
            let (former, after) = try finder.find(rowID, pending)
            let arrival = after.map { LaidPlaces.Arrival(row: $0.row, before: $0.index) }
            return (LaidPlaces.Change(rowID: rowID, saved: former?.index, arrival: arrival), former?.row)
        }
    }

    /// Where the row stands among the saved ones, and the number of saved rows before its new place. O(log² n).
    private func find(_ rowID: RowID, _ pending: PendingPlace) throws -> (former: Found?, after: Found?) {
        var former: Found?
        if pending.isStored, let place = try rule.placement(of: rowID, in: snapshot) {
            guard let index = try source.place(of: rowID) else { throw missing }
            former = (index, ResultRow(rowID: rowID, key: place.key))
        }
        guard let place = pending.place else { return (former, nil) }
        let row = ResultRow(rowID: rowID, key: place.key)
        return (former, (try rank(of: row), row))
    }

    /// The number of saved rows before a place.
    private func rank(of row: ResultRow) throws -> Int {
        var range = 0..<standing.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            guard let rowID = try source.rowID(at: middle), let place = try rule.placement(of: rowID, in: snapshot)
            else { throw missing }
            if order.precedes(ResultRow(rowID: rowID, key: place.key), row) {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        return range.lowerBound
    }

    private var missing: StorageError {
        StorageError(.inconsistent("an index has other entries than its rows"), index: standing.span.index.name)
    }
}
