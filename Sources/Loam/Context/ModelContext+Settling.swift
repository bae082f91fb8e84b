import LoamStorage

/// After a commit: the context's objects stand for what is stored now.
extension ModelContext {
    /// Takes over what was stored: records are the new bases, deleted models leave the context.
    ///
    /// - Parameter absent: what was not in the batch, because there is no row for it.
    func finishSave(_ result: SaveResult, _ absent: [SaveResult.Dropped]) {
        var saved = changes.take()
        saved.changed.removeAll { !changes.isChanged($0) }
        saved.deleted.removeAll { !changes.isPending($0, .deleted) }
        pendingOverlay = nil
        relationships.noteOwnSave()
        var taken = SavedRows(result.rows, ownContainer.store.knownCatalog)
        for model in saved.inserted {
            if let backing = model._$backing { settle(inserted: backing, from: &taken) }
        }
        // Observers may change models, also those whose changes were saved: they hear of it when nothing is left to settle.
        toldLater = []
        if !result.mapping.isEmpty {
            for model in saved.inserted { remap(model, result.mapping) }
        }
        apply(result, isOwn: true, except: taken)
        for model in saved.changed { settle(model) }
        for model in saved.deleted { leave(model) }
        drop(absent + result.dropped)
        if let told = toldLater.take() { tellLater(told) }
        task?.noteSave()
        post(ContextChanges(result.rows, of: ownContainer.store.knownCatalog.schema, in: ownContainer.storeID))
    }

    /// An inserted model is stored now. Called for every one before anybody is told of anything.
    private func settle(inserted backing: _ModelBacking, from rows: inout SavedRows) {
        backing.isListed = false
        guard backing.state == .inserted, backing.context === self else { return }
        backing.state = .stored
        // An insert that became an update may have moved what references lead to.
        backing.forgetReferences()
        backing.updateHold()
        guard let binding = backing.binding else { return }
        do {
            backing.record = try rows.take(backing.rowID, of: binding.entity.id)
        } catch {
            keep(error)
        }
    }

    /// The properties that were set are stored now; where the store's value won, it is read again.
    private func settle<T: PersistentModel>(_ model: T) {
        guard let backing = model._$backing, backing.context === self else { return }
        let fields = backing.changed
        backing.changed = FieldMask()
        backing.forgetReferences()
        backing.updateHold()
        guard mergePolicy == .storeWins, !fields.isEmpty, backing.state == .stored else { return }
        do {
            // Changes that lost are nowhere in the result; those of a row that is gone were dropped.
            guard let binding = backing.binding, let record = try readRecord(backing.rowID, of: binding) else {
                return leave(model)
            }
            backing.record = record
        } catch {
            keep(error)
        }
        reload(model, fields)
    }

    /// An inserted model that turned out to be stored already stands for the stored row. Where that has an object, be it
    /// of a fetch or inserted before, both share one backing from now on: they show the same values and can both be used.
    private func remap<T: PersistentModel>(_ model: T, _ mapping: [RowID: RowID]) {
        guard let backing = model._$backing, backing.state == .stored, backing.context === self,
            let binding = backing.binding, let stored = mapping[backing.rowID]
        else { return }
        let other = registered(stored, of: binding.entity.id, as: T.self)
        let record = other?._$backing?.record
        backing.become(stored, model)
        guard let other else { return }
        // Its own base, or what this save stored: where that is newer, the result tells.
        backing.record = record
        backing.share(model, with: other)
        let fields = FieldMask(binding.positions.indices)
        forgetValues(of: model, fields)
        reload(model, fields)
    }

    /// Brings the objects of the context to what a save has stored.
    func apply(_ result: SaveResult, isOwn: Bool = false, except taken: SavedRows? = nil) {
        do {
            let catalog = try ownContainer.store.catalog()
            var recent: (id: EntityID, records: DetachedRecord.Source)?
            for place in result.rows.indices where taken?.contains(place) != true {
                let row = result.rows[place]
                guard let model = registered(row.rowID, of: row.entity) else { continue }
                if recent?.id != row.entity {
                    recent = (row.entity, try DetachedRecord.Source(row.entity, in: catalog))
                }
                guard let records = recent?.records else { continue }
                guard let bytes = row.new else {
                    // What becomes of changes of a row that somebody else has deleted is the save's to decide.
                    if !isOwn, let backing = model._$backing, backing.hasChanges {
                        try relationships.keepReferences(of: backing)
                        continue
                    }
                    // A save of this context may have written the row again since.
                    if let record = model._$backing?.record, record.save > result.save { continue }
                    leave(model, old: try row.old.map { try records.copy($0, rowID: row.rowID) })
                    continue
                }
                update(model, with: try records.copy(bytes, rowID: row.rowID), isOwn: isOwn)
            }
        } catch {
            keep(error)
        }
    }

