import Dispatch
import LoamQuery
import LoamStorage
import Synchronization

/// Small commits that are announced: what they make of the results is worked out while the disk is waited for.
extension LiveEngine {
    /// Rows times results up to which that is done.
    private static let mostForeseen = 16
    /// After so many commits one after the other for which that was of no use, because they concerned no result, or were
    /// made sooner than the queue came to them, as where no disk is waited for, only one in ``triedShare`` is tried.
    private static let mostUseless = 8
    private static let triedShare: UInt64 = 64

    /// A commit is announced, on the thread that makes it.
    func foresee(_ set: ChangeSet) {
        let isWorthIt = useless.load(ordering: .relaxed) < Self.mostUseless || set.last % Self.triedShare == 0
        // A queue that is at work would come to it too late.
        guard isWorthIt, !isFollowing.load(ordering: .relaxed), !isForeseeing.exchange(true, ordering: .relaxed) else {
            return
        }
        queue.async { [weak self] in
            self?.isForeseeing.store(false, ordering: .relaxed)
            self?.tryToWorkOut(set)
        }
    }

    private func tryToWorkOut(_ set: ChangeSet) {
        if workOut(set) {
            useless.store(0, ordering: .relaxed)
        } else {
            useless.add(1, ordering: .relaxed)
        }
    }

    /// Returns whether some result may be brought up by it.
    private func workOut(_ set: ChangeSet) -> Bool {
        let known = hub.lastSave ?? 0
        guard known < set.last else { return false }
        let routes = members.withLock(\.routes)
        guard let routed = route(set, by: routes), !routed.due.isEmpty,
            routed.due.count * set.rowCount <= Self.mostForeseen
        else { return false }
        for id in routed.due {
            result(id)?.foresee(set, places: routes.number(of: id).flatMap(routed.places), after: known)
        }
        return true
    }

    /// Nil where the rows have to be looked at and the store cannot be read.
    private func route(_ set: ChangeSet, by routes: LiveRoutes) -> LiveRoutes.Routed? {
        guard routes.looksAtRows(of: set) else { return routes.route(set, in: nil) }
        return anybody.flatMap { try? $0.store.read { routes.route(set, in: $0) } }
    }

    /// Brings a result up by what was worked out for the one commit that it is due for; false where there is more to do.
    /// The snapshot that is held stays the same: no row of the result has moved.
    func followForeseen(_ id: ID, work: inout LiveWork) -> Bool {
        guard work.lost == nil, !work.meetsSchema, !work.mustRenew, work.failed.isEmpty, reader.hasFew(rows: 0),
            let member = result(id), let followed = member.followForeseen(work.sets(for: id))
        else { return false }
        work.finish(id)
        work.trim()
        member.note(followed)
        member.tell()
        return true
    }

    /// Returns when what was announced before is worked out: for tests.
    func finishForeseeing() { queue.sync {} }
}
