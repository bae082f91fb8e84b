import LoamStorage

/// Reads and changes the relationships of a context's models, and keeps both sides of each in step.
///
/// A to-one that the record keeps is a field of the model's backing, a row id. Every other side is a ``MemberList`` by
/// the row that it belongs to, which begins with what is stored and has what was changed since. A change of one side
/// changes the other at once and tells its observers; objects are made only where a model's own field has to change.
/// Prefetched records serve until something else is stored.
///
/// Confined to the isolation of the context, which owns it: nobody else keeps it, so that the context outlives it. A
/// model may be all that keeps the context, and lets go of it with its first change: what models' accessors call keeps
/// the whole context until it is done. Observers that are told, and initializers of objects, are the user's code, which
/// may use the context again: so nothing is counted on across them but the lists themselves.
final class RelationshipEditor {
    unowned(unsafe) let context: StoreContext
    /// Members as far as they were read or changed.
    let lists: MemberLists
    /// Counts the stored states that the context has taken in: what was prefetched before the last one is not used.
    private(set) var storedState = 0

    init(of context: StoreContext) {
        self.context = context
        lists = MemberLists(telling: context.changes)
    }

    /// Whether the next save would write links or places. O(1) without changes, else O(lists).
    var hasChanges: Bool { lists.hasChanges }

    /// Forgets all changes, after a rollback.
    func forgetChanges() { lists.forget() }

    /// Forgets what was read and changed, after a save of the context.
    func noteOwnSave() {
        lists.forget()
        storedState += 1
    }

    /// Somebody else has saved: what was read may have changed. What was changed here stays.
    func noteForeignSaves() {
        lists.forgetStored()
        storedState += 1
    }

    // MARK: Reading

    /// What a to-one relationship leads to; nil also where the target is to be deleted.
    func target<Target: PersistentModel>(
        of model: some PersistentModel, _ ordinal: Int, as type: Target.Type
    ) -> Target? {
        let (context, owner) = (context, context.owner)
        defer { withExtendedLifetime(owner) {} }
        guard let (backing, relationship) = side(model, ordinal: ordinal) else { return nil }
        do {
            let row =
                if case .reference = relationship.storage {
                    try backing.reference(ordinal).flatMap {
                        isDisplaced(backing, relationship: relationship, at: $0) ? nil : $0
                    }
                } else {
                    // Of a one-to-one: somebody else may have stored another one than was set here.
                    try memberRows(of: backing, relationship).last
                }
            let prefetched = backing.prefetched(ordinal, storedState: storedState)
            return try row.flatMap {
                try related($0, of: relationship.destination, type: type, prefetched: prefetched, in: context)
            }
        } catch {
            context.keep(error)
            return nil
        }
    }

    /// Whether a row leads to another one as stored and yet not in this context, which has made a third one lead there,
    /// of a one-to-one: the next save makes it lead nowhere.
    func isDisplaced(
        _ backing: _ModelBacking, relationship: LoamStorage.Relationship, at target: RowID
    ) -> Bool {
        guard lists.mayHaveChanges, let inverse = relationship.inverse,
            let list = lists[MemberKey(row: target, relationship: inverse)], !list.relationship.isToMany,
            let last = list.added.last
        else { return false }
        return last != backing.rowID
    }

    /// What a to-many relationship leads to, in order. Reads the index of the relationship, not the members' records.
    func members<Target: PersistentModel>(
        of model: some PersistentModel, _ ordinal: Int, as type: Target.Type
    ) -> [Target] {
        let (context, owner) = (context, context.owner)
        defer { withExtendedLifetime(owner) {} }
        guard let (backing, relationship) = side(model, ordinal: ordinal) else { return [] }
        do {
            let prefetched = backing.prefetched(ordinal, storedState: storedState)
            return try memberRows(of: backing, relationship).compactMap {
                try related($0, of: relationship.destination, type: type, prefetched: prefetched, in: context)
            }
        } catch {
            context.keep(error)
            return []
        }
    }

    private func related<Target: PersistentModel>(
        _ row: RowID, of destination: EntityID, type: Target.Type, prefetched: PrefetchedRecords?,
        in context: StoreContext
    ) throws -> Target? {
        // What is known stays readable where the store is not for this program any more.
        if let known = context.registered(row, of: destination, as: type) {
            guard let backing = known._$backing, backing.state != .deleted, backing.state != .gone else { return nil }
            return known
        }
        let binding = try context.bindings.binding(of: type)
        guard !context.changes.deletedRows.contains(row) else { return nil }
        if let record = prefetched?.records[row] {
            return context.object(type, rowID: row, binding: binding, record: record)
        }
        // A dangling reference, which `noAction` leaves behind, reads as nil.
        guard try rowExists(row, binding: binding) else { return nil }
        return try context.object(
            type, rowID: row, binding: binding, record: binding.readsAtOnce ? context.readRecord(row, of: binding) : nil
        )
    }

    private func rowExists(_ row: RowID, binding: EntityBinding) throws -> Bool {
        guard binding.mayBeDangling else { return true }
        return try context.readRecord(row, of: binding) != nil
    }

    func memberRows(of backing: _ModelBacking, _ relationship: LoamStorage.Relationship) throws -> [RowID] {
        guard let list = list(of: backing, relationship) else { return [] }
        return try context.changes.deletedRows.removed(
            from: list.rows {
                guard backing.state != .inserted, backing.state != .free, let binding = backing.binding
                else { return [] }
                return try context.store.read { snapshot in
                    try context.require(binding, in: snapshot.catalog)
                    let entity = try snapshot.entity(withID: binding.entity.id)
                    return try snapshot.relatedRowIDs(of: backing.rowID, relationship, in: entity)
                }
            })
    }

    // MARK: Lists and their owners

    /// The relationship of a model that is in this context.
    func side(
        _ model: some PersistentModel, ordinal: Int
    ) -> (_ModelBacking, LoamStorage.Relationship)? {
        guard let backing = model._$backing, let binding = backing.binding,
            binding.relationships.indices.contains(ordinal), let relationship = binding.relationships[ordinal]
        else { return nil }
        return (backing, relationship)
    }

    func list(of backing: _ModelBacking, _ relationship: LoamStorage.Relationship) -> MemberList? {
        guard let entity = backing.binding?.entity.id else { return nil }
        return lists.made(
            MemberKey(row: backing.rowID, relationship: relationship.id), of: entity, relationship: relationship)
    }

    /// The objects whose members differ from what is stored, each with the property that shows them.
    func ownersOfTouchedMembers() -> [(model: any PersistentModel, ordinal: Int)] {
        guard lists.mayHaveChanges else { return [] }
        return lists.all.filter(\.isTouched).compactMap { owner(of: $0) }
    }

    /// The object that members belong to, if there is one, and the property that shows them.
    func owner(of list: MemberList) -> (model: any PersistentModel, ordinal: Int)? {
        guard let model = context.registered(list.key.row, of: list.entity), let binding = model._$backing?.binding,
            let ordinal = binding.relationships.firstIndex(where: { $0?.id == list.key.relationship })
        else { return nil }
        return (model, ordinal)
    }
}
