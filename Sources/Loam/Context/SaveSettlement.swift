import LoamStorage

/// Takes over what a save has stored in one of the container's stores: the context's objects stand for that from now
/// on, and everybody hears of it.
///
/// One settlement is made for each store and save, after its commit. The order of its steps matters:
///
/// 1. The context forgets its unsaved changes, so that whatever changes from now on is a new one.
/// 2. Inserted models become stored ones, and take their records from the result where that needs no search.
/// 3. Inserted models that turned out to be stored already take the stored rows' ids (``remap(_:)``), so that
/// 4. the objects of all rows that were written find their new bases by row id.
/// 5. Changed models forget which fields were set, which step 4 has to know; deleted ones leave.
/// 6. What the save left out is listed.
/// 7. When all stores of the save have come so far, observers hear of fields that others have changed, then the
///    autosave and `didSave`'s listeners of the save. They are the user's code, which may change models and even save
///    again: nothing is left to settle by then.
///
/// O(rows of the save). Confined to the isolation of the context, which keeps it until step 7; then both let go.
final class SaveSettlement {
    let context: StoreContext
    let result: SaveResult
    /// Changes that were not in the batch, because there is no row for them.
    private let absent: [SaveResult.Dropped]
    /// The fields that observers hear of when all is settled.
    private var untold: [(model: any PersistentModel, fields: FieldMask)] = []

    init(of context: StoreContext, _ result: SaveResult, absent: [SaveResult.Dropped]) {
        self.context = context
        self.result = result
        self.absent = absent
    }

    /// Steps 1 to 6. Called once. Runs no code of the user's.
    ///
    /// - Returns: what the save left out.
    func settle() -> [ModelContext.DroppedChange] {
        let saved = takeChanges()
        context.settlement = self
        var rows = SavedRows(result.rows, catalog: context.store.knownCatalog)
        for model in saved.inserted {
            if let backing = model._$backing { settle(inserted: backing, from: &rows) }
        }
        if !result.mapping.isEmpty { for model in saved.inserted { remap(model) } }
        // The commit of an own save was made under a catalog that is known, or under an older one.
        context.apply(result, in: context.store.knownCatalog, isOwn: true, except: rows)
        for model in saved.changed { settle(changed: model) }
        for model in saved.deleted { context.leave(model) }
        let dropped = drop(absent + result.dropped)
        context.settlement = nil
        return dropped
    }

    /// A field of a model is to be read again: its observers hear of it when all is settled.
    func tellLater(_ model: any PersistentModel, fields: FieldMask) { untold.append((model, fields)) }

    private func takeChanges() -> PendingChanges.Models {
        var saved = context.changes.take()
        saved.changed.removeAll { !context.changes.isChanged($0) }
        saved.deleted.removeAll { !context.changes.isPending($0, state: .deleted) }
        context.pendingOverlay = nil
        context.relationships.noteOwnSave()
        context.unsaved.noteSave()
        return saved
    }

    /// An inserted model is stored now.
    private func settle(inserted backing: _ModelBacking, from rows: inout SavedRows) {
        backing.isListed = false
        guard backing.state == .inserted, backing.context === context else { return }
        backing.state = .stored
        // An insert that became an update may have moved what references lead to.
        backing.forgetReferences()
        backing.updateHold()
        guard let binding = backing.binding else { return }
        do {
            backing.record = try rows.take(backing.rowID, of: binding.entity.id)
        } catch {
            context.keep(error)
        }
    }

    /// The properties that were set are stored now; where the store's value won, it is read again.
    private func settle<T: PersistentModel>(changed model: T) {
        guard let backing = model._$backing, backing.context === context else { return }
        let fields = backing.changed
        backing.changed = FieldMask()
        backing.forgetReferences()
        backing.updateHold()
        guard context.mergePolicy == .storeWins, !fields.isEmpty, backing.state == .stored else { return }
        do {
            // Changes that lost are nowhere in the result; those of a row that is gone were dropped.
            guard let binding = backing.binding, let record = try context.readRecord(backing.rowID, of: binding) else {
                return context.leave(model)
            }
            backing.record = record
        } catch {
            context.keep(error)
        }
        context.reload(model, fields: fields)
    }

    /// An inserted model that turned out to be stored already stands for the stored row. Where that has an object, be
    /// it of a fetch or inserted before, both share one backing from now on: they show the same values and can both be
    /// used.
    private func remap<T: PersistentModel>(_ model: T) {
        guard let backing = model._$backing, backing.state == .stored, backing.context === context,
            let binding = backing.binding, let stored = result.mapping[backing.rowID]
        else { return }
        let other = context.registered(stored, of: binding.entity.id, as: T.self)
        let record = other?._$backing?.record
        backing.become(stored, model: model)
        context.changes.noteTouched(stored)
        guard let other else { return }
        // Its own base, or what this save stored: where that is newer, the result tells.
        backing.record = record
        backing.share(model, with: other)
        let fields = FieldMask(binding.positions.indices)
        context.forgetValues(of: model, fields)
        context.reload(model, fields: fields)
    }

    /// Takes over what a save left out: models whose rows are gone leave the context, with the values that they have.
    private func drop(_ changes: [SaveResult.Dropped]) -> [ModelContext.DroppedChange] {
        var dropped: [ModelContext.DroppedChange] = []
        for change in changes {
            do {
                let binding = try context.bindings.binding(of: change.entity)
                let ordinals = binding.ordinals(of: change.properties)
                dropped.append(
                    ModelContext.DroppedChange(
                        identifier: PersistentIdentifier(binding.origin, row: change.rowID),
                        properties: Set(ordinals.map { binding.model.properties[$0].name }),
                        isDeleted: change.isDeleted))
                guard let model = context.registered(change.rowID, of: change.entity) else { continue }
                if change.isDeleted { context.leave(model) } else { context.reload(model, fields: FieldMask(ordinals)) }
            } catch {
                context.keep(error)
            }
        }
        return dropped
    }

    /// Step 7, for observers of models. They may change any model: what they have set meanwhile is not read again.
    func tell() {
        for (model, fields) in untold {
            let set = model._$backing?.changed ?? FieldMask()
            context.reload(model, fields: set.isEmpty ? fields : FieldMask(fields.slots.filter { !set.contains($0) }))
        }
    }
}
