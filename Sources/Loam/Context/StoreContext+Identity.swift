import LoamStorage

extension StoreContext {
    /// The object for a row, made where there is none. The record is the newest that is known.
    func object<T: PersistentModel>(
        _ type: T.Type, rowID: RowID, binding: EntityBinding, record: @autoclosure () throws -> DetachedRecord?
    ) rethrows -> T {
        if let model = registered(rowID, of: binding.entity.id, as: type) {
            if let record = try record() { refresh(model, with: record, binding: binding) }
            return model
        }
        let backing = _ModelBacking(rowID: rowID, binding: binding, context: self, record: try record())
        let model = T(_backing: backing)
        backing.bind(to: model)
        // Making an object may run the user's code, which may have made one for the same row.
        if let known = identities.insertIfAbsent(backing, of: binding.entity.id) {
            if let known = Self.downcast(known, to: type) {
                backing.loseContext()
                return known
            }
            backing.register(model)
        }
        if changes.concernsMadeObjects { changes.noteMade(model, backing: backing) }
        return model
    }

    /// The same where the type is known at run time only. Reads nothing that can be read later.
    func model<T: PersistentModel>(
        _ row: RowID, type: T.Type, binding: EntityBinding
    ) throws -> any PersistentModel {
        try object(type, rowID: row, binding: binding, record: binding.readsAtOnce ? readRecord(row, of: binding) : nil)
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

    /// The object for an identifier; one without a row where it is of another store.
    func model<T: PersistentModel>(
        for identifier: PersistentIdentifier, type: T.Type, binding: EntityBinding
    ) throws -> T {
        guard identifier.storeIdentifier == containerStore.id else { return T(_backing: .gone()) }
        return try object(
            type, rowID: identifier.rowID, binding: binding,
            record: binding.readsAtOnce ? readRecord(identifier.rowID, of: binding) : nil)
    }

    /// The record of a row as it is stored now; nil where there is none. About a microsecond.
    func readRecord(_ rowID: RowID, of binding: EntityBinding) throws -> DetachedRecord? {
        let record = try store.detachedRecord(rowID, of: binding.entity.id)
        if binding.catalog.generation != store.knownGeneration { try require(binding, in: store.knownCatalog) }
        return record
    }

    /// Throws where the properties of a binding's model do not stand any more where the binding has them.
    func require(_ binding: EntityBinding, in catalog: Catalog) throws {
        guard binding.catalog.generation != catalog.generation else { return }
        _ = try containerStore.binding(for: binding.model, in: catalog)
    }

    /// The records of rows, read in the order of their ids in one snapshot.
    func readRecords(_ rows: Set<RowID>, of binding: EntityBinding) throws -> [RowID: DetachedRecord] {
        try store.read { snapshot in
            try require(binding, in: snapshot.catalog)
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
        return try store.read { snapshot in
            try require(binding, in: snapshot.catalog)
            let entity = try snapshot.entity(withID: binding.entity.id)
            return try snapshot.withRow(backing.rowID, of: entity) { try $0.value(position) }
        }
    }
}
