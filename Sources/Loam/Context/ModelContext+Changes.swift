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
        do { try store(of: T.self).insert(model) } catch { keep(error) }
    }

    /// Discards all unsaved changes: inserted models leave the context, changed ones read their stored values again,
    /// deleted ones are back.
    public func rollback() {
        errors.forget()
        // Observers, which are the user's code, hear of it when no store has changes any more.
        let takenBack = stores.map { ($0, $0.takeChangesBack()) }
        for (store, changes) in takenBack { store.revert(changes) }
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
