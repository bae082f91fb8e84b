package import LoamStorage
import Synchronization

/// One of the stores of a container: its configuration, its file, and the models that it keeps.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `bindings` | its mutex | any thread, after the catalog changed | the last object of the container goes |
package final class ContainerStore: Sendable {
    let configuration: ModelConfiguration
    /// The models that the store keeps. No relationship leads from them to those of another store.
    let schema: Schema
    package let store: Store
    /// What identifiers of the store's models name.
    let id: String
    private let bindings: Mutex<Bindings>

    /// Whether saves are kept to be told of later.
    var keepsHistory: Bool { store.options.historyBytes > 0 }

    /// Opens the store, and makes in it what the models declare and it lacks.
    ///
    /// - Parameter others: the container's stores that are open already.
    /// - Throws: where the store cannot be opened or used for the models, and where it is one of the others, or a copy:
    ///   then it is as it was.
    init(_ configuration: ModelConfiguration, schema: Schema, besides others: [ContainerStore]) throws {
        self.configuration = configuration
        self.schema = schema
        let sync = try SchemaSync(schema)
        store = try configuration.openStore(sync)
        let storeID = try store.catalog().storeID
        // A copy of a file has the identifiers of the file: by them a model would be in both.
        if let other = others.first(where: { $0.id == storeID }) {
            throw SwiftDataError(
                .duplicateConfiguration,
                detail:
                    "Its file and that of the configuration \(other.configuration.name) are the same store, or one is a "
                    + "copy of the other, so that their identifiers cannot be told apart. To have a second store, load "
                    + "a dump of the first.")
        }
        id = storeID
        if configuration.allowsSave { try store.changeSchema(sync.decide) }
        let catalog = try store.catalog()
        bindings = Mutex(try Bindings(schema, catalog: catalog, before: nil))
    }

    /// The model's entity in the catalog of a snapshot.
    func binding(for model: ModelType, in catalog: Catalog) throws -> EntityBinding {
        try bindings.withLock { bindings in
            if bindings.generation != catalog.generation {
                bindings = try Bindings(schema, catalog: catalog, before: bindings)
            }
            guard let binding = bindings.byModel[ObjectIdentifier(model)] else {
                throw SwiftDataError(unknownModel: model.entityName)
            }
            return binding
        }
    }

    /// Throws where a catalog does not have what the models declare, or not where objects that are alive would look for
    /// it: another program has changed it.
    func requireModels(in catalog: Catalog) throws {
        guard let model = schema.types.first else { return }
        _ = try binding(for: model, in: catalog)
    }

    /// The same by the entity's name, for identifiers.
    func binding(named name: String, in catalog: Catalog) throws -> EntityBinding {
        guard let model = schema.types.first(where: { $0.entityName == name }) else {
            throw SwiftDataError(unknownModel: name)
        }
        return try binding(for: model, in: catalog)
    }
}

/// The models of a store joined to one generation of its catalog.
private struct Bindings {
    let generation: UInt64
    let byModel: [ObjectIdentifier: EntityBinding]

    /// - Throws: where the store does not have what the models declare, or, since the bindings before, not where
    ///   objects that are alive would look for it.
    init(_ schema: Schema, catalog: Catalog, before: Bindings?) throws {
        generation = catalog.generation
        var byModel: [ObjectIdentifier: EntityBinding] = [:]
        for type in schema.types {
            guard let entity = catalog.schema.entity(named: type.entityName) else {
                throw StorageError(.unknownEntity, entity: type.entityName)
            }
            let binding = try EntityBinding(
                type, entity: entity, catalog: catalog, version: SchemaVersion(schema.version))
            if let known = before?.byModel[ObjectIdentifier(type)], !binding.isStored(like: known) {
                let change =
                    binding.firstMoved(since: known)
                    .map { "changed what \(type.entityName).\($0) leads to or is led to by" }
                    ?? "dropped properties of \(type.entityName)"
                throw SwiftDataError(
                    .unknownSchema,
                    detail: "Another program has \(change). Make a new ModelContainer to go on.")
            }
            byModel[ObjectIdentifier(type)] = binding
        }
        self.byModel = byModel
    }
}

extension SwiftDataError {
    init(unknownModel name: String) { self.init(.unknownSchema, detail: "\(name) is not in the container's schema.") }
}
