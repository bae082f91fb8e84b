import LoamStorage

extension PlanExecution {
    /// The rows that all of some scans reach, in no order. Reads the entries of each, as long as there are such rows; of
    /// trigrams as long as that costs less than testing the rows that are left, which is done in any case.
    func common(to scans: [IndexScan]) throws -> [RowID] {
        var common: [RowID]?
        for (number, scan) in scans.enumerated() {
            measurement?.enter(.scan(number), at: work)
            defer { measurement?.leave(work) }
            var rowIDs: [RowID] = []
            if let known = common {
                guard !known.isEmpty else { return [] }
                if scan.isOfTrigram, Double(known.count) * Cost.sortedFetch <= Cost.intersecting(scan) { continue }
                let members = RowIDMembers(known)
                try collect(scan) { if members.contains($0) { rowIDs.append($0) } }
            } else {
                try collect(scan) { rowIDs.append($0) }
            }
            common = rowIDs
        }
        return common ?? []
    }
}

/// Row ids, to be asked whether one is among them. O(1) for each question.
///
/// A bit for each id from the first through the last, where that takes at most 16 bytes for each of them; else a set.
private struct RowIDMembers {
    private static let mostWords = 2

    private var first: RowID
    private var words: [UInt64] = []
    private var set: Set<RowID> = []

    init(_ rowIDs: [RowID]) {
        first = rowIDs.min() ?? 0
        let width = (rowIDs.max() ?? 0) - first
        guard width / 64 < UInt64(Self.mostWords * rowIDs.count + 1_024) else {
            set = Set(rowIDs)
            return
        }
        words = Array(repeating: 0, count: Int(width / 64) + 1)
        for rowID in rowIDs { words[Int((rowID - first) / 64)] |= 1 << ((rowID - first) % 64) }
    }

    func contains(_ rowID: RowID) -> Bool {
        guard !words.isEmpty else { return set.contains(rowID) }
        guard rowID >= first, (rowID - first) / 64 < UInt64(words.count) else { return false }
        return words[Int((rowID - first) / 64)] & 1 << ((rowID - first) % 64) != 0
    }
}
