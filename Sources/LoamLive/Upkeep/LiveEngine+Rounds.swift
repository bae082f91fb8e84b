import LoamQuery
import LoamStorage
import Synchronization

/// The rounds of work: under its lock.
extension LiveEngine {
    func run() {
        requests.withLock { $0.isScheduled = false }
        let goesOn = work.withLock { work in
            collect(&work)
            // So much was committed that pages are kept from use by the snapshots that are held.
            if reader.takeReminder() { beginPeriod(at: hub.lastSave ?? 0, &work) }
            let goesOn = follow(work.takeBatch(Self.batchSize), work: &work) && !work.isEmpty
            if work.isEmpty { work.meetsSchema = false }
            return goesOn
        }
        if goesOn { wake() }
    }

    /// Whether a result has followed all that was saved before the call, after this has done what it can.
    func settle(_ id: ID, work: inout LiveWork) -> Bool {
        guard let store = result(id)?.store else { return true }
        // A commit can be seen before it is handed out, here or through another store on the file. Where no save can be
        // read, following tells the result why.
        if let last = try? store.read({ try $0.lastSave() }), !reader.canTake(through: last) { return false }
        collect(&work)
        if work.takeFailed(id) { work.add(id) }
        if reader.takeReminder() { beginPeriod(at: hub.lastSave ?? 0, &work) }
        let isDue = work.take(id)
        return isDue || work.mustRenew ? follow(isDue ? [id] : [], work: &work) : true
    }

    /// Brings a result up that was left to whoever shows it: what it was told of was handed out before. False where that
    /// has to wait until another commit is.
    func place(_ id: ID, work: inout LiveWork) -> Bool {
        guard work.handedOver.contains(id) else { return true }
        if followForeseen(id, work: &work) { return true }
        if reader.takeReminder() { beginPeriod(at: hub.lastSave ?? 0, &work) }
        _ = work.take(id)
        return follow([id], work: &work)
    }

    /// Takes in what was committed and asked for.
    ///
    /// - Parameter snapshot: one to read rows in, where there is one already.
    func collect(_ work: inout LiveWork, in snapshot: Snapshot? = nil) {
        let (requested, changesSchema) = requests.withLock { requests in
            defer { (requests.due, requests.changesSchema) = ([], false) }
            return (requests.due, requests.changesSchema)
        }
        if changesSchema { work.meetsSchema = true }
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
        work.forgetFailed()
    }

    private func route(_ sets: [ChangeSet], in snapshot: Snapshot?) -> [LiveRoutes.Routed] {
        // Not under the lock, for which who opens a result would wait where rows are many. A result whose route came
        // later looks at all rows itself.
        let routes = members.withLock(\.routes)
        func route(in snapshot: Snapshot?) -> [LiveRoutes.Routed] { sets.map { routes.route($0, in: snapshot) } }
        guard sets.contains(where: routes.looksAtRows), snapshot == nil, let store = anybody?.store else {
            return route(in: snapshot)
        }
        // Where no snapshot is to be had, following tells the results why.
        return (try? store.read { route(in: $0) }) ?? route(in: nil)
    }

    /// Brings results up to a new snapshot. False where that has to wait until a commit is handed out; the engine is
    /// woken by it then.
    ///
    /// Also where no result is due, the snapshot that is held is renewed where it has to be.
    private func follow(_ ids: [ID], work: inout LiveWork) -> Bool {
        var none: QueryChange?
        return follow(ids, changing: &none, work: &work)
    }

    func follow(_ ids: [ID], changing change: inout QueryChange?, work: inout LiveWork) -> Bool {
        let members = ids.compactMap { id in result(id).map { (id: id, result: $0) } }
        let results = members.map(\.result)
        guard let store = results.first?.store ?? (work.mustRenew ? anybody?.store : nil) else {
            // Their results are going.
            leases.pin(ids)
            work.trim()
            return true
        }
        var isHandedOut = true
        isFollowing.store(true, ordering: .relaxed)
        defer { isFollowing.store(false, ordering: .relaxed) }
        do {
            // An index may have come that has the rows of a result.
            let holds =
                change != nil || leases.isWanted || work.meetsSchema || work.sets.contains(where: \.changesSchema)
            isHandedOut = try read(store, holds: holds) { snapshot, lease in
                let last = try snapshot.lastSave()
                guard reader.canTake(through: last) else { return false }
                // Asked before the commits are taken: what comes in between may lie behind saves of other processes.
                let known = hub.lastSave ?? last
                collect(&work, in: snapshot)
                noteOthers(in: snapshot, last: last, known: known, &work)
                let round = try LiveRound(
                    work.sets, routed: work.routed, lost: work.lost, known: known, in: snapshot, lease: lease)
                let followed = results.map { change?.follow($0, round) ?? $0.follow(round) }
                for (member, followed) in zip(members, followed) where followed.hasFailed {
                    work.addFailed(member.id)
                }
                // Those that fell behind earlier stay where they are already.
                let behind = work.takeFallenBehind().union(ids)
                if holds {
                    leases.advance(to: lease, of: store, due: behind, followed: followed.compactMap(\.standing))
                }
                work.noteFollowed(ids)
                if work.mustRenew || holds { holdSnapshots() }
                work.mustRenew = false
                if holds, lease == nil, leases.isWanted { awaitSnapshots(of: store) }
                // Contexts read the objects anew that other processes have saved, before their results show the rows.
                hub.noteOthers(through: last)
                // From here on what is new can be read.
                for (result, followed) in zip(results, followed) { result.note(followed) }
                return true
            }
        } catch {
            for member in members {
                member.result.fail(error)
                work.addFailed(member.id)
            }
            change?.error = error
        }
        guard isHandedOut else {
            work.giveBack(ids)
            return false
        }
        work.trim()
        // Results are told outside of the snapshot. What reads in it is read under the lock of the leases from here on. A result whose last reference this was is freed here, too.
        for result in results { result.tell() }
        return true
    }

    /// Reads the newest state, in a snapshot that can be held on to where some result is virtual.
    ///
    /// - Parameter holds: whether the snapshot is to be held, where it can be.
    private func read<R>(
        _ store: Store, holds: Bool, _ body: (Snapshot, SnapshotLease?) throws -> R
    ) throws -> R {
        if holds, let lease = try store.makeLease() { return try body(lease.snapshot, lease) }
        return try store.read { try body($0, nil) }
    }

    /// Has snapshots that are held for long end.
    private func beginPeriod(at save: UInt64, _ work: inout LiveWork) {
        leases.beginPeriod()
        (work.mustRenew, work.renewal) = (true, save)
    }

    /// Makes all results due where a snapshot shows what nobody has told of, so that none is taken to be untouched.
    private func noteOthers(in snapshot: Snapshot, last: UInt64, known: UInt64, _ work: inout LiveWork) {
        guard leases.isUsed else { return }
        let isNew = last > max(known, work.foreign)
        if isNew { work.foreign = last }
        if last >= work.renewal + UInt64(ChangeReader.remindedCommits) { beginPeriod(at: last, &work) }
        guard isNew || !leases.hasCatalog(of: snapshot) else { return }
        for id in members.withLock({ $0.byID.keys.sorted() }) { work.add(id) }
    }
}

/// A result that is to follow another query.
struct QueryChange {
    let result: LiveResult
    let query: Query
    /// Why it does not.
    var error: (any Error)?

    mutating func follow(_ result: any LiveMember, _ round: LiveRound) -> LiveFollowed? {
        guard result === self.result else { return nil }
        let (followed, error) = self.result.follow(round, changingTo: query)
        self.error = error
        return followed
    }
}
