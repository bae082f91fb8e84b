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
    var count: Int { standing.count }

    /// The row at a place. O(log n).
    func rowID(at index: Int) -> RowID {
        read { try standing.rowID(at: index, from: $0) } ?? 0
    }

    /// The rows at some places, in order. O(log n) for each batch.
    func forEachRowID(in range: Range<Int>, _ body: (RowID) throws -> Void) rethrows {
        var start = range.lowerBound
        while start < range.upperBound {
            let batch = start..<min(range.upperBound, start + Self.batchSize)
            let rowIDs = read { try standing.rowIDs(in: batch, from: $0) } ?? []
            for rowID in rowIDs { try body(rowID) }
            for _ in rowIDs.count..<batch.count { try body(0) }
            start = batch.upperBound
        }
    }

    /// The place of a row; nil where it is not among them. O(log n).
    func index(of rowID: RowID) -> Int? { read { try standing.index(of: rowID, from: $0) } }

    private func read<R: Sendable>(_ body: (RowSource) throws -> R?) -> R? {
        do {
            return try standing.leases.read(standing, body)
        } catch {
            standing.leases.report(error, by: standing.owner)
            return nil
        }
    }
}
