import LoamStorage
import Observation

/// What ties a model object to its context and its row.
///
/// Where an insert became an update of a row that had an object already, both objects share one backing (``twins``).
///
/// Confined, like the object, to the isolation of its context; only its end may come on any thread. Part of the surface
/// that generated code calls.
public final class _ModelBacking {
    enum State: UInt8 {
        /// The object is in no context.
        case free
        /// The object was inserted and is not saved yet.
        case inserted
        case stored
        /// The next save deletes the object's row.
        case deleted
        /// The object's row is gone.
        case gone
    }

    private(set) var rowID: RowID
    /// The entity in the context's store, once the model is in a context.
    private(set) var binding: EntityBinding?
    /// The part of the context that is for the model's store. The context clears it when it goes.
    unowned(unsafe) private(set) var context: StoreContext?
    /// The whole context, kept alive by a model without changes, so that what was fetched can be read as long as
    /// somebody holds it. A model with changes is kept alive by the context instead: never both.
    private var kept: ModelContext?
    /// The row as it was last read or saved: the base of the changes. Nil until the first property is read.
    var record: DetachedRecord? { didSet { unretainedRecord = record?.unretained } }
    /// The same, for reading properties.
    private(set) var unretainedRecord: DetachedRecord.Unretained?
    /// Ordinals of the properties that were set since then.
    var changed = FieldMask()
    private var extras: Extras?
    /// The model that the context's identity map finds by this backing. The reference keeps the memory of the model's
    /// reference count valid; the address is what ``IdentityMap`` tries to retain.
    @exclusivity(unchecked) private unowned var model: AnyObject?
    private(set) var modelAddress: UnsafeMutableRawPointer?
    var state: State = .free
    /// Whether the context lists the object among its inserted ones, where it stays until the next save or rollback.
    var isListed = false
    /// Whether several objects share the backing.
    private(set) var hasTwins = false
    /// Whether a value is being copied from one of them to the others.
    var isMirroring = false
    /// Whether a context awaits values of the object before it takes it in (``AwaitedValues``).
    private(set) var isAwaited = false
    /// Whether the context lists the object among those that queries do not see as they are (``PendingOverlay``).
    var isStale = false

    /// For an object outside any context.
    init() {
        rowID = ProcessIdentifiers.next()
    }

    /// For an object that stands for a stored row.
    init(rowID: RowID, binding: EntityBinding, context: StoreContext, record: DetachedRecord?) {
        self.rowID = rowID
        self.binding = binding
        self.context = context
        self.record = record
        unretainedRecord = record?.unretained
        state = .stored
        kept = context.owner
    }

    deinit {
        // The context is alive: `kept` holds it, or it holds the model.
        if modelAddress != nil, let binding { context?.identities.remove(self, of: binding.entity.id) }
    }

    /// Makes the context find the model by its row id.
    func register(_ model: AnyObject) {
        bind(to: model)
        if let binding { context?.identities.insert(self, of: binding.entity.id) }
    }

    /// To be followed by its registration.
    func bind(to model: AnyObject) {
        self.model = model
        modelAddress = Unmanaged.passUnretained(model).toOpaque()
    }

    private func unregister() {
        guard modelAddress != nil else { return }
        if let binding { context?.identities.remove(self, of: binding.entity.id) }
        modelAddress = nil
        model = nil
    }

    /// To be called whenever the context begins or ceases to hold the model because of its changes.
    func updateHold() {
        kept = state == .stored && changed.isEmpty ? context?.owner : nil
    }

    var hasChanges: Bool {
        switch state {
        case .free, .gone: false
        case .inserted, .deleted: true
        case .stored: !changed.isEmpty
        }
    }

    func identifier(entity: @autoclosure () -> String) -> PersistentIdentifier {
        PersistentIdentifier(binding?.origin ?? .init(store: nil, entity: entity()), row: rowID)
    }

    /// Makes a free object one that the context will insert.
    func enter(_ context: StoreContext, binding: EntityBinding, rowID: RowID) {
        self.context = context
        self.binding = binding
        self.rowID = rowID
        state = .inserted
        kept = nil
        isAwaited = false
    }

    /// The context is gone, or lets go of the model.
    func loseContext() {
        unregister()
        context = nil
        kept = nil
    }

    /// Makes an inserted object stand for a row that was stored already.
    func become(_ stored: RowID, model: AnyObject) {
        unregister()
        rowID = stored
        record = nil
        register(model)
    }

