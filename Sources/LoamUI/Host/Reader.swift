import Observation

/// Runs code for a mount, and has the mount evaluated when something changes that the code has read.
@MainActor final class Reader {
    /// One run of the code; it is over when the next begins.
    private let cell = ObservedCell()
    private var token: OnceFlag?
    private var isRead = false

    /// Runs the code. What the last run has read counts no more.
    func read<Result>(for mount: Mount, _ body: () -> Result) -> Result {
        end()
        let token = OnceFlag()
        self.token = token
        isRead = true
        let queue = mount.host.queue
        return withObservationTracking {
            cell.noteRead()
            return body()
        } onChange: { [weak mount] in
            guard !token.load() else { return }
            token.set()
            queue.add(mount, Transaction.inherited)
        }
    }

    /// Whether what was read has changed since.
    var isStale: Bool { token?.load() ?? true }

    /// Forgets what was read. A change of the cell takes the last run out of all objects that it has read.
    func end() {
        guard isRead else { return }
        token?.set()
        isRead = false
        cell.change {}
    }
}
