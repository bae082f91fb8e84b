import Synchronization

/// What is to be evaluated in the next render, and the transaction of the newest change.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `state` | its mutex | whoever changes what a body has read, on any thread; the host | the host goes |
final class RenderQueue: Sendable {
    private struct State {
        var mounts: [Mount] = []
        var transaction: Transaction?
        var isScheduled = false
        var isOpen = true
    }

    private let state = Mutex(State())
    /// Renders, on the main actor.
    private let render: @MainActor @Sendable () -> Void

    init(render: @escaping @MainActor @Sendable () -> Void) { self.render = render }

    /// Asks for a render in the next turn of the main actor.
    func add(_ mount: Mount?, _ transaction: Transaction?) {
        let isFirst = state.withLock { state in
            guard state.isOpen else { return false }
            if let mount { state.mounts.append(mount) }
            if let transaction { state.transaction = transaction }
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isFirst { Task.detached { @MainActor [render] in render() } }
    }

    /// Something has changed again that a render is asked for already.
    func note(_ transaction: Transaction?) {
        guard let transaction else { return }
        state.withLock { state in
            if state.isScheduled { state.transaction = transaction }
        }
    }

    /// What is there to be evaluated. What comes later is for the turn after.
    func take() -> (mounts: [Mount], transaction: Transaction?) {
        state.withLock { state in
            defer { (state.mounts, state.transaction, state.isScheduled) = ([], nil, false) }
            return (state.mounts, state.transaction)
        }
    }

    /// Nothing is taken any more.
    func close() {
        state.withLock { state in
            state.isOpen = false
            state.mounts = []
        }
    }

    var isEmpty: Bool { state.withLock { !$0.isScheduled } }
}
