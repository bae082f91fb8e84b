import LoamStorage

/// The entities of the models that a context has met, as the newest catalog that the process has met has them.
///
/// The one that was asked for last is mostly the next one too: then the answer is two comparisons. Else it is a look-up
/// by type, or the container's by name, which another generation of the catalog makes anew. Confined to the isolation
/// of the context.
final class ContextBindings {
    private let container: ModelContainer
    /// Of one generation of the catalog.
    private var known: (generation: UInt64, byType: [ObjectIdentifier: EntityBinding]) = (0, [:])
    private var recent: EntityBinding?

    init(_ container: ModelContainer) { self.container = container }

    /// The entity of a model.
    ///
    /// - Throws: ``SwiftDataError`` where the container does not know the model, or the store lacks what it declares.
    func binding<T: PersistentModel>(of type: T.Type) throws -> EntityBinding {
        if let recent, recent.model.type == type, isNewest(recent) { return recent }
        let binding = try binding(of: type, in: container.store.knownCatalog)
        recent = binding
        return binding
    }

    /// The same by the entity's name.
    func binding(named name: String) throws -> EntityBinding {
        if let recent, recent.entity.name == name, isNewest(recent) { return recent }
        let binding = try container.binding(named: name, in: container.store.knownCatalog)
        recent = binding
        return binding
    }

    /// The same by the entity's id.
    func binding(of entity: EntityID) throws -> EntityBinding {
        if let recent, recent.entity.id == entity, isNewest(recent) { return recent }
        let catalog = container.store.knownCatalog
        guard let entity = catalog.schema.entities.first(where: { $0.id == entity }) else {
            throw StorageError(.unknownEntity, entity: "#\(entity)")
        }
        return try container.binding(named: entity.name, in: catalog)
    }

    private func isNewest(_ binding: EntityBinding) -> Bool {
        binding.catalog.generation == container.store.knownGeneration
    }

    private func binding<T: PersistentModel>(of type: T.Type, in catalog: Catalog) throws -> EntityBinding {
        if known.generation != catalog.generation { known = (catalog.generation, [:]) }
        if let found = known.byType[ObjectIdentifier(type)] { return found }
        let binding = try container.binding(for: ModelType.of(type), in: catalog)
        known.byType[ObjectIdentifier(type)] = binding
        return binding
    }
}
