import LoamStorage

extension ModelContext {
    // MARK: Reading

    /// What a to-one relationship leads to; nil also where the target is to be deleted.
    func target<Target: PersistentModel>(
        of model: some PersistentModel, _ ordinal: Int, as type: Target.Type
    ) -> Target? {
        guard let (backing, relationship) = side(model, ordinal) else { return nil }
        do {
            let row =
                if case .reference = relationship.storage {
                    try backing.reference(ordinal).flatMap { isDisplaced(backing, relationship, at: $0) ? nil : $0 }
                } else {
                    // Of a one-to-one: somebody else may have stored another one than was set here.
                    try memberRows(of: backing, relationship).last
                }
            let prefetched = backing.prefetched(ordinal, storedState)
            return try row.flatMap { try related($0, type, prefetched) }
        } catch {
            keep(error)
            return nil
        }
    }

    /// Whether a row leads to another one as stored and yet not in this context, which has made a third one lead there, of
    /// a one-to-one: the next save makes it lead nowhere.
    private func isDisplaced(
        _ backing: _ModelBacking, _ relationship: LoamStorage.Relationship, at target: RowID
    ) -> Bool {
        guard memberChanges.mayExist, let inverse = relationship.inverse,
            let list = members[MemberKey(row: target, relationship: inverse)], !list.relationship.isToMany,
            let last = list.added.last
        else { return false }
        return last != backing.rowID
    }

    /// What a to-many relationship leads to, in order. Reads the index of the relationship, not the members' records.
    func members<Target: PersistentModel>(
        of model: some PersistentModel, _ ordinal: Int, as type: Target.Type
    ) -> [Target] {
        guard let (backing, relationship) = side(model, ordinal) else { return [] }
        do {
            let prefetched = backing.prefetched(ordinal, storedState)
            return try memberRows(of: backing, relationship).compactMap { try related($0, type, prefetched) }
        } catch {
            keep(error)
            return []
        }
    }

    private func related<Target: PersistentModel>(
        _ row: RowID, _ type: Target.Type, _ prefetched: PrefetchedRecords?
    ) throws -> Target? {
        let binding = try binding(of: type)
        if let known = registered(row, of: binding.entity.id, as: type) {
            guard let backing = known._$backing, backing.state != .deleted, backing.state != .gone else { return nil }
            return known
        }
        guard !changes.deletedRows.contains(row) else { return nil }
        if let record = prefetched?.records[row] { return object(type, row, binding, record: record) }
        // A dangling reference, which `noAction` leaves behind, reads as nil.
        guard try rowExists(row, binding) else { return nil }
        return try object(type, row, binding, record: binding.readsAtOnce ? readRecord(row, of: binding) : nil)
    }

    private func rowExists(_ row: RowID, _ binding: EntityBinding) throws -> Bool {
        guard binding.mayBeDangling else { return true }
        return try readRecord(row, of: binding) != nil
    }

    /// The relationship of a model that is in this context.
    private func side(
        _ model: some PersistentModel, _ ordinal: Int
    ) -> (_ModelBacking, LoamStorage.Relationship)? {
        guard let backing = model._$backing, let binding = backing.binding,
            binding.relationships.indices.contains(ordinal), let relationship = binding.relationships[ordinal]
        else { return nil }
        return (backing, relationship)
    }

    private func list(of backing: _ModelBacking, _ relationship: LoamStorage.Relationship) -> MemberList? {
        guard let binding = backing.binding else { return nil }
        return list(MemberKey(row: backing.rowID, relationship: relationship.id), of: binding.entity.id, relationship)
    }

    private func list(_ key: MemberKey, of entity: EntityID, _ relationship: LoamStorage.Relationship) -> MemberList {
        if let list = members[key] { return list }
        let list = MemberList(key, entity: entity, relationship, memberChanges)
        members[key] = list
        return list
    }

    var hasChangedMembers: Bool { memberChanges.mayExist && members.values.contains(where: \.isChanged) }

    /// After a save or a rollback: what is stored is what there is.
    func forgetMembers() {
        members = [:]
        memberChanges.forget()
    }

    /// Somebody has saved: what was read may have changed. What was changed here stays.
    func forgetStoredMembers() {
        guard memberChanges.mayExist else { return members = [:] }
        for list in members.values { list.forgetStored() }
    }