    private func update<T: PersistentModel>(_ model: T, with record: DetachedRecord, isOwn: Bool) {
        guard let backing = model._$backing, let binding = backing.binding else { return }
        if backing.state == .stored, backing.record == nil {
            backing.record = record
        } else {
            refresh(model, with: record, binding, isOwn: isOwn)
        }
    }

    /// Takes a model whose row is gone out of the context. It keeps its last values.
    func leave(_ model: any PersistentModel, old: DetachedRecord? = nil) {
        guard let backing = model._$backing, backing.context === self else { return }
        if backing.record == nil { backing.record = old }
        pendingOverlay?.forget(backing)
        backing.leave(as: .gone)
    }
}

/// Identifiers of what a save inserted, changed and deleted.
struct ContextChanges {
    var inserted: Set<PersistentIdentifier> = []
    var updated: Set<PersistentIdentifier> = []
    var deleted: Set<PersistentIdentifier> = []

    init(_ rows: [SaveResult.Row], of schema: LoamStorage.Schema, in store: String) {
        if rows.last?.old == nil { inserted.reserveCapacity(rows.count) }
        var recent: (id: EntityID, origin: PersistentIdentifier.Origin)?
        for place in rows.indices {
            // Not the row as a whole, whose records would be brought into the cache.
            let id = rows[place].entity
            if recent?.id != id {
                recent = schema.entities.first { $0.id == id }.map { ($0.id, .init(store: store, entity: $0.name)) }
            }
            guard let origin = recent?.origin else { continue }
            let identifier = PersistentIdentifier(origin, row: rows[place].rowID)
            if rows[place].old == nil {
                inserted.insert(identifier)
            } else if rows[place].new == nil {
                deleted.insert(identifier)
            } else {
                updated.insert(identifier)
            }
        }
    }
}

/// The rows of a save's result, from which models that were just inserted take theirs without a search: both come in
/// the order of row ids, entity by entity.
struct SavedRows {
    private struct Run {
        let entity: EntityID
        let records: DetachedRecord.Source
        var rows: Range<Int>
    }

    private let rows: [SaveResult.Row]
    private let catalog: Catalog
    private var isTaken: [Bool]
    private var runs: [Run] = []
    /// Where the next run of new rows is looked for.
    private var end = 0

    /// - Parameter catalog: one that is not older than the save.
    init(_ rows: [SaveResult.Row], _ catalog: Catalog) {
        self.rows = rows
        self.catalog = catalog
        isTaken = Array(repeating: false, count: rows.count)
    }

    func contains(_ place: Int) -> Bool { isTaken[place] }

    /// The record of a new row, if it is the next one of its entity; nil where the row has to be searched for.
    mutating func take(_ row: RowID, of entity: EntityID) throws -> DetachedRecord? {
        guard let run = try run(of: entity), let place = runs[run].rows.first, rows[place].rowID == row,
            let bytes = rows[place].new
        else { return nil }
        runs[run].rows = (place + 1)..<runs[run].rows.upperBound
        let record = try runs[run].records.copy(bytes, rowID: row)
        isTaken[place] = true
        return record
    }

    /// The run of an entity's new rows.
    private mutating func run(of entity: EntityID) throws -> Int? {
        if let known = runs.firstIndex(where: { $0.entity == entity && !$0.rows.isEmpty }) { return known }
        while end < rows.count {
            let start = rows[end...].firstIndex { $0.old == nil } ?? rows.count
            guard start < rows.count else {
                end = start
                return nil
            }
            let found = rows[start].entity
            end = rows[start...].firstIndex { $0.entity != found || $0.old != nil } ?? rows.count
            runs.append(
                Run(entity: found, records: try DetachedRecord.Source(found, in: catalog), rows: start..<end))
            if found == entity { return runs.count - 1 }
        }
        return nil
    }
}
