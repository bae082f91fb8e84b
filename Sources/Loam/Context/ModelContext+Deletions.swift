import LoamStorage

/// What a context is still to delete, one step after another: a chain of models may be longer than a stack is deep.
struct Deletions {
    enum Step {
        case model(any PersistentModel)
        case rows([RowID], EntityBinding)
        /// All that a relationship leads to is deleted.
        case members(MemberKey)
    }

    /// The last one comes first, so that what a deletion takes along goes before what waits.
    var steps: [Step] = []
    /// Whether somebody takes them.
    var isRunning = false
    /// Models that were never saved: they leave the context when all steps are taken. Their state is `free` by then.
    var discarded: [any PersistentModel] = []
}

extension ModelContext {
    /// Marks a model for deletion; the next save deletes it, with what its delete rules say. A model that was not saved yet
    /// is discarded. One of another context is refused by the next save. O(1) besides what the rules say, and O(unsaved
    /// models) where any is discarded.
    public func delete<T: PersistentModel>(_ model: T) {
        guard let backing = model._$backing else { return }
        guard backing.context === self else {
            guard backing.context != nil else { return }
            return keep(SwiftDataError(.modelValidationFailure, "The \(T.self) belongs to another context."))
        }
        guard backing.state == .inserted || backing.state == .stored else { return }
        do { try run(.model(model)) } catch { keep(error) }
    }

    /// Takes a step and those that it leads to; where that is being done already, the step waits for its turn.
    ///
    /// - Throws: the first error, after all steps.
    func run(_ step: Deletions.Step) throws {
        deletions.steps.append(step)
        guard !deletions.isRunning else { return }
        deletions.isRunning = true
        var failure: (any Error)?
        while let next = deletions.steps.popLast() {
            do { try take(next) } catch { failure = failure ?? error }
        }
        discard(deletions.discarded)
        deletions = Deletions()
        didChange()
        if let failure { throw failure }
    }

    private func take(_ step: Deletions.Step) throws {
        switch step {
        case .model(let model): delete(one: model)
        case .rows(let rows, let binding): try delete(next: Set(rows), binding)
        case .members(let key): relationships.forgetUnchanged(key)
        }
    }

    private func delete(one model: any PersistentModel) {
        guard let backing = model._$backing, backing.context === self else { return }
        switch backing.state {
        case .inserted:
            backing.state = .free
            pendingOverlay?.forget(backing)
            deletions.discarded.append(model)
        case .stored:
            do { _ = try backing.loadedRecord() } catch { keep(error) }
            changes.delete(model, backing)
            pendingOverlay?.note(model, backing)
        case .free, .deleted, .gone: return
        }
        relationships.release(model, backing)
    }

    /// Takes models out that were inserted, deleted and not saved in between. Runs no code of the user's.
    func discard(_ models: [any PersistentModel]) {
        let models = models.filter { changes.isPending($0, .free) }
        changes.removeDiscarded(models)
        for model in models {
            guard let backing = model._$backing else { continue }
            relationships.forget(backing)
            backing.leave(as: .free)
        }
    }

    /// Takes back the deletion of a model.
    func undelete<T: PersistentModel>(_ model: T, _ backing: _ModelBacking) {
        changes.undelete(backing)
        if backing.changed.isEmpty { pendingOverlay?.release(backing) } else { pendingOverlay?.note(model, backing) }
        didChange()
    }
}
