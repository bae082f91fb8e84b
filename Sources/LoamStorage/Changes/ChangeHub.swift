import LMDB
import Synchronization

/// Tells who wants to know of every commit that this process makes to a file, in the order of the saves.
///
/// There is one per open file: stores that were opened on it separately share it. A commit is announced while its
/// transaction is open, which puts commits of several writers in order, and handed out after it is made. Whoever gets
/// its change sets misses none and gets none twice.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `state` | its mutex | writers around their commits; whoever subscribes | the last store on the file is closed |
package final class ChangeHub: Sendable {
    fileprivate struct Commit {
        let id: UInt64
        let base: UInt64
        let last: UInt64
        /// Nil while the commit is under way.
        var outcome: Outcome?
    }

    fileprivate enum Outcome {
        case committed(CommitChanges)
        case failed
    }

    fileprivate struct Subscription {
        weak var subscriber: (any ChangeSubscriber)?
        let entities: Set<EntityID>
    }

    fileprivate struct State {
        var commits: [Commit] = []
        var nextID: UInt64 = 0
        /// The last save that was handed out, or that the first subscriber had seen; nil before.
        var known: UInt64?
        var subscriptions: [ObjectIdentifier: Subscription] = [:]
        /// Those who wait for a commit to be handed out that is made already.
        var waiting: Set<ObjectIdentifier> = []
    }

    private let state = Mutex(State())
    /// Keeps the key of ``hubs`` from being used for another file.
    private let environment: Environment

    private init(_ environment: Environment) { self.environment = environment }

    // MARK: One per file

    private struct Reference: Sendable {
        weak var hub: ChangeHub?
    }

    private static let hubs = Mutex<[ObjectIdentifier: Reference]>([:])

    static func of(_ environment: Environment) -> ChangeHub {
        hubs.withLock { hubs in
            let id = ObjectIdentifier(environment)
            if let hub = hubs[id]?.hub { return hub }
            let hub = ChangeHub(environment)
            hubs[id] = Reference(hub: hub)
            return hub
        }
    }

    deinit {
        Self.hubs.withLock { hubs in
            let id = ObjectIdentifier(environment)
            if hubs[id]?.hub == nil { hubs[id] = nil }
        }
    }

    // MARK: Subscribers

    /// Hands every later commit to a subscriber that changes one of these entities, or the schema, or comes after saves
    /// of other processes. The subscriber is not kept alive.
    ///
    /// - Parameter save: the last save of a snapshot that was taken before.
    package func subscribe(_ subscriber: any ChangeSubscriber, to entities: Set<EntityID>, after save: UInt64) {
        state.withLock { state in
            if state.known == nil { state.known = save }
            state.subscriptions[ObjectIdentifier(subscriber)] = Subscription(
                subscriber: subscriber, entities: entities)
        }
    }

    /// To be called by the end of the subscriber's `deinit` at the latest.
    package func unsubscribe(_ id: ObjectIdentifier) {
        state.withLock { state in
            state.subscriptions[id] = nil
            state.waiting.remove(id)
        }
    }

    /// Whether every commit of this process with saves up to this one has been handed out.
    ///
    /// - Parameter subscriber: told to ``ChangeSubscriber/proceed()`` as soon as another commit is, where not.
    package func hasHandedOut(through save: UInt64, orTell subscriber: ObjectIdentifier? = nil) -> Bool {
        state.withLock { state in
            guard state.commits.contains(where: { $0.base < save }) else { return true }
            if let subscriber { state.waiting.insert(subscriber) }
            return false
        }
    }

    /// The last save that subscribers were told of.
    package var lastSave: UInt64? { state.withLock(\.known) }

    // MARK: Commits

    /// Announces a commit, inside its transaction: the order of these calls is that of the commits.
    func announce(base: UInt64, last: UInt64) -> UInt64 {
        state.withLock { state in
            state.nextID += 1
            state.commits.append(Commit(id: state.nextID, base: base, last: last))
            return state.nextID
        }
    }

    /// Hands out a commit, once those announced before it are; nil when it has failed.
    func conclude(_ id: UInt64, _ changes: CommitChanges?) {
        // A subscriber whose last reference this is must not go under the lock, which its end takes.
        var subscribers: [any ChangeSubscriber] = []
        state.withLock { state in
            guard let position = state.commits.firstIndex(where: { $0.id == id }) else { return }
            state.commits[position].outcome = changes.map(Outcome.committed) ?? .failed
            while let commit = state.commits.first, let outcome = commit.outcome {
                if case .committed(let changes) = outcome {
                    subscribers += state.handOut(changes, base: commit.base)
                }
                state.commits.removeFirst()
            }
            subscribers += state.resumeWaiting()
        }
        withExtendedLifetime(subscribers) {}
    }
}

extension ChangeHub.State {
    /// Returns the subscribers, to be let go outside of the lock.
    fileprivate mutating func handOut(_ changes: CommitChanges, base: UInt64) -> [any ChangeSubscriber] {
        let known = known ?? base
        self.known = max(known, changes.last)
        guard !subscriptions.isEmpty else { return [] }
        let set = ChangeSet(changes, base: base, known: known)
        var subscribers: [any ChangeSubscriber] = []
        for subscription in subscriptions.values where set.concerns(subscription.entities) {
            guard let subscriber = subscription.subscriber else { continue }
            subscribers.append(subscriber)
            subscriber.receive(set)
        }
        return subscribers
    }

    fileprivate mutating func resumeWaiting() -> [any ChangeSubscriber] {
        let subscribers = waiting.compactMap { subscriptions[$0]?.subscriber }
        waiting = []
        for subscriber in subscribers { subscriber.proceed() }
        return subscribers
    }
}
