package import LoamStorage

/// The models of a program in their store, or in several: the schema, the files and the main context.
///
/// ```swift
/// let container = try ModelContainer(for: City.self)
/// let context = ModelContext(container)
/// ```
///
/// Opening compares the schema with the one in the file and makes what is missing: entities, properties, relationships
/// and indexes, in one transaction; indexes over rows that are there are built afterwards. Records are rewritten only
/// where a to-one relationship is added as the inverse of a to-many. What the store has and the models lack stays as it
/// is, for programs of another version that declare it. An opening that is refused leaves the file as it was. Safe to
/// use from any isolation.
///
/// ## Several stores
///
/// With several configurations each has a store of its own for its models, and contexts use all of them at once:
///
/// ```swift
/// let container = try ModelContainer(
///     for: Trip.self, Note.self,
///     configurations: ModelConfiguration("trips", schema: Schema([Trip.self]), url: trips),
///     ModelConfiguration("notes", schema: Schema([Note.self]), url: notes, allowsSave: false))
/// ```
///
/// - A configuration with a schema takes the models that the schema lists, and those that their relationships lead to.
///   One configuration may have no schema: it takes the models that no other takes.
/// - These keep the container from opening, with an error that names them, before any file is touched: a relationship
///   from a model of one store to a model of another; a model that two configurations list, or none takes; two
///   configurations of one file, or of one name in memory.
/// - The files are opened in the order of the configurations. Two that turn out to be one store, or a copy of it, are
///   refused, as their identifiers could not be told apart. Where a file cannot be opened, those before it are open and
///   have the models' schema by then, which takes nothing away from them.
/// - A model of one store can name one of another by its identifier, in an attribute of the type
///   ``PersistentIdentifier``. Save a new model with unique values before its identifier is kept there: where the
///   values are stored already, the save makes the insertion an update, and the model takes the identifier of the
///   stored one.
/// - ``ModelContext/save()`` writes a transaction for each store with changes, and says what holds if one fails.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `shared.main`, `main` | the main actor | the first use of ``mainContext`` | the context, the object goes |
///
/// The main context has an object of the container of its own, which does not keep it: so both go when nobody else
/// holds them.
public final class ModelContainer: Equatable, Sendable {
    /// The models of all stores.
    public let schema: Schema
    /// How stores of older versions become those of the schema, as it was given; nil where opening does all there is to
    /// do.
    public let migrationPlan: (any SchemaMigrationPlan.Type)?
    /// The configurations that the container was made with, or the one in the default location: one for each store.
    public let configurations: Set<ModelConfiguration>
    /// In the order of the configurations; one at least, but for a container of no models.
    package let stores: [ContainerStore]
    /// By model, and by its entity's name: the index of its store in ``stores``.
    private let storeIndices: (byType: [ObjectIdentifier: Int], byName: [String: Int])
    private let shared: SharedState
    @MainActor private var main: ModelContext?

    /// Opens the stores of models and of those that their relationships lead to.
    ///
    /// - Throws: ``SwiftDataError/loadIssueModelContainer`` and its kin where a store or the schema cannot be used.
    public convenience init(
        for types: any PersistentModel.Type..., migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: ModelConfiguration...
    ) throws {
        try self.init(for: Schema(types), migrationPlan: migrationPlan, configurations: configurations)
    }

    /// Opens the stores of the models of a schema.
    ///
    /// - Throws: ``SwiftDataError`` where the schema or a store cannot be used.
    public convenience init(
        for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil, configurations: ModelConfiguration...
    ) throws {
        try self.init(for: schema, migrationPlan: migrationPlan, configurations: configurations)
    }

    /// Opens the stores of the models of a schema, one for each configuration; without any, the one in the default
    /// location.
    ///
    /// - Throws: ``SwiftDataError`` where the schema or a store cannot be used, the configurations do not fit the
    ///   models or each other, or the plan has a stage that is not lightweight.
    public init(
        for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil, configurations: [ModelConfiguration]
    ) throws {
        try migrationPlan?.checkStages()
        let configurations = configurations.isEmpty ? [ModelConfiguration(schema: schema)] : configurations
        self.configurations = Set(configurations)
        self.migrationPlan = migrationPlan
        self.schema = schema
        do {
            try SchemaValidation.validate(schema)
            let schemas = try ModelAssignment.schemas(of: configurations, from: schema)
            stores = try Self.open(configurations, schemas: schemas)
            storeIndices = Self.storeIndices(in: stores)
            shared = SharedState()
        } catch {
            throw SwiftDataError(opening: error)
        }
    }

