import LoamStorage

extension RelationshipEditor {
    /// Makes a relationship of a model lead to these models, and their inverse back to it.
    ///
    /// - Parameter keepsOthers: whether members that there are already stay, behind these: what other models said of
    ///   one that is being inserted.
    func relate(
        _ model: some PersistentModel, ordinal: Int, to targets: [any PersistentModel], keepsOthers: Bool = false
    ) {
        let (context, owner) = (context, context.owner)
        defer { withExtendedLifetime(owner) {} }
        guard let (backing, relationship) = side(model, ordinal: ordinal) else { return }
        for target in targets { context.insert(target) }
        let targets = targets.filter { $0._$backing?.context === context }
        do {
            if case .reference = relationship.storage {
                try setReference(
                    model, backing: backing, ordinal: ordinal, relationship: relationship, to: targets.first)
            } else {
                try setMembers(backing, relationship: relationship, to: targets, keepsOthers: keepsOthers)
            }
            context.didChange()
        } catch {
            context.keep(error)
        }
    }

    /// Sets a to-one that is kept in the record, and the other side of it.
    func setReference(
        _ model: any PersistentModel, backing: _ModelBacking, ordinal: Int,
        relationship: LoamStorage.Relationship, to target: (any PersistentModel)?
    ) throws {
        let old = try backing.reference(ordinal)
        let new = target?._$backing?.rowID
        guard old != new || old.map({ isDisplaced(backing, relationship: relationship, at: $0) }) == true else {
            return
        }
        context.willChange(model, backing: backing, ordinal: ordinal)
        backing.setReference(ordinal, to: new)
        guard let inverse = relationship.inverse else { return }
        if let old { withInverse(old, inverse: inverse, entity: relationship.destination) { $0.remove(backing.rowID) } }
        guard let new else { return }
        if let side = inverseSide(inverse, entity: relationship.destination), !side.isToMany {
            // One to one: who led there before leads nowhere now.
            for other in try inverseRows(new, inverse: inverse, entity: relationship.destination)
            where other != backing.rowID {
                try clearReference(of: other, relationship, in: backing)
            }
        }
        withInverse(new, inverse: inverse, entity: relationship.destination) { $0.append(backing.rowID) }
    }

    private func clearReference(
        of row: RowID, _ relationship: LoamStorage.Relationship, in sibling: _ModelBacking
    ) throws {
        guard let binding = sibling.binding,
            let ordinal = binding.relationships.firstIndex(where: { $0?.id == relationship.id })
        else { return }
        let model = try context.model(row, type: binding.model.type, binding: binding)
        guard let backing = model._$backing else { return }
        try change(model, ordinal: ordinal) {
            try setReference(model, backing: backing, ordinal: ordinal, relationship: relationship, to: nil)
        }
    }

    /// Sets the members of a side that is not kept in the record. Observers of the other sides are told in between, and
    /// may save, roll back or fetch, after which lists are made anew: so each step asks for the list.
    private func setMembers(
        _ backing: _ModelBacking, relationship: LoamStorage.Relationship, to targets: [any PersistentModel],
        keepsOthers: Bool
    ) throws {
        let old = try memberRows(of: backing, relationship)
        var seen: Set<RowID> = []
        let members = targets.filter { seen.insert($0._$backing?.rowID ?? 0).inserted }
        var new = members.compactMap { $0._$backing?.rowID }
        let keepsOthers = keepsOthers && relationship.isToMany
        if keepsOthers { new += old.filter { !seen.contains($0) } }
        guard new != old else { return }
        if !keepsOthers {
            for row in old where !seen.contains(row) { try unrelate(backing, relationship: relationship, row: row) }
        }
        let known = Set(old)
        for member in members where !known.contains(member._$backing?.rowID ?? 0) {
            try relate(backing, relationship: relationship, member: member)
        }
        // Members that kept their order and appended ones need no places.
        if try memberRows(of: backing, relationship) != new { list(of: backing, relationship)?.setOrder(new) }
    }

    func unrelate(
        _ backing: _ModelBacking, relationship: LoamStorage.Relationship, row: RowID
    ) throws {
        guard case .inverseOfReference = relationship.storage else {
            list(of: backing, relationship)?.remove(row)
            if let inverse = relationship.inverse {
                withInverse(row, inverse: inverse, entity: relationship.destination) { $0.remove(backing.rowID) }
            }
            return
        }
        let binding = try context.bindings.binding(of: relationship.destination)
        let child = try context.model(row, type: binding.model.type, binding: binding)
        try setOwner(of: child, relationship, to: nil)
        list(of: backing, relationship)?.remove(row)
    }

