import LoamQuery
import LoamStorage

extension ModelContext {
    /// The context's unsaved changes as a query sees them. O(changes).
    func overlay() throws -> Overlay {
        var overlay = Overlay()
        guard hasChanges else { return overlay }
        for model in inserted where isPending(model, .inserted) { try add(model, .all, to: &overlay) }
        for model in changed where isChanged(model) {
            guard let backing = model._$backing else { continue }
            try add(model, _FieldSet(backing.changed), to: &overlay)
        }
        for model in deleted where isPending(model, .deleted) {
            guard let backing = model._$backing, let binding = backing.binding else { continue }
            overlay.masked[binding.entity.id, default: []].insert(backing.rowID)
        }
        for (entity, rows) in deletedRows.byEntity { overlay.masked[entity, default: []].formUnion(rows) }
        try addLinks(to: &overlay)
        return overlay
    }

    private func add<T: PersistentModel>(_ model: T, _ fields: _FieldSet, to overlay: inout Overlay) throws {
        guard let backing = model._$backing, let binding = backing.binding else { return }
        let entity = binding.entity
        var values = try storedValues(of: backing, entity)
        for (property, value) in try encoder.encoder.values(of: model, fields, binding) {
            guard let position = entity.properties.firstIndex(where: { $0.id == property }) else { continue }
            values[position] = value
        }
        leaveDeletedRows(&values, entity)
        overlay.rows[entity.id, default: []].append(PlainRow(rowID: backing.rowID, values: values))
        if backing.state == .stored { overlay.masked[entity.id, default: []].insert(backing.rowID) }
    }

    /// References to rows that are deleted without an object of the context having been told lead nowhere.
    private func leaveDeletedRows(_ values: inout [Value], _ entity: LoamStorage.Entity) {
        guard !deletedRows.isEmpty else { return }
        for relationship in entity.relationships {
            guard case .reference(let id, _, _) = relationship.storage,
                let position = entity.properties.firstIndex(where: { $0.id == id }),
                case .uint(let row) = values[position], deletedRows.contains(row)
            else { continue }
            values[position] = .null
        }
    }

    /// The values of the base, in the entity's order; nil everywhere for an inserted model.
    private func storedValues(of backing: _ModelBacking, _ entity: LoamStorage.Entity) throws -> [Value] {
        guard let record = try backing.loadedRecord() else {
            return Array(repeating: .null, count: entity.properties.count)
        }
        return try entity.properties.indices.map { position in
            do {
                return try record.value(position)
            } catch let error as StorageError where error.kind == .longValueNotLoaded {
                return try longValue(of: backing, position) ?? .null
            }
        }
    }

    private func addLinks(to overlay: inout Overlay) throws {
        for list in members.values where list.isChanged {
            guard case .links = list.relationship.storage else { continue }
            overlay.links[list.relationship.id, default: [:]][list.key.row] = try list.rows {
                try container.store.read { snapshot in
                    try snapshot.relatedRowIDs(
                        of: list.key.row, list.relationship, in: snapshot.entity(withID: list.entity))
                }
            }
        }
    }
}
