import LoamStorage
import Observation

/// What ties a model object to its context and its row.
///
/// Confined, like the object, to the isolation of its context. Part of the surface that generated code calls.
public final class _ModelBacking {
    enum State {
        /// In no context.
        case free
        /// Inserted and not saved yet.
        case inserted
        case stored
        /// To be deleted by the next save.
        case deleted
        /// Its row is gone.
        case gone
    }

    var state: State = .free
    private(set) var rowID: RowID
    /// The entity in the context's store, once the model is in a context.
    private(set) var binding: EntityBinding?
    /// The context clears it when it goes.
    unowned(unsafe) private(set) var context: ModelContext?
    /// The context again, kept alive by a model without changes, so that what was fetched can be read as long as somebody
    /// holds it. A model with changes is kept alive by the context instead: never both.
    private var kept: ModelContext?
    /// Whether the context lists the object among its inserted ones, where it stays until the next save or rollback.
    var isListed = false
    /// The row as it was last read or saved: the base of the changes. Nil until the first property is read.
    var record: DetachedRecord?
    /// Ordinals of the properties that were set since then.
    var changed = FieldMask()
    /// By ordinal of a to-one relationship: the row that it leads to, as far as it was read or set.
    var references: [Int: RowID?] = [:]
    /// By ordinal: models that a fetch was asked to read along, kept alive.
    var prefetched: [Int: [any PersistentModel]] = [:]
    var registrar: ObservationRegistrar?

    /// For an object outside any context.
    init() {
        rowID = ProcessIdentifiers.next()
    }

    /// For an object that stands for a stored row.
    init(rowID: RowID, binding: EntityBinding, context: ModelContext, record: DetachedRecord?) {
        self.rowID = rowID
        self.binding = binding
        self.context = context
        self.record = record
        state = .stored
        kept = context
    }

    /// To be called whenever the context begins or ceases to hold the model because of its changes.
    func updateHold() {
        kept = state == .stored && changed.isEmpty ? context : nil
    }

    var hasChanges: Bool {
        switch state {
        case .free, .gone: false
        case .inserted, .deleted: true
        case .stored: !changed.isEmpty
        }
    }

    func identifier(entity: @autoclosure () -> String) -> PersistentIdentifier {
        guard let binding else { return PersistentIdentifier(store: nil, entity: entity(), row: rowID) }
        return PersistentIdentifier(store: binding.storeID, entity: binding.entity.name, row: rowID)
    }

    /// Makes a free object one that the context will insert.
    func enter(_ context: ModelContext, binding: EntityBinding, rowID: RowID) {
        self.context = context
        self.binding = binding
        self.rowID = rowID
        state = .inserted
        kept = nil
    }

    /// The context is gone.
    func loseContext() {
        context = nil
        kept = nil
    }

    /// Makes an inserted object stand for a row that was stored already.
    func become(_ stored: RowID) {
        rowID = stored
    }

    /// Takes the object out of its context.
    func leave(as state: State) {
        self.state = state
        loseContext()
        changed = FieldMask()
        references = [:]
    }

    /// The registrar, made at the first observed access: most objects are never observed.
    var observation: ObservationRegistrar {
        if let registrar { return registrar }
        let registrar = ObservationRegistrar()
        self.registrar = registrar
        return registrar
    }
}
