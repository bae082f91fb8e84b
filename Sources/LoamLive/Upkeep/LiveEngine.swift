import Dispatch
import LoamQuery
import LoamStorage
import Synchronization

/// Keeps all live results of a file current on one queue.
///
/// A commit wakes the engine once, however many results there are, and only where one of them looks at what it
/// changed. The engine then brings the results that are *due* up to date, ``batchSize`` of them with each snapshot.
/// What a small commit makes of the results is worked out while it is written, where no row moves
/// (``ResultUpkeep/foresee(_:places:after:in:)``). It is left to those who show the results: each is told, and brings
/// its result up itself, one hop after the commit (``place(_:)``).
/// No result holds a thread or a transaction of its own, and whoever waits for one result waits for few others.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `members` | its mutex | threads that open and close results | the engine goes, with the last result |
/// | `requests` | its mutex | committing threads, whoever starts or refreshes a result | the queue takes them |
/// | `foreign` | its mutex | the queue | the engine goes |
/// | `watch` | its mutex | the first result | the engine goes |
/// | `work` | its mutex, while results are brought up | the queue; who settles or places a result | the engine goes |
/// | `isFollowing` | itself | whoever holds the lock of `work` | the engine goes |
/// | `isForeseeing` | itself | committing threads; the queue | the engine goes |
/// | `useless` | itself | the queue | the engine goes |
final class LiveEngine: Sendable {
    typealias ID = LiveRoutes.ID

    struct Reference: Sendable {
        weak var result: (any LiveMember)?
    }

    struct Members {
        var byID: [ID: Reference] = [:]
        var routes = LiveRoutes()
        var nextID = 0
    }

    struct Requests {
        var isScheduled = false
        /// The results that are due whatever was saved.
        var due: [ID] = []
        /// Whether entities, properties or indexes may be others, whoever changed them.
        var changesSchema = false
        /// Whether no snapshot could be held, so that all results are due when one can be again.
        var awaitsSnapshots = false
        /// The semaphores of those who wait until a commit that is made already is handed out.
        var waiting: [DispatchSemaphore] = []
    }

    /// How far the file was when it was looked at for what other processes did.
    struct Foreign {
        var save: UInt64 = 0
        /// The catalog's; nil before the first look.
        var generation: UInt64?
    }

    /// The most results that share a snapshot.
    static let batchSize = 64

    let queue = DispatchQueue(label: "loam.live", qos: .userInitiated)
    let hub: ChangeHub
    let reader: ChangeReader
    let members = Mutex(Members())
    let requests = Mutex(Requests())
    /// What of other processes all results were made due for.
    private let foreign = Mutex(Foreign())
    /// Tells of saves of other processes; nil for a store in memory, and until the first result is there.
    private let watch = Mutex<FileWatch?>(nil)
    let work = Mutex(LiveWork())
    /// Whether some thread brings results up, which holds the lock of ``work`` and may make commits arrive.
    let isFollowing = Atomic(false)
    /// Whether the queue is about to work out what an announced commit makes of the results.
    let isForeseeing = Atomic(false)
    /// The announced commits, one after the other, for which nothing was worked out that a result could take.
    let useless = Atomic(0)
    /// The snapshots that virtual results are read from.
    let leases = LiveLeases()

    private init(_ hub: ChangeHub, after save: UInt64) {
        self.hub = hub
        reader = hub.reader(after: save)
        reader.follow([])
        reader.onArrival { [weak self] in self?.arrive() }
        reader.onAnnouncement { [weak self] set in self?.foresee(set) }
        leases.tell(
            LiveLeases.Listener { [weak self, queue] error, id in
                queue.async { [weak self] in self?.fail(id, error) }
            } recalled: { [weak self, queue] in
                queue.async { [weak self] in self?.makeAllDue() }
            } resumed: { [weak self, queue] in
                queue.async { [weak self] in self?.holdSnapshotsAgain() }
            })
    }

