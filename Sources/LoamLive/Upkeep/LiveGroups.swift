package import LoamQuery
package import LoamStorage
import Synchronization

/// Groups of rows with their aggregates, kept current through every save that any process makes to the file.
///
/// ```swift
/// let query = GroupedQuery(entity: "City", keys: ["country"], aggregates: [.count])
/// let live = try LiveGroups(query, in: store) { live in
///     // soon after a save, on no thread in particular: have `live.take()` called where the groups are shown
/// }
/// print(try live.kept?.result() ?? [])
/// ```
///
/// They are followed as the rows of a ``LiveResult`` are, by the same engine, in one round with all other results.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `shared` | its mutex | the engine; whoever takes or cancels | the end |
/// | `upkeep` | its mutex, for form's sake | `init`; the engine, one round after the other | the end |
/// | `membership` | its mutex, for form's sake | `init` | the end |
package final class LiveGroups: LiveMember {
    /// The groups at a save.
    package struct Kept: Sendable {
        let rule: GroupRule
        var groups: [[UInt8]: GroupRule.Group]
        package internal(set) var save: UInt64
        let generation: UInt64
        /// The keys of the groups in which a part may be stale.
        var stale: Set<[UInt8]> = []
    }

    /// What ``take()`` hands over.
    package struct Delivery: Sendable {
        /// Whether the groups may be others.
        package var isNew: Bool
        /// Why the newest saves could not be followed; nil where they could.
        package var error: (any Error)?
    }

    private struct Shared {
        var isOpen = false
        var isNew = false
        var error: (any Error)?
        var isErrorNew = false
        /// Whether the last delivery that was taken had an error.
        var hasTakenError = false
        var isCancelled = false
        /// Whether something was saved before the groups were read, or while the store could not be.
        var hasMissed = false
        /// Whether the notification was called since something was taken last.
        var isTold = false

        var hasNews: Bool { isNew || isErrorNew || hasTakenError && error == nil }
    }

    let store: Store
    let engine: LiveEngine
    package let query: GroupedQuery
    private let membership = Mutex<LiveEngine.ID>(0)
    private let shared = Mutex(Shared())
    private let upkeep = Mutex<GroupsUpkeep?>(nil)
    private let notify: @Sendable (LiveGroups) -> Void

    private var id: LiveEngine.ID { membership.withLock { $0 } }

    /// Reads the groups, which costs as much as running the query, and memory for all of them.
    ///
    /// - Parameter notify: called when there is something to take, and not again until it is taken. The engine waits
    ///   for it, so it should only schedule work, and must not settle anything.
    /// - Throws: ``QueryError`` for a query that cannot be run, `StorageError` for damage.
    package init(
        _ query: GroupedQuery, in store: Store, notify: @escaping @Sendable (LiveGroups) -> Void
    ) throws {
        (self.store, self.query, self.notify) = (store, query, notify)
        let (save, generation, rule) = try store.read {
            (try $0.lastSave(), $0.catalog.generation, try GroupRule(query, in: $0))
        }
        engine = LiveEngine.of(store.changes, after: save)
        engine.watch(store, from: generation)
        // From here on no save is missed; those that the groups have been read with are passed over.
        let id = engine.add(self, interest: ResultInterest(rule.placing), reach: .all)
        membership.withLock { $0 = id }
        let read = try store.read { try GroupsUpkeep(query, in: $0) }
        engine.reroute(id, read.interest, reach: read.reach)
        LiveLog.write(id, of: query.entity, "opened at save \(read.kept.save), \(read.kept.groups.count) groups")
        upkeep.withLock { $0 = read }
        let hasMissed = shared.withLock { shared in
            shared.isOpen = true
            return shared.hasMissed
        }
        // What was saved meanwhile was routed as of the state before.
        if try hasMissed || store.read({ try $0.lastSave() }) > read.kept.save { missAll() }
    }

    private func missAll() {
        shared.withLock { $0.hasMissed = true }
        engine.request(id)
    }

    deinit { engine.remove(id) }

    /// The newest groups, taken or not. Waits for a round that is under way. Whoever holds on to them has them copied
    /// by the next round, O(groups).
    package var kept: Kept? { upkeep.withLock { $0?.kept } }

    /// What was done to keep the groups current.
    package var trace: LiveTrace { upkeep.withLock { $0?.trace ?? LiveTrace() } }

    /// What is new; nil where nothing is.
    package func take() -> Delivery? {
        shared.withLock { shared in
            shared.isTold = false
            guard shared.hasNews else { return nil }
            defer { (shared.isNew, shared.isErrorNew, shared.hasTakenError) = (false, false, shared.error != nil) }
            return Delivery(isNew: shared.isNew, error: shared.error)
        }
    }

    /// Ends the deliveries. One that is under way may still be made.
    package func cancel() {
        shared.withLock { $0.isCancelled = true }
        engine.remove(id)
    }

    /// Has the engine look for saves of other processes. Returns at once.
    package func refresh() { engine.request(id) }

    /// Returns when everything that this process saved before can be taken. Must not be called by a notification.
    package func settle() { engine.settle(id) }
}

