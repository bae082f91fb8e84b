import LoamStorage

extension ModelContext {
    /// The object for a row, made where there is none. The record is the newest that is known.
    func object<T: PersistentModel>(
        _ type: T.Type, _ rowID: RowID, _ binding: EntityBinding, record: @autoclosure () throws -> DetachedRecord?
    ) rethrows -> T {
        if let model = registered(rowID, of: binding.entity.id, as: type) {
            if let record = try record() { refresh(model, with: record, binding) }
            return model
        }
        let backing = _ModelBacking(rowID: rowID, binding: binding, context: self, record: try record())
        let model = T(_backing: backing)
        // Making an object may run the user's code, which may have made one for the same row.
        if let known = registered(rowID, of: binding.entity.id, as: type) {
            backing.loseContext()
            return known
        }
        backing.register(model)
        if !changes.deletedRows.isEmpty { changes.noteMade(model, backing) }
        return model
    }

    /// The same where the type is known at run time only. Reads nothing that can be read later.
    func model<T: PersistentModel>(
        _ row: RowID, _ type: T.Type, _ binding: EntityBinding
    ) throws -> any PersistentModel {
        try object(type, row, binding, record: binding.readsAtOnce ? readRecord(row, of: binding) : nil)
    }

    /// The object that stands for a row, if there is one, and of this type.
    func registered<T: PersistentModel>(_ rowID: RowID, of entity: EntityID, as type: T.Type = T.self) -> T? {
        guard let object = identities.object(rowID, of: entity) else { return nil }
        return Self.downcast(object, to: type)
    }

    /// The object that stands for a row, if there is one.
    func registered(_ rowID: RowID, of entity: EntityID) -> (any PersistentModel)? {
        guard let (object, binding) = identities.model(rowID, of: entity) else { return nil }
        return Self.model(object, of: binding.model.type)
    }

    /// The objects that are alive.
    var registeredModels: [any PersistentModel] {
        identities.models().compactMap { object, binding in Self.model(object, of: binding.model.type) }
    }

    private static func model<T: PersistentModel>(_ object: AnyObject, of type: T.Type) -> (any PersistentModel)? {
        downcast(object, to: type)
    }

