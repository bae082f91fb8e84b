import LoamStorage

extension ModelContext {
    /// The model with this identifier, if it is in the context already. Reads nothing.
    public func registeredModel<T: PersistentModel>(for identifier: PersistentIdentifier) -> T? {
        guard identifier.entityName == ModelType.of(T.self).entityName, let store = try? store(of: T.self),
            identifier.storeIdentifier == store.containerStore.id, let binding = try? store.bindings.binding(of: T.self)
        else { return nil }
        return store.registered(identifier.rowID, of: binding.entity.id, as: T.self)
    }

    /// The model with this identifier. Reads nothing: its properties are read when they are asked for, and where there
    /// is no such row they are empty. So they are where the identifier is of another container's store, or names a
    /// model that its store does not keep.
    public func model(for identifier: PersistentIdentifier) -> any PersistentModel {
        do {
            let store = try store(ofModelsNamed: identifier.entityName)
            let binding = try store.bindings.binding(named: identifier.entityName)
            return try store.model(for: identifier, type: binding.model.type, binding: binding)
        } catch {
            keep(error)
            return UnknownModel(_backing: .gone())
        }
    }
}
