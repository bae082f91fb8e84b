import LoamStorage

/// Deletes models and rows of a context, with what delete rules add to them.
///
/// One step after another, as a chain of models may be longer than a stack is deep. Observers hear of changes between
/// the steps: what they delete waits for its turn. Delete rules are the writer's to decide at the save, against what is
/// stored then; what happens here shows at once what it will do.
///
/// Confined to the isolation of the context, which owns this: nobody else keeps it.
final class Deletions {
    private enum Step {
        case model(any PersistentModel)
        case rows([RowID], EntityBinding)
        /// What is left of such rows.
        case waiting(WaitingRows)
        /// All that a relationship leads to is deleted.
        case members(MemberKey)
        /// What leads one way to models that are discarded lets go of them.
        case oneWay
    }

    /// Rows that can be deleted by their ids, as far as is known, and that wait for others to be deleted as models.
    private final class WaitingRows {
        var rows: Set<RowID>
        let binding: EntityBinding
        /// How many of the touched rows they have heard of.
        var heard = 0

        init(_ rows: Set<RowID>, binding: EntityBinding) {
            self.rows = rows
            self.binding = binding
        }
    }

    private unowned(unsafe) let context: StoreContext
    /// The last one comes first, so that what a deletion takes along goes before what waits.
    /// Each with the number of rollbacks that there had been: a rollback takes the steps back that were to come.
    private var steps: [(step: Step, rollbacks: Int)] = []
    /// Whether the steps are being taken, further out on this thread's stack.
    private var isRunning = false
    /// Models that were never saved: they leave the context when all steps are taken. Their state is `free` by then.
    private var discarded: [any PersistentModel] = []
    /// The number of rollbacks at which the step was asked for that makes what leads one way to them let go of them. A
    /// rollback since then has taken the step back.
    private var oneWayRelease: Int?
    /// How often a row was looked at: work that tests count.
    private(set) var examinedRows = 0

    init(of context: StoreContext) { self.context = context }

    /// Deletes a model that is in the context; discards one that was never saved.
    ///
    /// - Throws: the first error, after all steps; nothing where others are being taken.
    func delete(_ model: any PersistentModel) throws { try run(.model(model)) }

    /// Deletes rows of one entity. Makes objects only of those that unsaved changes concern.
    ///
    /// - Throws: as ``delete(_:)``.
    func delete(_ rows: [RowID], binding: EntityBinding) throws {
        if !rows.isEmpty { try run(.rows(rows, binding)) }
    }

    /// All that a relationship of a deleted row leads to is being deleted: when that is done, its members are
    /// forgotten.
    func forgetMembers(_ key: MemberKey) throws { try run(.members(key)) }

    /// Takes a step and those that it leads to; where that is being done already, the step waits for its turn.
    private func run(_ step: Step) throws {
        push(step)
        guard !isRunning else { return }
        isRunning = true
        var failure: (any Error)?
        while let next = steps.popLast() {
            guard next.rollbacks == context.rollbacks else { continue }
            do { try take(next.step) } catch { failure = failure ?? error }
        }
        discard(discarded)
        discarded = []
        oneWayRelease = nil
        isRunning = false
        context.changes.stopFollowingRows()
        context.didChange()
        if let failure { throw failure }
    }

    private func push(_ step: Step) { steps.append((step, context.rollbacks)) }

    private func take(_ step: Step) throws {
        switch step {
        case .model(let model): delete(one: model)
        case .rows(let rows, let binding): try delete(next: Set(rows), binding)
        case .waiting(let waiting): try delete(next: waiting)
        case .members(let key): context.relationships.forgetUnchanged(key)
        case .oneWay: try releaseOneWay()
        }
    }

    // MARK: Models

    private func delete(one model: any PersistentModel) {
        guard let backing = model._$backing, backing.context === context else { return }
        switch backing.state {
        case .inserted:
            backing.state = .free
            context.pendingOverlay?.forget(backing)
            discarded.append(model)
            // Once for all that are discarded: it comes last.
            if oneWayRelease != context.rollbacks { steps.insert((.oneWay, context.rollbacks), at: 0) }
            oneWayRelease = context.rollbacks
        case .stored:
            do { _ = try backing.loadedRecord() } catch { context.keep(error) }
            context.changes.delete(model, backing: backing)
            context.pendingOverlay?.note(model, backing: backing)
        case .free, .deleted, .gone: return
        }
        context.relationships.release(model, backing: backing)
    }

