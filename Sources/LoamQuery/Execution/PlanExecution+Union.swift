import LoamStorage

/// The rows that several scans reach.
extension PlanExecution {
    /// The rows that any of the scans reaches, each once, in the order of ids. O(n log n) for their entries together; at
    /// most twice as many ids as there are rows are held, ``fewRepetitions`` more, and those of one scan.
    func rows(ofAnyOf scans: [IndexScan]) throws -> [RowID] {
        var rowIDs: [RowID] = []
        var different = 0
        for (number, scan) in scans.enumerated() {
            try measuring(.scan(number)) { try collect(scan) { rowIDs.append($0) } }
            guard rowIDs.count > 2 * different + Self.fewRepetitions || number == scans.count - 1 else { continue }
            rowIDs.sort()
            rowIDs.removeRepetitions()
            different = rowIDs.count
        }
        return rowIDs
    }

    private static var fewRepetitions: Int { 65_536 }
}

extension [RowID] {
    /// Leaves one of those that are equal and lie side by side. O(n).
    fileprivate mutating func removeRepetitions() {
        guard var last = first else { return }
        var end = 1
        for position in 1..<Swift.max(1, count) where self[position] != last {
            last = self[position]
            self[end] = last
            end += 1
        }
        removeLast(count - end)
    }
}
