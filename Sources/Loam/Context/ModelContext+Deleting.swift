public import Foundation

extension ModelContext {
    /// Marks a model for deletion; the next save deletes it, with what its delete rules say. A model that was not
    /// saved yet is discarded. A model outside any context is left alone.
    ///
    /// Reads the model's record where that was not read, and the identifiers of the models that its relationships
    /// lead to: O(related models), and as much again for each model that the rule `cascade` takes along. A discarded
    /// model costs O(inserted and changed models).
    ///
    /// A deletion cannot throw. The next fetch or save throws ``SwiftDataError`` instead where the model belongs to
    /// another context, and where the store could not be read. The writer decides at the save whether the rule `deny`
    /// forbids the deletion.
    public func delete<T: PersistentModel>(_ model: T) {
        guard let backing = model._$backing else { return }
        guard let store = backing.context, store.owner === self else {
            guard backing.context != nil else { return }
            return keep(SwiftDataError(.modelValidationFailure, detail: "The \(T.self) belongs to another context."))
        }
        guard backing.state == .inserted || backing.state == .stored else { return }
        do { try store.deletions.delete(model) } catch { keep(error) }
    }

    /// Marks every model that matches for deletion; the next save deletes them, as it deletes those of ``delete(_:)``.
    ///
    /// Objects of this context show it at once, those of other contexts after the save. An object is made only for a
    /// row whose relationships have unsaved changes in this context. Costs as much as a fetch of the identifiers, and
    /// O(rows) of memory.
    ///
    /// - Parameters:
    ///   - model: the class of the models.
    ///   - predicate: which models; nil for all.
    ///   - includeSubclasses: without effect, because models cannot inherit yet.
    /// - Throws: ``SwiftDataError`` where the predicate cannot be run or the store cannot be read, and once what
    ///   could not be thrown where it happened. Where the predicate or its rows cannot be read, nothing is marked.
    public func delete<T: PersistentModel>(
        model: T.Type, where predicate: Predicate<T>? = nil, includeSubclasses: Bool = true
    ) throws {
        try throwKeptError()
        receiveChanges()
        do {
            let store = try store(of: T.self)
            let rows = try store.rows(FetchDescriptor<T>(predicate: predicate), readsRecords: false)
            try store.deletions.delete(rows.map(\.rowID), binding: store.bindings.binding(of: T.self))
        } catch {
            throw SwiftDataError(error)
        }
    }
}
