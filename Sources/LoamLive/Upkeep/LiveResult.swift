package import LoamQuery
package import LoamStorage
import Synchronization

/// The result of a query, kept current through every save that the process makes to the file.
///
/// ```swift
/// let live = try LiveResult(Query(entity: "City", sort: [SortKey("name")]), in: store) { live in
///     // soon after a save, on no thread in particular: have `live.take()` called where the result is shown
/// }
/// print(live.start().count)
/// ```
///
/// A commit wakes the file's ``LiveEngine``, which brings the results that it touched up to a snapshot, or leaves that to
/// those who show them (``place()``): each state is the result at one save. ``take()`` gives what has changed, as one
/// difference from the state that was taken last, however long ago that was. Saves of other processes are followed as
/// they are made (``FileWatch``): at once, and then at most once a second. A result is kept up as long as somebody holds
/// it.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `shared` | its mutex | the engine; whoever starts, takes or cancels | the end |
/// | `upkeep` | its mutex | `init`; the engine, one round after the other, on its queue or for who places | the end |
/// | `membership` | its mutex, for form's sake | `init` | the end |
package final class LiveResult: LiveMember {
    /// What ``take()`` hands over.
    package struct Delivery: Sendable {
        package var update: LiveUpdate?
        /// Why the newest saves could not be followed; nil where they could, whatever was handed over before. After an
        /// error the state stays as it was, until the next change, ``LiveResult/refresh()`` or ``LiveResult/settle()``
        /// reads the store again.
        package var error: (any Error)?
    }

    private struct Shared {
        var state = ResultState()
        var waiting = Delivery()
        /// Whether nobody has taken the error yet.
        var isErrorNew = false
        /// Whether the last delivery that was taken had an error.
        var hasTakenError = false
        var isStarted = false
        var isCancelled = false
        /// Whether something was saved before the start, or while the store could not be read.
        var hasMissed = false
        /// Whether the notification was called since something was taken last.
        var isTold = false
        /// Whether it was called for commits that nobody has placed since.
        var isToldToPlace = false

        var hasNews: Bool { waiting.update != nil || isErrorNew || hasTakenError && waiting.error == nil }
    }

    let store: Store
    let engine: LiveEngine
    private let membership = Mutex<LiveEngine.ID>(0)
    private let shared = Mutex(Shared())
    private let upkeep = Mutex<ResultUpkeep?>(nil)
    private let notify: @Sendable (LiveResult) -> Void
    private let isPlacedWhereTold: Bool

    var id: LiveEngine.ID { membership.withLock { $0 } }

    /// Reads the result, which costs as much as running the query. Nothing is told before ``start()``.
    ///
    /// - Parameters:
    ///   - isPlacedWhereTold: whether whoever is told calls ``place()`` before ``take()``: then small commits come to it by
    ///     themselves, without a way through the engine's queue.
    ///   - notify: called when there is something to take, or to place, and not again until that is done. The engine
    ///     waits for it, and so may the thread that commits, so it should only schedule work, and must not settle a result.
    /// - Throws: ``QueryError`` for a query that cannot be run, `StorageError` for damage.
    package init(
        _ query: Query, in store: Store, isPlacedWhereTold: Bool = false,
        notify: @escaping @Sendable (LiveResult) -> Void
    ) throws {
        self.store = store
        self.isPlacedWhereTold = isPlacedWhereTold
        self.notify = notify
        let (save, generation, outline) = try store.read {
            (try $0.lastSave(), $0.catalog.generation, try ResultOutline(query, in: $0))
        }
        engine = LiveEngine.of(store.changes, after: save)
        engine.watch(store, from: generation)
        // From here on no save is missed; those that the result has been read with are passed over.
        let id = engine.add(self, interest: outline.interest, reach: outline.reach)
        membership.withLock { $0 = id }
        let read = try ResultUpkeep.open(query, like: outline, in: store, leases: engine.leases, owner: id)
        if read.state.virtual != nil { engine.holdSnapshots() }
        engine.leases.setWaiting(id, read.wantsSnapshot, of: store)
        LiveLog.write(
            id, of: query.entity, "opened at save \(read.state.save), \(read.state.count) rows; \(read.kind)")
        upkeep.withLock { $0 = read }
        shared.withLock { $0.state = read.state }
    }

    /// Begins the deliveries. The first one leads on from the state that is returned. Called once for a result.
    @discardableResult
    package func start() -> ResultState {
        let (state, hasMissed) = shared.withLock { shared in
            shared.isStarted = true
            return (shared.state, shared.hasMissed)
        }
        // Virtual rows go on to the snapshot that is held for all results, so that they need none of their own.
        let wantsSnapshot = upkeep.withLock { $0?.wantsSnapshot ?? false }
        if hasMissed || wantsSnapshot || state.virtual != nil { engine.request(id) }
        return state
    }

    deinit {
        // What is shown no more need not be kept.
        upkeep.withLock { $0 = nil }
        shared.withLock { $0 = Shared() }
        engine.remove(id)
    }

    /// The newest state, taken or not.
    package var state: ResultState { shared.withLock(\.state) }

    /// Finds rows in the states of the result.
    package var finder: RowFinder? { upkeep.withLock { $0.map { RowFinder(rule: $0.order, store: store) } } }

    /// How the rows are kept, and why.
    package var kind: LiveKind { upkeep.withLock { $0?.kind ?? .materialized(reason: "it could not be read") } }

    /// What is asked.
    package var query: Query { upkeep.withLock { $0?.query } ?? Query(entity: "") }

    /// What was done to keep the result current.
    package var trace: LiveTrace { upkeep.withLock { $0?.trace ?? LiveTrace() } }

    /// How often it was brought up by what was worked out before a commit was made: for tests.
    package var foreseenRounds: Int { upkeep.withLock { $0?.foreseenRounds ?? 0 } }

    /// Returns when it is worked out what the commits that were announced before make of the results of the file: for
    /// tests.
    package func foreseeing() -> @Sendable () -> Void { { [engine] in engine.finishForeseeing() } }

    /// What leads on from the state that was taken last; nil where there is nothing new.
    package func take() -> Delivery? {
        shared.withLock { shared in
            shared.isTold = false
            guard shared.hasNews else { return nil }
            let delivery = shared.waiting
            shared.waiting.update = nil
            (shared.isErrorNew, shared.hasTakenError) = (false, delivery.error != nil)
            return delivery
        }
    }

    /// Ends the deliveries. One that is under way may still be made.
    package func cancel() {
        shared.withLock { $0.isCancelled = true }
        engine.remove(id)
    }

    /// Has the result follow another query from now on, as of everything that this process saved before: one difference
    /// leads there. Costs as much as running the query, and waits for a few other results of the file at most. Must not
    /// be called by a notification, nor before ``start()``.
    ///
    /// - Throws: ``QueryError`` for a query that cannot be run, and what keeps the store from being read; the result
    ///   goes on to follow the query before.
    package func change(to query: Query) throws { try engine.change(id, to: query) }

    /// Has the engine look for saves of other processes. Returns at once.
    package func refresh() { engine.request(id) }

    /// Brings the result up to the commits of which it was told and that the engine has left to whoever shows it. Returns
    /// at once where there is none, or the engine is at work. Must not be called by a notification.
    package func place() {
        guard isPlacedWhereTold else { return }
        // What comes from here on is told again: this call may be past it.
        shared.withLock { $0.isToldToPlace = false }
        engine.place(id)
    }

    /// Returns when everything that this process saved before can be taken, and the notification was called for it.
    /// Waits for a few other results of the file at most. Must not be called by a notification.
    package func settle() { engine.settle(id) }
}

