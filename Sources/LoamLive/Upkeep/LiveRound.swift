import LoamStorage

/// What a round of upkeep is made with: one snapshot, and what is known of the saves that lead to it.
final class LiveRound {
    let snapshot: Snapshot
    /// What holds the snapshot beyond the round, where something can.
    let lease: SnapshotLease?
    /// The snapshot's last save.
    let last: UInt64
    /// The commits of this process up to the snapshot, in the order of saves, and what of each concerns whom.
    private let commits: [(set: ChangeSet, routed: LiveRoutes.Routed?)]
    /// Saves of other processes between the commits.
    private let told: [Range<UInt64>]
    /// The last save of which this process has told. Later ones were made by other processes.
    private let known: UInt64
    /// The saves of this process whose changes were too many to be kept.
    private let lost: Range<UInt64>?
    private var history: (gaps: [Range<UInt64>], entries: [HistoryEntry]?)?

    /// - Parameter routed: one for each of the sets; none where they were not routed.
    init(
        _ sets: [ChangeSet], routed: [LiveRoutes.Routed?] = [], lost: Range<UInt64>? = nil, known: UInt64,
        in snapshot: Snapshot, lease: SnapshotLease? = nil
    ) throws {
        (self.snapshot, self.lease) = (snapshot, lease)
        last = try snapshot.lastSave()
        // Also a commit beyond the snapshot tells where other processes' saves lie before it.
        told = sets.map { [last] in min($0.known, last)..<min($0.base, last) }
        commits = sets.enumerated().map { ($1, $0 < routed.count ? routed[$0] : nil) }.filter { [last] in
            $0.set.last <= last
        }
        self.lost = lost
        self.known = known
    }

    /// The changes of rows that concern a result since a save, as far as this process made them.
    ///
    /// - Parameter route: the number of the result's route; nil where it looks at all rows.
    func changes(after save: UInt64, interest: ResultInterest, route: Int?) -> RowChanges {
        var changes = RowChanges()
        for (set, routed) in commits {
            changes.add(set, after: save, interest: interest, places: route.flatMap { routed?.places(of: $0) })
        }
        return changes
    }

    /// Whether an announced commit, the last one, is all that may concern a result after a save.
    func brings(only announcement: UInt64, to id: LiveEngine.ID, after save: UInt64) throws -> Bool {
        let isOnly = commits.allSatisfy { set, routed in
            set.last <= save || routed?.due.contains(id) == false
                || set.announcement == announcement && set.last == last
        }
        return try isOnly && commits.last?.set.announcement == announcement && untoldSaves(after: save)?.isEmpty == true
    }

    /// The saves after one of which the sets do not tell, from the history; nil where it does not have them. Read once
    /// for all results that stand at the same save.
    func untoldSaves(after save: UInt64) throws -> [HistoryEntry]? {
        var gaps = told + [known..<max(known, last)]
        if let lost { gaps.append(lost) }
        gaps = gaps.map { max($0.lowerBound, min(save, $0.upperBound))..<$0.upperBound }.filter { !$0.isEmpty }
        if gaps.isEmpty { return [] }
        if let history, history.gaps == gaps { return history.entries }
        let entries = try HistoryReader.entries(in: snapshot, of: gaps)
        history = (gaps, entries)
        return entries
    }
}
