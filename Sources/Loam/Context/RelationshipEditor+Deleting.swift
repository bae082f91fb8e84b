import LoamStorage

// What a deletion does to the relationships of what stays.
extension RelationshipEditor {
    /// What the deletion of a model does at once to the other models of the context; the writer decides again at the
    /// save, against what is stored then.
    func release(_ model: any PersistentModel, backing: _ModelBacking) {
        guard let binding = backing.binding else { return }
        for (ordinal, relationship) in binding.relationships.enumerated() {
            guard let relationship else { continue }
            do {
                try release(backing, ordinal: ordinal, relationship: relationship)
            } catch {
                context.keep(error)
            }
        }
    }

    private func release(_ backing: _ModelBacking, ordinal: Int, relationship: LoamStorage.Relationship) throws {
        if case .reference = relationship.storage {
            guard let row = try backing.reference(ordinal) else { return }
            if relationship.deleteRule == .cascade { try deleteRelated([row], relationship: relationship) }
            if let inverse = relationship.inverse {
                withInverse(row, inverse: inverse, entity: relationship.destination) { $0.remove(backing.rowID) }
            }
            return
        }
        let rows = try memberRows(of: backing, relationship)
        switch relationship.deleteRule {
        case .cascade:
            try context.deletions.forgetMembers(MemberKey(row: backing.rowID, relationship: relationship.id))
            try deleteRelated(rows, relationship: relationship)
        case .nullify:
            for row in rows { try unrelate(backing, relationship: relationship, row: row) }
        case .noAction:
            // What is stored is left dangling; what is still to be saved cannot lead to a row that goes with the same
            // save.
            for row in rows where isUnsaved(relationship, of: row) {
                try unrelate(backing, relationship: relationship, row: row)
            }
        case .deny: return
        }
    }

    /// Whether the inverse of the relationship was set since the last save, of a row that the relationship leads to.
    private func isUnsaved(_ relationship: LoamStorage.Relationship, of row: RowID) -> Bool {
        guard let backing = context.registered(row, of: relationship.destination)?._$backing,
            let binding = backing.binding,
            let ordinal = binding.relationships.firstIndex(where: { $0?.id == relationship.inverse })
        else { return false }
        return backing.state == .inserted || backing.state == .free || backing.changed.contains(ordinal)
    }

    private func deleteRelated(_ rows: [RowID], relationship: LoamStorage.Relationship) throws {
        try context.deletions.delete(rows, binding: context.bindings.binding(of: relationship.destination))
    }

    /// Forgets members that were only read: of a row whose members are deleted along with it.
    func forgetUnchanged(_ key: MemberKey) {
        if lists[key]?.isChanged == false { lists.remove(key) }
    }

    /// Forgets the members of a model that was discarded before it was saved.
    func forget(_ backing: _ModelBacking) {
        for case let relationship? in backing.binding?.relationships ?? [] {
            lists.remove(MemberKey(row: backing.rowID, relationship: relationship.id))
        }
    }

    /// Makes relationships without an inverse let go of models that were discarded before they were saved: only what is
    /// not saved itself leads there. O(models that were inserted or changed).
    func releaseOneWay(to rows: Set<RowID>, of entity: EntityID) throws {
        let listed = context.changes.listed
        for model in listed.inserted + listed.changed {
            guard let backing = model._$backing, backing.context === context, let binding = backing.binding else {
                continue
            }
            let isInserted = backing.state == .inserted
            guard isInserted || backing.state == .stored else { continue }
            for case (let ordinal, let relationship?) in binding.relationships.enumerated()
            where relationship.inverse == nil && relationship.destination == entity {
                guard case .reference = relationship.storage, isInserted || backing.changed.contains(ordinal),
                    let row = try backing.reference(ordinal), rows.contains(row)
                else { continue }
                try change(model, ordinal: ordinal) {
                    try setReference(model, backing: backing, ordinal: ordinal, relationship: relationship, to: nil)
                }
            }
        }
        dropMembers(rows, of: entity) { $0.relationship.inverse == nil && $0.added.contains(where: rows.contains) }
    }

    // MARK: Rows without an object

    /// Whether members of a row were changed, as it has no object that says so.
    func hasChangedMembers(_ row: RowID, binding: EntityBinding) -> Bool {
        lists.mayHaveChanges
            && binding.relationships.contains { relationship in
                relationship.flatMap { lists[MemberKey(row: row, relationship: $0.id)] }?.isChanged == true
            }
    }

    /// What the rule *cascade* deletes along with rows that are as they are stored.
    func cascades(
        of rows: Set<RowID>, _ binding: EntityBinding
    ) throws -> [(rows: [RowID], binding: EntityBinding)] {
        try binding.relationships.compactMap(\.self).filter { $0.deleteRule == .cascade }.map { relationship in
            let related = try context.store.read { snapshot in
                let entity = try snapshot.entity(withID: binding.entity.id)
                return try rows.sorted().flatMap { try snapshot.relatedRowIDs(of: $0, relationship, in: entity) }
            }
            return (related, try context.bindings.binding(of: relationship.destination))
        }
    }

    /// Makes objects let go of rows that the rule *nullify* makes them let go of.
    func releaseReferrers(of rows: Set<RowID>, _ binding: EntityBinding) throws {
        for case let relationship? in binding.relationships where relationship.deleteRule == .nullify {
            guard case .inverseOfReference = relationship.storage else { continue }
            let child = try context.bindings.binding(of: relationship.destination)
            guard let ordinal = child.relationships.firstIndex(where: { $0?.id == relationship.inverse }),
                let reference = child.relationships[ordinal]
            else { continue }
            for (model, backing) in try referrers(of: rows, relationship: relationship, binding: binding, child: child)
            {
                guard let row = try backing.reference(ordinal), rows.contains(row) else { continue }
                try change(model, ordinal: ordinal) {
                    try setReference(model, backing: backing, ordinal: ordinal, relationship: reference, to: nil)
                }
            }
        }
    }

    /// The objects that may refer to any of the rows: those that do as stored, or where there are fewer of them, all.
    private func referrers(
        of rows: Set<RowID>, relationship: LoamStorage.Relationship, binding: EntityBinding, child: EntityBinding
    ) throws -> [(any PersistentModel, _ModelBacking)] {
        let models: [any PersistentModel]
        if rows.count < context.identities.count {
            let related = try context.store.read { snapshot in
                let entity = try snapshot.entity(withID: binding.entity.id)
                return try rows.flatMap { try snapshot.relatedRowIDs(of: $0, relationship, in: entity) }
            }
            models = related.compactMap { context.registered($0, of: child.entity.id) }
        } else {
            models = context.registeredModels
        }
        return models.compactMap { model in
            guard let backing = model._$backing, backing.state == .stored, backing.binding?.model === child.model
            else { return nil }
            return (model, backing)
        }
    }

    /// Takes rows out of the members that the context knows, telling the observers of the objects that they belong to.
    func dropMembers(_ rows: Set<RowID>, of entity: EntityID) {
        dropMembers(rows, of: entity) { $0.mayHold(rows) }
    }

    private func dropMembers(_ rows: Set<RowID>, of entity: EntityID, where isConcerned: (MemberList) -> Bool) {
        for list in lists.all
        where list.relationship.destination == entity && isConcerned(list) {
            if let owner = owner(of: list) {
                context.notify(owner.model, fields: FieldMask([owner.ordinal])) { list.drop(rows) }
            } else {
                list.drop(rows)
            }
        }
    }
}
