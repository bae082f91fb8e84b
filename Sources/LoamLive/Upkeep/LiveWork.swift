import LoamStorage

/// What is left to do for the results of a file: who is due, and the commits that they may not have followed.
struct LiveWork {
    /// In save order.
    private(set) var sets: [ChangeSet] = []
    /// Saves whose changes were too many to be kept, some of them.
    private(set) var lost: Range<UInt64>?
    /// In the order in which they became due; those that are not in ``isDue`` any more are passed over.
    private var due: [LiveEngine.ID] = []
    /// Places in ``due`` that are given up already.
    private var head = 0
    private var isDue: Set<LiveEngine.ID> = []
    /// Due again after the next commit.
    var failed: Set<LiveEngine.ID> = []

    var isEmpty: Bool { isDue.isEmpty }

    mutating func add(_ id: LiveEngine.ID) {
        if isDue.insert(id).inserted { due.append(id) }
    }

    /// Whether it was due.
    mutating func take(_ id: LiveEngine.ID) -> Bool { isDue.remove(id) != nil }

    mutating func takeBatch(_ count: Int) -> [LiveEngine.ID] {
        var batch: [LiveEngine.ID] = []
        while batch.count < count, head < due.count {
            if isDue.remove(due[head]) != nil { batch.append(due[head]) }
            head += 1
        }
        return batch
    }

    /// Of commits beyond the bounds only the numbers are kept: the history tells the rest, or the results start over.
    mutating func add(_ unread: UnreadChanges) {
        if let range = unread.lost { lose(range) }
        sets += unread.sets
        let (rows, bytes) = sets.reduce((0, 0)) { ($0.0 + $1.rowCount, $0.1 + $1.byteCount) }
        guard sets.count > 1, rows > UnreadChanges.mostRows || bytes > UnreadChanges.mostBytes else { return }
        for set in sets { lose(set.known..<set.last) }
        sets = []
    }

    private mutating func lose(_ saves: Range<UInt64>) {
        lost = lost.map { min($0.lowerBound, saves.lowerBound)..<max($0.upperBound, saves.upperBound) } ?? saves
    }

    /// Where nobody is due, nobody needs what has been committed.
    mutating func trim() {
        if head > 1_024, head > due.count / 2 {
            due.removeFirst(head)
            head = 0
        }
        guard isDue.isEmpty else { return }
        (sets, lost, due, head) = ([], nil, [], 0)
    }
}
