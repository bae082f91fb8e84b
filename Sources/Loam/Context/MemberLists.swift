import LoamStorage

/// One side of a relationship of one row.
struct MemberKey: Hashable {
    let row: RowID
    let relationship: PropertyID
}

/// The members of relationships that a context has read or changed: a list for each side of a row, made when it is
/// asked for.
///
/// Every list tells of its changes, so that nobody need look at all of them: as long as none was changed, questions
/// about changes are O(1), and queries lay over only the lists that were changed since the last one. The lists do not
/// keep this object, which keeps them.
final class MemberLists {
    private var byKey: [MemberKey: MemberList] = [:]
    /// Hears of each row whose members change.
    private let changes: PendingChanges
    /// Whether a list may have changes. Stays so until all are forgotten.
    private(set) var mayHaveChanges = false
    /// Lists that queries do not see as they are, in the order in which they were changed.
    private var stale: [MemberList] = []

    init(telling changes: PendingChanges) { self.changes = changes }

    /// The list, where there is one already.
    subscript(key: MemberKey) -> MemberList? { byKey[key] }

    /// The list, made where there is none: it begins with what is stored.
    func made(_ key: MemberKey, of entity: EntityID, relationship: LoamStorage.Relationship) -> MemberList {
        if let list = byKey[key] { return list }
        let list = MemberList(key, entity: entity, relationship: relationship, in: self)
        byKey[key] = list
        return list
    }

    /// All lists as they are now, in no order. O(lists).
    var all: [MemberList] { Array(byKey.values) }

    /// The lists that differ from what is stored, in no order. O(1) without changes, else O(lists).
    var changed: [MemberList] { mayHaveChanges ? byKey.values.filter(\.isChanged) : [] }

    /// O(1) without changes, else O(lists).
    var hasChanges: Bool { mayHaveChanges && byKey.values.contains(where: \.isChanged) }

    /// Called by lists: queries are to see this one anew. Members that records keep are no concern of theirs.
    func noteChange(of list: MemberList) {
        mayHaveChanges = true
        changes.noteTouched(list.key.row)
        guard case .links = list.relationship.storage, !list.isStale else { return }
        list.isStale = true
        stale.append(list)
    }

    /// The last of the lists that queries do not see as they are. ``removeLastStale()`` takes it out.
    var lastStale: MemberList? { stale.last }

    func removeLastStale() { stale.popLast()?.isStale = false }

    // MARK: Forgetting

    /// Forgets one list, with its changes.
    func remove(_ key: MemberKey) { byKey[key] = nil }

    /// Forgets all lists, after a save or a rollback. There are no changes then, and lists are made anew from what is
    /// stored.
    func forget() {
        byKey = [:]
        mayHaveChanges = false
        stale = []
    }

    /// Somebody else has saved: what was read may have changed. What was changed here stays. O(lists).
    func forgetStored() {
        guard mayHaveChanges else { return byKey = [:] }
        for list in byKey.values { list.forgetStored() }
    }
}
