import LoamQuery
import LoamStorage
import Synchronization

/// Holds the snapshots that virtual results of a file are read from: the newest one for all of them, and older ones for
/// states that somebody still shows.
///
/// A result that no commit has touched reads in the newest snapshot, whichever that is: it needs none of its own. When
/// the engine goes on to a newer snapshot, the states of results that were touched stay in the one before, until what
/// comes after them is taken. A snapshot that is held too long, or whose end somebody waits for, ends; what depends on it
/// is written out, 8 bytes a row.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `state` | its mutex, while rows are read | the engine; whoever opens results; who recalls leases | the engine goes |
/// | `listener` | its mutex | the engine, when it is made | the engine goes |
final class LiveLeases: Sendable {
    /// Tells the results of a file apart.
    typealias ID = Int

    private struct Reference {
        weak var standing: RowStanding?
    }

    /// The states that are read in one snapshot.
    private struct Group {
        weak var lease: SnapshotLease?
        var standings: [Reference]
        /// The period in which the snapshot was taken.
        let period: Int
    }

    private struct State {
        var current: SnapshotLease?
        var groups: [ObjectIdentifier: Group] = [:]
        /// The newest state of each result that has been followed.
        var newest: [ID: Reference] = [:]
        /// The results that are open, whatever their rows are.
        var open: Set<ID> = []
        /// Those of them whose rows are virtual.
        var members: Set<ID> = []
        /// Those of the others whose rows would be virtual if a snapshot could have been held.
        var waiting: Set<ID> = []
        var period = 0
        /// The rows that were written out, for tests.
        var listedRows = 0
        /// Has the snapshots end when somebody waits for that, and tells when they can be held again; nil where nobody
        /// wants to hold one.
        var recall: LeaseRecall?

        var isWanted: Bool { !members.isEmpty || !waiting.isEmpty }
    }

    /// Who is told. Called on any thread, also under locks: it must only schedule.
    struct Listener: Sendable {
        /// Some rows of a result could not be read.
        let failed: @Sendable (any Error, ID) -> Void
        /// All snapshots had to end.
        let recalled: @Sendable () -> Void
        /// Snapshots can be held again, if they could not.
        let resumed: @Sendable () -> Void
    }

    /// States of so many saves are kept in snapshots; those of the oldest are written out.
    static let mostLeases = 16

    private let state = Mutex(State())
    private let listener = Mutex<Listener?>(nil)

    func tell(_ listener: Listener) { self.listener.withLock { $0 = listener } }

    func report(_ error: any Error, by owner: ID) { listener.withLock { $0 }?.failed(error, owner) }

    /// Whether some result is virtual.
    var isUsed: Bool { state.withLock { !$0.members.isEmpty } }

    /// Whether some result is virtual, or would be.
    var isWanted: Bool { state.withLock { $0.isWanted } }

    /// The bytes of pages that may be written before snapshots are to be renewed; nil where no result is virtual.
    var remindedBytes: Int? {
        state.withLock { state in
            guard !state.members.isEmpty else { return nil }
            let newest = state.current ?? state.groups.values.compactMap(\.lease).max { $0.save < $1.save }
            return ChangeReader.remindedBytes(inFileOf: newest?.usedBytes ?? 0)
        }
    }

    /// The snapshots that are held, for results and their states.
    var count: Int {
        state.withLock { state in
            let older = state.groups.values.compactMap(\.lease).filter { $0 !== state.current }
            return older.count + (state.current == nil ? 0 : 1)
        }
    }

    /// The last save of the newest snapshot that is held; nil where none is.
    var newestSave: UInt64? { state.withLock { $0.current?.save } }

    /// How many rows were written out since the engine was made.
    var listedRows: Int { state.withLock(\.listedRows) }

    // MARK: Reading

    /// Reads the rows of a state, under the lock.
    func read<R: Sendable>(_ standing: RowStanding, _ body: (RowSource) throws -> R) throws -> R {
        try state.withLock { state in
            let lease: SnapshotLease
            switch standing.place {
            case .listed(let rows): return try body(.list(rows))
            case .leased(let own): lease = own
            case .current:
                guard let current = state.current else {
                    throw StorageError(
                        .inconsistent("a live result is in no snapshot"), index: standing.span.index.name)
                }
                lease = current
            }
            return try body(.entries(try standing.entries(in: lease)))
        }
    }

