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
                || relationships.hasChangedMembers($0, binding)
        }
        guard concerned.isEmpty else {
            if concerned.count < rows.count { try deleteRows(Array(rows.subtracting(concerned)), binding) }
            for row in concerned.sorted(by: >) where !changes.deletedRows.contains(row) {
                try run(.model(model(row, binding.model.type, binding)))
            }
            return
        }
        for related in try relationships.cascades(of: rows, binding) { try deleteRows(related.rows, related.binding) }
        changes.delete(rows, of: binding.entity.id)
        pendingOverlay?.delete(rows, binding)
        try relationships.releaseReferrers(of: rows, binding)
        relationships.dropMembers(rows, of: binding.entity.id)
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
