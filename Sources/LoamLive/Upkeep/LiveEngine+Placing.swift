import LoamStorage
import Synchronization

/// Small commits, which are not worth a way through the queue.
extension LiveEngine {
    /// Rows times results up to which a commit is left to those who show the results.
    private static let mostPlaced = 64

    /// A commit has come, on the thread that made it. Where it is small and nothing else waits, those who show the
    /// results that it touches are told at once, and bring these up (``place(_:)``); else the queue does all.
    ///
    /// O(rows) with a look-up in the map of each index of which results read ranges, and only where these are few.
    func arrive() {
        guard !isFollowing.load(ordering: .relaxed), let members = work.withLockIfAvailable({ handOver(&$0) }) ?? nil
        else { return wake() }
        for member in members { member.tellToPlace() }
    }

    /// Takes a small commit in. Nil where the queue has to look at it.
    private func handOver(_ work: inout LiveWork) -> [any LiveMember]? {
        let isIdle = requests.withLock { !$0.isScheduled && $0.due.isEmpty && $0.waiting.isEmpty }
        guard isIdle, work.isDue == work.handedOver, work.failed.isEmpty, !work.mustRenew, !work.meetsSchema,
            work.lost == nil, reader.hasFew(rows: Self.mostPlaced)
        else { return nil }
        collect(&work)
        guard !work.meetsSchema, work.lost == nil, work.rowCount * work.isDue.count <= Self.mostPlaced,
            !work.sets.contains(where: { $0.changesSchema || $0.hasGap })
        else { return nil }
        var members: [any LiveMember] = []
        for id in work.isDue where !work.handedOver.contains(id) {
            // Whoever is going needs nothing, and is taken out by the queue.
            guard let member = result(id), member.canBePlaced else { return nil }
            members.append(member)
        }
        _ = work.handOver()
        return members
    }

    /// Brings a result up, where that was left to whoever shows it. The queue does it where somebody else is at work.
    /// Must not be called by a notification.
    func place(_ id: ID) {
        let isDone = work.withLockIfAvailable { place(id, work: &$0) }
        if isDone != true { wake() }
    }
}
