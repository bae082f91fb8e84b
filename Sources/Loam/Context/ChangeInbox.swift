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
        /// Rows in the waiting sets.
        var rowCount = 0
        /// The last save of sets that were thrown away because there were too many.
        var lost: UInt64 = 0
        /// While the context itself saves, what arrives may be its own, and is not thrown away.
        var isSaving = false

        mutating func loseTooMany() {
            guard !isSaving, rowCount > ChangeInbox.maximumRowCount, let last = waiting.last?.last else { return }
            lost = last
            waiting = []
            rowCount = 0
        }
        /// Saves of the context itself, which it has taken over already.
        var own: Set<UInt64> = []
        var notify: (@Sendable () -> Void)?
    }

    /// Rows that may wait: beyond that a context reads its objects again, as if nobody could tell what changed.
    static let maximumRowCount = 1 << 16

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
            state.rowCount += changes.rowCount
            state.waiting.append(changes)
            state.loseTooMany()
            return state.notify
        }
        notify?()
    }

    /// The closure is called when something arrives, on the thread that committed: it must only schedule.
    func onArrival(_ notify: @escaping @Sendable () -> Void) {
        state.withLock { $0.notify = notify }
    }

    /// Runs a save of the context.
    func saving<R>(_ save: () throws -> R) rethrows -> R {
        state.withLock { $0.isSaving = true }
        defer {
            state.withLock { state in
                state.isSaving = false
                state.loseTooMany()
            }
        }
        return try save()
    }

    /// Marks a save as known.
    func skip(_ save: UInt64) {
        state.withLock { state in
            // A commit with nothing else in it says nothing new.
            if let index = state.waiting.firstIndex(where: { $0.isOnly(save) }) {
                state.rowCount -= state.waiting.remove(at: index).rowCount
            } else {
                state.own.insert(save)
            }
        }
    }

    /// All that waits, in save order, and which saves of it are the context's own; whether there was more before.
    func take() -> (sets: [ChangeSet], own: Set<UInt64>, hasLost: Bool) {
        state.withLock { state in
            guard !state.waiting.isEmpty || state.lost > 0 else { return ([], [], false) }
            let (sets, lost) = (state.waiting, state.lost)
            let own = state.own.filter { save in sets.contains { $0.base < save && save <= $0.last } }
            state.own = state.own.subtracting(own).filter { $0 > lost }
            (state.waiting, state.rowCount, state.lost) = ([], 0, 0)
            return (sets, own, lost > 0)
        }
    }
}

extension ChangeSet {
    fileprivate var rowCount: Int { results.reduce(0) { $0 + $1.rows.count } }

    fileprivate func isOnly(_ save: UInt64) -> Bool {
        base + 1 == save && last == save && !hasGap && !changesSchema && rewritten.isEmpty
    }
}

extension ModelContext {
    /// Takes in what others have saved since the last time.
    func receiveChanges() {
        guard let inbox else { return }
        let (sets, own, hasLost) = inbox.take()
        guard !sets.isEmpty || hasLost else { return }
        forgetStoredMembers()
        noteStoredChanges()
        if hasLost { rereadAll() }
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
