import LoamQuery
import LoamStorage

/// The unsaved changes of a context as queries see them, kept from one fetch to the next.
///
/// What changes is only listed; the next fetch lays it over, so that a fetch costs what has changed since the last one.
final class PendingChanges {
    let overlay = Overlay()
    /// Of the catalog that the rows were laid out by.
    let generation: UInt64
    /// Models to be laid over anew. Those without changes are not among them: they would keep the context.
    fileprivate var stale: [any PersistentModel] = []

    init(_ generation: UInt64) { self.generation = generation }

    func note(_ model: any PersistentModel, _ backing: _ModelBacking) {
        guard !backing.isStale else { return }
        backing.isStale = true
        stale.append(model)
    }

    func forget(_ backing: _ModelBacking) {
        if let entity = backing.binding?.entity.id { overlay.forget(backing.rowID, of: entity) }
    }

    /// As the model has no changes any more, it is not to keep the context from here.
    func release(_ model: any PersistentModel, _ backing: _ModelBacking) {
        forget(backing)
        guard backing.isStale else { return }
        backing.isStale = false
        // Mostly it is one of the last.
        if let index = stale.lastIndex(where: { $0._$backing === backing }) { stale.remove(at: index) }
    }

    deinit { for model in stale { model._$backing?.isStale = false } }
}

extension ModelContext {
    /// The context's unsaved changes as a query sees them; nil without any. O(changes since the last call).
    func overlay() throws -> Overlay? {
        guard hasChanges else { return nil }
        let pending = pendingChanges()
        while let model = pending.stale.popLast() {
            // Encoding may run the user's code, which may change the model again.
            model._$backing?.isStale = false
            do {
                try lay(model, over: pending.overlay)
            } catch {
                if let backing = model._$backing { pending.note(model, backing) }
                throw error
            }
        }
        while let list = memberChanges.stale.last {
            try layLinks(list, over: pending.overlay)
            memberChanges.removeLastStale()
        }
        return pending.overlay
    }

    private func pendingChanges() -> PendingChanges {
        let generation = ownContainer.store.knownGeneration
        if let pending, pending.generation == generation { return pending }
        let made = PendingChanges(generation)
        pending = made
        for model in inserted + changed + deleted {
            guard let backing = model._$backing, backing.context === self, backing.hasChanges else { continue }
            backing.isStale = false
            made.note(model, backing)
        }
        for (entity, rows) in deletedRows.byEntity { for row in rows { made.overlay.mask(row, of: entity) } }
        for list in members.values where list.isChanged { list.noteStale() }
        return made
    }

    /// Rows were marked for deletion that have no object. Pending rows that refer to them are laid over anew.
    func overlayDeleted(_ rows: Set<RowID>, _ binding: EntityBinding) {
        guard let pending else { return }
        for row in rows { pending.overlay.mask(row, of: binding.entity.id) }
        for entity in binding.catalog.schema.entities {
            for relationship in entity.relationships where relationship.destination == binding.entity.id {
                guard case .reference(let id, _, _) = relationship.storage,
                    let reference = entity.properties.first(where: { $0.id == id })
                else { continue }
                for row in rows {
                    for referrer in pending.overlay.rows(of: entity, leadingTo: row, by: reference) {
                        guard let model = registered(referrer, of: entity.id), let backing = model._$backing else {
                            continue
                        }
                        pending.note(model, backing)
                    }
                }
            }
        }
    }

    private func lay<T: PersistentModel>(_ model: T, over overlay: Overlay) throws {
        guard let backing = model._$backing, backing.context === self, let binding = backing.binding else { return }
        let (row, entity) = (backing.rowID, binding.entity.id)
        switch backing.state {
        case .inserted: overlay.set(try pendingRow(of: model, .all), isStored: false, of: entity)
        case .stored where !backing.changed.isEmpty:
            overlay.set(try pendingRow(of: model, _FieldSet(backing.changed)), isStored: true, of: entity)
        case .deleted: overlay.mask(row, of: entity)
        case .stored, .free, .gone: overlay.forget(row, of: entity)
        }
    }

    private func pendingRow<T: PersistentModel>(of model: T, _ fields: _FieldSet) throws -> PlainRow {
        guard let backing = model._$backing, let binding = backing.binding else {
            return PlainRow(rowID: 0, values: [])
        }
        let entity = binding.entity
        overlaidModels += 1
        var values = try storedValues(of: backing, entity)
        for (property, value) in try encoder.encoder.values(of: model, fields, binding) {
            guard let position = entity.properties.firstIndex(where: { $0.id == property }) else { continue }
            values[position] = value
        }
        leaveDeletedRows(&values, entity)
        return PlainRow(rowID: backing.rowID, values: values)
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

    private func layLinks(_ list: MemberList, over overlay: Overlay) throws {
        guard case .links = list.relationship.storage else { return }
        guard list.isChanged else {
            overlay.links[list.relationship.id]?[list.key.row] = nil
            return
        }
        overlay.links[list.relationship.id, default: [:]][list.key.row] = try list.rows {
            try ownContainer.store.read { snapshot in
                try snapshot.relatedRowIDs(
                    of: list.key.row, list.relationship, in: snapshot.entity(withID: list.entity))
            }
        }
    }
}
