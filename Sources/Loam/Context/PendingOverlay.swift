import LoamQuery
import LoamStorage

/// The unsaved changes of a context as queries see them, kept from one fetch to the next.
///
/// What changes is only listed; the next fetch lays it over, so that a fetch costs what has changed since the last one.
/// Made by the first fetch beside unsaved changes, for one generation of the catalog; gone with a save or a rollback.
///
/// Confined to the isolation of the context, which owns it: nobody else keeps it, so that the context outlives it.
/// Encoding a model's values may run the user's code, which may change models again.
final class PendingOverlay {
    private unowned(unsafe) let context: StoreContext
    private let overlay = Overlay()
    /// What of it changed when.
    private var log = PendingLog()
    /// Tells the overlays of a context apart.
    private let number: Int
    /// The generation of the catalog by which the rows are laid out.
    let generation: UInt64
    /// Models to be laid over anew. Those without changes are not among them: they would keep the context.
    private var stale: [any PersistentModel] = []
    /// Models that were laid over stored rows: work that tests count.
    private(set) var laidModels = 0

    /// Lists all that is pending in a context. O(unsaved changes).
    init(of context: StoreContext, generation: UInt64) {
        self.context = context
        self.generation = generation
        context.overlayCount += 1
        number = context.overlayCount
        for model in context.changes.listed.all {
            guard let backing = model._$backing, backing.context === context, backing.hasChanges else { continue }
            backing.isStale = false
            note(model, backing: backing)
        }
        for (entity, rows) in context.changes.deletedRows.byEntity {
            for row in rows { mask(row, of: entity) }
        }
        let lists = context.relationships.lists
        for list in lists.changed { lists.noteChange(of: list) }
    }

    deinit { for model in stale { model._$backing?.isStale = false } }

    // MARK: What changes

    /// A model is to be laid over anew. O(1).
    func note(_ model: any PersistentModel, backing: _ModelBacking) {
        guard !backing.isStale else { return }
        backing.isStale = true
        stale.append(model)
    }

    /// What was laid over for a model that has left is taken away.
    func forget(_ backing: _ModelBacking) {
        if let entity = backing.binding?.entity.id { forget(backing.rowID, of: entity) }
    }

    /// Takes out a model that has no changes any more, so that it does not keep the context alive from here. O(1)
    /// where it is one of the last that were listed, else O(listed models).
    func release(_ backing: _ModelBacking) {
        forget(backing)
        guard backing.isStale else { return }
        backing.isStale = false
        if let index = stale.lastIndex(where: { $0._$backing === backing }) { stale.remove(at: index) }
    }

    /// Rows were marked for deletion that have no object. Pending rows that refer to them are laid over anew.
    func delete(_ rows: Set<RowID>, binding: EntityBinding) {
        for row in rows { mask(row, of: binding.entity.id) }
        for entity in binding.catalog.schema.entities {
            for relationship in entity.relationships where relationship.destination == binding.entity.id {
                guard case .reference(let id, _, _) = relationship.storage,
                    let reference = entity.properties.first(where: { $0.id == id })
                else { continue }
                for row in rows {
                    for referrer in overlay.rows(of: entity, leadingTo: row, by: reference) {
                        guard let model = context.registered(referrer, of: entity.id), let backing = model._$backing
                        else { continue }
                        note(model, backing: backing)
                    }
                }
            }
        }
    }

    // MARK: Laying over

    /// The overlay with all changes so far. O(changes since the last call).
    ///
    /// - Throws: where a value cannot be encoded or read; what is not laid over yet stays listed.
    func current() throws -> Overlay {
        while let model = stale.popLast() {
            model._$backing?.isStale = false
            do {
                try lay(model)
            } catch {
                if let backing = model._$backing { note(model, backing: backing) }
                throw error
            }
        }
        let lists = context.relationships.lists
        while let list = lists.lastStale {
            try layLinks(list)
            lists.removeLastStale()
        }
        return overlay
    }