    /// The objects whose members differ from what is stored, each with the property that shows them.
    func ownersOfTouchedMembers() -> [(model: any PersistentModel, ordinal: Int)] {
        guard memberChanges.mayExist else { return [] }
        return members.values.filter(\.isTouched).compactMap { owner(of: $0) }
    }

    /// The object that members belong to, if there is one, and the property that shows them.
    func owner(of list: MemberList) -> (model: any PersistentModel, ordinal: Int)? {
        guard let model = registered(list.key.row, of: list.entity), let binding = model._$backing?.binding,
            let ordinal = binding.relationships.firstIndex(where: { $0?.id == list.key.relationship })
        else { return nil }
        return (model, ordinal)
    }

    func memberRows(of backing: _ModelBacking, _ relationship: LoamStorage.Relationship) throws -> [RowID] {
        guard let list = list(of: backing, relationship) else { return [] }
        return try changes.deletedRows.removed(
            from: list.rows {
                guard backing.state != .inserted, backing.state != .free, let binding = backing.binding
                else { return [] }
                return try ownContainer.store.read { snapshot in
                    let entity = try snapshot.entity(withID: binding.entity.id)
                    return try snapshot.relatedRowIDs(of: backing.rowID, relationship, in: entity)
                }
            })
    }

    // MARK: Changing

    /// Makes a relationship of a model lead to these models, and their inverse back to it.
    ///
    /// - Parameter keepsOthers: whether members that there are already stay, behind these: what other models said of one
    ///   that is being inserted.
    func relate(
        _ model: some PersistentModel, _ ordinal: Int, to targets: [any PersistentModel], keepsOthers: Bool = false
    ) {
        guard let (backing, relationship) = side(model, ordinal) else { return }
        for target in targets { insert(target) }
        let targets = targets.filter { $0._$backing?.context === self }
        do {
            if case .reference = relationship.storage {
                try setReference(model, backing, ordinal, relationship, to: targets.first)
            } else {
                try setMembers(backing, relationship, to: targets, keepsOthers: keepsOthers)
            }
            didChange()
        } catch {
            keep(error)
        }
    }

    /// Sets a to-one that is kept in the record, and the other side of it.
    func setReference(
        _ model: any PersistentModel, _ backing: _ModelBacking, _ ordinal: Int,
        _ relationship: LoamStorage.Relationship, to target: (any PersistentModel)?
    ) throws {
        let old = try backing.reference(ordinal)
        let new = target?._$backing?.rowID
        guard old != new || old.map({ isDisplaced(backing, relationship, at: $0) }) == true else { return }
        willChange(model, backing, ordinal)
        backing.setReference(ordinal, to: new)
        guard let inverse = relationship.inverse else { return }
        if let old { withInverse(old, inverse, relationship.destination) { $0.remove(backing.rowID) } }
        guard let new else { return }
        if let side = inverseSide(inverse, relationship.destination), !side.isToMany {
            // One to one: who led there before leads nowhere now.
            for other in try inverseRows(new, inverse, relationship.destination) where other != backing.rowID {
                try clearReference(of: other, relationship, in: backing)
            }
        }
        withInverse(new, inverse, relationship.destination) { $0.append(backing.rowID) }
    }

    private func clearReference(
        of row: RowID, _ relationship: LoamStorage.Relationship, in sibling: _ModelBacking
    ) throws {
        guard let binding = sibling.binding,
            let ordinal = binding.relationships.firstIndex(where: { $0?.id == relationship.id })
        else { return }
        let model = try model(row, binding.model.type, binding)
        guard let backing = model._$backing else { return }
        try change(model, ordinal) {
            try setReference(model, backing, ordinal, relationship, to: nil)
        }
    }

    func model<T: PersistentModel>(
        _ row: RowID, _ type: T.Type, _ binding: EntityBinding
    ) throws -> any PersistentModel {
        try object(type, row, binding, record: binding.readsAtOnce ? readRecord(row, of: binding) : nil)
    }

