import LoamQuery
import LoamStorage

/// Where the rows of one state of a virtual result are found.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `place`, `layout` | the lock of ``LiveLeases`` | its methods | the last state that has it goes |
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
    /// All rows of the span.
    let count: Int
    /// The places that are shown; nil for all.
    let window: Range<Int>?
    /// Nil where no section takes in rows without a value.
    let nils: NilSection?
    let leases: LiveLeases
    /// Whose rows they are.
    let owner: LiveLeases.ID
    var place: Place
    /// How the entries lie in the snapshot of a save.
    private var layout: (save: UInt64, layout: SpanEntries.Layout)?

    init(
        _ span: IndexSpan, of query: ResolvedQuery, count: Int, leases: LiveLeases, owner: LiveLeases.ID, place: Place
    ) {
        (self.span, self.entity, self.count) = (span, query.entity, count)
        nils = NilSection(query, in: span.index)
        window = query.window(of: count)
        (self.leases, self.owner, self.place) = (leases, owner, place)
    }

    /// The entries of the span in a snapshot. O(log n) for each snapshot.
    func entries(in lease: SnapshotLease) throws -> SpanEntries {
        if let layout, layout.save == lease.save {
            return SpanEntries(span, of: entity, count: count, layout: layout.layout, in: lease.snapshot)
        }
        let entries = try entries(in: lease.snapshot)
        layout = (lease.save, entries.layout)
        return entries
    }

    private func entries(in snapshot: Snapshot) throws -> SpanEntries {
        try SpanEntries(span, of: entity, count: count, nils: nils, in: snapshot)
    }

    /// Writes out the rows that are shown, as they are in a snapshot. O(rows).
    func list(in snapshot: Snapshot) throws -> ListedRows {
        guard let window else { return ListedRows(try entries(in: snapshot).rowIDs(in: 0..<count)) }
        let rowIDs = try entries(in: snapshot).rowIDs(in: window)
        return ListedRows(rowIDs, from: window.lowerBound, isWhole: window == 0..<count)
    }
}

extension ResolvedQuery {
    /// The places that are shown of so many rows; nil for all, however many they are.
    fileprivate func window(of count: Int) -> Range<Int>? {
        guard limit != nil || offset > 0 else { return nil }
        let start = min(offset, count)
        return start..<start + min(limit ?? .max, count - start)
    }
}

/// The row ids of a state, in order, written out.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `places` | the lock of ``LiveLeases`` | the first search for a row | the list goes |
final class ListedRows: @unchecked Sendable {
    private let rowIDs: [RowID]
    /// The place of the first one.
    private let start: Int
    /// Whether no other rows matched.
    let isWhole: Bool
    private var places: [RowID: Int]?

    init(_ rowIDs: [RowID], from start: Int = 0, isWhole: Bool = true) {
        (self.rowIDs, self.start, self.isWhole) = (rowIDs, start, isWhole)
    }

    /// The number of rows that are written out.
    var count: Int { rowIDs.count }

    /// The row at a place; nil where none is written out. O(1).
    func rowID(at place: Int) -> RowID? { rowIDs.indices.contains(place - start) ? rowIDs[place - start] : nil }

    func rowIDs(in range: Range<Int>) -> [RowID] {
        Array(rowIDs[(range.lowerBound - start..<range.upperBound - start).clamped(to: rowIDs.indices)])
    }

    /// The place of a row; nil where it is not among them. O(n) the first time.
    func place(of rowID: RowID) -> Int? {
        if places == nil { places = Dictionary(zip(rowIDs, start...)) { first, _ in first } }
        return places?[rowID]
    }
}

/// What the rows of a standing are read from.
enum RowSource {
    case entries(SpanEntries)
    case list(ListedRows)

    /// The row at a place. O(log n).
    func rowID(at place: Int) throws -> RowID? {
        switch self {
        case .list(let rows): rows.rowID(at: place)
        case .entries(let entries): try entries.rowID(at: place)
        }
    }

    /// The rows at some places, in order. O(log n + rows).
    func rowIDs(in range: Range<Int>) throws -> [RowID] {
        switch self {
        case .list(let rows): rows.rowIDs(in: range)
        case .entries(let entries): try entries.rowIDs(in: range)
        }
    }

    /// The place of a row; nil where it is not among the rows. O(log n).
    func place(of rowID: RowID) throws -> Int? {
        switch self {
        case .list(let rows): rows.place(of: rowID)
        case .entries(let entries): try entries.place(of: rowID)
        }
    }
}
