import LoamStorage

/// What a round of upkeep is made with: one snapshot, and what is known of the saves that lead to it.
final class LiveRound {
    let snapshot: Snapshot
    /// The snapshot's last save.
    let last: UInt64
    /// The commits of this process up to the snapshot, in the order of saves.
    let sets: [ChangeSet]
    /// The last save of which this process has told. Later ones were made by other processes.
    private let known: UInt64
    /// The saves of this process whose changes were too many to be kept.
    private let lost: Range<UInt64>?
    private var history: (gaps: [Range<UInt64>], entries: [HistoryEntry]?)?

    init(_ sets: [ChangeSet], lost: Range<UInt64>? = nil, known: UInt64, in snapshot: Snapshot) throws {
        self.snapshot = snapshot
        last = try snapshot.lastSave()
        self.sets = sets.filter { [last] in $0.last <= last }
        self.lost = lost
        self.known = known
    }

    /// The saves after one of which the sets do not tell, from the history; nil where it does not have them. Read once
    /// for all results that stand at the same save.
    func untoldSaves(after save: UInt64) throws -> [HistoryEntry]? {
        var gaps = sets.map { $0.known..<$0.base } + [known..<max(known, last)]
        if let lost { gaps.append(lost) }
        gaps = gaps.map { max($0.lowerBound, min(save, $0.upperBound))..<$0.upperBound }.filter { !$0.isEmpty }
        if gaps.isEmpty { return [] }
        if let history, history.gaps == gaps { return history.entries }
        let entries = try HistoryReader.entries(in: snapshot, of: gaps)
        history = (gaps, entries)
        return entries
    }
}
