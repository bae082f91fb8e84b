import LoamStorage

/// A working copy of a store: the models that were fetched from it or inserted, and their changes until they are saved.
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
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | everything here | the context's isolation | the context's methods and its models' setters | the context goes |
/// | `identities` | its mutex | the context; models that go, on the thread that released them last | the context goes |
/// | `inbox` | its mutex | the context | the context goes |
public final class ModelContext: Equatable, CustomDebugStringConvertible {
    /// Where the models are stored.
    public var container: ModelContainer { sharedContainer ?? ownContainer }

    /// The container as the context keeps it: for the main context an object of its own, which does not keep the context.
    let ownContainer: ModelContainer
    /// The object whose main context this is, which keeps it; nil for other contexts.
    weak var sharedContainer: ModelContainer?

    /// Whether changes are saved without ``save()`` being called. On for ``ModelContainer/mainContext``, off for others.
    ///
    /// A save runs at the end of the turn that changed something: after what the main actor, or the model actor, was doing.
    /// While turn after turn changes something, it waits until nothing has changed for a quarter of a second, and a second
    /// at the most. Call ``save()`` before the process ends.
    ///
    /// An autosave that fails leaves the changes in the context and is tried again after the next change. Until one
    /// succeeds, the next fetch throws what went wrong, and ``save()`` its own error. What could not be thrown where it
    /// happened, as for a model that belongs to another context, does not stop autosaves: they save everything else, and
    /// the next fetch or ``save()`` throws it all the same.
    ///
    /// Works for the main context, for those of actors made by `@ModelActor` (``DefaultSerialModelExecutor``), and for those
    /// that were made on an actor, the main actor among them. The library does not know the isolation of contexts that
    /// were made elsewhere, as in an actor's initializer, and never saves them by itself.
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

    /// Changes that the last save left out, because somebody else had deleted a model. Empty after a save that stored all
    /// there was; unchanged by one that throws or has nothing to do. ``didSave`` tells the same.
    public internal(set) var droppedChanges: [DroppedChange] = []

    // The context hands over to these parts. Each has a state of its own, which nobody else writes, and belongs to the
    // context's isolation as the context does. Those that are made when they are first needed know the context, and
    // nobody else keeps them.

    /// The objects of the context that are alive, by row id.
    let identities = IdentityMap()
    /// The entities of the models.
    let bindings: ContextBindings
    /// What the next save writes, but for the members of relationships.
    let changes = PendingChanges()
    /// Both sides of each relationship, with the members that the next save links, unlinks and places.
    private(set) lazy var relationships = RelationshipEditor(of: self)
    /// Deletes models and rows, with what delete rules add to them.
    private(set) lazy var deletions = Deletions(of: self)
    /// Takes over the relationships that inserted models held themselves.
    private(set) lazy var adoption = DraftAdoption(of: self)
    /// The unsaved changes as queries see them; nil until something is fetched beside them.
    var pendingOverlay: PendingOverlay?
    /// The settlement of a save, while observers are to wait for its end. Nil at other times.
    var settlement: SaveSettlement?
    /// What the next fetch or save throws.
    var errors = KeptErrors()
    let encoder = EncoderBox()
    /// How often the context was rolled back.
    var rollbacks = 0
    /// Nil when the store could not be read when the context was made; the first fetch or save throws why.
    private(set) var inbox: ChangeInbox?
    /// Nil where the library does not know the context's isolation, or has nothing to do there.
    var task: ContextTask?
    /// The actor that the context was made on. It may keep the context, so it is not kept.
    private weak var isolation: (any Actor)?

    /// Makes a context without any models. It belongs to the isolation that makes it.
    ///
    /// - Parameters:
    ///   - container: where the models are fetched from and saved to.
    ///   - isolation: the actor that the context belongs to, nil where it belongs to none; the caller's by itself. With
    ///     one, ``autosaveEnabled`` works.
    public init(_ container: ModelContainer, isolation: (any Actor)? = #isolation) {
        ownContainer = container
        bindings = ContextBindings(container)
        self.isolation = isolation
        do { inbox = try ChangeInbox(ownContainer.store) } catch { errors.keep(error) }
    }

    deinit {
        // Models without changes keep the context: there are none. The others are all here.
        for model in changes.listed.all where model._$backing?.context === self {
            model._$backing?.leave(as: model._$backing?.state == .inserted ? .free : .gone)
        }
    }

    /// Whether a save would write anything.
    public var hasChanges: Bool { !changes.isEmpty || relationships.hasChanges }

    /// Models that the next save stores, in the order of insertion.
    public var insertedModelsArray: [any PersistentModel] { changes.inserted }

    /// Stored models with changes, in the order of their first one.
    public var changedModelsArray: [any PersistentModel] { changes.changed }

    /// Models that the next save deletes. Makes an object for each that was deleted without one, by a predicate or a rule.
    public var deletedModelsArray: [any PersistentModel] {
        makeDeletedObjects()
        return changes.deleted
    }

    /// Whether both are the same context.
    public static func == (left: ModelContext, right: ModelContext) -> Bool { left === right }

    /// The store and the number of changes.
    public var debugDescription: String {
        "ModelContext(\(ownContainer.configuration.name), inserted: \(changes.inserted.count), "
            + "changed: \(changes.changed.count), deleted: \(changes.deleted.count + changes.deletedRows.count))"
    }

    /// Keeps an error that cannot be thrown here for the next fetch or save. The first one stays.
    func keep(_ error: any Error) { errors.keep(error) }

    /// - Throws: ``SwiftDataError``, once for each error that was kept.
    func throwKeptError() throws {
        if let error = errors.take() { throw SwiftDataError(error) }
    }
}

/// The encoder that all saves of a context use: its buffer grows to the longest record.
///
/// Encoding runs code of the user's, which may fetch or insert and so encode again: that takes another encoder.
final class EncoderBox {
    /// Only who has set ``isTaken`` touches it.
    @exclusivity(unchecked) private var encoder = _RecordEncoder()
    private var isTaken = false

    func use<R>(_ body: (inout _RecordEncoder) throws -> R) rethrows -> R {
        if isTaken {
            var another = _RecordEncoder()
            return try body(&another)
        }
        isTaken = true
        defer { isTaken = false }
        return try body(&encoder)
    }
}
