import LoamStorage

/// How objects come to show what is stored.
extension StoreContext {
    /// Brings the objects of the context to what a save has stored.
    ///
    /// - Parameter catalog: one that is no older than the save.
    func apply(_ result: SaveResult, in catalog: Catalog, isOwn: Bool = false, except taken: SavedRows? = nil) {
        do {
            var recent: (id: EntityID, records: DetachedRecord.Source)?
            for index in result.rows.indices where taken?.contains(index) != true {
                let row = result.rows[index]
                guard let model = registered(row.rowID, of: row.entity) else { continue }
                if recent?.id != row.entity {
                    if let binding = model._$backing?.binding { try require(binding, in: catalog) }
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
            refresh(model, with: record, binding: binding, isOwn: isOwn)
        }
    }

    /// Takes a model whose row is gone out of the context. It keeps its last values.
    func leave(_ model: any PersistentModel, old: DetachedRecord? = nil) {
        guard let backing = model._$backing, backing.context === self else { return }
        if backing.record == nil { backing.record = old }
        if backing.hasChanges { unsaved.note() }
        pendingOverlay?.forget(backing)
        backing.leave(as: .gone)
        departures.tell(of: model, row: backing.rowID)
    }

    /// Moves an object's base forward: fields that were not set here read the new record, and their observers hear of
    /// it.
    ///
    /// The base stays where moving it would hide a conflict that the policy wants decided at the save.
    func refresh<T: PersistentModel>(
        _ model: T, with record: DetachedRecord, binding: EntityBinding, isOwn: Bool = false
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
            if !backing.changed.isEmpty {
                pendingOverlay?.note(model, backing: backing)
                unsaved.note()
            }
            guard !fields.isEmpty else { return }
            for ordinal in fields.slots { backing.forgetReference(ordinal) }
            reload(model, fields: fields)
        } catch {
            keep(error)
        }
    }

    /// Makes fields read the record again and tells their observers, at once or when a save that is being taken over
    /// is.
    func reload<T: PersistentModel>(_ model: T, fields: FieldMask) {
        if let settlement {
            settlement.tellLater(model, fields: fields)
        } else {
            notify(model, fields: fields) { forgetValues(of: model, fields) }
        }
    }

    /// Makes fields read the record again, those of all objects of the row.
    func forgetValues<T: PersistentModel>(of model: T, _ fields: FieldMask) {
        model._invalidate(_FieldSet(fields))
        guard let backing = model._$backing, backing.hasTwins else { return }
        for twin in backing.twins where twin !== model { twin._invalidate(_FieldSet(fields)) }
    }

    private var decidesConflicts: Bool { mergePolicy == .storeWins || mergePolicy == .throwOnConflict }

    /// Changes fields from outside a setter and tells their observers.
    func notify<T: PersistentModel>(_ model: T, fields: FieldMask, change: () -> Void) {
        guard let backing = model._$backing else { return change() }
        let registrars = backing.takeFormerRegistrars() + (backing.registrar.map { [$0] } ?? [])
        if registrars.isEmpty { return change() }
        let keyPaths = fields.slots.compactMap { ordinal in
            backing.binding?.model.keyPath(ordinal) as? PartialKeyPath<T>
        }
        for registrar in registrars { for keyPath in keyPaths { registrar.willChange(model, keyPath: keyPath) } }
        change()
        for registrar in registrars { for keyPath in keyPaths { registrar.didChange(model, keyPath: keyPath) } }
    }
}