    // MARK: Opening

    /// A result is open from now on.
    func add(_ id: ID) { state.withLock { _ = $0.open.insert(id) } }

    /// Calls the closure with a snapshot that has all that was saved before; nil where none can be held. States that it
    /// makes must be handed to ``keep(_:of:)``. Where it is a snapshot that others read in, they wait.
    func withNewest<R: Sendable>(of store: Store, _ body: (SnapshotLease) throws -> R?) throws -> R? {
        let (save, generation) = try store.read { (try $0.lastSave(), $0.catalog.generation) }
        func isNew(_ lease: SnapshotLease) -> Bool {
            lease.save >= save && lease.snapshot.catalog.generation == generation
        }
        let known = state.withLock { state in
            (state.groups.values.compactMap(\.lease) + [state.current].compactMap(\.self)).first(where: isNew)
        }
        if let known { return try state.withLock { _ in try body(known) } }
        // Nobody else knows of a new one.
        return try store.makeLease().flatMap(body)
    }

    /// Keeps a state of a result that was opened, in the snapshot that it was made in.
    func keep(_ standing: RowStanding, of store: Store) {
        state.withLock { state in
            join(standing.owner, of: store, &state)
            guard case .leased(let lease) = standing.place else { return }
            if store.recallsLeases { return list(standing, in: lease, &state) }
            add(standing, to: lease, &state)
            trim(&state)
        }
    }

    /// The rows of a result are held in memory from now on.
    func leave(_ id: ID) { state.withLock { leave(id, &$0) } }

    /// A result whose rows are held in memory would have virtual ones in a snapshot that can be held, or not any more.
    func setWaiting(_ id: ID, _ isWaiting: Bool, of store: Store) {
        state.withLock { state in
            guard isWaiting, state.open.contains(id) else {
                state.waiting.remove(id)
                return
            }
            state.waiting.insert(id)
            hearRecalls(of: store, &state)
        }
    }

    /// A result is closed. States of it that somebody keeps stay as they are.
    func remove(_ id: ID) {
        state.withLock { state in
            state.open.remove(id)
            leave(id, &state)
        }
    }

    /// Ends all snapshots where no result is virtual. States that somebody keeps are written out, O(n).
    func endUnused() {
        endAll { $0.members.isEmpty }
    }

    // MARK: By the engine

    /// Goes on to a newer snapshot.
    ///
    /// - Parameters:
    ///   - lease: nil where none can be held.
    ///   - due: the results that may have been touched by commits up to it. They stay where they are.
    ///   - followed: the states of those that have followed up to it.
    func advance(to lease: SnapshotLease?, of store: Store, due: some Sequence<ID>, followed: [RowStanding]) {
        let dropped = state.withLock { state -> SnapshotLease? in
            let old = state.current
            for id in due { pin(id, &state) }
            for standing in followed where state.open.contains(standing.owner) {
                join(standing.owner, of: store, &state)
                state.newest[standing.owner] = Reference(standing: standing)
            }
            guard let lease, !store.recallsLeases, !state.members.isEmpty else {
                listAll(&state)
                for standing in followed {
                    if case .leased(let own) = standing.place { list(standing, in: own, &state) }
                }
                state.current = nil
                return old
            }
            state.current = lease
            for standing in followed {
                if state.open.contains(standing.owner) {
                    standing.place = .current
                } else if case .leased(let own) = standing.place {
                    // Its result was closed meanwhile.
                    add(standing, to: own, &state)
                }
            }
            trim(&state)
            return old
        }
        withExtendedLifetime(dropped) {}
    }

    /// The newest states of results stay in the snapshot in which they are.
    func pin(_ ids: [ID]) { state.withLock { state in for id in ids { pin(id, &state) } } }

    /// Whether the rows of a state are read in the newest snapshot that is held, whichever that is.
    func isCurrent(_ standing: RowStanding) -> Bool {
        state.withLock { _ in if case .current = standing.place { true } else { false } }
    }