    /// Sets the members of a side that is not kept in the record.
    private func setMembers(
        _ backing: _ModelBacking, _ relationship: LoamStorage.Relationship, to targets: [any PersistentModel],
        keepsOthers: Bool
    ) throws {
        guard let list = list(of: backing, relationship) else { return }
        let old = try memberRows(of: backing, relationship)
        var seen: Set<RowID> = []
        let members = targets.filter { seen.insert($0._$backing?.rowID ?? 0).inserted }
        var new = members.compactMap { $0._$backing?.rowID }
        let keepsOthers = keepsOthers && relationship.isToMany
        if keepsOthers { new += old.filter { !seen.contains($0) } }
        guard new != old else { return }
        if !keepsOthers { for row in old where !seen.contains(row) { try unrelate(backing, relationship, list, row) } }
        let known = Set(old)
        for member in members where !known.contains(member._$backing?.rowID ?? 0) {
            try relate(backing, relationship, list, member)
        }
        // Members that kept their order and appended ones need no places.
        if try memberRows(of: backing, relationship) != new { list.setOrder(new) }
    }

    private func unrelate(
        _ backing: _ModelBacking, _ relationship: LoamStorage.Relationship, _ list: MemberList, _ row: RowID
    ) throws {
        guard case .inverseOfReference = relationship.storage else {
            list.remove(row)
            if let inverse = relationship.inverse {
                withInverse(row, inverse, relationship.destination) { $0.remove(backing.rowID) }
            }
            return
        }
        let binding = try destinationBinding(relationship)
        let child = try model(row, binding.model.type, binding)
        try setOwner(of: child, relationship, to: nil)
        list.remove(row)
    }

    private func relate(
        _ backing: _ModelBacking, _ relationship: LoamStorage.Relationship, _ list: MemberList,
        _ member: any PersistentModel
    ) throws {
        guard let row = member._$backing?.rowID else { return }
        guard case .inverseOfReference = relationship.storage else {
            list.append(row)
            if let inverse = relationship.inverse {
                withInverse(row, inverse, relationship.destination) { $0.append(backing.rowID) }
            }
            return
        }
        guard let entity = backing.binding?.entity.id else { return }
        try setOwner(of: member, relationship, to: registered(backing.rowID, of: entity))
    }

    /// Sets the to-one of a child whose inverse is the relationship.
    private func setOwner(
        of child: any PersistentModel, _ relationship: LoamStorage.Relationship, to owner: (any PersistentModel)?
    ) throws {
        guard let backing = child._$backing, let binding = backing.binding,
            let ordinal = binding.relationships.firstIndex(where: { $0?.id == relationship.inverse }),
            let reference = binding.relationships[ordinal]
        else { return }
        try change(child, ordinal) { try setReference(child, backing, ordinal, reference, to: owner) }
    }

    /// Changes a model from outside its setters, telling observers of the property.
    func change(_ model: any PersistentModel, _ ordinal: Int, _ body: () throws -> Void) rethrows {
        var failure: (any Error)?
        notify(model, FieldMask([ordinal])) {
            do { try body() } catch { failure = error }
        }
        if let failure { keep(failure) }
    }

    // MARK: The other side

    func destinationBinding(_ relationship: LoamStorage.Relationship) throws -> EntityBinding {
        let catalog = ownContainer.store.knownCatalog
        guard let entity = catalog.schema.entities.first(where: { $0.id == relationship.destination }) else {
            throw StorageError(.unknownEntity, entity: "#\(relationship.destination)")
        }
        return try ownContainer.binding(named: entity.name, in: catalog)
    }

    private func inverseSide(_ inverse: PropertyID, _ entity: EntityID) -> LoamStorage.Relationship? {
        ownContainer.store.knownCatalog.schema.entities.first { $0.id == entity }?
            .relationships.first { $0.id == inverse }
    }

    /// Changes the other side's members and tells the observers of the object that they belong to, where there is one.
    private func withInverse(
        _ row: RowID, _ inverse: PropertyID, _ entity: EntityID, _ body: (MemberList) -> Void
    ) {
        guard let side = inverseSide(inverse, entity) else { return }
        let list = list(MemberKey(row: row, relationship: inverse), of: entity, side)
        guard let owner = owner(of: list) else { return body(list) }
        notify(owner.model, FieldMask([owner.ordinal])) { body(list) }
    }

