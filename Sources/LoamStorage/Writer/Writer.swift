import Dispatch
import Foundation
import LMDB
import Synchronization

/// The single writer of a store: runs jobs one transaction at a time, those that wait together in one.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `waiting` | itself | any thread | the next transaction takes it |
/// | the write transaction | whoever runs jobs, one at a time (``WaitingJobs``), on one thread | the writer | commit |
///
/// A caller that blocks runs the transaction on its own thread when nobody runs jobs, which saves two thread switches per
/// save; a caller that suspends leaves it to the queue's thread. Whoever runs jobs does so until its own is done, and
/// hands over to one that waits. The others are woken when their jobs are done, all at once: threads that had to take
/// turns to find that out would be switched to one after the other.
final class Writer: Sendable {
    private let environment: Environment
    private let durability: StoreOptions.Durability
    private let hub: ChangeHub
    private let queue = DispatchQueue(label: "loam.writer")
    private let waiting = WaitingJobs()
    private let makeState: @Sendable (inout WriteTransaction) throws -> WriterState
    private let didCommit: @Sendable (WriterState) -> Void

    init(
        environment: Environment, durability: StoreOptions.Durability, hub: ChangeHub,
        makeState: @escaping @Sendable (inout WriteTransaction) throws -> WriterState,
        didCommit: @escaping @Sendable (WriterState) -> Void
    ) {
        self.environment = environment
        self.durability = durability
        self.hub = hub
        self.makeState = makeState
        self.didCommit = didCommit
    }

    /// Runs the job and blocks until it is committed or has failed.
    func run(_ job: WriterJob) throws {
        job.willBlock()
        if waiting.append(job) || job.blockForTurn() { drain(until: job) }
        try job.result?.get()
    }

    /// Runs the job and suspends until it is committed or has failed.
    func run(_ job: WriterJob) async throws {
        enqueue(job)
        try await job.wait()
    }

    /// Runs the job at some time.
    func enqueue(_ job: WriterJob) {
        if waiting.append(job) { queue.async { self.drain(until: job) } }
    }

    /// Runs what waits, in groups, until the job is done, and hands over. One group may not be enough: jobs may wait in
    /// front of it.
    private func drain(until job: WriterJob) {
        while job.result == nil { commit(waiting.takeGroup()) }
        guard let next = waiting.successor(), !next.lead() else { return }
        queue.async { self.drain(until: next) }
    }

    /// Commits the jobs together; those that fail are left out, and the rest are applied again where needed.
    private func commit(_ jobs: [WriterJob]) {
        var remaining = jobs
        var room = MapRoom(environment: environment)
        while !remaining.isEmpty {
            let databaseRoom = environment.databaseRoom
            do {
                let begun = ContinuousClock.now
                let (state, failures) = try attempt(remaining)
                waiting.noteCommit(of: remaining.count, begun: begun)
                didCommit(state)
                if let id = state.announcement { hub.conclude(id, changes: state.changes) }
                for action in state.didCommit { action() }
                for (position, job) in remaining.enumerated() {
                    job.finish(failures[position].map { .failure($0) } ?? .success(()))
                }
                return
            } catch let failure as JobFailure {
                let job = remaining.remove(at: failure.position)
                if failure.kind == .tooManyDatabases, makeRoom(beyond: databaseRoom) {
                    remaining.insert(job, at: failure.position)
                } else if failure.kind != .mapFull {
                    job.finish(.failure(failure.error))
                } else if !room.grow(forDeletion: job.isDeletion) {
                    job.finish(.failure(failure.error))
                } else {
                    remaining.insert(job, at: failure.position)
                }
            } catch {
                let lacksRoom = (error as? LMDBError)?.kind == .tooManyDatabases
                if lacksRoom, makeRoom(beyond: databaseRoom) { continue }
                recoverOrFail(&remaining, error: error, &room)
            }
        }
    }

    /// A failure that belongs to no job: a full map at the commit, or the environment's own. Where the map is full and
    /// cannot grow, each job tries alone: a deletion has the reserve, a small one may fit.
    private func recoverOrFail(_ jobs: inout [WriterJob], error: any Error, _ room: inout MapRoom) {
        let isFullMap = (error as? LMDBError)?.kind == .mapFull
        if isFullMap, room.grow(forDeletion: jobs.allSatisfy(\.isDeletion)) { return }
        let failed = jobs
        jobs = []
        if isFullMap, failed.count > 1 {
            for job in failed { commit([job]) }
        } else {
            for job in failed { job.finish(.failure(error)) }
        }
    }

    private func makeRoom(beyond room: Int) -> Bool {
        do {
            try environment.makeRoom(beyond: room)
            return true
        } catch {
            return false
        }
    }

    /// Carries jobs out in one transaction. Failures of jobs that changed nothing are returned by position. A job
    /// that fails after a change throws ``JobFailure``, and nothing is committed.
    private func attempt(_ jobs: [WriterJob]) throws -> (WriterState, [Int: any Error]) {
        var failures: [Int: any Error] = [:]
        var announcement: UInt64?
        var isCommitted = false
        defer { if !isCommitted, let announcement { hub.conclude(announcement, changes: nil) } }
        let mustBeDurable = durability == .recent && jobs.contains(where: \.mustBeDurable)
        let state = try environment.write(durability: mustBeDurable ? .durable : nil) { transaction in
            let state = try makeState(&transaction)
            let countersBefore = state.counters
            let generationBefore = state.catalog.generation
            for (position, job) in jobs.enumerated() {
                state.hasWritten = false
                do {
                    try job.body(&transaction, state)
                } catch {
                    guard state.hasWritten else {
                        failures[position] = error
                        continue
                    }
                    throw JobFailure(position: position, error: error)
                }
            }
            if state.counters != countersBefore {
                try state.counters.write(in: &transaction, to: state.databases.counters)
                // The number of a transaction that wrote nothing is the next one's, too.
                if jobs.allSatisfy(\.isSave) { state.savedIn = transaction.id }
            }
            announcement = announce(state, before: countersBefore, generation: generationBefore)
            return state
        }
        isCommitted = true
        return (state, failures)
    }
}

extension Writer {
    /// Announces a commit that anybody could want to know of, inside its transaction.
    private func announce(_ state: WriterState, before: StoreCounters, generation: UInt64) -> UInt64? {
        state.changes.last = state.counters.lastSave
        state.changes.changesSchema = state.catalog.generation != generation
        state.changes.generation = state.catalog.generation
        guard state.changes.changesSchema || state.counters.lastSave != before.lastSave else { return nil }
        state.announcement = hub.announce(state.changes, base: before.lastSave)
        return state.announcement
    }
}

/// A job failed after it had changed the transaction, which is aborted for that.
private struct JobFailure: Error {
    let position: Int
    let error: any Error

    var kind: LMDBError.Kind? { (error as? LMDBError)?.kind }
}

/// Makes room in the map for a group of jobs.
private struct MapRoom {
    let environment: Environment
    /// Whether snapshots that were held have ended for the group: what that has freed is tried for once.
    private var hasRecalled = false

    init(environment: Environment) { self.environment = environment }

    /// Whether another attempt is worth while.
    mutating func grow(forDeletion: Bool) -> Bool {
        guard let made = try? environment.grow(forDeletion: forDeletion) else { return false }
        guard made == .recalled else { return true }
        defer { hasRecalled = true }
        return !hasRecalled
    }
}
