import Dispatch
import Synchronization

/// Where a task waits, until it is let go on by the thread that has something for it.
///
/// A continuation resumes its task on a thread of the pool, which has to wake and then to send the task on to the actor
/// that it came from. Here the task's next step is kept, and is made by the thread that calls ``open()``: the task goes
/// straight back to its actor, whose thread that mostly is.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `state` | its mutex | the task that comes; whoever opens | the task has gone on |
actor WaitingPlace: SerialExecutor {
    private enum State {
        case empty
        case waiting(UnownedJob)
        case open
    }

    private let state = Mutex(State.empty)
    private var hasBeenPassed = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { asUnownedSerialExecutor() }

    /// Waits until the place is open. At most one task may wait, once.
    ///
    /// It changes what only the actor may change: a task that had nothing to do here would not have to come.
    func wait() { hasBeenPassed = true }

    /// Lets the task go on: at once if it waits, else when it comes. What it does here is to return to its own isolation.
    nonisolated func open() {
        if let job = opened() { job.runSynchronously(on: asUnownedSerialExecutor()) }
    }

    /// The same for the handler of the task's cancellation, in which it must not do anything.
    nonisolated func openLater() {
        if let job = opened() { run(later: job) }
    }

    private nonisolated func opened() -> UnownedJob? {
        state.withLock { state in
            defer { state = .open }
            return if case .waiting(let job) = state { job } else { nil }
        }
    }

    /// Called as the task comes.
    nonisolated func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isOpen = state.withLock { state in
            if case .open = state { return true }
            state = .waiting(job)
            return false
        }
        // The task has not left the thread yet that calls this.
        if isOpen { run(later: job) }
    }

    private nonisolated func run(later job: UnownedJob) {
        DispatchQueue.global(qos: .userInitiated).async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
