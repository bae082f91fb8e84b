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
        var waiting: [WaitingPlace] = []
    }

    private let state = Mutex(State())

    func append(_ update: LiveUpdate, of binding: EntityBinding) {
        wake { state in
            state.binding = binding
            if state.update == nil { state.update = update } else { state.update?.append(update) }
        }
    }

    /// Whether somebody waits for the next step: what tests look at.
    var isAwaited: Bool { state.withLock { !$0.waiting.isEmpty } }

    func finish() { wake { $0.isFinished = true } }

    private func wake(_ change: (inout State) -> Void) {
        let waiting = state.withLock { state in
            change(&state)
            defer { state.waiting = [] }
            return state.waiting
        }
        for place in waiting { place.open() }
    }

    /// What leads on from the last one; waits until there is something. Nil at the end, and where the task is cancelled.
    ///
    /// - Parameters:
    ///   - isolation: where a step is made that looks at few rows. The task goes on there as soon as there is one.
    ///   - make: what is made of a step, where it is made.
    func next<Element>(
        isolation: isolated (any Actor)?, as make: @Sendable (Step) -> sending Element
    ) async -> sending Element? {
        while !Task.isCancelled {
            let (update, binding, isFinished) = state.withLock { ($0.update.take(), $0.binding, $0.isFinished) }
            if let update, let binding {
                let element =
                    update.looksAt(moreThan: Self.fewRows)
                    ? await Self.elementElsewhere(of: update, binding, as: make)
                    : Self.element(of: update, binding, as: make)
                if let element { return element }
            } else if isFinished {
                return nil
            } else {
                await wait(isolation: isolation)
            }
        }
        return nil
    }

    /// A step that looks at more rows is not made on the reader's isolation, which may be what people look at.
    private static let fewRows = 1_000

    /// Nil where several deliveries have taken each other back.
    private static func element<Element>(
        of update: LiveUpdate, _ binding: EntityBinding, as make: (Step) -> sending Element
    ) -> sending Element? {
        let change = update.change()
        guard change != .difference(LiveDifference()) else { return nil }
        return make(Step(change: change, update: update, binding: binding))
    }

    /// The same on a thread that serves no actor.
    @concurrent private static func elementElsewhere<Element>(
        of update: LiveUpdate, _ binding: EntityBinding, as make: @Sendable (Step) -> sending Element
    ) async -> sending Element? {
        element(of: update, binding, as: make)
    }

    private func wait(isolation: isolated (any Actor)?) async {
        let place = WaitingPlace()
        let mustWait = state.withLock { state in
            guard state.update == nil, !state.isFinished else { return false }
            state.waiting.append(place)
            return true
        }
        guard mustWait else { return }
        if let isolation { await wait(at: place, from: isolation) } else { await wait(at: place) }
        state.withLock { $0.waiting.removeAll { $0 === place } }
    }

    /// A closure stays on the isolation that it captures if that is known to be there: else the task would change threads
    /// to wait.
    private func wait(at place: WaitingPlace, from isolation: isolated any Actor) async {
        await withTaskCancellationHandler {
            _ = isolation
            await place.wait()
        } onCancel: {
            place.openLater()
        }
    }

    private func wait(at place: WaitingPlace) async {
        await withTaskCancellationHandler {
            await place.wait()
        } onCancel: {
            place.openLater()
        }
    }
}

/// An observer does not keep the sequences that it feeds.
struct WeakFeed {
    weak var feed: DifferenceFeed?

    init(_ feed: DifferenceFeed) { self.feed = feed }
}
