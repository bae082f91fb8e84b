public import Foundation
import LoamQuery
import LoamStorage

extension ModelContext {
    /// Changes attributes of every stored model that matches, in the store and in one save, without making objects.
    ///
    /// ```swift
    /// let count = try context.update(City.self, where: isSmall, set: .set(\.isListed, to: false))
    /// ```
    ///
    /// It is a save of its own: unique constraints hold, indexes, live results and the history follow, and either all
    /// models are changed or none. The condition holds for exactly the models that are changed, in the state that the
    /// save follows: where anything else is saved in the store in between, the models are looked for again, up to 64
    /// times. ``willSave`` and ``didSave`` are not posted, and a surrounding ``transaction(block:)`` does not hold it
    /// back.
    ///
    /// It knows nothing of unsaved changes. Objects, those of this context among them, hear of it as of another
    /// context's save: properties that were set and not saved keep their new values, and the next save writes these.
    /// The context's own unsaved changes are not saved.
    ///
    /// Relationships, members of structures and computed properties are refused: change the models. Costs O(models that
    /// match), in time and, until the save is done, in memory; and a search each time that somebody else came first.
    ///
    /// - Parameters:
    ///   - model: the class of the models.
    ///   - predicate: which models; nil for all.
    ///   - assignments: what becomes of each; of several for one property the last counts, applied to the stored value.
    /// - Returns: the number of models that match.
    /// - Throws: ``SwiftDataError/unsupportedKeyPath`` for a property that cannot be updated so,
    ///   ``SwiftDataError/modelValidationFailure`` where a value breaks a rule, ``SwiftDataError/conflict`` where others
    ///   saved again and again meanwhile, else as ``save()``. Nothing is changed then.
    @discardableResult
    public func update<T: PersistentModel>(
        _ model: T.Type, where predicate: Predicate<T>? = nil, set assignments: Assignment<T>...
    ) throws -> Int {
        try throwKeptError()
        do {
            let store = try store(of: T.self)
            guard store.isWritable else {
                throw SwiftDataError(readOnly: store.containerStore.configuration, of: container)
            }
            let changes = try assignments.map { try StoredAssignment($0) }
            let query = try FetchDescriptor(predicate: predicate).query(in: store.containerStore.id)
            let count = try store.update(model, query, changes)
            receiveChanges()
            return count
        } catch {
            throw SwiftDataError(error)
        }
    }
}

extension StoreContext {
    /// So often an update begins anew where others save before it.
    private static var attempts: Int { 64 }

    fileprivate func update<T: PersistentModel>(
        _ model: T.Type, _ query: Query, _ assignments: [StoredAssignment]
    ) throws -> Int {
        var failure: StorageError?
        for _ in 0..<Self.attempts {
            let batch = try updateBatch(model, query, assignments)
            guard !batch.isEmpty, !assignments.isEmpty else { return batch.rows.count }
            do {
                try store.save(batch)
                return batch.rows.count
            } catch let error as StorageError where error.isOfOlderState {
                failure = error
                _ = try store.catalog()
            }
        }
        throw failure ?? StorageError(.savedMeanwhile)
    }

    /// The changes of all rows that match now, good for this state of the store alone.
    private func updateBatch<T: PersistentModel>(
        _ model: T.Type, _ query: Query, _ assignments: [StoredAssignment]
    ) throws -> WriteBatch {
        var batch = WriteBatch(author: owner.author)
        try store.read { snapshot in
            try containerStore.requireModels(in: snapshot.catalog)
            let binding = try containerStore.binding(for: ModelType.of(T.self), in: snapshot.catalog)
            (batch.generation, batch.lastSave) = (snapshot.catalog.generation, try snapshot.lastSave())
            if let unclaimed = binding.unclaimed { batch.unclaimed[binding.entity.id] = unclaimed.parts }
            try add(query, assignments, binding: binding, to: &batch, in: snapshot)
        }
        return batch
    }

    private func add(
        _ query: Query, _ assignments: [StoredAssignment], binding: EntityBinding, to batch: inout WriteBatch,
        in snapshot: Snapshot
    ) throws {
        var query = query
        let reading = assignments.filter(\.readsStoredValue)
        query.columns = reading.map(\.property.name)
        let ids = try assignments.map { assignment in
            guard let position = binding.entity.position(of: assignment.property.name) else {
                throw StorageError(.unknownProperty, entity: binding.entity.name, property: assignment.property.name)
            }
            return binding.entity.properties[position].id
        }
        var work = Work()
        try Planner.plan(query, in: snapshot).execute(in: snapshot, work: &work) { row, values in
            var changes: [PropertyID: LoamStorage.Value] = [:]
            var next = values.makeIterator()
            for (assignment, id) in zip(assignments, ids) {
                changes[id] = try assignment.value(from: assignment.readsStoredValue ? next.next() ?? .null : .null)
            }
            batch.update(row, of: binding.entity.id, base: nil, changes: changes)
            return true
        }
    }
}

extension StorageError {
    /// Whether a batch was made from another state of the store than the newest.
    fileprivate var isOfOlderState: Bool {
        switch kind {
        case .savedMeanwhile, .newerSchema: true
        default: false
        }
    }
}
