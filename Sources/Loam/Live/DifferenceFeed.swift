import LoamLive
import Synchronization

/// What one sequence of differences has not handed out yet: the state that it stands at, the newest, and which rows
/// differ, however many deliveries lie between.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `state` | its mutex | the observer's isolation; whoever iterates | the sequence is let go |
final class DifferenceFeed: Sendable {
    /// What a sequence hands out.
    struct Step: Sendable {
        /// The difference of the update.
        let change: LiveChange
        let update: LiveUpdate
        /// Of the rows of the newest state.
        let binding: EntityBinding
    }

    private struct State {
        var update: LiveUpdate?
        var binding: EntityBinding?
        var isFinished = false
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        /// The waiters that were cancelled before they waited.
        var cancelled: Set<Int> = []
        var nextID = 0
    }

    private let state = Mutex(State())

    func append(_ update: LiveUpdate, of binding: EntityBinding) {
        wake { state in
            state.binding = binding
            if state.update == nil { state.update = update } else { state.update?.append(update) }
        }
    }

    func finish() { wake { $0.isFinished = true } }

    private func wake(_ change: (inout State) -> Void) {
        let waiting = state.withLock { state in
            change(&state)
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume() }
    }

    /// What leads on from the last one; waits until there is something. Nil at the end, and where the task is cancelled.
    func next() async -> Step? {
        while !Task.isCancelled {
            let (update, binding, isFinished) = state.withLock { ($0.update.take(), $0.binding, $0.isFinished) }
            if let update, let binding {
                // Several deliveries may have taken each other back.
                let change = update.change()
                if change != .difference(LiveDifference()) {
                    return Step(change: change, update: update, binding: binding)
                }
            } else if isFinished {
                return nil
            } else {
                await wait()
            }
        }
        return nil
    }

    private func wait() async {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard state.cancelled.remove(id) == nil, state.update == nil, !state.isFinished else { return true }
                    state.waiting[id] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let continuation = state.withLock { state in
                let continuation = state.waiting.removeValue(forKey: id)
                if continuation == nil { state.cancelled.insert(id) }
                return continuation
            }
            continuation?.resume()
        }
        state.withLock { _ = $0.cancelled.remove(id) }
    }
}

/// An observer does not keep the sequences that it feeds.
struct WeakFeed {
    weak var feed: DifferenceFeed?

    init(_ feed: DifferenceFeed) { self.feed = feed }
}
