public import Foundation
import LoamStorage

extension ModelContext {
    /// Marks a model for deletion; the next save deletes it, with what its delete rules say. A model that was not saved yet
    /// is discarded. One of another context is refused by the next save. O(1) besides what the rules say, and O(unsaved
    /// models) where any is discarded.
    public func delete<T: PersistentModel>(_ model: T) {
        guard let backing = model._$backing else { return }
        guard backing.context === self else {
            guard backing.context != nil else { return }
            return keep(SwiftDataError(.modelValidationFailure, "The \(T.self) belongs to another context."))
        }
        guard backing.state == .inserted || backing.state == .stored else { return }
        do { try deletions.delete(model) } catch { keep(error) }
    }

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
            try deletions.delete(rows.map(\.rowID), bindings.binding(of: T.self))
        } catch {
            throw SwiftDataError(error)
        }
    }

    /// Takes back the deletion of a model.
    func undelete<T: PersistentModel>(_ model: T, _ backing: _ModelBacking) {
        changes.undelete(backing)
        if backing.changed.isEmpty { pendingOverlay?.release(backing) } else { pendingOverlay?.note(model, backing) }
        didChange()
    }

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
