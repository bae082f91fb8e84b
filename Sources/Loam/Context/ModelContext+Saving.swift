public import Foundation
import LoamStorage

extension ModelContext {
    /// Writes all changes in one transaction, durable when it returns, or none of them.
    ///
    /// Blocks its thread until the commit; saves of several contexts that wait together share one. Somebody else's changes of
    /// the same models are merged property by property, or as ``mergePolicy`` says.
    ///
    /// - Throws: ``SwiftDataError`` when a model breaks a rule, somebody else's change is in conflict, or the store cannot be
    ///   written. The changes stay in the context.
    public func save() throws {
        autosaveError = nil
        try throwKeptError()
        receiveChanges()
        guard hasChanges else { return }
        guard container.configuration.allowsSave else {
            throw SwiftDataError(.storage, "The container was opened with allowsSave: false.")
        }
        NotificationCenter.default.post(name: Self.willSave, object: self)
        do {
            let batch = try makeBatch()
            finishSave(try write(batch))
        } catch {
            throw SwiftDataError(error)
        }
    }

    private func write(_ batch: WriteBatch) throws -> SaveResult {
        guard let inbox else { return try container.store.save(batch) }
        return try inbox.saving {
            let result = try container.store.save(batch) as SaveResult
            inbox.skip(result.save)
            return result
        }
    }

    /// Saves with nobody there to catch an error: it is kept until a save succeeds or a fetch has thrown it.
    func autosave() {
        // What was kept before is for a save or fetch that somebody calls. A container that cannot save does not try.
        guard keptError == nil, container.configuration.allowsSave else { return }
        do { try save() } catch { autosaveError = error }
    }

    private func makeBatch() throws -> WriteBatch {
        var batch = WriteBatch(author: author, policy: mergePolicy.storage)
        for model in inserted where isPending(model, .inserted) { try addInsertion(of: model, to: &batch) }
        for model in changed where isChanged(model) { try addUpdate(of: model, to: &batch) }
        for model in deleted where isPending(model, .deleted) {
            guard let backing = model._$backing, let binding = backing.binding else { continue }
            batch.delete(backing.rowID, of: binding.entity.id)
        }
        for (entity, rows) in deletedRows.byEntity.sorted(by: { $0.key < $1.key }) {
            for row in rows.sorted() { batch.delete(row, of: entity) }
        }
        try addMembers(to: &batch)
        return batch
    }

    private func addInsertion<T: PersistentModel>(of model: T, to batch: inout WriteBatch) throws {
        guard let backing = model._$backing, let binding = backing.binding else { return }
        let record = try encoder.encoder.record(of: model, binding)
        batch.insert(
            record, into: binding.entity.id, rowID: backing.rowID, upserts: binding.hasUniqueIndex)
    }

    private func addUpdate<T: PersistentModel>(of model: T, to batch: inout WriteBatch) throws {
        guard let backing = model._$backing, let binding = backing.binding else { return }
        let values = try encoder.encoder.values(of: model, _FieldSet(backing.changed), binding)
        guard !values.isEmpty else { return }
        batch.update(backing.rowID, of: binding.entity.id, base: backing.record?.bytes, changes: values)
    }

    /// Takes over what was stored: records are the new bases, deleted models leave the context.
    private func finishSave(_ result: SaveResult) {
        let saved = (inserted: inserted, changed: changed.filter(isChanged))
        let removed = deleted.filter { isPending($0, .deleted) }
        for model in inserted {
            guard let backing = model._$backing else { continue }
            backing.isListed = false
            if backing.state == .inserted, backing.context === self { backing.state = .stored }
        }
        inserted = []
        changed = []
        deleted = []
        deletedRows = DeletedRows()
        forgetMembers()
        remap(result.mapping)
        let changes = apply(result, isOwn: true)
        // Inserted models that were deleted again are in no context.
        for model in saved.inserted { settle(model) }
        for model in saved.changed { settle(model) }
        for model in removed { leave(model) }
        task?.noteSave()
        post(changes)
    }

