import LoamStorage

extension StoreContext {
    /// Takes back the deletion of a model.
    func undelete<T: PersistentModel>(_ model: T, backing: _ModelBacking) {
        changes.undelete(backing)
        if backing.changed.isEmpty {
            pendingOverlay?.release(backing)
        } else {
            pendingOverlay?.note(model, backing: backing)
        }
        didChange()
    }

    /// Makes objects for all rows that are deleted without one.
    func makeDeletedObjects() {
        guard !changes.deletedRows.isEmpty else { return }
        let catalog = store.knownCatalog
        for (id, rows) in changes.deletedRows.byEntity.sorted(by: { $0.key < $1.key }) {
            do {
                guard let entity = catalog.schema.entities.first(where: { $0.id == id }) else { continue }
                let binding = try containerStore.binding(named: entity.name, in: catalog)
                for row in rows.sorted() { _ = try model(row, type: binding.model.type, binding: binding) }
            } catch {
                keep(error)
            }
        }
    }
}
