import LoamStorage

/// What is left to do for the results of a file: who is due, and the commits that they may not have followed.
///
/// Commits are taken in *turns*. A result that becomes due needs the commits of that turn and later ones, so those that
/// are older than the turn of the first result in the queue have been followed by everybody.
struct LiveWork {
    private struct Due {
        var id: LiveEngine.ID
        var turn: Int
    }

    /// The commits that are kept, in the order of saves.
    private(set) var sets: [ChangeSet] = []
    /// For each of ``sets`` what of it concerns whom; nil where it was not routed.
    private(set) var routed: [LiveRoutes.Routed?] = []
    /// The turns of ``sets``, one for each.
    private var turns: [Int] = []
    /// A range of saves that holds all those whose changes were too many to be kept.
    private(set) var lost: Range<UInt64>?
    /// The turn in which ``lost`` was last added to.
    private var lostTurn = 0
    private var turn = 0
    private(set) var rowCount = 0
    private var byteCount = 0
    /// The results in the order in which they became due. Those that are not in ``isDue`` any more are passed over.
    private var due: [Due] = []
    /// The number of elements at the beginning of ``due`` that are done with.
    private var head = 0
    private(set) var isDue: Set<LiveEngine.ID> = []
    /// Those of them that are left to whoever was told of the commits.
    private(set) var handedOver: Set<LiveEngine.ID> = []
    /// The results that failed. They are due again after the next commit.
    private(set) var failed: Set<LiveEngine.ID> = []
    /// The results that have become due, or have failed, since this was asked for last.
    private var fallenBehind: Set<LiveEngine.ID> = []
    /// The last save of another process for which all results were made due here.
    var foreign: UInt64 = 0
    /// Whether another process has changed the schema, and some results may not have met that.
    var meetsSchema = false
    /// Whether the snapshots that are held have to be renewed.
    var mustRenew = false
    /// The last save at which they had to be.
    var renewal: UInt64 = 0

    var isEmpty: Bool { isDue.isEmpty }

    /// The results that may have something to follow since this was called last. O(those).
    mutating func takeFallenBehind() -> Set<LiveEngine.ID> {
        defer { fallenBehind = [] }
        return fallenBehind
    }

    /// Results have been followed up to a snapshot. Those that are due again by then, as for a commit beyond it, fall
    /// behind with the next one.
    mutating func noteFollowed(_ ids: [LiveEngine.ID]) {
        for id in ids where isDue.contains(id) || failed.contains(id) { fallenBehind.insert(id) }
    }

    mutating func add(_ id: LiveEngine.ID) {
        guard isDue.insert(id).inserted else { return }
        fallenBehind.insert(id)
        due.append(Due(id: id, turn: turn))
    }

    mutating func addFailed(_ id: LiveEngine.ID) {
        failed.insert(id)
        fallenBehind.insert(id)
    }

    /// Takes a result out of those that failed; returns whether it was one.
    mutating func takeFailed(_ id: LiveEngine.ID) -> Bool { failed.remove(id) != nil }

    mutating func forgetFailed() { failed = [] }

    /// Makes results due again that were taken and have followed nothing. Called before ``trim()``.
    mutating func giveBack(_ ids: [LiveEngine.ID]) {
        // They may need every commit that is kept.
        var oldest = min(turns.first ?? turn, due.dropFirst(head).first?.turn ?? turn)
        if lost != nil { oldest = min(oldest, lostTurn) }
        let back = ids.filter { isDue.insert($0).inserted }.map { Due(id: $0, turn: oldest) }
        fallenBehind.formUnion(ids)
        due.replaceSubrange(..<head, with: back)
        head = 0
    }

    /// Takes a result out of those that are due; returns whether it was due.
    mutating func take(_ id: LiveEngine.ID) -> Bool {
        handedOver.remove(id)
        return isDue.remove(id) != nil
    }

    /// The commits that are kept and may concern a result.
    func sets(for id: LiveEngine.ID) -> [ChangeSet] {
        zip(sets, routed).compactMap { $1?.due.contains(id) == false ? nil : $0 }
    }

    /// A result that was due has followed what is kept: no snapshot has to be renewed for it.
    mutating func finish(_ id: LiveEngine.ID) {
        _ = take(id)
        fallenBehind.remove(id)
    }

    /// Leaves what is due to whoever is told of it, until the engine takes it nevertheless.
    ///
    /// - Returns: those for whom that is new.
    mutating func handOver() -> Set<LiveEngine.ID> {
        defer { handedOver = isDue }
        return isDue.subtracting(handedOver)
    }

    mutating func takeBatch(_ count: Int) -> [LiveEngine.ID] {
        var batch: [LiveEngine.ID] = []
        while batch.count < count, head < due.count {
            if take(due[head].id) { batch.append(due[head].id) }
            head += 1
        }
        return batch
    }

    /// Adds commits. When the commits that are kept have too many rows or bytes, only the numbers of their saves
    /// stay, in ``lost``; the results then read the history, or are read anew. O(commits that came or are dropped).
    ///
    /// - Parameter routed: what of each commit concerns whom; missing at the end where they were not routed.
    mutating func add(_ unread: UnreadChanges, routed: [LiveRoutes.Routed?] = []) {
        turn += 1
        if let range = unread.lost { lose(range) }
        for (number, set) in unread.sets.enumerated() {
            sets.append(set)
            self.routed.append(number < routed.count ? routed[number] : nil)
            turns.append(turn)
            rowCount += set.rowCount
            byteCount += set.byteCount
        }
        guard sets.count > 1, rowCount > UnreadChanges.mostRows || byteCount > UnreadChanges.mostBytes else { return }
        for set in sets { lose(set.known..<set.last) }
        dropFirst(sets.count)
    }

    private mutating func lose(_ saves: Range<UInt64>) {
        lost = lost.map { min($0.lowerBound, saves.lowerBound)..<max($0.upperBound, saves.upperBound) } ?? saves
        lostTurn = turn
    }

    private mutating func dropFirst(_ count: Int) {
        for set in sets.prefix(count) {
            rowCount -= set.rowCount
            byteCount -= set.byteCount
        }
        sets.removeFirst(count)
        routed.removeFirst(count)
        turns.removeFirst(count)
    }

    /// Drops the commits that no result that is due needs.
    mutating func trim() {
        while head < due.count, !isDue.contains(due[head].id) { head += 1 }
        if head > 1_024, head > due.count / 2 {
            due.removeFirst(head)
            head = 0
        }
        guard head < due.count else {
            (due, head, lost) = ([], 0, nil)
            return dropFirst(sets.count)
        }
        let oldest = due[head].turn
        if lostTurn < oldest { lost = nil }
        dropFirst(turns.firstIndex { $0 >= oldest } ?? turns.count)
    }

    /// What is wrong with the structure itself; empty where nothing is.
    func checkInvariants() -> [String] {
        var faults: [String] = []
        if turns.count != sets.count || turns != turns.sorted() { faults.append("the turns are not those of the sets") }
        if routed.count != sets.count { faults.append("the routes are not those of the sets") }
        if rowCount != sets.reduce(0, { $0 + $1.rowCount }) || byteCount != sets.reduce(0, { $0 + $1.byteCount }) {
            faults.append("the sums are not those of the sets")
        }
        let waiting = due.dropFirst(head)
        if waiting.map(\.turn) != waiting.map(\.turn).sorted() { faults.append("results are not due in turn") }
        if !handedOver.isSubset(of: isDue) { faults.append("somebody is left to others and not due") }
        if !isDue.isSubset(of: waiting.map(\.id)) { faults.append("somebody is due and not in the queue") }
        return faults
    }
}
