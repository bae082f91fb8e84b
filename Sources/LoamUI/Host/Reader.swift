// Public observation tells of the first change alone, and the newest one's transaction is wanted.
@_spi(SwiftUI) import Observation

/// Runs code for a mount, and has the mount evaluated when something changes that the code has read.
@MainActor final class Reader {
    /// A run of the code. Both flags are atomic.
    private final class Run: Sendable {
        let isStale = OnceFlag()
        /// The next run has begun, or there is none.
        let isOver = OnceFlag()
    }

    private let cell = ObservedCell()
    private var run: Run?

    /// Runs the code. What the last run has read counts no more.
    func read<Result>(for mount: Mount, _ body: () -> Result) -> Result {
        end()
        let run = Run()
        self.run = run
        let queue = mount.host.queue
        return withObservationTracking {
            cell.noteRead()
            return body()
        } willSet: { [weak mount] tracking in
            if run.isOver.load() { return tracking.cancel() }
            if run.isStale.load() { return queue.note(Transaction.inherited) }
            run.isStale.set()
            queue.add(mount, Transaction.inherited)
        }
    }

    /// Whether what was read has changed since.
    var isStale: Bool { run?.isStale.load() ?? true }

    /// Forgets what was read. A change of the cell takes the run out of all objects that it has read.
    func end() {
        guard let run else { return }
        run.isOver.set()
        self.run = nil
        cell.change {}
    }
}
