import Dispatch
import Synchronization

/// The jobs that wait for the writer, and who of the last group is likely to come back at once.
///
/// Savers that shared a commit come back together when it is done, each with its next save. The first one back would
/// get a commit alone and the others the next: two commits for one round. So the writer waits for as many as there were
/// last time, but no longer than half of what that commit took, counted from its end (as PostgreSQL's `commit_delay`
/// advises). A saver on its own never waits.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `waiting` | its mutex | any thread that has a job; the writer | the store is closed |
/// | `last` | its mutex, for form's sake | the writer, one transaction at a time | the next commit |
final class WaitingJobs: Sendable {
    private struct Waiting {
        var jobs: [WriterJob] = []
        /// Whether somebody runs jobs.
        var isRun = false
        /// How many jobs the writer waits for; nil when it does not.
        var wanted: Int?
    }

    private struct Group {
        var count = 0
        var end: ContinuousClock.Instant
        var patience: Duration
    }

    private let waiting = Mutex(Waiting())
    private let last = Mutex<Group?>(nil)
    private let arrival = DispatchSemaphore(value: 0)

    /// The most jobs that share a transaction: what bounds the work that one failure after a write repeats.
    private static let largestGroup = 256
    /// The longest wait for others, however long a commit takes.
    private static let longestPatience = Duration.milliseconds(5)

    /// Adds a job.
    ///
    /// - Returns: whether nobody runs jobs: who has added this one has to, until ``successor()``.
    func append(_ job: WriterJob) -> Bool {
        let (isComplete, isFirst) = waiting.withLock { waiting in
            waiting.jobs.append(job)
            let isFirst = !waiting.isRun
            waiting.isRun = true
            guard let wanted = waiting.wanted, waiting.jobs.count >= wanted else { return (false, isFirst) }
            waiting.wanted = nil
            return (true, isFirst)
        }
        if isComplete { arrival.signal() }
        return isFirst
    }

    /// Who is to run jobs in place of the caller; nil where none waits, and nobody runs jobs from now on.
    func successor() -> WriterJob? {
        waiting.withLock { waiting in
            waiting.isRun = !waiting.jobs.isEmpty
            return waiting.jobs.first
        }
    }

    /// The next group, in the order in which the jobs came; empty when none waits.
    func takeGroup() -> [WriterJob] {
        waitForLastGroup()
        return waiting.withLock { waiting in
            var count = 0
            while count < min(waiting.jobs.count, Self.largestGroup) {
                if waiting.jobs[count].isExclusive {
                    count = max(count, 1)
                    break
                }
                count += 1
            }
            let jobs = Array(waiting.jobs.prefix(count))
            waiting.jobs.removeFirst(count)
            return jobs
        }
    }

    /// Notes that a group was committed just now.
    func noteCommit(of count: Int, begun: ContinuousClock.Instant) {
        let end = ContinuousClock.now
        let patience = min((end - begun) / 2, Self.longestPatience)
        last.withLock { $0 = Group(count: count, end: end, patience: patience) }
    }

    private func waitForLastGroup() {
        guard let group = last.withLock({ $0 }), group.count > 1 else { return }
        let left = group.end + group.patience - ContinuousClock.now
        guard left > .zero else { return }
        let isIncomplete = waiting.withLock { waiting in
            guard waiting.jobs.count < group.count, !waiting.jobs.contains(where: \.isExclusive) else { return false }
            waiting.wanted = group.count
            return true
        }
        guard isIncomplete else { return }
        let nanoseconds = Int(left.components.attoseconds / 1_000_000_000)
        if arrival.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .timedOut {
            let isSignalled = waiting.withLock { waiting in
                defer { waiting.wanted = nil }
                return waiting.wanted == nil
            }
            // The last one came in this moment; its signal must not be taken for one of the next wait.
            if isSignalled { arrival.wait() }
        }
    }
}
