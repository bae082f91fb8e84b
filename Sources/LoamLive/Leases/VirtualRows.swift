import LoamStorage

/// The rows of a virtual result: they are entries of an index, and nothing is held of a row.
///
/// A read looks into a snapshot that is held for all results of a file (``LiveLeases``), under its lock, for no more than
/// ``batchSize`` rows at a time. Where the store cannot be read, the result's next delivery says why, and rows are given
/// out as if they had been deleted.
struct VirtualRows: Sendable {
    /// The rows that are copied out at a time.
    private static let batchSize = 256

    let standing: RowStanding
    /// The rows that unsaved changes take out and put in; nil where there are none.
    var laid: LaidPlaces?
    /// The rows that match, shown or not.
    var count: Int { standing.count + (laid?.growth ?? 0) }

    /// The row at a place. O(log n).
    func rowID(at index: Int) -> RowID {
        guard let laid else { return savedRowID(at: index) }
        switch laid.source(of: index) {
        case .saved(let index): return savedRowID(at: index)
        case .unsaved(let rowID): return rowID
        }
    }

    private func savedRowID(at index: Int) -> RowID {
        read { try $0.rowID(at: index) } ?? 0
    }

    /// The rows at some places, in order. O(log n) for each batch, and for each unsaved row among them.
    func forEachRowID(in range: Range<Int>, _ body: (RowID) throws -> Void) rethrows {
        guard let laid else { return try forEachSavedRowID(in: range, body) }
        var start = range.lowerBound
        while start < range.upperBound {
            switch laid.source(of: start) {
            case .unsaved(let rowID):
                try body(rowID)
                start += 1
            case .saved(let index):
                let count = min(range.upperBound - start, laid.savedRun(at: start, from: index))
                try forEachSavedRowID(in: index..<index + count, body)
                start += count
            }
        }
    }

    private func forEachSavedRowID(in range: Range<Int>, _ body: (RowID) throws -> Void) rethrows {
        var start = range.lowerBound
        while start < range.upperBound {
            let batch = start..<min(range.upperBound, start + Self.batchSize)
            let rowIDs = read { try $0.rowIDs(in: batch) } ?? []
            for rowID in rowIDs { try body(rowID) }
            for _ in rowIDs.count..<batch.count { try body(0) }
            start = batch.upperBound
        }
    }

    /// The place of a row; nil where it is not among them. O(log n).
    func index(of rowID: RowID) -> Int? {
        guard let laid else { return savedIndex(of: rowID) }
        if let change = laid.change(of: rowID) { return laid.place(of: change) }
        return savedIndex(of: rowID).map(laid.place(ofSaved:))
    }

    private func savedIndex(of rowID: RowID) -> Int? { read { try $0.place(of: rowID) } }

    private func read<R: Sendable>(_ body: (RowSource) throws -> R?) -> R? {
        do {
            return try standing.leases.read(standing, body)
        } catch {
            standing.leases.report(error, by: standing.owner)
            return nil
        }
    }
}
