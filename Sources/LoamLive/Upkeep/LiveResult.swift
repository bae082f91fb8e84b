import Dispatch
package import LoamQuery
package import LoamStorage
import Synchronization

/// A delivery: the result before, the result now, and what leads from the one to the other.
package struct LiveUpdate: Sendable {
    package let old: ResultState
    package let new: ResultState
    package let change: ResultChange
}

/// The result of a query, kept current through every save that the process makes to the file.
///
/// ```swift
/// let live = try LiveResult(Query(entity: "City", sort: [SortKey("name")]), in: store) { update in
///     // on a thread of its own, one delivery after the other
/// }
/// print(live.start().count)
/// ```
///
/// A commit only notes its changes here. They are worked on elsewhere, together where several have come in meanwhile,
/// against a snapshot: each state is the result at one save, and each delivery leads from one state to the next.
/// Saves of other processes are followed when this one saves, or when ``refresh()`` is called. Ends when it is let go.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `shared` | its mutex | committing threads, the queue | the end |
/// | `upkeep` | its mutex, for form's sake | the queue (serial) | the end |
package final class LiveResult: ChangeSubscriber {
    /// A failure leaves the state as it was; the next change reads the result again.
    package typealias Delivery = @Sendable (Result<LiveUpdate, any Error>) -> Void

    private struct Shared {
        var pending: [ChangeSet] = []
        var isScheduled = false
        var isCancelled = false
        var state: ResultState
    }

    private let store: Store
    private let queue = DispatchQueue(label: "loam.live", qos: .userInitiated)
    private let shared: Mutex<Shared>
    private let upkeep: Mutex<ResultUpkeep?>
    private let deliver: Delivery

    /// Reads the result. Nothing is delivered before ``start()``.
    ///
    /// - Throws: ``QueryError`` for a query that cannot be run, `StorageError` for damage.
    package init(_ query: Query, in store: Store, deliver: @escaping Delivery) throws {
        self.store = store
        self.deliver = deliver
        upkeep = Mutex(nil)
        // Scheduled, for form's sake, until the start: what is told meanwhile waits.
        shared = Mutex(Shared(isScheduled: true, state: ResultState()))
        let (save, entities) = try store.read { snapshot in
            (try snapshot.lastSave(), try ResultUpkeep.entities(of: query, in: snapshot))
        }
        // From here on no save is missed; those that the result has been read with are passed over.
        store.changes.subscribe(self, to: entities, after: save)
        let read = try store.read { try ResultUpkeep(query, in: $0) }
        upkeep.withLock { $0 = read }
        shared.withLock { $0.state = read.state }
    }

    /// Begins the deliveries; the first one leads on from the state that is returned. To be called once.
    @discardableResult
    package func start() -> ResultState {
        let (state, hasPending) = shared.withLock { shared in
            shared.isScheduled = false
            return (shared.state, !shared.pending.isEmpty)
        }
        if hasPending { proceed() }
        return state
    }

    deinit { store.changes.unsubscribe(ObjectIdentifier(self)) }

    /// The newest state, delivered or about to be.
    package var state: ResultState { shared.withLock(\.state) }

    /// Ends the deliveries; one that is under way may still come.
    package func cancel() {
        shared.withLock { $0.isCancelled = true }
        store.changes.unsubscribe(ObjectIdentifier(self))
    }

    /// Looks for saves of other processes.
    package func refresh() { proceed() }

    /// Returns when everything that was saved before is delivered. Not to be called by a delivery.
    package func settle() { queue.sync {} }

    package func receive(_ changes: ChangeSet) {
        schedule { $0.pending.append(changes) }
    }

    package func proceed() {
        schedule { _ in }
    }

    private func schedule(_ note: (inout Shared) -> Void) {
        let isFirst = shared.withLock { shared in
            guard !shared.isCancelled else { return false }
            note(&shared)
            defer { shared.isScheduled = true }
            return !shared.isScheduled
        }
        if isFirst { queue.async { [weak self] in self?.work() } }
    }

    /// Brings the state up to the newest save and delivers; on the queue.
    private func work() {
        let isCancelled = shared.withLock { shared in
            shared.isScheduled = false
            return shared.isCancelled
        }
        guard !isCancelled else { return }
        do {
            if let update = try store.read(follow) { deliver(.success(update)) }
        } catch {
            deliver(.failure(error))
        }
    }

    private func follow(_ snapshot: Snapshot) throws -> LiveUpdate? {
        let last = try snapshot.lastSave()
        guard store.changes.hasHandedOut(through: last, orTell: ObjectIdentifier(self)) else { return nil }
        let known = store.changes.lastSave ?? last
        let sets = shared.withLock { shared in
            let sets = shared.pending.filter { $0.last <= last }
            shared.pending.removeAll { $0.last <= last }
            return sets
        }
        return try upkeep.withLock { kept in
            guard var upkeep = kept else { return nil }
            defer { kept = upkeep }
            let (old, interest) = (upkeep.state, upkeep.interest)
            let change = try upkeep.follow(sets, known: known, in: snapshot)
            let new = upkeep.state
            shared.withLock { $0.state = new }
            if upkeep.interest != interest {
                store.changes.subscribe(self, to: upkeep.interest.entities, after: last)
            }
            return change.map { LiveUpdate(old: old, new: new, change: $0) }
        }
    }
}
