import LoamStorage

extension StoreContext {
    /// Adds a model that the store is for, and what is related to it.
    func insert<T: PersistentModel>(_ model: T) {
        let backing = model._backing
        switch backing.state {
        // One that is being discarded begins anew.
        case .free: if backing.context === self { deletions.discard([model]) }
        case .deleted where backing.context === self:
            return undelete(model, backing: backing)
        case .gone:
            return keep(
                SwiftDataError(
                    .modelValidationFailure,
                    detail: "A \(T.self) that was deleted, or whose context is gone, cannot be inserted again."))
        default:
            if backing.context === self { return }
            return keep(SwiftDataError(.modelValidationFailure, detail: "The \(T.self) belongs to another context."))
        }
        do {
            let binding = try bindings.binding(of: T.self)
            backing.enter(self, binding: binding, rowID: try store.makeRowID())
        } catch {
            return keep(error)
        }
        backing.register(model)
        changes.insert(model, backing: backing)
        pendingOverlay?.note(model, backing: backing)
        if backing.binding?.hasRelationships == true || backing.drafts != nil {
            adoption.adopt(model)
        }
        didChange()
    }

    /// Called by setters before the value changes.
    func willChange<T: PersistentModel>(_ model: T, backing: _ModelBacking, ordinal: Int) {
        if backing.state == .inserted {
            pendingOverlay?.note(model, backing: backing)
            unsaved.note()
        }
        guard backing.state == .stored else { return }
        // The model may be all that keeps the context, and lets go of it with its first change.
        let keeper = backing.changed.isEmpty ? owner : nil
        defer { withExtendedLifetime(keeper) {} }
        // The base of the change has to be there before the change.
        do { _ = try backing.loadedRecord() } catch { keep(error) }
        changes.change(model, backing: backing, ordinal: ordinal)
        pendingOverlay?.note(model, backing: backing)
        didChange()
    }

    // MARK: Taking back

    /// Changes that were taken back, as the models have to hear of it.
    struct TakenBack {
        /// Stored models that were changed or were to be deleted.
        let models: [any PersistentModel]
        /// Objects whose members were changed, each with the property that shows them.
        let owners: [(model: any PersistentModel, ordinal: Int)]
    }

    /// Forgets all unsaved changes. Runs no code of the user's.
    func takeChangesBack() -> TakenBack {
        rollbacks += 1
        let models = changes.take()
        let inserted = models.inserted.filter { changes.isPending($0, state: .inserted) }
        let owners = relationships.ownersOfTouchedMembers()
        pendingOverlay = nil
        relationships.forgetChanges()
        for model in inserted { discard(model) }
        unsaved.note()
        return TakenBack(models: models.changed + models.deleted, owners: owners)
    }

    /// Takes a model out of the context that was never saved.
    func discard(_ model: any PersistentModel) {
        guard let backing = model._$backing else { return }
        let row = backing.rowID
        backing.leave(as: .free)
        departures.tell(of: model, row: row)
    }

    /// Makes the objects read what is stored, and tells their observers.
    func revert(_ changes: TakenBack) {
        for model in changes.models { revert(model) }
        for owner in changes.owners { notify(owner.model, fields: FieldMask([owner.ordinal])) {} }
    }

    /// The base stays until it is compared with what is stored now: properties that were not set here may have been
    /// read from it.
    private func revert<T: PersistentModel>(_ model: T) {
        guard let backing = model._$backing, backing.context === self else { return }
        if backing.state == .deleted { backing.state = .stored }
        guard backing.state == .stored else { return }
        let fields = backing.changed
        backing.changed = FieldMask()
        backing.forgetReferences()
        backing.updateHold()
        notify(model, fields: fields) { forgetValues(of: model, fields) }
        guard let binding = backing.binding else { return }
        do {
            guard let record = try readRecord(backing.rowID, of: binding) else { return leave(model) }
            refresh(model, with: record, binding: binding)
        } catch {
            keep(error)
        }
    }
}
