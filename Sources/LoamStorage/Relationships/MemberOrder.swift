import LMDB

/// The members of one owner in order, as they are stored.
enum StoredMembers {
    case referrers(ReferenceIndex, of: RowID)
    case links(LinkTable, LinkTable.Half, of: RowID)

    /// Walks positions and members; as ``ReferenceIndex/scan(of:from:reversed:in:_:)``.
    func scan(
        from bound: Int64? = nil, reversed: Bool = false, in transaction: borrowing some Transaction & ~Copyable,
        _ body: (_ position: Int64, _ member: RowID) throws -> Bool
    ) throws {
        switch self {
        case .referrers(let index, let target):
            try index.scan(of: target, from: bound, reversed: reversed, in: transaction) {
                try body($0.position, $0.rowID)
            }
        case .links(let table, let half, let owner):
            try table.scan(half, of: owner, from: bound, reversed: reversed, in: transaction) {
                try body($0.position, $0.member)
            }
        }
    }
}

/// The order of one owner's members as a batch leaves it: what is stored, less what the batch takes away or moves, and
/// what it puts in.
///
/// Appending reads the last stored member once. Where a gap between two neighbours is used up, only as many members
/// behind it are renumbered as it takes to make room again.
struct MemberOrder {
    struct Member: Hashable {
        var position: Int64
        var rowID: RowID

        func precedes(_ other: Member) -> Bool { (position, rowID) < (other.position, other.rowID) }
    }

    private let stored: StoredMembers
    /// The members that the batch gave a position, in order.
    private(set) var assigned: [Member] = []
    private var positions: [RowID: Int64] = [:]
    /// Stored members whose stored position no longer counts.
    private var gone: Set<RowID> = []
    private var storedEnds: (first: Int64?, last: Int64?)?

    /// The distance between the positions of members that are appended one after the other.
    static let gap: Int64 = 1 << 16
    /// The least distance between positions that renumbering leaves.
    private static let leastGap: UInt64 = 64
    private static let noRoom = StorageError(.inconsistent("the positions of a relationship are used up"))

    init(_ stored: StoredMembers) {
        self.stored = stored
    }

    /// The position that the batch gave a member.
    func position(of member: RowID) -> Int64? { positions[member] }

    /// Whether a stored member's position still counts.
    func keepsStored(_ member: RowID) -> Bool { !gone.contains(member) }

    mutating func remove(_ member: RowID) {
        takeOut(member)
        gone.insert(member)
    }

    /// Puts a member in at a position that is given.
    mutating func assign(_ member: RowID, position: Int64) {
        remove(member)
        let new = Member(position: position, rowID: member)
        assigned.insert(new, at: assigned.indices.partitionPoint { assigned[$0].precedes(new) })
        positions[member] = position
    }

    /// Puts a member in, moving it where it is one already.
    ///
    /// - Parameter storedPosition: where a stored member of the owner stands; nil for any other row.
    /// - Returns: its position, and members that had to be renumbered.
    mutating func place(
        _ member: RowID, place: LinkPlace, in transaction: borrowing WriteTransaction,
        storedPosition: (RowID) throws -> Int64?
    ) throws -> (position: Int64, renumbered: [Member]) {
        remove(member)
        let ends = try ends(in: transaction)
        switch place {
        case .append: break
        case .first:
            guard let first = ends.first else { break }
            return (try put(member, position: first, distance: -Self.gap), [])
        case .after(let neighbour):
            let known = positions[neighbour]
            guard neighbour != member,
                let position = try known ?? (gone.contains(neighbour) ? nil : storedPosition(neighbour))
            else { break }
            return try put(member, after: position, in: transaction)
        }
        return (try put(member, position: ends.last ?? 0, distance: Self.gap), [])
    }

    /// All members in order.
    func members(in transaction: borrowing WriteTransaction) throws -> [RowID] {
        var all = assigned
        try stored.scan(in: transaction) { position, member in
            if keepsStored(member) { all.append(Member(position: position, rowID: member)) }
            return true
        }
        return all.sorted { $0.precedes($1) }.map(\.rowID)
    }