    private static func open(_ configurations: [ModelConfiguration], schemas: [Schema]) throws -> [ContainerStore] {
        var stores: [ContainerStore] = []
        for (configuration, schema) in zip(configurations, schemas) {
            do {
                stores.append(try ContainerStore(configuration, schema: schema, besides: stores))
            } catch  where configurations.count > 1 {
                let error = SwiftDataError(opening: error)
                throw SwiftDataError(error.code, detail: "In the configuration \(configuration.name): \(error.detail)")
            }
        }
        return stores
    }

    private static func storeIndices(
        in stores: [ContainerStore]
    ) -> (byType: [ObjectIdentifier: Int], byName: [String: Int]) {
        let models = stores.enumerated().flatMap { index, store in store.schema.types.map { ($0, index) } }
        return (
            Dictionary(models.map { (ObjectIdentifier($0.type), $1) }, uniquingKeysWith: { first, _ in first }),
            Dictionary(models.map { ($0.entityName, $1) }, uniquingKeysWith: { first, _ in first })
        )
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

    /// A container of no models, which opens nothing and cannot fail: contexts of it throw
    /// ``SwiftDataError/unknownSchema`` for every model.
    package init(withoutModels: ()) {
        schema = Schema([])
        migrationPlan = nil
        configurations = []
        stores = []
        storeIndices = ([:], [:])
        shared = SharedState()
    }

    /// Another object of the same container.
    private init(sharing other: ModelContainer) {
        schema = other.schema
        migrationPlan = other.migrationPlan
        configurations = other.configurations
        stores = other.stores
        storeIndices = other.storeIndices
        shared = other.shared
    }

    /// Deletes every model of the stores, in one save of each: also models of types that this container does not know.
    ///
    /// No model is read, so memory and time follow the size of the file and not the number of models, and delete
    /// rules, `deny` among them, have no say. Open contexts and results take it in as any deletion that others have
    /// saved, those of other processes too. Unsaved changes of contexts stay. The schema stays, and an identifier is
    /// never used again. The file keeps its size.
    ///
    /// Throws ``SwiftDataError`` where a store cannot be written, or while a bulk load is under way; then nothing of
    /// that store is deleted. Several stores are erased in the order of the configurations: those before it are empty,
    /// and the error names them. Where a configuration has `allowsSave: false` nothing is deleted at all.
    public func erase() throws {
        if let store = stores.first(where: { !$0.configuration.allowsSave }) {
            throw SwiftDataError(readOnly: store.configuration, of: self)
        }
        for (index, store) in stores.enumerated() {
            do {
                try store.store.erase()
            } catch {
                throw SwiftDataError(error, in: store, of: self, done: Array(stores[..<index]), word: "erased")
            }
        }
    }

    /// Does what ``erase()`` does, under the name that SwiftData had for it first. An error is lost: then every model
    /// is still there; of several stores, only those before the one that could not be written are empty.
    public func deleteAllData() { try? erase() }

    /// What identifiers of a configuration's models have as their ``PersistentIdentifier/storeIdentifier``; nil where
    /// the container has no configuration of that name. Of several with one name it is the first one's.
    public func storeIdentifier(forConfigurationNamed name: String) -> String? {
        stores.first { $0.configuration.name == name }?.id
    }

    /// The name of the configuration whose models have this ``PersistentIdentifier/storeIdentifier``; nil where it is
    /// none of the container's.
    public func configurationName(forStoreIdentifier identifier: String) -> String? {
        stores.first { $0.id == identifier }?.configuration.name
    }

    /// Where in ``stores`` a model is kept. O(1).
    ///
    /// - Throws: ``SwiftDataError/unknownSchema`` where it is in none of several; a container with one store does not
    ///   look.
    func storeIndex(of type: any PersistentModel.Type) throws -> Int {
        if stores.count == 1 { return 0 }
        guard let index = storeIndices.byType[ObjectIdentifier(type)] else {
            throw SwiftDataError(unknownModel: Schema.name(of: type))
        }
        return index
    }

    /// The same by the entity's name.
    func storeIndex(ofModelsNamed name: String) throws -> Int {
        if stores.count == 1 { return 0 }
        guard let index = storeIndices.byName[name] else { throw SwiftDataError(unknownModel: name) }
        return index
    }

    /// Whether both are the same container. The main context's ``ModelContext/container`` is another object of it once
    /// the one that it was asked of is gone.
    public static func == (left: ModelContainer, right: ModelContainer) -> Bool { left.shared === right.shared }
}

extension ModelContainer {
    /// The first store; the only one, where the container has one configuration.
    package var store: Store { stores[0].store }
}

/// What all objects of a container have in common besides the stores.
private final class SharedState: Sendable {
    @MainActor weak var main: ModelContext?

    init() {}
}