    /// Takes the object out of its context.
    func leave(as state: State) {
        self.state = state
        // Another context may list it from now on.
        isListed = false
        isStale = false
        loseContext()
        changed = FieldMask()
        forgetReferences()
    }
}

// MARK: What few models need

extension _ModelBacking {
    /// Made when the first of it is needed.
    private final class Extras {
        var references: [Int: RowID?] = [:]
        var prefetched: [Int: PrefetchedRecords] = [:]
        var registrar: ObservationRegistrar?
        /// Registrars of objects that had another backing before: told once of all fields.
        var formerRegistrars: [ObservationRegistrar] = []
        var twins: [Twin] = []
        var drafts: DraftRelations?
        var awaited: AwaitedValues?
    }

    /// One of several objects with the same backing.
    private struct Twin {
        weak var model: (any PersistentModel)?
    }

    private var madeExtras: Extras {
        if let extras { return extras }
        let made = Extras()
        extras = made
        return made
    }

    /// By ordinal of a to-one relationship: the row that it leads to, as far as it was read or set.
    func knownReference(_ ordinal: Int) -> RowID?? {
        guard let extras else { return nil }
        return extras.references[ordinal]
    }

    func setReference(_ ordinal: Int, to row: RowID?) { madeExtras.references[ordinal] = .some(row) }

    func forgetReference(_ ordinal: Int) {
        if let extras { extras.references[ordinal] = nil }
    }

    func forgetReferences() {
        if let extras, !extras.references.isEmpty { extras.references = [:] }
    }

    /// Keeps what a fetch was asked to read along with this model. No objects: those might keep this one.
    func keep(prefetched records: PrefetchedRecords, _ ordinal: Int) { madeExtras.prefetched[ordinal] = records }

    /// What was prefetched for a relationship, unless something was stored since.
    func prefetched(_ ordinal: Int, storedState: Int) -> PrefetchedRecords? {
        guard let extras, let found = extras.prefetched[ordinal] else { return nil }
        if found.storedState == storedState { return found }
        extras.prefetched[ordinal] = nil
        return nil
    }

    /// The registrar, if somebody has observed the model.
    var registrar: ObservationRegistrar? { extras?.registrar }

    /// The registrar, made at the first observed access: most objects are never observed.
    var observation: ObservationRegistrar {
        let extras = madeExtras
        if let registrar = extras.registrar { return registrar }
        let registrar = ObservationRegistrar()
        extras.registrar = registrar
        return registrar
    }
}

// MARK: Several objects of one row

extension _ModelBacking {
    /// The objects that share the backing and are alive; empty where there is one only.
    var twins: [any PersistentModel] { extras?.twins.compactMap(\.model) ?? [] }

    /// One of them. Called by the identity map, for a backing whose own model is being destroyed.
    var livingTwin: AnyObject? {
        guard hasTwins, let extras else { return nil }
        for twin in extras.twins { if let model = twin.model { return model } }
        return nil
    }

    /// Makes another object, which stood for the row before, one of this backing's, with those that shared its backing.
    func share(_ model: any PersistentModel, with other: any PersistentModel) {
        guard let former = other._$backing, former !== self else { return }
        let extras = madeExtras
        if !hasTwins { extras.twins = [Twin(model: model)] }
        hasTwins = true
        for twin in former.twins.isEmpty ? [other] : former.twins {
            twin._$backing = self
            extras.twins.append(Twin(model: twin))
        }
        extras.formerRegistrars += former.takeFormerRegistrars()
        if let registrar = former.registrar { extras.formerRegistrars.append(registrar) }
        former.loseContext()
    }

    /// The registrars that observers of the objects may still wait at. Each is given out once.
    func takeFormerRegistrars() -> [ObservationRegistrar] {
        guard hasTwins, let extras, !extras.formerRegistrars.isEmpty else { return [] }
        defer { extras.formerRegistrars = [] }
        return extras.formerRegistrars
    }

    /// What the object, which is outside any context, lacks to enter one. Nil where none awaits it.
    var awaited: AwaitedValues? {
        get { isAwaited ? extras?.awaited : nil }
        set {
            isAwaited = newValue != nil
            if isAwaited || extras != nil { madeExtras.awaited = newValue }
        }
    }

    /// Relations with other objects outside any context.
    var drafts: DraftRelations? {
        get { extras?.drafts }
        set { if newValue != nil || extras != nil { madeExtras.drafts = newValue } }
    }
}

/// The records of rows that a relationship leads to, from which their objects are made.
struct PrefetchedRecords {
    let records: [RowID: DetachedRecord]
    /// The context's when they were read.
    let storedState: Int
}
