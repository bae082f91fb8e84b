public import Foundation

extension ModelContext {
    /// Marks a model for deletion; the next save deletes it, with what its delete rules say. A model that was not saved yet
    /// is discarded. One of another context is refused by the next save. O(1) besides what the rules say, and O(unsaved
    /// models) where any is discarded.
    public func delete<T: PersistentModel>(_ model: T) {
        guard let backing = model._$backing else { return }
        guard let store = backing.context, store.owner === self else {
            guard backing.context != nil else { return }
            return keep(SwiftDataError(.modelValidationFailure, "The \(T.self) belongs to another context."))
        }
        guard backing.state == .inserted || backing.state == .stored else { return }
        do { try store.deletions.delete(model) } catch { keep(error) }
    }

    /// Marks every model that matches for deletion. Makes no objects for them.
    ///
    /// Unlike other contexts' models, those of this one hear of it at once; delete rules hold as in ``delete(_:)``, and are
    /// decided by the save.
    public func delete<T: PersistentModel>(
        model: T.Type, where predicate: Predicate<T>? = nil, includeSubclasses: Bool = true
    ) throws {
        try throwKeptError()
        receiveChanges()
        do {
            let store = try store(of: T.self)
            let rows = try store.rows(FetchDescriptor<T>(predicate: predicate), readsRecords: false)
            try store.deletions.delete(rows.map(\.rowID), store.bindings.binding(of: T.self))
        } catch {
            throw SwiftDataError(error)
        }
    }
}