extension LiveGroups {
    func follow(_ round: LiveRound) -> LiveFollowed {
        let (isReady, hasMissed) = shared.withLock { shared in
            let isReady = shared.isOpen && !shared.isCancelled
            defer { shared.hasMissed = !isReady }
            return (isReady, shared.hasMissed)
        }
        guard isReady else { return LiveFollowed() }
        do {
            let isNew = try upkeep.withLock { upkeep -> Bool in
                guard let (interest, reach) = upkeep.map({ ($0.interest, $0.reach) }) else { return false }
                let isNew = try upkeep?.follow(round, knowsSets: !hasMissed, route: engine.route(of: id)) ?? false
                if let upkeep, upkeep.interest != interest || upkeep.reach != reach {
                    engine.reroute(id, upkeep.interest, reach: upkeep.reach)
                }
                return isNew
            }
            return LiveFollowed(news: LiveFollowed.News(isNew: isNew))
        } catch {
            fail(error)
            return LiveFollowed(hasFailed: true)
        }
    }

    func note(_ followed: LiveFollowed) {
        guard let news = followed.news else { return }
        shared.withLock { shared in
            (shared.error, shared.isErrorNew) = (nil, false)
            if news.isNew { shared.isNew = true }
        }
    }

    func fail(_ error: any Error) {
        LiveLog.write(id, of: query.entity, "failed: \(error)")
        shared.withLock { shared in
            (shared.error, shared.isErrorNew, shared.hasMissed) = (error, true, true)
        }
    }

    func failReading(_ error: any Error) {
        upkeep.withLock { $0?.readAnew() }
        fail(error)
    }

    func tell() {
        let isNews = shared.withLock { shared in
            guard shared.hasNews, !shared.isTold, !shared.isCancelled else { return false }
            shared.isTold = true
            return true
        }
        if isNews { notify(self) }
    }
}

extension LiveGroups.Kept {
    /// The result as it is saved. O(groups · log groups).
    ///
    /// - Throws: ``QueryError`` for a sum that does not fit into its type.
    package func result() throws -> [[Value]] { try rule.result(of: groups) }

    /// The result with unsaved changes laid over it. O(unsaved changes + groups · log groups). Where the kept groups do
    /// not tell, as where a least value is to go, or somebody else has just saved a changed row, it is read as a fetch
    /// reads it.
    ///
    /// - Throws: ``QueryError`` for a sum that does not fit into its type, `StorageError` for damage.
    package func result(under overlay: Overlay, of query: GroupedQuery, in store: Store) throws -> [[Value]] {
        try store.read { snapshot in
            if snapshot.catalog.generation == generation, let groups = try laid(overlay, in: snapshot) {
                return try rule.result(of: groups)
            }
            var work = Work()
            return try GroupedPlan(query, in: snapshot).groups(in: snapshot, overlay: overlay, work: &work)
        }
    }

    private func laid(_ overlay: Overlay, in snapshot: Snapshot) throws -> [[UInt8]: GroupRule.Group]? {
        let pending = try rule.pendingShares(under: overlay, in: snapshot)
        var groups = groups
        for (rowID, row) in pending {
            if row.isStored {
                let stored = try rule.storedShare(of: rowID, in: snapshot)
                guard stored.since <= save else { return nil }
                if let share = stored.share, !rule.remove(share, of: rowID, from: &groups) { return nil }
            }
            if let share = row.share { rule.add(share, of: rowID, to: &groups) }
        }
        // All other groups are as they were.
        return pending.isEmpty || !groups.values.contains(where: \.isStale) ? groups : nil
    }
}
