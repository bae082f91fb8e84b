import LoamStorage

/// The members of a to-many relationship in a context: those that are stored, and what was changed since.
///
/// Additions and removals need no stored members, so that appending to a long list does not read it.
final class MemberList {
    /// The row whose members these are, and the side of the relationship.
    let key: MemberKey
    let entity: EntityID
    let relationship: LoamStorage.Relationship
    /// Told of every change. They keep this list, and the list not them.
    private unowned let lists: MemberLists
    /// Whether members came or went, or their order was set, since the list was made.
    private(set) var isTouched = false
    /// Whether queries do not see the list as it is. Written by the lists that it belongs to.
    var isStale = false
    /// The members as they are stored; nil until somebody asks for them.
    private(set) var stored: [RowID]?
    /// The members that are not stored, in order.
    private(set) var added: [RowID] = []
    private var addedRows: Set<RowID> = []
    private(set) var removed: Set<RowID> = []
    /// The order that was set, with members that may have been added or removed since; nil where it follows from the
    /// rest.
    private(set) var order: [RowID]?

    init(_ key: MemberKey, entity: EntityID, relationship: LoamStorage.Relationship, in lists: MemberLists) {
        self.lists = lists
        self.key = key
        self.entity = entity
        self.relationship = relationship
    }

    var isChanged: Bool { !added.isEmpty || !removed.isEmpty || order != nil }

    /// All members in order.
    ///
    /// - Parameter load: reads the stored ones; called at the most once.
    func rows(load: () throws -> [RowID]) rethrows -> [RowID] {
        if let order { return order }
        let stored = try self.stored ?? load()
        self.stored = stored
        guard isChanged else { return stored }
        return stored.filter { !removed.contains($0) && !addedRows.contains($0) } + added
    }

    private func touch() {
        isTouched = true
        lists.noteChange(of: self)
    }

    /// O(1).
    func append(_ row: RowID) {
        touch()
        removed.remove(row)
        guard addedRows.insert(row).inserted else { return }
        added.append(row)
        order?.append(row)
    }

    /// O(1) for a stored member, O(n) for one that was added or where an order was set.
    func remove(_ row: RowID) {
        touch()
        if addedRows.remove(row) != nil, let index = added.firstIndex(of: row) { added.remove(at: index) }
        removed.insert(row)
        order?.removeAll { $0 == row }
    }

    /// Whether any of these rows may be a member, as far as that can be told without reading.
    func mayHold(_ rows: Set<RowID>) -> Bool {
        stored?.contains(where: rows.contains) != false || added.contains(where: rows.contains)
    }

    /// Forgets members that are deleted: their links go with them.
    func drop(_ rows: Set<RowID>) {
        touch()
        addedRows.subtract(rows)
        stored?.removeAll(where: rows.contains)
        added.removeAll(where: rows.contains)
        order?.removeAll(where: rows.contains)
    }

    /// Sets the order of the members that are there.
    func setOrder(_ rows: [RowID]) {
        touch()
        order = rows
    }

    /// Somebody else has saved: the stored members are read again when they are needed.
    func forgetStored() {
        stored = nil
        if isChanged { lists.noteChange(of: self) }
    }

    /// The members that do not stand where the stored order, or appending, puts them, each with the one before it.
    ///
    /// As few members as possible move: those outside a longest subsequence of members that keep their stored order.
    func moved() -> [(row: RowID, after: RowID?)] {
        guard let order else { return [] }
        let positions = Dictionary(
            (stored ?? []).enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
        let kept = Set(longestIncreasingSubsequence(order.filter { positions[$0] != nil }, by: { positions[$0] ?? 0 }))
        return order.enumerated().compactMap { offset, row in
            kept.contains(row) ? nil : (row, offset == 0 ? nil : order[offset - 1])
        }
    }
}

/// A longest subsequence whose keys ascend. O(n log n).
func longestIncreasingSubsequence<Element>(_ elements: [Element], by key: (Element) -> Int) -> [Element] {
    /// For each length, less one, the index of the smallest last element of a subsequence of that length.
    var ends: [Int] = []
    var previous: [Int] = []
    previous.reserveCapacity(elements.count)
    for index in elements.indices {
        let low = ends.indices.partitionPoint { key(elements[ends[$0]]) < key(elements[index]) }
        previous.append(low > 0 ? ends[low - 1] : -1)
        if low < ends.count { ends[low] = index } else { ends.append(index) }
    }
    var result: [Element] = []
    var index = ends.last ?? -1
    while index >= 0 {
        result.append(elements[index])
        index = previous[index]
    }
    return result.reversed()
}
