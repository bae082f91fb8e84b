package import LoamStorage
import Synchronization

/// A store of models: its schema, its file and its main context.
///
/// ```swift
/// let container = try ModelContainer(for: City.self)
/// let context = ModelContext(container)
/// ```
///
/// Opening compares the schema with the one in the file and makes what is missing: entities, properties, relationships
/// and indexes, in one transaction; indexes over rows that are there are built afterwards. Records are rewritten only where
/// a to-one relationship is added as the inverse of a to-many. What the store has and the models lack stays as it is, for
/// programs of another version that declare it. An opening that is refused leaves the file as it was. Safe to use from any
/// isolation.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `shared.bindings` | its mutex | any thread, after the catalog changed | the last object of the container goes |
/// | `shared.main`, `main` | the main actor | the first use of ``mainContext`` | the context, the object goes |
///
/// The main context has an object of the container of its own, which does not keep it: so both go when nobody else holds
/// them.
public final class ModelContainer: Equatable, Sendable {
    /// The models that the store keeps.
    public let schema: Schema
    /// The one configuration that the container was made with.
    public let configurations: Set<ModelConfiguration>
    let configuration: ModelConfiguration
    package let store: Store
    let storeID: String
    private let shared: SharedState
    @MainActor private var main: ModelContext?

    /// Opens a store for models and those that their relationships lead to.
    ///
    /// - Throws: ``SwiftDataError/loadIssueModelContainer`` and its kin where the store or the schema cannot be used.
    public convenience init(
        for types: any PersistentModel.Type..., migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: ModelConfiguration...
    ) throws {
        try self.init(for: Schema(types), migrationPlan: migrationPlan, configurations: configurations)
    }

    /// Opens a store for the models of a schema.
    ///
    /// - Throws: ``SwiftDataError`` where the schema or the store cannot be used.
    public convenience init(
        for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil, configurations: ModelConfiguration...
    ) throws {
        try self.init(for: schema, migrationPlan: migrationPlan, configurations: configurations)
    }

    /// Opens a store for the models of a schema; without a configuration, the one in the default place.
    ///
    /// - Throws: ``SwiftDataError`` where the schema or the store cannot be used, there are several configurations, or
    ///   the plan has a stage that is not lightweight.
    public init(
        for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil, configurations: [ModelConfiguration]
    ) throws {
        try migrationPlan?.checkStages()
        guard configurations.count < 2 else {
            throw SwiftDataError(.duplicateConfiguration, "One container keeps its models in one store.")
        }
        let configuration = configurations.first ?? ModelConfiguration(schema: schema)
        self.configuration = configuration
        self.configurations = [configuration]
        self.schema = schema
        do {
            try SchemaValidation.validate(schema)
            let sync = try SchemaSync(schema)
            store = try configuration.openStore(sync)
            if configuration.allowsSave { try store.changeSchema(sync.decide) }
            let catalog = try store.catalog()
            storeID = catalog.storeID
            shared = SharedState(try Bindings(schema, catalog, before: nil))
        } catch {
            throw SwiftDataError(opening: error)
        }
    }

    /// The context of the main actor, saved by itself: ``ModelContext/autosaveEnabled`` is on.
    @MainActor public var mainContext: ModelContext {
        if let main { return main }
        let context = shared.main ?? makeMainContext()
        // The context's own object does not keep it.
        if context.ownContainer !== self {
            main = context
            context.sharedContainer = self
        }
        return context
    }

    @MainActor private func makeMainContext() -> ModelContext {
        let context = ModelContext(ModelContainer(sharing: self))
        context.followOnMainActor()
        context.autosaveEnabled = true
        shared.main = context
        return context
    }

    /// Another object of the same container.
    private init(sharing other: ModelContainer) {
        schema = other.schema
        configurations = other.configurations
        configuration = other.configuration
        store = other.store
        storeID = other.storeID
        shared = other.shared
    }

    /// Deletes every model of the store, in one save: also models of types that this container does not know.
    ///
    /// No model is read, so memory and time follow the size of the file and not the number of models, and delete rules,
    /// `deny` among them, have no say. Open contexts and results hear of it as of any deletion, those of other processes
    /// too. The schema stays, and an identifier is never used again. The file keeps its size.
    ///
    /// Throws ``SwiftDataError`` where the store cannot be written, or while a bulk load is under way; then nothing is
    /// deleted.
    public func erase() throws {
        do {
            try store.erase()
        } catch {
            throw SwiftDataError(error)
        }
    }

    /// What SwiftData called ``erase()`` first. An error is lost: models that could not be deleted are still there.
    public func deleteAllData() { try? erase() }

    /// The model's entity in the catalog of a snapshot.
    func binding(for model: ModelType, in catalog: Catalog) throws -> EntityBinding {
        try shared.bindings.withLock { bindings in
            if bindings.generation != catalog.generation { bindings = try Bindings(schema, catalog, before: bindings) }
            guard let binding = bindings.byModel[ObjectIdentifier(model)] else {
                throw SwiftDataError(.unknownSchema, "\(model.entityName) is not in the container's schema.")
            }
            return binding
        }
    }

    /// The same by the entity's name, for identifiers.
    func binding(named name: String, in catalog: Catalog) throws -> EntityBinding {
        guard let model = schema.types.first(where: { $0.entityName == name }) else {
            throw SwiftDataError(.unknownSchema, "\(name) is not in the container's schema.")
        }
        return try binding(for: model, in: catalog)
    }

    /// Whether both are the same container. The main context's ``ModelContext/container`` is another object of it once
    /// the one that it was asked of is gone.
    public static func == (left: ModelContainer, right: ModelContainer) -> Bool { left.shared === right.shared }
}

/// What all objects of a container have in common besides the store.
private final class SharedState: Sendable {
    let bindings: Mutex<Bindings>
    @MainActor weak var main: ModelContext?

    init(_ bindings: sending Bindings) { self.bindings = Mutex(bindings) }
}

/// The models of a container joined to one generation of the catalog.
private struct Bindings {
    let generation: UInt64
    let byModel: [ObjectIdentifier: EntityBinding]

    /// - Throws: where the store does not have what the models declare, or, since the bindings before, not where objects
    ///   that are alive would look for it.
    init(_ schema: Schema, _ catalog: Catalog, before: Bindings?) throws {
        generation = catalog.generation
        var byModel: [ObjectIdentifier: EntityBinding] = [:]
        for type in schema.types {
            guard let entity = catalog.schema.entity(named: type.entityName) else {
                throw StorageError(.unknownEntity, entity: type.entityName)
            }
            let binding = try EntityBinding(
                type, entity: entity, catalog: catalog, version: SchemaVersion(schema.version))
            if let known = before?.byModel[ObjectIdentifier(type)], !binding.isPlaced(like: known) {
                throw SwiftDataError(
                    .unknownSchema,
                    "Another program has dropped properties of \(type.entityName), or has changed what its relationships may "
                        + "lead to. Make a new ModelContainer to go on.")
            }
            byModel[ObjectIdentifier(type)] = binding
        }
        self.byModel = byModel
    }
}
