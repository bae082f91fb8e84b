import Dispatch
import LoamQuery
import LoamStorage
import Synchronization

/// Keeps all live results of a file current on one queue.
///
/// A commit wakes the engine once, however many results there are, and only where one of them looks at what it
/// changed. The engine then brings the results that are *due* up to date, ``batchSize`` of them with each snapshot.
/// No result holds a thread or a transaction of its own, and whoever waits for one result waits for few others.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `members` | its mutex | threads that open and close results | the engine goes, with the last result |
/// | `requests` | its mutex | committing threads, whoever starts or refreshes a result | the queue takes them |
/// | `foreign` | its mutex | the queue | the engine goes |
/// | `watch` | its mutex | the first result | the engine goes |
/// | `work` | its mutex, while results are brought up | the queue; whoever settles a result | the engine goes |
final class LiveEngine: Sendable {
    typealias ID = LiveRoutes.ID

    private struct Reference: Sendable {
        weak var result: LiveResult?
    }

    private struct Members {
        var byID: [ID: Reference] = [:]
        var routes = LiveRoutes()
        var nextID = 0
    }

    private struct Requests {
        var isScheduled = false
        /// The results that are due whatever was saved.
        var due: [ID] = []
        /// The semaphores of those who wait until a commit that is made already is handed out.
        var waiting: [DispatchSemaphore] = []
    }

    /// The most results that share a snapshot.
    private static let batchSize = 64

    private let queue = DispatchQueue(label: "loam.live", qos: .userInitiated)
    private let hub: ChangeHub
    private let reader: ChangeReader
    private let members = Mutex(Members())
    private let requests = Mutex(Requests())
    /// The last save of another process for which all results were made due.
    private let foreign = Mutex<UInt64>(0)
    /// Tells of saves of other processes; nil for a store in memory, and until the first result is there.
    private let watch = Mutex<FileWatch?>(nil)
    private let work = Mutex(LiveWork())

    private init(_ hub: ChangeHub, after save: UInt64) {
        self.hub = hub
        reader = hub.reader(after: save)
        reader.follow([])
        reader.onArrival { [weak self] in self?.wake() }
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
    func add(_ result: LiveResult, interest: ResultInterest, reach: PlacementRule.Reach) -> ID {
        members.withLock { members in
            members.nextID += 1
            let id = members.nextID
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

    private func result(_ id: ID) -> LiveResult? { members.withLock { $0.byID[id]?.result } }

    // MARK: From any thread

    /// Follows what other processes write to the file from now on.
    func watch(_ store: Store) {
        guard !store.options.isInMemory else { return }
        watch.withLock { watch in
            guard watch == nil else { return }
            watch = FileWatch(path: store.path) { [weak self, queue] in
                queue.async { [weak self] in self?.lookForOthers() }
            }
        }
    }

    /// Makes all results due where another process has saved something.
    private func lookForOthers() {
        guard let store = anybody?.store, let last = try? store.read({ try $0.lastSave() }),
            last > hub.lastSave ?? 0
        else { return }
        let isNew = foreign.withLock { foreign in
            defer { foreign = max(foreign, last) }
            return last > foreign
        }
        guard isNew else { return }
        let ids = members.withLock { $0.byID.keys.sorted() }
        wake { $0.due += ids }
    }

    /// Some result that is open.
    private var anybody: LiveResult? {
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

    private func wake(_ note: (inout Requests) -> Void) {
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
    func settle(_ id: ID) {
        while true {
            let handOut = DispatchSemaphore(value: 0)
            requests.withLock { $0.waiting.append(handOut) }
            let isDone = work.withLock { settle(id, work: &$0) }
            if isDone { return requests.withLock { $0.waiting.removeAll { $0 === handOut } } }
            handOut.wait()
        }
    }
}

// MARK: Under the lock of the work

extension LiveEngine {
    private func run() {
        requests.withLock { $0.isScheduled = false }
        let goesOn = work.withLock { work in
            collect(&work)
            return follow(work.takeBatch(Self.batchSize), work: &work) && !work.isEmpty
        }
        if goesOn { wake() }
    }

    /// Whether a result has followed all that was saved before the call, after this has done what it can.
    private func settle(_ id: ID, work: inout LiveWork) -> Bool {
        guard let store = result(id)?.store else { return true }
        // A commit can be seen before it is handed out, here or through another store on the file. Where no save can be
        // read, following tells the result why.
        if let last = try? store.read({ try $0.lastSave() }), !reader.canTake(through: last) { return false }
        collect(&work)
        if work.failed.remove(id) != nil { work.add(id) }
        return work.take(id) ? follow([id], work: &work) : true
    }

    /// Takes in what was committed and asked for.
    ///
    /// - Parameter snapshot: one to read rows in, where there is one already.
    private func collect(_ work: inout LiveWork, in snapshot: Snapshot? = nil) {
        let requested = requests.withLock { requests in
            defer { requests.due = [] }
            return requests.due
        }
        for id in requested { work.add(id) }
        let unread = reader.take()
        guard !unread.isEmpty else { return }
        if unread.lost != nil || unread.sets.contains(where: { $0.changesSchema || $0.hasGap }) {
            work.add(unread)
            for id in members.withLock({ $0.byID.keys.sorted() }) { work.add(id) }
        } else {
            let routed = route(unread.sets, in: snapshot)
            work.add(unread, routed: routed)
            let due = routed.reduce(into: work.failed) { $0.formUnion($1.due) }
            for id in due.sorted() { work.add(id) }
        }
        work.failed = []
    }

    private func route(_ sets: [ChangeSet], in snapshot: Snapshot?) -> [LiveRoutes.Routed] {
        let looksAtRows = members.withLock { members in sets.contains(where: members.routes.looksAtRows) }
        func route(in snapshot: Snapshot?) -> [LiveRoutes.Routed] {
            members.withLock { members in sets.map { members.routes.route($0, in: snapshot) } }
        }
        guard looksAtRows, snapshot == nil, let store = anybody?.store else { return route(in: snapshot) }
        // Where no snapshot is to be had, following tells the results why.
        return (try? store.read { route(in: $0) }) ?? route(in: nil)
    }

    /// Brings results up to a new snapshot. False where that has to wait until a commit is handed out; the engine is
    /// woken by it then.
    private func follow(_ ids: [ID], work: inout LiveWork) -> Bool {
        let results = ids.compactMap(result)
        guard let store = results.first?.store else {
            work.trim()
            return true
        }
        var isHandedOut = true
        do {
            isHandedOut = try store.read { snapshot in
                guard reader.canTake(through: try snapshot.lastSave()) else { return false }
                // Asked before the commits are taken: what comes in between may lie behind saves of other processes.
                let known = try hub.lastSave ?? snapshot.lastSave()
                collect(&work, in: snapshot)
                let round = try LiveRound(
                    work.sets, routed: work.routed, lost: work.lost, known: known, in: snapshot)
                for result in results where !result.follow(round) { work.failed.insert(result.id) }
                return true
            }
        } catch {
            for result in results {
                result.fail(error)
                work.failed.insert(result.id)
            }
        }
        guard isHandedOut else {
            work.giveBack(ids)
            return false
        }
        work.trim()
        // Results are told outside of the snapshot. A result whose last reference this was is freed here, too.
        for result in results { result.tell() }
        return true
    }
}