    /// Somebody else has made a reference lead elsewhere that was set here, maybe to what it led to already: as it leads on
    /// where this context says, the row is a member there, and none of what it leads to as stored.
    func keepReference(
        of backing: _ModelBacking, _ ordinal: Int, over stored: DetachedRecord, at position: Int
    ) throws {
        guard let relationship = backing.binding?.relationships[ordinal], case .reference = relationship.storage,
            let inverse = relationship.inverse, let side = inverseSide(inverse, relationship.destination)
        else { return }
        let (row, kept) = (try stored.uint64(position), try backing.reference(ordinal))
        guard row != kept else { return }
        func members(_ row: RowID) -> MemberList {
            list(MemberKey(row: row, relationship: inverse), of: relationship.destination, side)
        }
        if let row { members(row).remove(backing.rowID) }
        if let kept { members(kept).append(backing.rowID) }
    }

    /// Somebody else has deleted a row with changes: until these are saved or taken back, it is a member of what it leads to.
    func keepReferences(of backing: _ModelBacking) throws {
        guard backing.state == .stored, let binding = backing.binding else { return }
        for (ordinal, relationship) in binding.relationships.enumerated() {
            guard let relationship, case .reference = relationship.storage, let inverse = relationship.inverse,
                let side = inverseSide(inverse, relationship.destination), let row = try backing.reference(ordinal)
            else { continue }
            list(MemberKey(row: row, relationship: inverse), of: relationship.destination, side).append(backing.rowID)
        }
    }

    private func inverseRows(_ row: RowID, _ inverse: PropertyID, _ entity: EntityID) throws -> [RowID] {
        guard let side = inverseSide(inverse, entity) else { return [] }
        let list = list(MemberKey(row: row, relationship: inverse), of: entity, side)
        return try changes.deletedRows.removed(
            from: list.rows {
                try ownContainer.store.read { snapshot in
                    try snapshot.relatedRowIDs(of: row, side, in: snapshot.entity(withID: entity))
                }
            })
    }

    // MARK: Deleting

    /// What the deletion of a model does at once to the other models of the context; the writer decides again at the save,
    /// against what is stored then.
    func release(_ model: any PersistentModel, _ backing: _ModelBacking) {
        guard let binding = backing.binding else { return }
        for (ordinal, relationship) in binding.relationships.enumerated() {
            guard let relationship else { continue }
            do {
                try release(backing, ordinal, relationship)
            } catch {
                keep(error)
            }
        }
    }

    private func release(_ backing: _ModelBacking, _ ordinal: Int, _ relationship: LoamStorage.Relationship) throws {
        if case .reference = relationship.storage {
            guard let row = try backing.reference(ordinal) else { return }
            if relationship.deleteRule == .cascade { try deleteRelated([row], relationship) }
            if let inverse = relationship.inverse {
                withInverse(row, inverse, relationship.destination) { $0.remove(backing.rowID) }
            }
            return
        }
        let rows = try memberRows(of: backing, relationship)
        switch relationship.deleteRule {
        case .cascade:
            try run(.members(MemberKey(row: backing.rowID, relationship: relationship.id)))
            try deleteRelated(rows, relationship)
        case .nullify:
            guard let list = list(of: backing, relationship) else { return }
            for row in rows { try unrelate(backing, relationship, list, row) }
        case .noAction:
            // What is stored is left dangling; what is still to be saved cannot lead to a row that goes with the same save.
            guard let list = list(of: backing, relationship) else { return }
            for row in rows where isUnsaved(relationship, of: row) {
                try unrelate(backing, relationship, list, row)
            }
        case .deny: return
        }
    }

    /// Whether the inverse of the relationship was set since the last save, of a row that the relationship leads to.
    private func isUnsaved(_ relationship: LoamStorage.Relationship, of row: RowID) -> Bool {
        guard let backing = registered(row, of: relationship.destination)?._$backing, let binding = backing.binding,
            let ordinal = binding.relationships.firstIndex(where: { $0?.id == relationship.inverse })
        else { return false }
        return backing.state == .inserted || backing.state == .free || backing.changed.contains(ordinal)
    }

    private func deleteRelated(_ rows: [RowID], _ relationship: LoamStorage.Relationship) throws {
        try deleteRows(rows, destinationBinding(relationship))
    }
}
