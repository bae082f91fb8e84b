import LoamStorage

extension ModelContext {
    /// The object for a row, made where there is none. The record is the newest that is known.
    func object<T: PersistentModel>(
        _ type: T.Type, _ rowID: RowID, _ binding: EntityBinding, record: @autoclosure () throws -> DetachedRecord?
    ) rethrows -> T {
        if let known = registered[rowID]?.model, let model = known as? T {
            if let record = try record() { refresh(model, with: record, binding) }
            return model
        }
        let backing = _ModelBacking(rowID: rowID, binding: binding, context: self, record: try record())
        let model = T(_backing: backing)
        register(model, backing)
        if !deletedRows.isEmpty { noteDeleted(model, backing) }
        return model
    }

    func register(_ model: any PersistentModel, _ backing: _ModelBacking) {
        registered[backing.rowID] = RegisteredModel(model: model)
        if registered.count >= sweepsAt { sweep() }
    }

    /// Makes room for objects that are about to be registered, so that weak references are not moved again and again.
    func reserveRegistrations(_ count: Int) {
        guard count > registered.capacity else { return }
        sweep()
        registered.reserveCapacity(count)
        sweepsAt = max(sweepsAt, count * 2)
    }

    /// Forgets objects that are gone.
    private func sweep() {
        let gone = registered.compactMap { $0.value.model == nil ? $0.key : nil }
        for rowID in gone { registered[rowID] = nil }
        sweepsAt = max(1_024, registered.count * 2)
    }

    /// Moves an object's base forward: fields that were not set here read the new record, and their observers hear of it.
    ///
    /// The base stays where moving it would hide a conflict that the policy wants decided at the save.
    func refresh<T: PersistentModel>(
        _ model: T, with record: DetachedRecord, _ binding: EntityBinding, isOwn: Bool = false
    ) {
        guard let backing = model._$backing, backing.context === self else { return }
        guard backing.state == .stored || backing.state == .deleted else { return }
        do {
            guard let old = backing.record else {
                backing.record = record
                return
            }
            guard try record.save > old.save else { return }
            var fields = FieldMask()
            var hasConflict = false
            for (ordinal, position) in binding.positions.enumerated()
            where position >= 0 {
                guard try old.differs(from: record, at: position) else { continue }
                if backing.changed.contains(ordinal) { hasConflict = true } else { fields.insert(ordinal) }
            }
            guard !hasConflict || !decidesConflicts || isOwn else { return }
            backing.record = record
            guard !fields.isEmpty else { return }
            for ordinal in fields.slots { backing.references[ordinal] = nil }
            notify(model, fields) { model._invalidate(_FieldSet(fields)) }
        } catch {
            keep(error)
        }
    }

    private var decidesConflicts: Bool { mergePolicy == .storeWins || mergePolicy == .error }

    /// Changes fields from outside a setter and tells their observers.
    func notify<T: PersistentModel>(_ model: T, _ fields: FieldMask, change: () -> Void) {
        guard let registrar = model._$backing?.registrar else { return change() }
        let keyPaths = fields.slots.compactMap { ordinal in
            model._$backing?.binding?.model.keyPath(ordinal) as? PartialKeyPath<T>
        }
        for keyPath in keyPaths { registrar.willChange(model, keyPath) }
        change()
        for keyPath in keyPaths { registrar.didChange(model, keyPath) }
    }

    /// The model with this identifier, if it is in the context already. Reads nothing.
    public func registeredModel<T: PersistentModel>(for identifier: PersistentIdentifier) -> T? {
        guard identifier.storeIdentifier == container.storeID, let model = registered[identifier.rowID]?.model,
            model._$backing?.binding?.entity.name == identifier.entityName
        else { return nil }
        return model as? T
    }

    /// The model with this identifier. Reads nothing: its properties are read when they are asked for, and where there is
    /// no such row they are empty.
    public func model(for identifier: PersistentIdentifier) -> any PersistentModel {
        do {
            let binding = try container.binding(
                named: identifier.entityName, in: container.store.knownCatalog)
            return try model(for: identifier, binding.model.type, binding)
        } catch {
            keep(error)
            return UnknownModel(_backing: .gone())
        }
    }

    private func model<T: PersistentModel>(
        for identifier: PersistentIdentifier, _ type: T.Type, _ binding: EntityBinding
    ) throws -> T {
        guard identifier.storeIdentifier == container.storeID else { return T(_backing: .gone()) }
        return try object(
            type, identifier.rowID, binding,
            record: binding.readsAtOnce ? readRecord(identifier.rowID, of: binding) : nil)
    }

    /// The record of a row as it is stored now; nil where there is none. About a microsecond.
    func readRecord(_ rowID: RowID, of binding: EntityBinding) throws -> DetachedRecord? {
        try container.store.read { snapshot in
            let entity = try snapshot.entity(withID: binding.entity.id)
            guard let bytes = try snapshot.record(rowID, of: entity) else { return nil }
            return try DetachedRecord(bytes, rowID: rowID, of: entity.id, in: snapshot.catalog)
        }
    }

    /// A field whose value lies outside the record, read with the record that it belongs to now.
    func longValue(of backing: _ModelBacking, _ position: Int) throws -> _StoredField? {
        guard let binding = backing.binding else { return nil }
        let value = try container.store.read { snapshot -> Value? in
            let entity = try snapshot.entity(withID: binding.entity.id)
            return try snapshot.withRow(backing.rowID, of: entity) { try $0.value(position) }
        }
        return value.flatMap { value in
            guard let record = backing.record else { return nil }
            return _StoredField(record: record.replacing(position, by: value), position: position)
        }
    }
}
