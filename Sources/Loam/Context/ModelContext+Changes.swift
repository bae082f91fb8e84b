import LoamStorage

extension ModelContext {
    /// Adds a model to the context, and with it every model outside any context that its relationships lead to, or whose
    /// relationships lead to it. The next save stores them.
    ///
    /// Models outside any context that are related keep each other alive, whichever of them leads to the other, until one
    /// of them is inserted or the relationship is taken away: nothing that leads to an inserted model is lost, and what
    /// is never inserted is to be taken apart.
    ///
    /// A relationship that an initializer sets while other properties have no value yet is known to its own model only:
    /// of those two models, insert the one that has it.
    ///
    /// The model has its final identifier from now on. Inserting a model of this context again does nothing; one of
    /// another context is refused by the next save. O(1) and a synced commit every 4,096 models.
    public func insert<T: PersistentModel>(_ model: T) {
        let backing = model._backing
        switch backing.state {
        // One that is being discarded begins anew.
        case .free: if backing.context === self { deletions.discard([model]) }
        case .deleted where backing.context === self:
            return undelete(model, backing)
        case .gone:
            return keep(
                SwiftDataError(
                    .modelValidationFailure,
                    "A \(T.self) that was deleted, or whose context is gone, cannot be inserted again."))
        default:
            if backing.context === self { return }
            return keep(SwiftDataError(.modelValidationFailure, "The \(T.self) belongs to another context."))
        }
        do {
            let binding = try bindings.binding(of: T.self)
            backing.enter(self, binding: binding, rowID: try ownContainer.store.makeRowID())
        } catch {
            return keep(error)
        }
        backing.register(model)
        changes.insert(model, backing)
        pendingOverlay?.note(model, backing)
        if backing.binding?.hasRelationships == true || backing.drafts != nil {
            adoption.adopt(model)
        }
        didChange()
    }

    /// Called by setters before the value changes.
    func willChange<T: PersistentModel>(_ model: T, _ backing: _ModelBacking, _ ordinal: Int) {
        if backing.state == .inserted { pendingOverlay?.note(model, backing) }
        guard backing.state == .stored else { return }
        // The base of the change has to be there before the change.
        do { _ = try backing.loadedRecord() } catch { keep(error) }
        changes.change(model, backing, ordinal)
        pendingOverlay?.note(model, backing)
        didChange()
    }

    /// Discards all unsaved changes: inserted models leave the context, changed ones read their stored values again,
    /// deleted ones are back.
    public func rollback() {
        rollbacks += 1
        errors.forget()
        let models = changes.take()
        let inserted = models.inserted.filter { changes.isPending($0, .inserted) }
        let owners = relationships.ownersOfTouchedMembers()
        pendingOverlay = nil
        relationships.forgetChanges()
        for model in inserted { model._$backing?.leave(as: .free) }
        for model in models.changed + models.deleted { revert(model) }
        for owner in owners { notify(owner.model, FieldMask([owner.ordinal])) {} }
    }

    /// The base stays until it is compared with what is stored now: properties that were not set here may have been read
    /// from it.
    private func revert<T: PersistentModel>(_ model: T) {
        guard let backing = model._$backing, backing.context === self else { return }
        if backing.state == .deleted { backing.state = .stored }
        guard backing.state == .stored else { return }
        let fields = backing.changed
        backing.changed = FieldMask()
        backing.forgetReferences()
        backing.updateHold()
        notify(model, fields) { forgetValues(of: model, fields) }
        guard let binding = backing.binding else { return }
        do {
            guard let record = try readRecord(backing.rowID, of: binding) else { return leave(model) }
            refresh(model, with: record, binding)
        } catch {
            keep(error)
        }
    }

    /// Runs the closure, then saves. When the closure throws, nothing is saved and the changes stay.
    public func transaction(block: () throws -> Void) throws {
        try block()
        try save()
    }

    /// Takes in what other contexts have saved since. Fetches and saves do so by themselves.
    public func processPendingChanges() {
        receiveChanges()
    }

    /// Something is to be saved.
    func didChange() {
        if autosaveEnabled { task?.requestSave() }
    }
}
