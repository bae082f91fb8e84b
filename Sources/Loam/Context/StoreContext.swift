import LoamStorage

/// What a context has of one of its container's stores: the objects that stand for its rows, and their unsaved changes.
///
/// Row ids and entity ids are the store's own. All that is kept under them is here, so that two stores never meet; no
/// relationship leads from one to another. A context has one of these for each store, and most have one.
///
/// Confined to the isolation of the context, which owns this and outlives it: who keeps it beyond a call keeps the
/// context. What a model calls as its accessors do holds the context, which the model lets go of with its first change.
final class StoreContext {
    /// The context as its users see it.
    unowned(unsafe) let owner: ModelContext
    let containerStore: ContainerStore
    let store: Store

    // This hands over to these parts. Each has a state of its own, which nobody else writes. Those that are made when
    // they are first needed know this, and nobody else keeps them.

    /// The objects that are alive, by row id.
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
    /// How many there have been.
    var overlayCount = 0
    /// The settlement of a save, while observers are to wait for its end. Nil at other times.
    var settlement: SaveSettlement?
    /// Who hears of models that leave.
    var departures = DepartureListeners()
    /// Who hears of unsaved changes.
    var unsaved = UnsavedWatch()
    let encoder = EncoderBox()
    /// How often the context was rolled back.
    var rollbacks = 0
    /// Nil when the store could not be read when the context was made; the first fetch or save throws why.
    let inbox: ChangeInbox?

    /// - Parameter owner: keeps this from now on.
    init(_ containerStore: ContainerStore, of owner: ModelContext) {
        self.owner = owner
        self.containerStore = containerStore
        store = containerStore.store
        bindings = ContextBindings(containerStore)
        do {
            inbox = try ChangeInbox(store)
        } catch {
            inbox = nil
            owner.keep(error)
        }
    }

    /// Whether a save would write anything to the store.
    var hasChanges: Bool { !changes.isEmpty || relationships.hasChanges }

    var isWritable: Bool { containerStore.configuration.allowsSave }

    var mergePolicy: ModelContext.MergePolicy { owner.mergePolicy }

    /// Keeps an error that cannot be thrown here for the next fetch or save.
    func keep(_ error: any Error) { owner.keep(error) }

    /// Something is to be saved.
    func didChange() {
        unsaved.note()
        owner.didChange()
    }

    /// The context goes: models that it kept because of their changes are in none. (Those without changes keep it, so
    /// that there are none.)
    func end() {
        for model in changes.listed.all where model._$backing?.context === self {
            model._$backing?.leave(as: model._$backing?.state == .inserted ? .free : .gone)
        }
    }
}

/// The encoder that all saves of a context to one store use: its buffer grows to the longest record.
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