    private func releaseOneWay() throws {
        oneWayRelease = nil
        var rows: [EntityID: Set<RowID>] = [:]
        for model in discarded where context.changes.isPending(model, state: .free) {
            guard let backing = model._$backing, let entity = backing.binding?.entity.id else { continue }
            rows[entity, default: []].insert(backing.rowID)
        }
        for (entity, rows) in rows { try context.relationships.releaseOneWay(to: rows, of: entity) }
    }

    /// Takes models out that were inserted, deleted and not saved in between. Runs no code of the user's.
    func discard(_ models: [any PersistentModel]) {
        let models = models.filter { context.changes.isPending($0, state: .free) }
        context.changes.removeDiscarded(models)
        for model in models {
            guard let backing = model._$backing else { continue }
            context.relationships.forget(backing)
            context.discard(model)
        }
    }

    // MARK: Rows

    /// Deletes rows. Rows with an object, or with unsaved changes of their relationships, are deleted as models,
    /// first: that may make objects of rows that had none, and change their relationships. The others wait, and hear
    /// which rows were touched, so that none is looked at anew that was not. O(rows).
    private func delete(next rows: Set<RowID>, _ binding: EntityBinding) throws {
        let concerned = concerned(of: rows, binding)
        guard !concerned.isEmpty else { return try delete(unconcerned: rows, binding) }
        if concerned.count < rows.count {
            context.changes.followRows()
            wait(WaitingRows(rows.subtracting(concerned), binding: binding))
        }
        try deleteModels(of: concerned, binding)
    }

    /// O(rows that were touched since they were looked at), or O(rows) where there are fewer.
    private func delete(next waiting: WaitingRows) throws {
        let touched = context.changes.touchedRows?[waiting.heard...] ?? []
        let concerned =
            touched.count < waiting.rows.count
            ? concerned(of: Set(touched.filter(waiting.rows.contains)), waiting.binding)
            : concerned(of: waiting.rows, waiting.binding)
        guard !concerned.isEmpty else {
            // Some may have been deleted as rows meanwhile, which touches nothing.
            let rows = waiting.rows.filter { !context.changes.deletedRows.contains($0) }
            return try delete(unconcerned: rows, waiting.binding)
        }
        waiting.rows.subtract(concerned)
        if !waiting.rows.isEmpty { wait(waiting) }
        try deleteModels(of: concerned, waiting.binding)
    }

    private func wait(_ waiting: WaitingRows) {
        waiting.heard = context.changes.touchedRows?.count ?? 0
        push(.waiting(waiting))
    }

    /// Deletes rows as models, where they were not deleted as rows when rows that they are related to were deleted.
    private func deleteModels(of rows: Set<RowID>, _ binding: EntityBinding) throws {
        for row in rows.sorted(by: >) where !context.changes.deletedRows.contains(row) {
            try delete(context.model(row, type: binding.model.type, binding: binding))
        }
    }

    private func delete(unconcerned rows: Set<RowID>, _ binding: EntityBinding) throws {
        if rows.isEmpty { return }
        let relationships = context.relationships
        for related in try relationships.cascades(of: rows, binding) {
            try delete(related.rows, binding: related.binding)
        }
        context.changes.delete(rows, of: binding.entity.id)
        context.pendingOverlay?.delete(rows, binding: binding)
        try relationships.releaseReferrers(of: rows, binding)
        relationships.dropMembers(rows, of: binding.entity.id)
    }

    /// The rows that cannot be deleted by their ids alone, or were already. O(rows).
    private func concerned(of rows: Set<RowID>, _ binding: EntityBinding) -> Set<RowID> {
        let (context, relationships) = (context, context.relationships)
        let deletedRows = context.changes.deletedRows
        examinedRows += rows.count
        return rows.filter {
            deletedRows.contains($0) || context.registered($0, of: binding.entity.id) != nil
                || relationships.hasChangedMembers($0, binding: binding)
        }
    }
}
