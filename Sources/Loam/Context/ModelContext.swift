/// A working copy of what a container stores: the models that were fetched or inserted, and their changes until they
/// are saved.
///
/// ```swift
/// let context = ModelContext(container)
/// context.insert(City(name: "Zürich"))
/// try context.save()
/// let cities = try context.fetch(FetchDescriptor<City>(sortBy: [SortDescriptor(\.name)]))
/// ```
///
/// A context and its models belong to the isolation that made the context; use one per actor (``ModelActor``). Within a
/// context there is one object per identifier. Fetches see the context's own unsaved changes. What other contexts save
/// is seen by the next fetch, and on the main actor's context as soon as the actor is free.
///
/// Where the container has several stores, all of this holds for the models of each, side by side: one context inserts,
/// fetches and deletes models of any of them, and ``save()`` says how they are saved together.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | everything here | the context's isolation | the context's methods and its models' setters | the context goes |
/// | `identities` | its mutex | the context; models that go, on the thread that released them last | the context goes |
/// | `inbox` | its mutex | the context | the context goes |
///
/// The last two, and whatever else is kept by row, are kept for each store in its `StoreContext`.
public final class ModelContext: Equatable, CustomDebugStringConvertible {
    /// The container whose store the context reads and saves to.
    public var container: ModelContainer { sharedContainer ?? ownContainer }

    /// The container as the context keeps it: for the main context an object of its own, which does not keep the
    /// context.
    let ownContainer: ModelContainer
    /// The object whose main context this is, which keeps it; nil for other contexts.
    weak var sharedContainer: ModelContainer?

    /// Whether changes are saved without ``save()`` being called. On for ``ModelContainer/mainContext``, off for
    /// others.
    ///
    /// A save runs at the end of the turn that changed something: after what the main actor, or the model actor, was
    /// doing. While turn after turn changes something, it waits until nothing has changed for a quarter of a second,
    /// and a second at the most. Call ``save()`` before the process ends.
    ///
    /// An autosave that fails leaves the changes in the context and is tried again after the next change. Until one
    /// succeeds, the next fetch throws what went wrong, and ``save()`` its own error. What could not be thrown where it
    /// happened, as for a model that belongs to another context, does not stop autosaves: they save everything else,
    /// and the next fetch or ``save()`` throws it all the same.
    ///
    /// Works for the main context, for those of actors made by `@ModelActor` (``DefaultSerialModelExecutor``), and for
    /// those that were made on an actor, the main actor among them. The library does not know the isolation of contexts
    /// that were made elsewhere, as in an actor's initializer, and never saves them by itself.
    public var autosaveEnabled = false {
        didSet {
            guard autosaveEnabled, !oldValue else { return }
            if task == nil, let isolation { follow(on: isolation) }
            if hasChanges { didChange() }
        }
    }

    /// Kept in the history beside each save: ``DefaultHistoryTransaction/author``.
    public var author: String?

    /// What happens to changes of models that somebody else has changed or deleted too.
    public var mergePolicy = MergePolicy.propertyByProperty

    /// Changes that the last save left out, because somebody else had deleted a model. Empty after a save that stored
    /// all there was; unchanged by one that stores nothing, since it throws or has nothing to do. One that throws after
    /// it has saved some of several stores lists what it left out in these. The notification ``didSave`` carries the
    /// same list.
    public internal(set) var droppedChanges: [DroppedChange] = []

    /// What the context has of each of the container's stores, in their order; none where its container has no models.
    private(set) var stores: [StoreContext] = []
    /// The store of a container with one: then nobody looks for a model's.
    private(set) var onlyStore: StoreContext?
    /// What the next fetch or save throws.
    var errors = KeptErrors()
    /// Nil where the library does not know the context's isolation, or has nothing to do there.
    var task: ContextTask?
    /// The actor that the context was made on. It may keep the context, so it is not kept.
    private weak var isolation: (any Actor)?

    /// Makes a context without any models. It belongs to the isolation that makes it. Where the store cannot be read,
    /// the first fetch or save throws why.
    ///
    /// - Parameters:
    ///   - container: where the models are fetched from and saved to.
    ///   - isolation: the actor that the context belongs to, nil where it belongs to none; the caller's by itself. With
    ///     one, ``autosaveEnabled`` works.
    public init(_ container: ModelContainer, isolation: (any Actor)? = #isolation) {
        ownContainer = container
        self.isolation = isolation
        stores = container.stores.map { StoreContext($0, of: self) }
        onlyStore = stores.count == 1 ? stores[0] : nil
    }

    /// A context of a container of no models. It opens nothing, and saves nothing; fetches throw.
    package static func withoutModels() -> ModelContext {
        ModelContext(ModelContainer(withoutModels: ()), isolation: nil)
    }

    deinit { for store in stores { store.end() } }

    /// Whether a save would write anything.
    public var hasChanges: Bool { stores.contains(where: \.hasChanges) }

    /// Models that the next save stores, in the order of insertion; of several stores one after the other.
    public var insertedModelsArray: [any PersistentModel] { stores.flatMap(\.changes.inserted) }

    /// Stored models with changes, in the order of their first one; of several stores one after the other.
    public var changedModelsArray: [any PersistentModel] { stores.flatMap(\.changes.changed) }

    /// Models that the next save deletes, as far as this context knows: the writer follows the delete rules again.
    /// Makes an object for each that was marked without one, by a predicate or a rule: O(models).
    public var deletedModelsArray: [any PersistentModel] {
        for store in stores { store.makeDeletedObjects() }
        return stores.flatMap(\.changes.deleted)
    }

    /// Whether both are the same context.
    public static func == (left: ModelContext, right: ModelContext) -> Bool { left === right }

    /// The stores and the number of changes.
    public var debugDescription: String {
        let names = stores.map(\.containerStore.configuration.name).joined(separator: ", ")
        let changes = stores.map(\.changes)
        let deleted = changes.reduce(0) { $0 + $1.deleted.count + $1.deletedRows.count }
        return "ModelContext(\(names), inserted: \(changes.reduce(0) { $0 + $1.inserted.count }), "
            + "changed: \(changes.reduce(0) { $0 + $1.changed.count }), deleted: \(deleted))"
    }

    /// Keeps an error that cannot be thrown here for the next fetch or save. The first one stays.
    func keep(_ error: any Error) { errors.keep(error) }

    /// - Throws: ``SwiftDataError``, once for each error that was kept.
    func throwKeptError() throws {
        if let error = errors.take() { throw SwiftDataError(error) }
    }

    // MARK: Stores

    /// What the context has of the store that keeps a model.
    ///
    /// - Throws: ``SwiftDataError/unknownSchema`` where it is in none of several stores.
    func store<T: PersistentModel>(of type: T.Type) throws -> StoreContext {
        if let onlyStore { return onlyStore }
        return try stores[ownContainer.storeIndex(of: type)]
    }

    /// The same by the entity's name.
    func store(ofModelsNamed name: String) throws -> StoreContext {
        if let onlyStore { return onlyStore }
        return try stores[ownContainer.storeIndex(ofModelsNamed: name)]
    }
}