// MARK: By the engine

extension LiveResult {
    /// Follows up to a round's snapshot, and reads another query in it. Where that cannot be run it says why, and the
    /// result has followed the query before.
    func follow(_ round: LiveRound, changingTo query: Query) -> (followed: LiveFollowed, error: (any Error)?) {
        var followed = follow(round)
        let new: ResultUpkeep
        do {
            new = try ResultUpkeep(
                query, ResultOutline(query, in: round.snapshot), in: round.snapshot, lease: round.lease,
                leases: engine.leases, owner: id,
                trace: trace)
        } catch {
            return (followed, error)
        }
        let old = upkeep.withLock { kept in
            defer { kept = new }
            return kept?.state
        }
        LiveLog.write(
            id, of: query.entity, "asks something else at save \(new.state.save), \(new.state.count) rows; \(new.kind)")
        engine.reroute(id, new.interest, reach: new.reach)
        // What was handed out before that, and is newer than the snapshot, was looked at as the query before says.
        if engine.hub.lastSave ?? 0 > round.last {
            shared.withLock { $0.hasMissed = true }
            engine.request(id)
        }
        if new.state.virtual == nil { engine.leases.leave(id) } else { engine.holdSnapshots() }
        engine.leases.setWaiting(id, new.wantsSnapshot, of: store)
        // Where following the query before has failed, the states are not of one save.
        let step =
            if let old, !followed.hasFailed { LiveUpdate(rearranging: old, to: new.state) } else {
                LiveUpdate(resetting: old ?? new.state, to: new.state)
            }
        if followed.news?.update == nil {
            followed.news = LiveFollowed.News(update: step)
        } else {
            followed.news?.update?.append(step)
        }
        (followed.hasFailed, followed.standing) = (false, new.state.virtual?.standing)
        return (followed, nil)
    }

