import LoamStorage
import Synchronization

/// What other contexts of the process have saved and this one has not taken in yet.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `state` | its mutex | the store's writer after each commit; the context, which empties it | the context goes |
final class ChangeInbox: ChangeSubscriber {
    private struct State {
        var waiting: [ChangeSet] = []
        /// Saves of the context itself, which it has taken over already.
        var own: Set<UInt64> = []
        var notify: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private let hub: ChangeHub

    init(_ store: Store) throws {
        hub = store.changes
        let (entities, save) = try store.read { snapshot in
            (Set(snapshot.schema.entities.map(\.id)), try snapshot.lastSave())
        }
        hub.subscribe(self, to: entities, after: save)
    }

    deinit {
        hub.unsubscribe(ObjectIdentifier(self))
    }

    func receive(_ changes: ChangeSet) {
        let notify = state.withLock { state in
            state.waiting.append(changes)
            return state.notify
        }
        notify?()
    }

    /// The closure is called when something arrives, on the thread that committed: it must only schedule.
    func onArrival(_ notify: @escaping @Sendable () -> Void) {
        state.withLock { $0.notify = notify }
    }

    /// Marks a save as known.
    func skip(_ save: UInt64) {
        state.withLock { _ = $0.own.insert(save) }
    }

    /// All that waits, in save order, and which saves of it are the context's own.
    func take() -> (sets: [ChangeSet], own: Set<UInt64>) {
        state.withLock { state in
            guard !state.waiting.isEmpty else { return ([], []) }
            let sets = state.waiting
            let own = state.own.filter { save in sets.contains { $0.base < save && save <= $0.last } }
            state.own.subtract(own)
            state.waiting = []
            return (sets, own)
        }
    }
}

extension ModelContext {
    /// Takes in what others have saved since the last time.
    func receiveChanges() {
        guard let inbox else { return }
        let (sets, own) = inbox.take()
        guard !sets.isEmpty else { return }
        for list in members.values { list.forgetStored() }
        for changes in sets {
            if changes.hasGap || changes.changesSchema || !changes.rewritten.isEmpty { rereadAll() }
            for result in changes.results where !own.contains(result.save) { apply(result) }
        }
    }

    /// Brings every object to what is stored now: nobody can tell what changed.
    private func rereadAll() {
        for model in registeredModels {
            guard let backing = model._$backing, let binding = backing.binding,
                backing.record != nil
            else { continue }
            do {
                if let record = try readRecord(backing.rowID, of: binding) {
                    refresh(model, with: record, binding)
                } else if backing.state == .stored, backing.changed.isEmpty {
                    leave(model)
                }
            } catch {
                keep(error)
            }
        }
    }
}
