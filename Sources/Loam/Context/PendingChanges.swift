import LoamStorage

/// What a context has not saved yet: the models that were inserted, changed and deleted, each in the order in which
/// that happened, and the stored rows that are to go without an object.
///
/// A list may hold models whose change was taken back, and models that another context has inserted since: the state
/// and the context of their backings tell (``isPending(_:state:)``), and whoever reads a list passes them over. So
/// taking a change back leaves the lists alone wherever it can. Which fields of a model were set is kept by its
/// backing.
///
/// Confined to the isolation of its context. Runs no code of the user's. Each change costs O(1) unless it says
/// otherwise.
final class PendingChanges {
    /// The models of the lists, when a save or a rollback takes them over.
    struct Models {
        var inserted: [any PersistentModel]
        var changed: [any PersistentModel]
        var deleted: [any PersistentModel]

        var all: [any PersistentModel] { inserted + changed + deleted }
    }

    private var models = Models(inserted: [], changed: [], deleted: [])
    /// The rows without an object that the next save deletes beside the deleted models.
    private(set) var deletedRows = DeletedRows()
    /// Rows that got an object, or whose members were changed, in the order in which they did, while somebody follows
    /// them; nil while nobody does.
    private(set) var touchedRows: [RowID]?

    // MARK: Reading

    /// Whether the next save would write any of it. O(1), and O(models) where their changes were taken back.
    var isEmpty: Bool {
        deletedRows.isEmpty && !models.inserted.contains { isPending($0, state: .inserted) }
            && !models.changed.contains(where: isChanged) && !models.deleted.contains { isPending($0, state: .deleted) }
    }

    /// Models that the next save stores, in the order of insertion. O(models).
    var inserted: [any PersistentModel] { models.inserted.filter { isPending($0, state: .inserted) } }

    /// Stored models with changes, in the order of their first one. O(models).
    var changed: [any PersistentModel] { models.changed.filter(isChanged) }

    /// Objects that the next save deletes, in the order of their deletion. O(models).
    var deleted: [any PersistentModel] { models.deleted.filter { isPending($0, state: .deleted) } }

    /// All that is listed, whatever became of it.
    var listed: Models { models }

    /// Whether the model is in this state in the context that these changes belong to.
    func isPending(_ model: any PersistentModel, state: _ModelBacking.State) -> Bool {
        guard let backing = model._$backing else { return false }
        return backing.state == state && backing.context?.changes === self
    }

    /// Whether a stored model of the context has fields that were set.
    func isChanged(_ model: any PersistentModel) -> Bool {
        isPending(model, state: .stored) && model._$backing?.changed.isEmpty == false
    }

    // MARK: Changing

    /// A model has entered the context, or entered it again: then it stands where it stood.
    func insert(_ model: some PersistentModel, backing: _ModelBacking) {
        if !backing.isListed { models.inserted.append(model) }
        backing.isListed = true
    }

    /// A field of a stored model is being set.
    func change(_ model: some PersistentModel, backing: _ModelBacking, ordinal: Int) {
        if backing.changed.isEmpty { models.changed.append(model) }
        backing.changed.insert(ordinal)
        backing.updateHold()
    }

    /// A stored model is to be deleted.
    func delete(_ model: any PersistentModel, backing: _ModelBacking) {
        backing.state = .deleted
        models.deleted.append(model)
        backing.updateHold()
    }

    /// A model that was to be deleted is to stay. O(models to be deleted).
    func undelete(_ backing: _ModelBacking) {
        backing.state = .stored
        backing.updateHold()
        models.deleted.removeAll { $0._$backing === backing }
    }

    /// Stored rows that have no object are to be deleted. O(rows).
    func delete(_ rows: Set<RowID>, of entity: EntityID) { deletedRows.insert(rows, of: entity) }

    /// Whether ``noteMade(_:backing:)`` is to be called for objects that are made.
    var concernsMadeObjects: Bool { !deletedRows.isEmpty || touchedRows != nil }

    /// An object was made for a row: where that is to be deleted, so is the object from now on.
    func noteMade(_ model: any PersistentModel, backing: _ModelBacking) {
        noteTouched(backing.rowID)
        guard let entity = backing.binding?.entity.id, deletedRows.remove(backing.rowID, of: entity) else { return }
        delete(model, backing: backing)
    }

    /// A row got an object, or its members were changed.
    func noteTouched(_ row: RowID) { touchedRows?.append(row) }

    /// Begins to keep the touched rows; goes on where that is being done.
    func followRows() { touchedRows = touchedRows ?? [] }

    /// Ends what ``followRows()`` began.
    func stopFollowingRows() { touchedRows = nil }

    /// Inserted models were discarded, and have the state `free` by now. O(inserted models), less where it is one of
    /// the last.
    func removeDiscarded(_ discarded: [any PersistentModel]) {
        if discarded.count == 1, let model = discarded.first {
            if let index = models.inserted.lastIndex(where: { $0 === model }) { models.inserted.remove(at: index) }
        } else if !discarded.isEmpty {
            models.inserted.removeAll { isPending($0, state: .free) }
        }
    }

    /// Hands everything over and begins anew. Fields that were set, and states, are the caller's to settle.
    func take() -> Models {
        defer {
            models = Models(inserted: [], changed: [], deleted: [])
            deletedRows = DeletedRows()
        }
        return models
    }
}
