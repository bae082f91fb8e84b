import LMDB

/// What a batch does to the links of one table.
final class LinkDraft {
    struct Pair: Hashable {
        var source: RowID
        var destination: RowID
    }

    struct Edit {
        /// The link before the batch, as half 0 has it; nil where there was none.
        var stored: LinkTable.Link?
        /// The link after the batch, as half 0 has it; nil where it is taken away.
        var new: LinkTable.Link?
        /// Whether the batch makes, moves or takes away the link, and does not only renumber it.
        var isAsked = false
    }

    let access: LinkAccess
    let table: LinkTable
    private(set) var edits: [Pair: Edit] = [:]
    private var forward: [RowID: MemberOrder] = [:]
    private var backward: [RowID: MemberOrder] = [:]

    init(_ access: LinkAccess, table: LinkTable) {
        self.access = access
        self.table = table
    }

    /// The owners in a half whose members change.
    func owners(_ half: LinkTable.Half) -> Set<RowID> {
        Set(edits.filter { $0.value.isAsked }.map { half == .forward ? $0.key.source : $0.key.destination })
    }

    /// Makes a link or moves it.
    ///
    /// - Parameters:
    ///   - half: the half whose order `place` is about.
    func link(
        _ pair: Pair, place: LinkPlace, half: LinkTable.Half, in transaction: borrowing WriteTransaction
    ) throws {
        let edit = try edit(pair, in: transaction)
        let current = edit.new
        var link =
            current ?? LinkTable.Link(owner: pair.source, position: 0, member: pair.destination, otherPosition: 0)
        try setPosition(of: &link, half: half, place: place, in: transaction)
        if current == nil {
            // In the other half, a new link is appended.
            try setPosition(of: &link, half: half.other, place: .append, in: transaction)
        }
        edits[pair] = Edit(stored: edit.stored, new: link, isAsked: true)
    }

    func unlink(_ pair: Pair, in transaction: borrowing WriteTransaction) throws {
        let edit = try edit(pair, in: transaction)
        guard edit.new != nil || edit.stored != nil else { return }
        withOrder(.forward, owner: pair.source) { $0.remove(pair.destination) }
        withOrder(.backward, owner: pair.destination) { $0.remove(pair.source) }
        edits[pair] = Edit(stored: edit.stored, new: nil, isAsked: true)
    }

    /// Reads all links of an owner at once. For owners many of whose links are about to be taken away one by one.
    func prefetch(_ half: LinkTable.Half, of owner: RowID, in transaction: borrowing WriteTransaction) throws {
        try table.scan(half, of: owner, in: transaction) { found in
            let link = half == .forward ? found : found.mirrored
            let pair = Pair(source: link.owner, destination: link.member)
            if edits[pair] == nil { edits[pair] = Edit(stored: link, new: link) }
            return true
        }
    }

    func contains(_ pair: Pair, in transaction: borrowing WriteTransaction) throws -> Bool {
        try edit(pair, in: transaction).new != nil
    }

    /// Walks an owner's members after the batch; in no order.
    func forEachMember(
        _ half: LinkTable.Half, of owner: RowID, in transaction: borrowing WriteTransaction,
        _ body: (RowID) throws -> Bool
    ) throws {
        try order(half, owner: owner).forEach(in: transaction, body)
    }

    private func edit(_ pair: Pair, in transaction: borrowing WriteTransaction) throws -> Edit {
        if let known = edits[pair] { return known }
        let stored = try table.link(from: pair.source, to: pair.destination, in: transaction)
        return Edit(stored: stored, new: stored)
    }

    private func setPosition(
        of link: inout LinkTable.Link, half: LinkTable.Half, place: LinkPlace,
        in transaction: borrowing WriteTransaction
    ) throws {
        let (owner, member) = half == .forward ? (link.owner, link.member) : (link.member, link.owner)
        guard half == .forward || access.ordersBackward else {
            withOrder(half, owner: owner) { $0.assign(member, position: 0) }
            link.otherPosition = 0
            return
        }
        let (position, renumbered) = try withOrder(half, owner: owner) { order in
            try order.place(member, place: place, in: transaction) { neighbour in
                let pair = pair(half, owner: owner, member: neighbour)
                return try table.link(from: pair.source, to: pair.destination, in: transaction).map {
                    half == .forward ? $0.position : $0.otherPosition
                }
            }
        }
        if half == .forward { link.position = position } else { link.otherPosition = position }
        for other in renumbered {
            let pair = pair(half, owner: owner, member: other.rowID)
            var edit = try edit(pair, in: transaction)
            if half == .forward {
                edit.new?.position = other.position
            } else {
                edit.new?.otherPosition = other.position
            }
            edits[pair] = edit
        }
    }

    private func pair(_ half: LinkTable.Half, owner: RowID, member: RowID) -> Pair {
        half == .forward
            ? Pair(source: owner, destination: member) : Pair(source: member, destination: owner)
    }

    private func order(_ half: LinkTable.Half, owner: RowID) -> MemberOrder {
        (half == .forward ? forward[owner] : backward[owner]) ?? MemberOrder(.links(table, half, of: owner))
    }

    private func withOrder<R>(
        _ half: LinkTable.Half, owner: RowID, _ body: (inout MemberOrder) throws -> R
    ) rethrows -> R {
        var order = half == .forward ? forward.removeValue(forKey: owner) : backward.removeValue(forKey: owner)
        var known = order ?? MemberOrder(.links(table, half, of: owner))
        order = nil
        defer { if half == .forward { forward[owner] = known } else { backward[owner] = known } }
        return try body(&known)
    }
}

extension LinkDraft {
    /// Writes what the batch decided, in the order of keys.
    func write(in transaction: inout WriteTransaction) throws {
        let changed = edits.values.filter { $0.stored != $0.new }
        for link in changed.compactMap(\.stored).sorted(by: LinkTable.precedes) {
            try table.remove(link, in: &transaction)
        }
        for link in changed.compactMap(\.new).sorted(by: LinkTable.precedes) { try table.put(link, in: &transaction) }
    }

    /// The changes that observers and the history are told of. Renumbering is none.
    func changes() -> [LinkChange] {
        edits.sorted { ($0.key.source, $0.key.destination) < ($1.key.source, $1.key.destination) }.flatMap {
            pair, edit in
            guard edit.isAsked, edit.stored != edit.new else { return [LinkChange]() }
            let sides = [(edit.stored, false), (edit.new, true)]
            return sides.filter { $0.0 != nil }.map { _, isAdded in
                LinkChange(
                    relationship: access.forward.id, source: pair.source, destination: pair.destination,
                    isAdded: isAdded)
            }
        }
    }
}

extension LinkTable {
    fileprivate static func precedes(_ left: Link, _ right: Link) -> Bool {
        (left.owner, left.position, left.member) < (right.owner, right.position, right.member)
    }
}
