import LoamQuery
import LoamStorage

/// Where the rows of one state of a virtual result are found.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `place`, `start` | the lock of ``LiveLeases`` | its methods | the last state that has it goes |
final class RowStanding: @unchecked Sendable {
    enum Place {
        /// In a snapshot that is kept for this state, and others of the same save.
        case leased(SnapshotLease)
        /// In the newest snapshot that is held: no commit since has touched the rows.
        case current
        /// In memory, because the snapshot had to end.
        case listed(ListedRows)
    }

    let span: IndexSpan
    let entity: Entity
    let count: Int
    let leases: LiveLeases
    /// Whose rows they are.
    let owner: LiveLeases.ID
    var place: Place
    /// The entries of the index before the span, in the snapshot of a save.
    private var start: (save: UInt64, entries: Int)?

    init(
        _ span: IndexSpan, of entity: Entity, count: Int, leases: LiveLeases, owner: LiveLeases.ID, place: Place
    ) {
        (self.span, self.entity, self.count) = (span, entity, count)
        (self.leases, self.owner, self.place) = (leases, owner, place)
    }

    func start(in lease: SnapshotLease) throws -> Int {
        if let start, start.save == lease.save { return start.entries }
        let entries = try span.start(in: lease.snapshot)
        start = (lease.save, entries)
        return entries
    }
}

/// The row ids of a state, in order, written out.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `places` | the lock of ``LiveLeases`` | the first search for a row | the list goes |
final class ListedRows: @unchecked Sendable {
    let rowIDs: [RowID]
    private var places: [RowID: Int]?

    init(_ rowIDs: [RowID]) { self.rowIDs = rowIDs }

    /// The rows of a span, in order. O(n).
    convenience init(_ span: IndexSpan, in snapshot: Snapshot) throws {
        var rowIDs: [RowID] = []
        try snapshot.scanIndex(span.index, range: span.range, reversed: span.isReversed) { batch in
            for index in 0..<batch.count { rowIDs.append(batch.rowIDs[index]) }
            return true
        }
        self.init(rowIDs)
    }

    /// The place of a row; nil where it is not among them. O(n) the first time.
    func place(of rowID: RowID) -> Int? {
        if places == nil { places = Dictionary(zip(rowIDs, 0...)) { first, _ in first } }
        return places?[rowID]
    }
}

/// What the rows of a standing are read from.
enum RowSource {
    /// A snapshot, and the entries of the index before the span.
    case snapshot(Snapshot, start: Int)
    case list(ListedRows)
}

extension RowStanding {
    /// The row at a place. O(log n).
    func rowID(at index: Int, from source: RowSource) throws -> RowID? {
        switch source {
        case .list(let rows): return rows.rowIDs.indices.contains(index) ? rows.rowIDs[index] : nil
        case .snapshot(let snapshot, let start):
            return try snapshot.rowID(in: span.index, at: start + (span.isReversed ? count - 1 - index : index))
        }
    }

    /// The rows at some places, in order. O(log n + rows).
    func rowIDs(in range: Range<Int>, from source: RowSource) throws -> [RowID] {
        switch source {
        case .list(let rows): return Array(rows.rowIDs[range.clamped(to: rows.rowIDs.indices)])
        case .snapshot(let snapshot, _):
            var found: [RowID] = []
            found.reserveCapacity(range.count)
            try snapshot.scanIndex(
                span.index, range: span.range, skipping: range.lowerBound, reversed: span.isReversed
            ) { batch in
                for index in 0..<min(batch.count, range.count - found.count) { found.append(batch.rowIDs[index]) }
                return found.count < range.count
            }
            return found
        }
    }

    /// The place of a row; nil where it is not among the rows. O(log n).
    func index(of rowID: RowID, from source: RowSource) throws -> Int? {
        switch source {
        case .list(let rows): return rows.place(of: rowID)
        case .snapshot(let snapshot, let start):
            guard let position = try snapshot.position(in: span.index, of: rowID, of: entity) else { return nil }
            let place = position - start
            return 0..<count ~= place ? (span.isReversed ? count - 1 - place : place) : nil
        }
    }
}
