import LMDB

/// What a batch does to one to-one relationship: which rows change their target, and where they stand among those that
/// have the same.
final class ReferenceDraft {
    struct Move {
        /// The row's target as it is stored.
        var old: RowID?
        var new: RowID?
    }

    let access: ReferenceAccess
    let index: ReferenceIndex
    private(set) var moves: [RowID: Move] = [:]
    /// For each target the rows that came to it, in the order in which they came. Some may have left it again.
    private var arrivals: [RowID: [RowID]] = [:]
    private var orders: [RowID: MemberOrder] = [:]

    init(_ access: ReferenceAccess, index: ReferenceIndex) {
        self.access = access
        self.index = index
    }

    /// Notes a row's target. Several notes for a row are one move.
    func note(_ row: RowID, old: RowID?, new: RowID?) {
        let before = moves[row]
        guard before != nil || old != new else { return }
        moves[row] = Move(old: before.map(\.old) ?? old, new: new)
        if let new { arrivals[new, default: []].append(row) }
    }

    /// The targets that rows came to.
    var targets: [RowID] { Array(arrivals.keys) }

    /// The rows that came to a target and are still there, each once, in the order in which they came last.
    func arrivals(at target: RowID) -> [RowID] {
        var seen: Set<RowID> = []
        return (arrivals[target] ?? []).reversed().filter {
            moves[$0]?.new == target && moves[$0]?.old != target && seen.insert($0).inserted
        }.reversed()
    }

    /// Walks the rows that refer to a target after the batch; in no order.
    func forEachReferrer(
        of target: RowID, in transaction: borrowing WriteTransaction, _ body: (RowID) throws -> Bool
    ) throws {
        var goesOn = true
        try index.scan(of: target, in: transaction) { referrer in
            if let move = moves[referrer.rowID], move.new != target { return true }
            goesOn = try body(referrer.rowID)
            return goesOn
        }
        guard goesOn else { return }
        for row in arrivals(at: target) where !(try body(row)) { return }
    }

    /// The order of the rows that refer to a target. Rows that have left it are taken out first.
    func withOrder<R>(of target: RowID, _ body: (inout MemberOrder) throws -> R) rethrows -> R {
        var order = orders.removeValue(forKey: target) ?? makeOrder(of: target)
        defer { orders[target] = order }
        return try body(&order)
    }

    private func makeOrder(of target: RowID) -> MemberOrder {
        var order = MemberOrder(.referrers(index, of: target))
        for row in departures[target] ?? [] { order.remove(row) }
        return order
    }

    /// For each target the stored rows that leave it. Made once, when every move is known.
    private lazy var departures: [RowID: [RowID]] = {
        var departures: [RowID: [RowID]] = [:]
        for (row, move) in moves {
            if let old = move.old, move.new != old { departures[old, default: []].append(row) }
        }
        return departures
    }()
}