    /// The properties that were set are stored now; where the store's value won, it is read again.
    private func settle<T: PersistentModel>(_ model: T) {
        guard let backing = model._$backing, backing.context === self else { return }
        let fields = backing.changed
        backing.changed = FieldMask()
        // An insert that became an update may have moved what references lead to.
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
        notify(model, fields) { model._invalidate(_FieldSet(fields)) }
    }

    /// Inserted models that turned out to be stored already become those: their objects stand for the stored rows.
    private func remap(_ mapping: [RowID: RowID]) {
        for (new, stored) in mapping {
            guard let model = registered(new), let backing = model._$backing else { continue }
            if registered(stored) == nil {
                backing.become(stored, model)
            } else {
                backing.leave(as: .gone)
            }
        }
    }

    /// Brings the objects of the context to what a save has stored.
    @discardableResult
    func apply(_ result: SaveResult, isOwn: Bool = false) -> ContextChanges {
        var changes = ContextChanges(isOwn ? result.rows : [])
        do {
            let catalog = try container.store.catalog()
            var recent: (entity: LoamStorage.Entity, records: DetachedRecord.Source)?
            for row in result.rows {
                if recent?.entity.id != row.entity {
                    recent = try catalog.schema.entities.first { $0.id == row.entity }.map {
                        ($0, try DetachedRecord.Source($0.id, in: catalog))
                    }
                }
                guard let (entity, records) = recent else { continue }
                if isOwn {
                    changes.note(
                        row, PersistentIdentifier(store: container.storeID, entity: entity.name, row: row.rowID))
                }
                guard let model = registered(row.rowID) else { continue }
                guard let bytes = row.new else {
                    // What becomes of changes of a row that somebody else has deleted is the save's to decide.
                    guard isOwn || model._$backing?.hasChanges == false else { continue }
                    leave(model, old: try row.old.map { try records.copy($0, rowID: row.rowID) })
                    continue
                }
                update(model, with: try records.copy(bytes, rowID: row.rowID), isOwn: isOwn)
            }
        } catch {
            keep(error)
        }
        return changes
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
        backing.leave(as: .gone)
    }
}

/// Identifiers of what a save inserted, changed and deleted.
struct ContextChanges {
    var inserted: Set<PersistentIdentifier> = []
    var updated: Set<PersistentIdentifier> = []
    var deleted: Set<PersistentIdentifier> = []

    /// Makes room for rows that are mostly inserted ones.
    init(_ rows: [SaveResult.Row]) {
        if rows.last?.old == nil { inserted.reserveCapacity(rows.count) }
    }

    mutating func note(_ row: SaveResult.Row, _ identifier: PersistentIdentifier) {
        switch (row.old, row.new) {
        case (nil, _): inserted.insert(identifier)
        case (_, nil): deleted.insert(identifier)
        default: updated.insert(identifier)
        }
    }
}

extension ModelContext {
    /// Posted before a save that has something to write; the object is the context.
    public static let willSave = Notification.Name("Loam.ModelContext.willSave")
    /// Posted after a save, on the saving isolation; the object is the context, the user info holds sets of identifiers under
    /// the raw values of ``NotificationKey``.
    public static let didSave = Notification.Name("Loam.ModelContext.didSave")

    /// Names of what a notification's user info holds; the keys are their raw values.
    public enum NotificationKey: String, Sendable {
        case queryGeneration, invalidatedAllIdentifiers, insertedIdentifiers, updatedIdentifiers, deletedIdentifiers
    }

    func post(_ changes: ContextChanges) {
        NotificationCenter.default.post(
            name: Self.didSave, object: self,
            userInfo: [
                NotificationKey.insertedIdentifiers.rawValue: changes.inserted,
                NotificationKey.updatedIdentifiers.rawValue: changes.updated,
                NotificationKey.deletedIdentifiers.rawValue: changes.deleted,
            ])
    }
}
