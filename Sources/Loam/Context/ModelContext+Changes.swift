extension ModelContext {
    /// Adds a model to the context, and with it every model outside any context that its relationships lead to, or
    /// whose relationships lead to it. The next save stores them.
    ///
    /// Related models outside any context keep each other alive, whichever of them leads to the other. This ends when
    /// one of them is inserted, or when the relationship is taken away. So nothing that leads to an inserted model is
    /// lost. A group of related models of which none is ever inserted is freed only after its relationships are taken
    /// away.
    ///
    /// A model outside any context that is made to lead to one in a context, by its initializer or later, needs no
    /// insertion: it enters that context as soon as every property that is not optional has a value. Until then it waits,
    /// known to nobody else, so that an initializer that fails before leaves nothing in the context. One that fails after
    /// that leaves the model there: ``insertedModelsArray`` lists it, and ``delete(_:)`` takes it out. A model that is
    /// inserted by this call and lacks such a value is in the context too, and ``save()`` throws an error that names the
    /// property until it is set, or the model deleted.
    ///
    /// The model has its identifier from now on. A save changes it only where it finds that a unique value of the
    /// model is stored already: the model then takes the identifier of the stored one. Inserting a model of this
    /// context again does nothing, except that it takes a deletion back that was not saved.
    ///
    /// Costs O(1), and the same for each related model that comes along. Identifiers are taken from the store 4,096
    /// at a time. Usually the writer does this in advance; the call that finds none waits for a synced commit.
    ///
    /// An insertion cannot throw. The next fetch or save throws ``SwiftDataError`` instead where the model belongs to
    /// another context, was deleted, or is not in the container's schema, and where the store gives no identifier, as
    /// one that was opened with `allowsSave: false`. The model is not inserted then.
    public func insert<T: PersistentModel>(_ model: T) {
        do { try store(of: T.self).insert(model) } catch { keep(error) }
    }

    /// Discards all unsaved changes. Inserted models leave the context. Changed models read their stored values
    /// again, and models that were marked for deletion are no longer. Those whose rows others have deleted since
    /// leave the context.
    ///
    /// Errors that the next fetch or save would have thrown are forgotten. Costs O(unsaved changes), with one look-up
    /// in the store for each changed or deleted model.
    public func rollback() {
        errors.forget()
        // Observers, which are the user's code, hear of it when no store has changes any more.
        let takenBack = stores.map { ($0, $0.takeChangesBack()) }
        for (store, changes) in takenBack { store.revert(changes) }
    }

    /// Runs the closure, then saves. Unsaved changes from before the closure are saved with those that it makes.
    ///
    /// When the closure throws, this call saves nothing. The changes stay in the context, so a later save, or an
    /// autosave, stores them; ``rollback()`` discards them.
    ///
    /// - Throws: what the closure throws, and what ``save()`` throws.
    public func transaction(block: () throws -> Void) throws {
        try block()
        try save()
    }

    /// Takes in what other contexts of the process have saved since the last time: the context's objects then show it,
    /// except in properties that were set here. Fetches and saves do so by themselves. O(rows that were saved).
    public func processPendingChanges() {
        receiveChanges()
    }

    /// Something is to be saved.
    func didChange() {
        if autosaveEnabled { task?.requestSave() }
    }
}