    /// Whether the newest snapshot that is held has the same catalog as another one, or none is held.
    func hasCatalog(of snapshot: Snapshot) -> Bool {
        state.withLock { $0.current.map { $0.snapshot.catalog.generation == snapshot.catalog.generation } ?? true }
    }

    /// Begins the next period: snapshots from before the last one end.
    func beginPeriod() {
        state.withLock { state in
            state.period += 1
            for (id, group) in state.groups where group.period < state.period - 1 {
                guard let lease = group.lease, lease !== state.current else { continue }
                for standing in group.standings.compactMap(\.standing) { list(standing, in: lease, &state) }
                state.groups[id] = nil
            }
        }
    }

    /// Ends all snapshots where something holds.
    private func endAll(where condition: (borrowing State) -> Bool = { _ in true }) {
        let dropped = state.withLock { state -> (SnapshotLease?, LeaseRecall?) in
            guard condition(state) else { return (nil, nil) }
            listAll(&state)
            // Where no result is virtual, or would be, nobody needs the file any more.
            return (state.current.take(), state.isWanted ? nil : state.recall.take())
        }
        withExtendedLifetime(dropped) {}
    }
}

// MARK: Under the lock

extension LiveLeases {
    private func join(_ id: ID, of store: Store, _ state: inout State) {
        state.members.insert(id)
        state.waiting.remove(id)
        hearRecalls(of: store, &state)
    }

    private func hearRecalls(of store: Store, _ state: inout State) {
        guard state.recall == nil else { return }
        state.recall = store.onRecall { [weak self] in
            self?.endAll()
            self?.listener.withLock { $0 }?.recalled()
        } goOn: { [weak self] in
            self?.listener.withLock { $0 }?.resumed()
        }
    }

    private func leave(_ id: ID, _ state: inout State) {
        pin(id, &state)
        state.newest[id] = nil
        state.members.remove(id)
        state.waiting.remove(id)
    }

    private func pin(_ id: ID, _ state: inout State) {
        guard let current = state.current, let standing = state.newest[id]?.standing, case .current = standing.place
        else { return }
        standing.place = .leased(current)
        add(standing, to: current, &state)
    }

    private func add(_ standing: RowStanding, to lease: SnapshotLease, _ state: inout State) {
        let id = ObjectIdentifier(lease)
        if state.groups[id]?.lease === lease {
            state.groups[id]?.standings.append(Reference(standing: standing))
        } else {
            state.groups[id] = Group(
                lease: lease, standings: [Reference(standing: standing)], period: state.period)
        }
    }

    /// Forgets what is gone, and ends the oldest snapshots where there are too many.
    private func trim(_ state: inout State) {
        guard state.groups.count > Self.mostLeases else { return }
        for (id, group) in state.groups where group.lease == nil { state.groups[id] = nil }
        let held = state.groups.filter { $0.value.lease !== state.current }
            .sorted { ($0.value.lease?.save ?? 0) < ($1.value.lease?.save ?? 0) }
        for (id, group) in held.dropLast(Self.mostLeases) {
            if let lease = group.lease {
                for standing in group.standings.compactMap(\.standing) { list(standing, in: lease, &state) }
            }
            state.groups[id] = nil
        }
    }

    private func listAll(_ state: inout State) {
        for group in state.groups.values {
            guard let lease = group.lease else { continue }
            for standing in group.standings.compactMap(\.standing) { list(standing, in: lease, &state) }
        }
        state.groups = [:]
        guard let current = state.current else { return }
        for standing in state.newest.values.compactMap(\.standing) {
            if case .current = standing.place { standing.place = .leased(current) }
            list(standing, in: current, &state)
        }
    }

    /// Writes the rows of a state out, where they are read in this snapshot. O(n). Of rows that cannot be read, none are
    /// written.
    private func list(_ standing: RowStanding, in lease: SnapshotLease, _ state: inout State) {
        guard case .leased(let own) = standing.place, own === lease else { return }
        do {
            let rows = try standing.list(in: lease.snapshot)
            state.listedRows += rows.count
            standing.place = .listed(rows)
        } catch {
            standing.place = .listed(ListedRows([]))
            report(error, by: standing.owner)
        }
    }
}