    // MARK: One per file

    private struct EngineReference: Sendable {
        weak var engine: LiveEngine?
    }

    private static let engines = Mutex<[ObjectIdentifier: EngineReference]>([:])

    /// The engine of a file; makes it where there is none.
    ///
    /// - Parameter save: the last save of a snapshot that was taken before.
    static func of(_ hub: ChangeHub, after save: UInt64) -> LiveEngine {
        engines.withLock { engines in
            let id = ObjectIdentifier(hub)
            if let engine = engines[id]?.engine { return engine }
            let engine = LiveEngine(hub, after: save)
            engines[id] = EngineReference(engine: engine)
            return engine
        }
    }

    deinit {
        let newer = Self.engines.withLock { engines in
            let id = ObjectIdentifier(hub)
            let newer = engines[id]?.engine
            if newer == nil { engines[id] = nil }
            return newer
        }
        // If this is the last reference to the newer engine, it is released outside of the lock.
        withExtendedLifetime(newer) {}
    }

    // MARK: Members

    /// Tells a result of changes that may concern it from now on.
    func add(_ result: any LiveMember, interest: ResultInterest, reach: PlacementRule.Reach) -> ID {
        members.withLock { members in
            members.nextID += 1
            let id = members.nextID
            leases.add(id)
            members.byID[id] = Reference(result: result)
            change(&members.routes) { $0.set(interest, reach: reach, of: id) }
            return id
        }
    }

    func remove(_ id: ID) {
        members.withLock { members in
            change(&members.routes) { $0.remove(id) }
            members.byID[id] = nil
        }
        leases.remove(id)
        releaseSnapshots()
    }

    /// Holds no snapshot any more where no result needs one.
    private func releaseSnapshots() {
        guard !leases.isUsed else { return }
        holdSnapshots()
        queue.async { [leases] in leases.endUnused() }
    }

    /// Has all results looked at as soon as a snapshot can be held again: those whose rows had to be written out, or were
    /// read, go on without them.
    func awaitSnapshots(of store: Store) {
        requests.withLock { $0.awaitsSnapshots = true }
        // Where that is so by now, nobody tells of it any more.
        if !store.recallsLeases { holdSnapshotsAgain() }
    }

    private func holdSnapshotsAgain() {
        let isAwaited = requests.withLock { requests in
            defer { requests.awaitsSnapshots = false }
            return requests.awaitsSnapshots
        }
        if isAwaited { makeAllDue() }
    }

    /// The engine is reminded to renew the snapshot that it holds, as long as some result is virtual.
    func holdSnapshots() {
        reader.remind(afterBytes: leases.remindedBytes)
        // One may have been opened meanwhile.
        if let bytes = leases.remindedBytes { reader.remind(afterBytes: bytes) }
    }

    /// Tells a result of other changes than before.
    func reroute(_ id: ID, _ interest: ResultInterest, reach: PlacementRule.Reach) {
        members.withLock { members in
            guard members.byID[id] != nil else { return }
            change(&members.routes) { $0.set(interest, reach: reach, of: id) }
        }
    }

    private func change(_ routes: inout LiveRoutes, _ body: (inout LiveRoutes) -> Void) {
        let before = routes.entities
        body(&routes)
        let entities = routes.entities
        if entities != before { reader.follow(entities) }
    }

    /// The number of a result's route; nil where it looks at all rows.
    func route(of id: ID) -> Int? { members.withLock { $0.routes.number(of: id) } }

    func result(_ id: ID) -> (any LiveMember)? { members.withLock { $0.byID[id]?.result } }

    // MARK: From any thread

