import LoamStorage

/// The entities of the models that a context has met, as the newest catalog of their store that the process has met has
/// them.
///
/// The one that was asked for last is mostly the next one too: then the answer is two comparisons. Else it is a look-up
/// by type, or the store's by name, which another generation of the catalog makes anew. Confined to the isolation
/// of the context.
final class ContextBindings {
    private let store: ContainerStore
    /// Of one generation of the catalog.
    private var known: (generation: UInt64, byType: [ObjectIdentifier: EntityBinding]) = (0, [:])
    private var recent: EntityBinding?

    init(_ store: ContainerStore) { self.store = store }

    /// The entity of a model.
    ///
    /// - Throws: ``SwiftDataError`` where the store is not for the model, or the store lacks what it declares.
    func binding<T: PersistentModel>(of type: T.Type) throws -> EntityBinding {
        if let recent, recent.model.type == type, isNewest(recent) { return recent }
        let binding = try binding(of: type, in: store.store.knownCatalog)
        recent = binding
        return binding
    }

    /// The binding of the entity with a name.
    func binding(named name: String) throws -> EntityBinding {
        if let recent, recent.entity.name == name, isNewest(recent) { return recent }
        let binding = try store.binding(named: name, in: store.store.knownCatalog)
        recent = binding
        return binding
    }

    /// The binding of the entity with an id.
    func binding(of entity: EntityID) throws -> EntityBinding {
        if let recent, recent.entity.id == entity, isNewest(recent) { return recent }
        let catalog = store.store.knownCatalog
        guard let entity = catalog.schema.entities.first(where: { $0.id == entity }) else {
            throw StorageError(.unknownEntity, entity: "#\(entity)")
        }
        return try store.binding(named: entity.name, in: catalog)
    }

    private func isNewest(_ binding: EntityBinding) -> Bool {
        binding.catalog.generation == store.store.knownGeneration
    }

    private func binding<T: PersistentModel>(of type: T.Type, in catalog: Catalog) throws -> EntityBinding {
        if known.generation != catalog.generation { known = (catalog.generation, [:]) }
        if let found = known.byType[ObjectIdentifier(type)] { return found }
        let binding = try store.binding(for: ModelType.of(type), in: catalog)
        known.byType[ObjectIdentifier(type)] = binding
        return binding
    }
}