    func foresee(_ set: ChangeSet, places: [LiveRoutes.RowPlace]?, after known: UInt64) {
        guard shared.withLock({ $0.isStarted && !$0.isCancelled && !$0.hasMissed }) else { return }
        upkeep.withLock { $0?.foresee(set, places: places, after: known, in: store) }
    }

    func followForeseen(_ sets: [ChangeSet]) -> LiveFollowed? {
        guard canBePlaced else { return nil }
        return upkeep.withLock { kept -> LiveFollowed? in
            let logged = kept.flatMap { LoggedRound(before: $0.trace) }
            guard let news = kept?.followForeseen(sets) else { return nil }
            if let logged, let kept { logged.finish(id, kept, news.update) }
            return LiveFollowed(news: news)
        }
    }

    /// Brings the result up to a round's snapshot. What is new has to be handed to ``note(_:)`` afterwards. Where following
    /// fails, the next delivery says why.
    func follow(_ round: LiveRound) -> LiveFollowed {
        let (isReady, hasMissed) = shared.withLock { shared in
            let isReady = shared.isStarted && !shared.isCancelled
            let hasMissed = shared.hasMissed
            shared.hasMissed = !isReady
            return (isReady, hasMissed)
        }
        guard isReady else { return LiveFollowed() }
        do {
            return try follow(round, missing: hasMissed)
        } catch {
            fail(error)
            return LiveFollowed(hasFailed: true)
        }
    }

    private func follow(_ round: LiveRound, missing: Bool) throws -> LiveFollowed {
        try upkeep.withLock { kept in
            // Changed where it lies: it is large.
            guard let wasWaiting = kept?.wantsSnapshot, let trace = kept?.trace else { return LiveFollowed() }
            defer {
                if let isWaiting = kept?.wantsSnapshot, isWaiting || wasWaiting {
                    engine.leases.setWaiting(id, isWaiting, of: store)
                }
                if kept?.mustReroute == true, let kept { engine.reroute(id, kept.interest, reach: kept.reach) }
                kept?.mustReroute = false
            }
            let logged = LoggedRound(before: trace)
            let update = try kept?.follow(round, knowsSets: !missing, route: engine.route(of: id))
            if let logged, let kept { logged.finish(id, kept, update) }
            // A result that was opened after the round's snapshot is ahead of it.
            let standing = kept?.state.save == round.last ? kept?.state.virtual?.standing : nil
            return LiveFollowed(news: LiveFollowed.News(update: update), standing: standing)
        }
    }

    func note(_ followed: LiveFollowed) {
        guard let news = followed.news else { return }
        let update = news.update
        shared.withLock { shared in
            (shared.waiting.error, shared.isErrorNew) = (nil, false)
            guard let update else { return }
            shared.state = update.new
            if shared.waiting.update == nil {
                shared.waiting.update = update
            } else {
                shared.waiting.update?.append(update)
            }
        }
    }

    func fail(_ error: any Error) {
        LiveLog.write(id, of: query.entity, "failed: \(error)")
        shared.withLock { shared in
            (shared.waiting.error, shared.isErrorNew) = (error, true)
            // The commits that it was due for are not kept for it.
            shared.hasMissed = true
        }
    }

    /// Rows of the state could not be read. Says so once, and has the rows read anew by the next round.
    func failReading(_ error: any Error) {
        upkeep.withLock { $0?.readAnew() }
        shared.withLock { shared in
            guard shared.waiting.error == nil, !shared.hasTakenError else { return }
            (shared.waiting.error, shared.isErrorNew) = (error, true)
        }
    }

    var canBePlaced: Bool {
        isPlacedWhereTold && shared.withLock { $0.isStarted && !$0.isCancelled && !$0.hasMissed }
    }

    func tellToPlace() {
        let isNew = shared.withLock { shared in
            defer { (shared.isTold, shared.isToldToPlace) = (true, true) }
            return !shared.isToldToPlace
        }
        if isNew { notify(self) }
    }

    /// Calls the notification where there is something to take and it was not called for that yet.
    func tell() {
        let isNews = shared.withLock { shared in
            guard shared.hasNews, !shared.isTold, shared.isStarted, !shared.isCancelled else { return false }
            shared.isTold = true
            return true
        }
        if isNews { notify(self) }
    }
}