    private func relate(
        _ backing: _ModelBacking, relationship: LoamStorage.Relationship, member: any PersistentModel
    ) throws {
        guard let row = member._$backing?.rowID else { return }
        guard case .inverseOfReference = relationship.storage else {
            list(of: backing, relationship)?.append(row)
            if let inverse = relationship.inverse {
                withInverse(row, inverse: inverse, entity: relationship.destination) { $0.append(backing.rowID) }
            }
            return
        }
        guard let entity = backing.binding?.entity.id else { return }
        try setOwner(of: member, relationship, to: context.registered(backing.rowID, of: entity))
    }

    /// Sets the to-one of a child whose inverse is the relationship.
    private func setOwner(
        of child: any PersistentModel, _ relationship: LoamStorage.Relationship, to owner: (any PersistentModel)?
    ) throws {
        guard let backing = child._$backing, let binding = backing.binding,
            let ordinal = binding.relationships.firstIndex(where: { $0?.id == relationship.inverse }),
            let reference = binding.relationships[ordinal]
        else { return }
        try change(child, ordinal: ordinal) {
            try setReference(child, backing: backing, ordinal: ordinal, relationship: reference, to: owner)
        }
    }

    /// Changes a model from outside its setters, telling observers of the property.
    func change(_ model: any PersistentModel, ordinal: Int, _ body: () throws -> Void) rethrows {
        var failure: (any Error)?
        context.notify(model, fields: FieldMask([ordinal])) {
            do { try body() } catch { failure = error }
        }
        if let failure { context.keep(failure) }
    }

    // MARK: The other side

    private func inverseSide(_ inverse: PropertyID, entity: EntityID) -> LoamStorage.Relationship? {
        context.store.knownCatalog.schema.entities.first { $0.id == entity }?
            .relationships.first { $0.id == inverse }
    }

    /// Changes the other side's members and tells the observers of the object that they belong to, where there is one.
    func withInverse(
        _ row: RowID, inverse: PropertyID, entity: EntityID, _ body: (MemberList) -> Void
    ) {
        guard let side = inverseSide(inverse, entity: entity) else { return }
        /// Asked for again when the observers have been told: one that saves, rolls back or fetches makes lists go.
        func list() -> MemberList {
            lists.made(MemberKey(row: row, relationship: inverse), of: entity, relationship: side)
        }
        guard let owner = owner(of: list()) else { return body(list()) }
        context.notify(owner.model, fields: FieldMask([owner.ordinal])) { body(list()) }
    }

    private func inverseRows(_ row: RowID, inverse: PropertyID, entity: EntityID) throws -> [RowID] {
        guard let side = inverseSide(inverse, entity: entity) else { return [] }
        let list = lists.made(MemberKey(row: row, relationship: inverse), of: entity, relationship: side)
        return try context.changes.deletedRows.removed(
            from: list.rows {
                try context.store.read { snapshot in
                    try snapshot.relatedRowIDs(of: row, side, in: snapshot.entity(withID: entity))
                }
            })
    }

    // MARK: What others have stored

    /// Somebody else has made a reference lead elsewhere that was set here, maybe to what it led to already: as it
    /// leads on where this context says, the row is a member there, and none of what it leads to as stored.
    func keepReference(
        of backing: _ModelBacking, _ ordinal: Int, over stored: DetachedRecord, at position: Int
    ) throws {
        guard let relationship = backing.binding?.relationships[ordinal], case .reference = relationship.storage,
            let inverse = relationship.inverse, let side = inverseSide(inverse, entity: relationship.destination)
        else { return }
        let (row, kept) = (try stored.uint64(position), try backing.reference(ordinal))
        guard row != kept else { return }
        func members(_ row: RowID) -> MemberList {
            lists.made(MemberKey(row: row, relationship: inverse), of: relationship.destination, relationship: side)
        }
        if let row { members(row).remove(backing.rowID) }
        if let kept { members(kept).append(backing.rowID) }
    }

    /// Somebody else has deleted a row with changes: until these are saved or taken back, it is a member of what it
    /// leads to.
    func keepReferences(of backing: _ModelBacking) throws {
        guard backing.state == .stored, let binding = backing.binding else { return }
        for (ordinal, relationship) in binding.relationships.enumerated() {
            guard let relationship, case .reference = relationship.storage, let inverse = relationship.inverse,
                let side = inverseSide(inverse, entity: relationship.destination),
                let row = try backing.reference(ordinal)
            else { continue }
            lists.made(MemberKey(row: row, relationship: inverse), of: relationship.destination, relationship: side)
                .append(backing.rowID)
        }
    }
}
