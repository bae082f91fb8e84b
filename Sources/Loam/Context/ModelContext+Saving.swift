import Foundation
import LoamStorage

extension ModelContext {
    /// Writes all changes in one transaction, durable when it returns, or none of them.
    ///
    /// Blocks its thread until the commit; saves of several contexts that wait together share one. Somebody else's changes of
    /// the same models are merged property by property, or as ``mergePolicy`` says. Changes of models that somebody else has
    /// deleted are dropped under most policies, and listed in ``droppedChanges``.
    ///
    /// - Throws: ``SwiftDataError`` when a model breaks a rule, somebody else's change is in conflict, or the store cannot be
    ///   written. The changes stay in the context.
    public func save() throws {
        errors.forgetAutosave()
        try throwKeptError()
        receiveChanges()
        guard hasChanges else { return }
        guard ownContainer.configuration.allowsSave else {
            throw SwiftDataError(.storage, "The container was opened with allowsSave: false.")
        }
        NotificationCenter.default.post(name: Self.willSave, object: self)
        do {
            let (result, absent) = try writeChanges()
            SaveSettlement(of: self, result, absent: absent).settle()
        } catch {
            throw SwiftDataError(error)
        }
    }

    /// Writes the changes as the schema is now: another program may have changed it since the batch was made.
    private func writeChanges() throws -> (SaveResult, absent: [SaveResult.Dropped]) {
        var attempts = 8
        while true {
            do {
                var absent: [SaveResult.Dropped] = []
                return (try write(try makeBatch(&absent)), absent)
            } catch let error as StorageError where error.isOfNewerSchema && attempts > 0 {
                attempts -= 1
                _ = try ownContainer.store.catalog()
            }
        }
    }

    private func write(_ batch: WriteBatch) throws -> SaveResult {
        let result = try ownContainer.store.save(batch) as SaveResult
        inbox?.skip(result.save)
        return result
    }

    /// Saves with nobody there to catch an error: it is kept until a save succeeds or a fetch has thrown it.
    func autosave() {
        // A container that cannot save does not try.
        guard ownContainer.configuration.allowsSave else { return }
        let former = errors.beginAutosave()
        var failure: (any Error)?
        do { try save() } catch { failure = error }
        errors.endAutosave(failure, former: former)
    }

    /// - Parameter absent: gets the changes of models without a row, as an identifier from outside may lead to.
    private func makeBatch(_ absent: inout [SaveResult.Dropped]) throws -> WriteBatch {
        var batch = WriteBatch(author: author, policy: mergePolicy.storage)
        batch.generation = ownContainer.store.knownGeneration
        for model in changes.listed.inserted { try addInsertion(of: model, to: &batch) }
        for model in changes.changed { try addUpdate(of: model, to: &batch, &absent) }
        for model in changes.deleted {
            guard let backing = model._$backing, let binding = backing.binding, try backing.loadedRecord() != nil
            else { continue }
            batch.delete(backing.rowID, of: binding.entity.id)
        }
        for (entity, rows) in changes.deletedRows.byEntity.sorted(by: { $0.key < $1.key }) {
            for row in rows.sorted() { batch.delete(row, of: entity) }
        }
        try relationships.addMembers(to: &batch)
        return batch
    }

    private func addInsertion<T: PersistentModel>(of model: T, to batch: inout WriteBatch) throws {
        guard let backing = model._$backing, backing.state == .inserted, backing.context === self,
            backing.binding != nil
        else { return }
        // The newest: a record is written in the full layout of its entity.
        let binding = try bindings.binding(of: T.self)
        if let unclaimed = binding.unclaimed { batch.unclaimed[binding.entity.id] = unclaimed.parts }
        let record = try encoder.use { try $0.record(of: model, binding) }
        batch.insert(
            record, into: binding.entity.id, rowID: backing.rowID, upserts: binding.hasUniqueIndex)
    }

    private func addUpdate<T: PersistentModel>(
        of model: T, to batch: inout WriteBatch, _ absent: inout [SaveResult.Dropped]
    ) throws {
        guard let backing = model._$backing, let binding = backing.binding else { return }
        let values = try encoder.use { try $0.values(of: model, _FieldSet(backing.changed), binding) }
        guard !values.isEmpty else { return }
        let (entity, row) = (binding.entity.id, backing.rowID)
        guard let base = try backing.loadedRecord() else {
            guard mergePolicy == .propertyByProperty || mergePolicy == .storeWins else {
                throw StorageError(.rowMissing, entity: binding.entity.name, rowID: row)
            }
            absent.append(.init(entity: entity, rowID: row, isDeleted: true, properties: Set(values.keys)))
            return
        }
        if let unclaimed = try bindings.binding(of: T.self).unclaimed { batch.unclaimed[entity] = unclaimed.parts }
        batch.update(row, of: entity, base: base.bytes, changes: values)
    }
}

extension StorageError {
    /// Whether a batch was made for another generation of the catalog than the one that it met.
    fileprivate var isOfNewerSchema: Bool {
        if case .newerSchema = kind { true } else { false }
    }
}
