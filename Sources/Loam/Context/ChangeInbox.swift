import LoamStorage
import Synchronization

/// What others have saved to a store and the context has not taken in yet.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `state` | its mutex | the context | the context goes |
final class ChangeInbox: Sendable {
    private struct State {
        /// Saves of the context itself, which it has taken over already.
        var own: Set<UInt64> = []
        /// The catalog's, when the context last took something in.
        var generation: UInt64
        var rereadCount = 0
        /// Whether something was taken and could not be taken in.
        var isBehind = false
    }

    /// What ``take()`` hands over.
    struct Contents {
        /// The changes, in the order of saves.
        var sets: [ChangeSet]
        /// Saves in ``sets``, or among the ``untold`` ones, that are the context's own.
        var own: Set<UInt64>
        /// Saves that the sets do not tell of: other processes', and some whose changes were too many to be kept.
        var untold: [Range<UInt64>]
        /// Whether entities or properties may be others, or what was taken before was lost: all is to be read anew.
        var changesSchema: Bool
    }

    private let state: Mutex<State>
    private let reader: ChangeReader

    init(_ store: Store) throws {
        let (save, generation) = try store.read { (try $0.lastSave(), $0.catalog.generation) }
        state = Mutex(State(generation: generation))
        reader = store.changes.reader(after: save)
    }

    /// The closure is called when something arrives, on the thread that committed: it must only schedule.
    func onArrival(_ notify: @escaping @Sendable () -> Void) { reader.onArrival(notify) }

    /// Marks a save as known.
    func skip(_ save: UInt64) {
        // A commit with nothing else in it says nothing new.
        if !reader.skip(save) { state.withLock { _ = $0.own.insert(save) } }
    }

    /// All that waits; nil where nothing does.
    ///
    /// - Parameter generation: the catalog's now.
    func take(generation: UInt64) -> Contents? {
        let unread = reader.take()
        guard !unread.isEmpty || state.withLock(\.isBehind) else { return nil }
        let untold = (unread.sets.map { $0.known..<$0.base } + [unread.lost].compactMap(\.self)).filter { !$0.isEmpty }
        return state.withLock { state in
            let last = max(unread.sets.last?.last ?? 0, unread.lost?.upperBound ?? 0)
            // A commit of the context may be handed out after those that were made later by others.
            defer { (state.own, state.generation) = (state.own.filter { $0 > last }, generation) }
            let changesSchema =
                state.isBehind || state.generation != generation || unread.sets.contains(where: \.changesSchema)
            state.isBehind = false
            return Contents(sets: unread.sets, own: state.own, untold: untold, changesSchema: changesSchema)
        }
    }

    /// Says that what was taken last could not be taken in.
    func fallBehind() { state.withLock { $0.isBehind = true } }

    /// Records that were read once more because nobody told what is in them.
    var rereadCount: Int { state.withLock(\.rereadCount) }

    func noteReread() { state.withLock { $0.rereadCount += 1 } }
}

extension ModelContext {
    /// Takes in what others have saved since the last time.
    func receiveChanges() { for store in stores { store.receiveChanges() } }
}

extension StoreContext {
    /// Takes in what others have saved to the store since the last time. Where the store is not for these models any
    /// more, objects stay as they are.
    func receiveChanges() {
        guard let inbox, let contents = inbox.take(generation: store.knownGeneration) else { return }
        let catalog: Catalog
        do {
            catalog = try store.catalog()
        } catch {
            inbox.fallBehind()
            return keep(error)
        }
        do {
            try containerStore.requireModels(in: catalog)
        } catch {
            return keep(error)
        }
        relationships.noteForeignSaves()
        // The members that others have saved are laid over anew.
        if relationships.hasChanges { unsaved.note() }
        rereadUntold(contents)
        for changes in contents.sets {
            for result in changes.results where !contents.own.contains(result.save) { apply(result, in: catalog) }
        }
    }

    /// Brings objects to what is stored now whose rows may have changed without the sets telling: those that the
    /// history names, and all where it cannot tell.
    private func rereadUntold(_ contents: ChangeInbox.Contents) {
        if contents.changesSchema { return reread { _, _ in true } }
        var entities = contents.sets.reduce(into: Set<EntityID>()) { $0.formUnion($1.rewritten) }
        var rows: [RowID: EntityID] = [:]
        if !contents.untold.isEmpty {
            do {
                let entries = try store.read { try HistoryReader.entries(in: $0, of: contents.untold) }
                guard let entries else { return reread { _, _ in true } }
                for entry in entries where !contents.own.contains(entry.save) {
                    entities.formUnion(entry.rewritten)
                    for row in entry.rows { rows[row.rowID] = row.entity }
                }
            } catch {
                keep(error)
                return reread { _, _ in true }
            }
        }
        if !entities.isEmpty { return reread { rows[$0] == $1 || entities.contains($1) } }
        for (row, entity) in rows {
            if let model = registered(row, of: entity) { reread(model) }
        }
    }

    /// Brings the objects of some rows to what is stored now.
    private func reread(where isWanted: (RowID, EntityID) -> Bool) {
        for model in registeredModels {
            guard let backing = model._$backing, let binding = backing.binding,
                isWanted(backing.rowID, binding.entity.id)
            else { continue }
            reread(model)
        }
    }

    private func reread(_ model: any PersistentModel) {
        guard let backing = model._$backing, let binding = backing.binding, backing.record != nil else { return }
        do {
            inbox?.noteReread()
            if let record = try readRecord(backing.rowID, of: binding) {
                refresh(model, with: record, binding: binding)
            } else if backing.state == .stored, backing.changed.isEmpty {
                leave(model)
            }
        } catch {
            keep(error)
        }
    }
}
