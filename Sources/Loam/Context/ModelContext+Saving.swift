import Foundation

extension ModelContext {
    /// Writes all changes in one transaction, or none of them. When it returns, they are durable in a store with a
    /// file.
    ///
    /// Does nothing where ``hasChanges`` is false. Blocks its thread until the commit; saves of several contexts that
    /// wait together share one. Somebody else's changes of the same models are merged property by property, or as
    /// ``mergePolicy`` says. Changes of models that somebody else has deleted are dropped under the policies
    /// ``MergePolicy/propertyByProperty`` and ``MergePolicy/storeWins``, and listed in ``droppedChanges``.
    ///
    /// Where the container has several stores, each with changes has a transaction of its own, which is written as a
    /// whole or not at all; no file can be written together with another. All of them are encoded and checked against
    /// what is stored before the first is written, one after another in the order of the configurations: so a model
    /// that breaks a rule, a conflict, or a store that cannot be saved to leaves all files as they were. What can still
    /// go wrong is a save of somebody else in between, a full disk, or the end of the process. Then the stores before
    /// it are saved and the others are not; the error names those that are. Their models are saved ones, ``didSave``
    /// tells of them, and what is left in the context is what the next save writes. Others may see one store saved and
    /// not yet the next.
    ///
    /// - Throws: ``SwiftDataError`` when a model breaks a rule, somebody else's change is in conflict, or the store
    ///   cannot be written. The changes stay in the context.
    public func save() throws { try save { _ in true } }

    /// - Parameter isWanted: whether changes of a store are to be saved, or to stay.
    private func save(where isWanted: (StoreContext) -> Bool) throws {
        errors.forgetAutosave()
        try throwKeptError()
        receiveChanges()
        if try changedStores(where: isWanted).isEmpty { return }
        NotificationCenter.default.post(name: Self.willSave, object: self)
        // Whoever was told may have changed something.
        let (settlements, failure) = try write(prepare(changedStores(where: isWanted)))
        settle(settlements)
        if let failure { throw failure }
    }

    /// Writes one store after another, until one fails.
    private func write(_ prepared: [PreparedSave]) -> ([SaveSettlement], failure: (any Error)?) {
        var settlements: [SaveSettlement] = []
        for save in prepared {
            do {
                settlements.append(try naming(save.store, saved: settlements) { try save.store.write(save) })
            } catch {
                return (settlements, error)
            }
        }
        return (settlements, nil)
    }

    /// - Throws: where one of them cannot be saved to.
    private func changedStores(where isWanted: (StoreContext) -> Bool) throws -> [StoreContext] {
        let changed = stores.filter { $0.hasChanges && isWanted($0) }
        if let store = changed.first(where: { !$0.isWritable }) {
            throw SwiftDataError(readOnly: store.containerStore.configuration, of: ownContainer)
        }
        return changed
    }

    /// Encodes the changes of all stores, and where there are several, checks them.
    private func prepare(_ stores: [StoreContext]) throws -> [PreparedSave] {
        let prepared = try stores.map { store in try naming(store) { try store.prepareSave() } }
        guard prepared.count > 1 else { return prepared }
        return try prepared.map { save in try naming(save.store) { try save.store.rehearse(save) } }
    }

    /// - Throws: what the closure throws, with the store, and the stores that were saved before.
    private func naming<R>(
        _ store: StoreContext, saved: [SaveSettlement] = [], _ body: () throws -> R
    ) throws -> R {
        do {
            return try body()
        } catch {
            let done = saved.map(\.context.containerStore)
            throw SwiftDataError(error, in: store.containerStore, of: ownContainer, done: done, word: "saved")
        }
    }

    /// Observers hear of it when the models of all stores are settled.
    private func settle(_ settlements: [SaveSettlement]) {
        guard !settlements.isEmpty else { return }
        let dropped = settlements.flatMap { $0.settle() }
        droppedChanges = dropped
        for settlement in settlements { settlement.tell() }
        task?.noteSave()
        post(settlements, dropped: dropped)
    }

    /// Saves with nobody there to catch an error: it is kept until a save succeeds or a fetch has thrown it.
    func autosave() {
        // Stores that cannot be saved to are left alone. Where nothing is left to save, nothing is wrong any more.
        guard stores.contains(where: \.isWritable) else { return }
        let former = errors.beginAutosave()
        var failure: (any Error)?
        do { try save(where: \.isWritable) } catch { failure = error }
        errors.endAutosave(failure, former: former)
    }
}