    /// The rows of an entity that changed since a version, with what is unsaved of them, after all changes so far are laid
    /// over. O(rows). Nil where the version is another overlay's.
    ///
    /// - Throws: as ``current()``.
    func changes(since version: OverlayVersion, of entity: EntityID) throws -> OverlayChanges? {
        _ = try current()
        guard version.overlay == number else { return nil }
        let (rows, overlay) = log.changes(since: version.change, of: entity)
        return OverlayChanges(rows: rows, overlay: overlay, version: self.version)
    }

    /// What has been laid over so far.
    var version: OverlayVersion { OverlayVersion(overlay: number, change: log.lastChange) }

    private func set(_ row: PlainRow, isStored: Bool, of entity: EntityID) {
        overlay.set(row, isStored: isStored, of: entity)
        log.note(.row(row, isStored: isStored), row.rowID, of: entity)
    }

    private func mask(_ row: RowID, of entity: EntityID) {
        overlay.mask(row, of: entity)
        log.note(.masked, row, of: entity)
    }

    private func forget(_ row: RowID, of entity: EntityID) {
        overlay.forget(row, of: entity)
        log.note(.asSaved, row, of: entity)
    }

    private func lay<T: PersistentModel>(_ model: T) throws {
        guard let backing = model._$backing, backing.context === context, let binding = backing.binding else { return }
        let (row, entity) = (backing.rowID, binding.entity.id)
        switch backing.state {
        case .inserted: set(try pendingRow(of: model, .all), isStored: false, of: entity)
        case .stored where !backing.changed.isEmpty:
            set(try pendingRow(of: model, _FieldSet(backing.changed)), isStored: true, of: entity)
        case .deleted: mask(row, of: entity)
        case .stored, .free, .gone: forget(row, of: entity)
        }
    }

    private func pendingRow<T: PersistentModel>(of model: T, _ fields: _FieldSet) throws -> PlainRow {
        guard let backing = model._$backing, let binding = backing.binding else {
            return PlainRow(rowID: 0, values: [])
        }
        let entity = binding.entity
        laidModels += 1
        var values = try storedValues(of: backing, entity)
        for (property, value) in try context.encoder.use({ try $0.values(of: model, fields: fields, binding: binding) })
        {
            guard let position = entity.properties.firstIndex(where: { $0.id == property }) else { continue }
            values[position] = value
        }
        leaveDeletedRows(&values, entity: entity)
        return PlainRow(rowID: backing.rowID, values: values)
    }

    /// References to rows that are deleted without an object of the context having been told lead nowhere.
    private func leaveDeletedRows(_ values: inout [Value], entity: LoamStorage.Entity) {
        let deletedRows = context.changes.deletedRows
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
                return try context.longValue(of: backing, position) ?? .null
            }
        }
    }

    private func layLinks(_ list: MemberList) throws {
        guard case .links = list.relationship.storage else { return }
        guard list.isChanged else {
            overlay.links[list.relationship.id]?[list.key.row] = nil
            return
        }
        overlay.links[list.relationship.id, default: [:]][list.key.row] = try list.rows {
            try context.store.read { snapshot in
                try snapshot.relatedRowIDs(
                    of: list.key.row, list.relationship, in: snapshot.entity(withID: list.entity))
            }
        }
    }
}

extension StoreContext {
    /// What of an entity's rows has changed in ``overlay()`` since a version; nil where that is to be looked at as a whole.
    /// O(changes since).
    func overlayChanges(since version: OverlayVersion, of entity: EntityID) throws -> OverlayChanges? {
        guard hasChanges, let pendingOverlay, pendingOverlay.generation == store.knownGeneration else { return nil }
        return try pendingOverlay.changes(since: version, of: entity)
    }

    /// The context's unsaved changes as a query sees them; nil without any. O(changes since the last call).
    func overlay() throws -> Overlay? {
        guard hasChanges else { return nil }
        let generation = store.knownGeneration
        if let pendingOverlay, pendingOverlay.generation == generation { return try pendingOverlay.current() }
        // As it goes, it forgets what it has listed: before the next one lists it.
        pendingOverlay = nil
        let made = PendingOverlay(of: self, generation: generation)
        pendingOverlay = made
        return try made.current()
    }
}
