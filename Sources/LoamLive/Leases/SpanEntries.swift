import LoamQuery
import LoamStorage

/// The entries of a span in a snapshot, as the rows of a result are found among them.
///
/// A row's *entry* is its number among the entries of the span, in the direction of the result. Its *place* is the same
/// but where a section takes in rows without a value (``MergedRuns``).
struct SpanEntries {
    /// What is found once for each snapshot.
    struct Layout {
        /// The entries of the index before the span.
        let start: Int
        /// Nil where places are entries.
        let merged: MergedRuns?
    }

    let snapshot: Snapshot
    let span: IndexSpan
    let entity: Entity
    let count: Int
    let layout: Layout

    /// O(log n).
    init(_ span: IndexSpan, of entity: Entity, count: Int, nils: NilSection?, in snapshot: Snapshot) throws {
        (self.snapshot, self.span, self.entity, self.count) = (snapshot, span, entity, count)
        let start = try span.start(in: snapshot)
        layout = Layout(
            start: start,
            merged: try nils.flatMap {
                try MergedRuns($0, in: span, start: start, count: count, snapshot: snapshot)
            })
    }

    init(_ span: IndexSpan, of entity: Entity, count: Int, layout: Layout, in snapshot: Snapshot) {
        (self.snapshot, self.span, self.entity, self.count) = (snapshot, span, entity, count)
        self.layout = layout
    }

    /// The position in the index of an entry, and the other way round.
    private func position(_ entry: Int) -> Int { layout.start + (span.isReversed ? count - 1 - entry : entry) }

    private func entry(_ position: Int) -> Int {
        span.isReversed ? count - 1 - (position - layout.start) : position - layout.start
    }

    private func key(ofEntry entry: Int) throws -> IndexEntry {
        guard let found = try snapshot.entry(in: span.index, at: position(entry)) else {
            throw StorageError(.inconsistent("an index has fewer entries than it counts"), index: span.index.name)
        }
        return found
    }

    /// The row at a place. O(log n), and O(log² n) in a section that is merged.
    func rowID(at place: Int) throws -> RowID? {
        let entry = try layout.merged?.entry(at: place, key) ?? place
        return try snapshot.rowID(in: span.index, at: position(entry))
    }

    /// The rows at some places, in order. O(log n + rows), and O(log n) for each in a section that is merged.
    func rowIDs(in range: Range<Int>) throws -> [RowID] {
        var found: [RowID] = []
        found.reserveCapacity(range.count)
        guard let merged = layout.merged, merged.places.overlaps(range) else {
            try appendEntries(range, to: &found)
            return found
        }
        let inside = range.clamped(to: merged.places)
        try appendEntries(range.lowerBound..<inside.lowerBound, to: &found)
        try merged.forEachEntry(at: inside, key) { found.append($0.rowID) }
        try appendEntries(inside.upperBound..<range.upperBound, to: &found)
        return found
    }

    private func appendEntries(_ range: Range<Int>, to found: inout [RowID]) throws {
        guard !range.isEmpty else { return }
        var rest = range.count
        try snapshot.scanIndex(
            span.index, range: span.range, skipping: range.lowerBound, reversed: span.isReversed
        ) { batch in
            let taken = min(batch.count, rest)
            for index in 0..<taken { found.append(batch.rowIDs[index]) }
            rest -= taken
            return rest > 0
        }
    }

    /// The place of a row; nil where it has no entry in the span. O(log n), and O(log² n) in a section that is merged.
    ///
    /// - Parameter record: the row's in the snapshot, where somebody has it.
    func place(of rowID: RowID, record: [UInt8]? = nil) throws -> Int? {
        try position(of: rowID, record).flatMap(place(atPosition:))
    }

    /// The place of a row after a look at its entry; nil where the index does not have it. As ``place(of:record:)``.
    func place(ofEntry rowID: RowID, record: [UInt8]?) throws -> Int? {
        guard let position = try position(of: rowID, record),
            try snapshot.rowID(in: span.index, at: position) == rowID
        else { return nil }
        return try place(atPosition: position)
    }

    private func position(of rowID: RowID, _ record: [UInt8]?) throws -> Int? {
        try snapshot.position(in: span.index, of: rowID, of: entity, record: record)
    }

    private func place(atPosition position: Int) throws -> Int? {
        let entry = entry(position)
        guard 0..<count ~= entry else { return nil }
        return try layout.merged?.place(ofEntry: entry, key) ?? entry
    }
}
