import LoamStorage

/// What a context is about to write to a store.
struct PreparedSave {
    let store: StoreContext
    fileprivate(set) var batch: WriteBatch
    /// Changes of models without a row, as an identifier from outside may lead to.
    fileprivate(set) var absent: [SaveResult.Dropped] = []
}

extension StoreContext {
    /// Encodes the unsaved changes. Runs code of the user's.
    ///
    /// - Throws: among others where another program has changed the store so that the models do not fit it any more.
    func prepareSave() throws -> PreparedSave {
        try containerStore.requireModels(in: store.knownCatalog)
        var prepared = PreparedSave(
            store: self, batch: WriteBatch(author: owner.author, policy: mergePolicy.storage))
        prepared.batch.generation = store.knownGeneration
        try fill(&prepared.batch, absent: &prepared.absent)
        return prepared
    }

    /// Throws what ``write(_:)`` would throw now by what is stored, and writes nothing. Others may save before that.
    ///
    /// - Returns: the same changes, as the schema is now.
    func rehearse(_ prepared: PreparedSave) throws -> PreparedSave {
        try asTheSchemaIs(prepared) { prepared in
            try store.rehearse(prepared.batch)
            // The rehearsal itself may have marked an index stale: it is made anew now, not between two stores' saves.
            let found = store.knownGeneration
            if let known = prepared.batch.generation, known != found {
                throw StorageError(.newerSchema(found: found, known: known))
            }
            return prepared
        }
    }

    /// Writes what was prepared, in one transaction.
    func write(_ prepared: PreparedSave) throws -> SaveSettlement {
        try asTheSchemaIs(prepared) { prepared in
            let result = try store.save(prepared.batch) as SaveResult
            inbox?.skip(result.save)
            return SaveSettlement(of: self, result, absent: prepared.absent)
        }
    }

    /// Another program may have changed the schema since the batch was made: then it is made again.
    private func asTheSchemaIs<R>(_ prepared: PreparedSave, _ body: (PreparedSave) throws -> R) throws -> R {
        var prepared = prepared
        var attempts = 8
        while true {
            do {
                return try body(prepared)
            } catch let error as StorageError where error.isOfNewerSchema && attempts > 0 {
                attempts -= 1
                _ = try store.catalog()
                prepared = try prepareSave()
            }
        }
    }

    private func fill(_ batch: inout WriteBatch, absent: inout [SaveResult.Dropped]) throws {
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
    }

    private func addInsertion<T: PersistentModel>(of model: T, to batch: inout WriteBatch) throws {
        guard let backing = model._$backing, backing.state == .inserted, backing.context === self,
            backing.binding != nil
        else { return }
        // The newest: a record is written in the full layout of its entity.
        let binding = try bindings.binding(of: T.self)
        if let unclaimed = binding.unclaimed { batch.unclaimed[binding.entity.id] = unclaimed.parts }
        let record: EncodedRecord
        do {
            record = try encoder.use { try $0.record(of: model, binding) }
        } catch {
            throw unsetProperty(of: model, binding) ?? error
        }
        batch.insert(
            record, into: binding.entity.id, rowID: backing.rowID, upserts: binding.hasUniqueIndex)
    }

    /// What is wrong with a model that has no value for a property that requires one; nil where that is not it.
    private func unsetProperty<T: PersistentModel>(of model: T, _ binding: EntityBinding) -> SwiftDataError? {
        let unset = try? encoder.use { try $0.unsetProperties(of: model, required: binding.required) }
        // In a context a field is empty that leads to a model: the reference is what it has.
        let missing = unset?.slots.first {
            binding.relationships[$0] == nil
                || binding.positions[$0] >= 0 && (try? model._$backing?.reference($0)) == nil
        }
        guard let ordinal = missing else { return nil }
        let (entity, property) = (binding.entity.name, binding.model.properties[ordinal].name)
        return SwiftDataError(
            .modelValidationFailure,
            detail:
                "\(entity).\(property) requires a value, and an inserted \(entity) has none. Set "
                + "it and save again, or delete the model from its context, whose insertedModelsArray lists it."
        )
    }

    private func addUpdate<T: PersistentModel>(
        of model: T, to batch: inout WriteBatch, _ absent: inout [SaveResult.Dropped]
    ) throws {
        guard let backing = model._$backing, let binding = backing.binding else { return }
        let values = try encoder.use { try $0.values(of: model, fields: _FieldSet(backing.changed), binding: binding) }
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