    /// Follows what other processes write to the file from now on: by looking once a second where it cannot be watched.
    ///
    /// - Parameter generation: the catalog's, as the first result knows it.
    func watch(_ store: Store, from generation: UInt64) {
        guard !store.options.isInMemory else { return }
        let isBlind = watch.withLock { watch in
            guard watch == nil else { return false }
            foreign.withLock { $0.generation = generation }
            let made = FileWatch(path: store.path) { [weak self, queue] in
                queue.async { [weak self] in self?.lookForOthers() }
            }
            watch = made
            return !made.isActive
        }
        if isBlind { lookAgain() }
    }

    private func lookAgain() {
        queue.asyncAfter(deadline: .now() + 1) { [weak self] in
            self?.lookForOthers()
            self?.lookAgain()
        }
    }

    /// Makes all results due where another process has saved something, or changed the schema.
    func lookForOthers() {
        guard let store = anybody?.store,
            let (last, generation) = try? store.read({ (try $0.lastSave(), $0.catalog.generation) })
        else { return }
        // A commit of this process can be seen before it is handed out.
        guard hub.hasHandedOut(through: last) else {
            return queue.asyncAfter(deadline: .now() + .milliseconds(10)) { [weak self] in self?.lookForOthers() }
        }
        let known = hub.lastSave ?? 0
        let (isNew, changesSchema) = foreign.withLock { foreign in
            defer { (foreign.save, foreign.generation) = (max(foreign.save, last), generation) }
            return (last > max(foreign.save, known), foreign.generation != generation)
        }
        if isNew || changesSchema { makeAllDue(changesSchema: changesSchema) }
    }

    private func makeAllDue(changesSchema: Bool = false) {
        let ids = members.withLock { $0.byID.keys.sorted() }
        wake {
            $0.due += ids
            if changesSchema { $0.changesSchema = true }
        }
    }

    /// Has a result say why its rows could not be read. They are read anew after the next commit.
    private func fail(_ id: ID, _ error: any Error) {
        guard let result = result(id) else { return }
        work.withLock { $0.addFailed(id) }
        result.failReading(error)
        result.tell()
    }

    /// Some result that is open.
    var anybody: (any LiveMember)? {
        members.withLock { members in
            // Not let go under the lock, if this should be the last reference.
            for member in members.byID.values { if let result = member.result { return result } }
            return nil
        }
    }

    /// Has the queue look for something to do.
    func wake() { wake { _ in } }

    /// Makes a result due, whatever was saved.
    func request(_ id: ID) { wake { $0.due.append(id) } }

    func wake(_ note: (inout Requests) -> Void) {
        let (isFirst, waiting) = requests.withLock { requests in
            note(&requests)
            defer { (requests.isScheduled, requests.waiting) = (true, []) }
            return (!requests.isScheduled, requests.waiting)
        }
        for semaphore in waiting { semaphore.signal() }
        if isFirst { queue.async { [weak self] in self?.run() } }
    }

    /// Returns when a result has followed all that was saved before. Where the queue has not come to it yet, this
    /// thread does the work. Must not be called by a notification.
    func settle(_ id: ID) { waitForHandOut { settle(id, work: &$0) } }

    /// Has a result follow another query. Must not be called by a notification.
    ///
    /// - Throws: where the query cannot be run, or the store not be read.
    func change(_ id: ID, to query: Query) throws {
        guard let result = result(id) as? LiveResult else { return }
        var change: QueryChange? = QueryChange(result: result, query: query)
        waitForHandOut { work in
            collect(&work)
            _ = work.take(id)
            return follow([id], changing: &change, work: &work)
        }
        if let error = change?.error { throw error }
    }

    /// Does some work, as often as it has to wait for a commit that is made already to be handed out.
    private func waitForHandOut(_ body: (inout LiveWork) -> Bool) {
        while true {
            let handOut = DispatchSemaphore(value: 0)
            requests.withLock { $0.waiting.append(handOut) }
            let isDone = work.withLock { body(&$0) }
            if isDone { return requests.withLock { $0.waiting.removeAll { $0 === handOut } } }
            handOut.wait()
        }
    }
}