    /// Walks the members, those that are stored first.
    func forEach(in transaction: borrowing WriteTransaction, _ body: (RowID) throws -> Bool) throws {
        var goesOn = true
        try stored.scan(in: transaction) { _, member in
            if keepsStored(member) { goesOn = try body(member) }
            return goesOn
        }
        guard goesOn else { return }
        for member in assigned where !(try body(member.rowID)) { return }
    }

    private mutating func put(_ member: RowID, position: Int64, distance: Int64) throws -> Int64 {
        let (sum, overflow) = position.addingReportingOverflow(distance)
        guard !overflow else { throw Self.noRoom }
        assign(member, position: sum)
        return sum
    }

    private mutating func put(
        _ member: RowID, after position: Int64, in transaction: borrowing WriteTransaction
    ) throws -> (position: Int64, renumbered: [Member]) {
        guard let next = try followers(of: position, count: 1, in: transaction).first else {
            return (try put(member, position: position, distance: Self.gap), [])
        }
        let distance = UInt64(bitPattern: next.position &- position)
        if distance > 1 { return (try put(member, position: position, distance: Int64(distance / 2)), []) }
        var count = 8
        while true {
            let following = try followers(of: position, count: count + 1, in: transaction)
            var step = UInt64(Self.gap)
            if following.count > count {
                step = UInt64(bitPattern: following[count].position &- position) / UInt64(count + 2)
                guard step >= Self.leastGap else {
                    count *= 2
                    continue
                }
            }
            let moved = following.prefix(count)
            var renumbered: [Member] = []
            var last = try put(member, position: position, distance: Int64(step))
            let own = last
            for follower in moved {
                last = try put(follower.rowID, position: last, distance: Int64(step))
                renumbered.append(Member(position: last, rowID: follower.rowID))
            }
            return (own, renumbered)
        }
    }

    /// The members that stand behind a position, at most so many, in order.
    private func followers(
        of position: Int64, count: Int, in transaction: borrowing WriteTransaction
    ) throws -> [Member] {
        guard position < .max else { throw Self.noRoom }
        var found: [Member] = []
        try stored.scan(from: position + 1, in: transaction) { position, member in
            if keepsStored(member) { found.append(Member(position: position, rowID: member)) }
            return found.count < count
        }
        found += assigned[assigned.indices.partitionPoint { assigned[$0].position <= position }...].prefix(count)
        return Array(found.sorted { $0.precedes($1) }.prefix(count))
    }

    /// The position behind which members are appended; nil where there are none.
    mutating func lastPosition(in transaction: borrowing WriteTransaction) throws -> Int64? {
        try ends(in: transaction).last
    }

    /// The position at which a member is appended behind the last one.
    static func position(behind last: Int64) throws -> Int64 {
        let (sum, overflow) = last.addingReportingOverflow(gap)
        guard !overflow else { throw noRoom }
        return sum
    }

    /// The first and the last position. Positions of stored members that no longer count may be among them, which
    /// does no harm.
    private mutating func ends(in transaction: borrowing WriteTransaction) throws -> (first: Int64?, last: Int64?) {
        var known = try storedEnds ?? readEnds(in: transaction)
        storedEnds = known
        if let first = assigned.first?.position { known.first = min(first, known.first ?? first) }
        if let last = assigned.last?.position { known.last = max(last, known.last ?? last) }
        return known
    }

    private func readEnds(in transaction: borrowing WriteTransaction) throws -> (first: Int64?, last: Int64?) {
        var ends: (first: Int64?, last: Int64?) = (nil, nil)
        for isLast in [false, true] {
            try stored.scan(reversed: isLast, in: transaction) { position, _ in
                if isLast { ends.last = position } else { ends.first = position }
                return false
            }
        }
        return ends
    }

    private mutating func takeOut(_ member: RowID) {
        guard let position = positions.removeValue(forKey: member) else { return }
        let old = Member(position: position, rowID: member)
        let index = assigned.indices.partitionPoint { assigned[$0].precedes(old) }
        if assigned.indices.contains(index), assigned[index] == old { assigned.remove(at: index) }
    }
}
