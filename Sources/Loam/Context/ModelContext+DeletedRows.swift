public import Foundation
import LoamStorage

/// Deleting many rows: by their ids, with objects only for those that have one or that unsaved changes concern.
extension ModelContext {
    /// Marks every model that matches for deletion. Makes no objects for them.
    ///
    /// Unlike other contexts' models, those of this one hear of it at once; delete rules hold as in ``delete(_:)``, and are
    /// decided by the save.
    public func delete<T: PersistentModel>(
        model: T.Type, where predicate: Predicate<T>? = nil, includeSubclasses: Bool = true
    ) throws {
        try throwKeptError()
        receiveChanges()
        do {
            let rows = try rows(FetchDescriptor<T>(predicate: predicate), readsRecords: false)
            try deleteRows(rows.map(\.rowID), binding(of: T.self))
        } catch {
            throw SwiftDataError(error)
        }
    }

    /// Marks rows of one entity for deletion, with what delete rules add to them.
    func deleteRows(_ rows: [RowID], _ binding: EntityBinding) throws {
        if !rows.isEmpty { try run(.rows(rows, binding)) }
    }

    /// Those with an object, or with unsaved changes of their relationships, are deleted as models, before the others: that
    /// may make objects of rows that had none, and change their relationships.
    func delete(next rows: Set<RowID>, _ binding: EntityBinding) throws {
        let concerned = rows.filter {
            changes.deletedRows.contains($0) || registered($0, of: binding.entity.id) != nil
                || hasChangedMembers($0, binding)
        }
        guard concerned.isEmpty else {
            if concerned.count < rows.count { try deleteRows(Array(rows.subtracting(concerned)), binding) }
            for row in concerned.sorted(by: >) where !changes.deletedRows.contains(row) {
                try run(.model(model(row, binding.model.type, binding)))
            }
            return
        }
        for related in try cascades(of: rows, binding) { try deleteRows(related.rows, related.binding) }
        changes.delete(rows, of: binding.entity.id)
        pendingOverlay?.delete(rows, binding)
        try releaseReferrers(of: rows, binding)
        dropMembers(rows, of: binding.entity.id)
    }

    private func hasChangedMembers(_ row: RowID, _ binding: EntityBinding) -> Bool {
        !members.isEmpty
            && binding.relationships.contains { relationship in
                relationship.flatMap { members[MemberKey(row: row, relationship: $0.id)] }?.isChanged == true
            }
    }

    /// What the rule *cascade* deletes along with rows that are as they are stored.
    private func cascades(
        of rows: Set<RowID>, _ binding: EntityBinding
    ) throws -> [(rows: [RowID], binding: EntityBinding)] {
        try binding.relationships.compactMap(\.self).filter { $0.deleteRule == .cascade }.map { relationship in
            let related = try ownContainer.store.read { snapshot in
                let entity = try snapshot.entity(withID: binding.entity.id)
                return try rows.sorted().flatMap { try snapshot.relatedRowIDs(of: $0, relationship, in: entity) }
            }
            return (related, try destinationBinding(relationship))
        }
    }

    /// Makes objects let go of rows that the rule *nullify* makes them let go of.
    private func releaseReferrers(of rows: Set<RowID>, _ binding: EntityBinding) throws {
        for case let relationship? in binding.relationships where relationship.deleteRule == .nullify {
            guard case .inverseOfReference = relationship.storage else { continue }
            let child = try destinationBinding(relationship)
            guard let ordinal = child.relationships.firstIndex(where: { $0?.id == relationship.inverse }),
                let reference = child.relationships[ordinal]
            else { continue }
            for (model, backing) in try referrers(of: rows, relationship, binding, child) {
                guard let row = try backing.reference(ordinal), rows.contains(row) else { continue }
                try change(model, ordinal) { try setReference(model, backing, ordinal, reference, to: nil) }
            }
        }
    }

    /// The objects that may refer to any of the rows: those that do as stored, or where there are fewer of them, all.
    private func referrers(
        of rows: Set<RowID>, _ relationship: LoamStorage.Relationship, _ binding: EntityBinding, _ child: EntityBinding
    ) throws -> [(any PersistentModel, _ModelBacking)] {
        let models: [any PersistentModel]
        if rows.count < identities.count {
            let related = try ownContainer.store.read { snapshot in
                let entity = try snapshot.entity(withID: binding.entity.id)
                return try rows.flatMap { try snapshot.relatedRowIDs(of: $0, relationship, in: entity) }
            }
            models = related.compactMap { registered($0, of: child.entity.id) }
        } else {
            models = registeredModels
        }
        return models.compactMap { model in
            guard let backing = model._$backing, backing.state == .stored, backing.binding?.model === child.model
            else { return nil }
            return (model, backing)
        }
    }

    /// Takes rows out of the members that the context knows, telling the observers of the objects that they belong to.
    private func dropMembers(_ rows: Set<RowID>, of entity: EntityID) {
        if members.isEmpty { return }
        for list in Array(members.values)
        where list.relationship.destination == entity && list.mayHold(rows) {
            if let owner = owner(of: list) {
                notify(owner.model, FieldMask([owner.ordinal])) { list.drop(rows) }
            } else {
                list.drop(rows)
            }
        }
    }

    // MARK: Objects after all

    /// Makes objects for all rows that are deleted without one.
    func makeDeletedObjects() {
        guard !changes.deletedRows.isEmpty else { return }
        let catalog = ownContainer.store.knownCatalog
        for (id, rows) in changes.deletedRows.byEntity.sorted(by: { $0.key < $1.key }) {
            do {
                guard let entity = catalog.schema.entities.first(where: { $0.id == id }) else { continue }
                let binding = try ownContainer.binding(named: entity.name, in: catalog)
                for row in rows.sorted() { _ = try model(row, binding.model.type, binding) }
            } catch {
                keep(error)
            }
        }
    }
}