    /// A cast that is a comparison where the type is the object's own.
    static func downcast<T: PersistentModel>(_ object: AnyObject, to type: T.Type) -> T? {
        if Swift.type(of: object) == T.self { return unsafeDowncast(object, to: T.self) }
        return object as? T
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
            guard record.save > old.save else { return }
            var fields = FieldMask()
            var hasConflict = false
            for (ordinal, position) in binding.positions.enumerated()
            where position >= 0 {
                guard try old.differs(from: record, at: position) else { continue }
                guard backing.changed.contains(ordinal) else {
                    fields.insert(ordinal)
                    continue
                }
                hasConflict = true
                if !isOwn { try relationships.keepReference(of: backing, ordinal, over: record, at: position) }
            }
            guard !hasConflict || !decidesConflicts || isOwn else { return }
            backing.record = record
            if !backing.changed.isEmpty { pendingOverlay?.note(model, backing) }
            guard !fields.isEmpty else { return }
            for ordinal in fields.slots { backing.forgetReference(ordinal) }
            reload(model, fields)
        } catch {
            keep(error)
        }
    }

    /// Makes fields read the record again and tells their observers, at once or when a save that is being taken over is.
    func reload<T: PersistentModel>(_ model: T, _ fields: FieldMask) {
        if toldLater != nil {
            toldLater?.append((model, fields))
        } else {
            notify(model, fields) { forgetValues(of: model, fields) }
        }
    }

    /// Makes fields read the record again, those of all objects of the row.
    func forgetValues<T: PersistentModel>(of model: T, _ fields: FieldMask) {
        model._invalidate(_FieldSet(fields))
        guard let backing = model._$backing, backing.hasTwins else { return }
        for twin in backing.twins where twin !== model { twin._invalidate(_FieldSet(fields)) }
    }

    /// Observers may change any model: what they have set meanwhile is not read again.
    func tellLater(_ told: [(model: any PersistentModel, fields: FieldMask)]) {
        for (model, fields) in told {
            let set = model._$backing?.changed ?? FieldMask()
            reload(model, set.isEmpty ? fields : FieldMask(fields.slots.filter { !set.contains($0) }))
        }
    }

    private var decidesConflicts: Bool { mergePolicy == .storeWins || mergePolicy == .throwOnConflict }

    /// Changes fields from outside a setter and tells their observers.
    func notify<T: PersistentModel>(_ model: T, _ fields: FieldMask, change: () -> Void) {
        guard let backing = model._$backing else { return change() }
        let registrars = backing.takeFormerRegistrars() + (backing.registrar.map { [$0] } ?? [])
        if registrars.isEmpty { return change() }
        let keyPaths = fields.slots.compactMap { ordinal in
            backing.binding?.model.keyPath(ordinal) as? PartialKeyPath<T>
        }
        for registrar in registrars { for keyPath in keyPaths { registrar.willChange(model, keyPath) } }
        change()
        for registrar in registrars { for keyPath in keyPaths { registrar.didChange(model, keyPath) } }
    }

    /// The model with this identifier, if it is in the context already. Reads nothing.
    public func registeredModel<T: PersistentModel>(for identifier: PersistentIdentifier) -> T? {
        guard identifier.storeIdentifier == ownContainer.storeID,
            identifier.entityName == Schema.entityName(for: T.self),
            let binding = try? binding(of: T.self)
        else { return nil }
        return registered(identifier.rowID, of: binding.entity.id, as: T.self)
    }

    /// The model with this identifier. Reads nothing: its properties are read when they are asked for, and where there is
    /// no such row they are empty.
    public func model(for identifier: PersistentIdentifier) -> any PersistentModel {
        do {
            let binding = try binding(named: identifier.entityName)
            return try model(for: identifier, binding.model.type, binding)
        } catch {
            keep(error)
            return UnknownModel(_backing: .gone())
        }
    }

    private func model<T: PersistentModel>(
        for identifier: PersistentIdentifier, _ type: T.Type, _ binding: EntityBinding
    ) throws -> T {
        guard identifier.storeIdentifier == ownContainer.storeID else { return T(_backing: .gone()) }
        return try object(
            type, identifier.rowID, binding,
            record: binding.readsAtOnce ? readRecord(identifier.rowID, of: binding) : nil)
    }

    /// The record of a row as it is stored now; nil where there is none. About a microsecond.
    func readRecord(_ rowID: RowID, of binding: EntityBinding) throws -> DetachedRecord? {
        let record = try ownContainer.store.detachedRecord(rowID, of: binding.entity.id)
        // Throws where the model's properties do not stand any more where the binding has them.
        if binding.catalog.generation != ownContainer.store.knownGeneration {
            _ = try ownContainer.binding(for: binding.model, in: ownContainer.store.knownCatalog)
        }
        return record
    }

    /// The records of rows, read in the order of their ids in one snapshot.
    func readRecords(_ rows: Set<RowID>, of binding: EntityBinding) throws -> [RowID: DetachedRecord] {
        try ownContainer.store.read { snapshot in
            var records: [RowID: DetachedRecord] = [:]
            records.reserveCapacity(rows.count)
            for row in rows.sorted() {
                records[row] = try snapshot.detachedRecord(row, of: binding.entity.id)
            }
            return records
        }
    }

    /// A value that lies outside the record, as it is stored now; nil where the row is gone.
    func longValue(of backing: _ModelBacking, _ position: Int) throws -> Value? {
        guard let binding = backing.binding else { return nil }
        return try ownContainer.store.read { snapshot in
            let entity = try snapshot.entity(withID: binding.entity.id)
            return try snapshot.withRow(backing.rowID, of: entity) { try $0.value(position) }
        }
    }
}
