import Dispatch
import Synchronization

/// What a context does by itself on an isolation that the library knows: the main actor's takes in others' saves when
/// they arrive; that one and an actor's save when ``ModelContext/autosaveEnabled`` says so.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `isReceiving` | its mutex | the store's writer, the isolation | the context goes |
/// | everything else | the isolation | the isolation | the context goes |
final class ContextTask: @unchecked Sendable {
    /// Runs closures on the isolation, in order, after what runs there now.
    private let run: @Sendable (@escaping @Sendable () -> Void) -> Void
    private weak var context: ModelContext?
    /// The context while its changes wait to be saved, so that they are saved even if everybody else lets go of it.
    private var held: ModelContext?
    /// The actor, which its context does not keep.
    private weak var actor: (any Actor)?
    /// The actor while changes wait.
    private var heldActor: (any Actor)?
    private let isReceiving = Mutex(false)
    private var pace = AutosavePace()
    private var isTurnNoted = false
    private var isWakeSet = false
    var clock: any AutosaveClock = SystemAutosaveClock()

    init(_ context: ModelContext, run: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        self.context = context
        self.run = run
    }

    /// Makes the task of a context whose models are touched on an actor only.
    convenience init(_ context: ModelContext, on actor: any Actor) {
        self.init(context) { [weak actor] body in
            guard let actor else { return }
            Task { await Self.perform(body, on: actor) }
        }
        self.actor = actor
    }

    private static func perform(_ body: @Sendable () -> Void, on actor: isolated any Actor) { body() }

    /// Has the context take in what others saved, soon. May be called from any thread.
    func requestReceiving() {
        let isFirst = isReceiving.withLock { isReceiving in
            defer { isReceiving = true }
            return !isReceiving
        }
        guard isFirst else { return }
        run { [self] in
            isReceiving.withLock { $0 = false }
            context?.processPendingChanges()
        }
    }

    /// The context has changed: it is saved after the turn, or when changes have paused.
    func requestSave() {
        guard !isTurnNoted else { return }
        isTurnNoted = true
        held = context
        heldActor = actor
        run { [self] in
            isTurnNoted = false
            pace.noteChanges(at: clock.now)
            saveWhenDue()
        }
    }

    /// The context was saved, by whomever.
    func noteSave() { pace.noteSave(at: clock.now) }

    private func saveWhenDue() {
        guard let context, context.autosaveEnabled, let deadline = pace.deadline else {
            release()
            return
        }
        guard deadline <= clock.now else { return wake(at: deadline) }
        pace.noteSave(at: clock.now)
        context.autosave()
        // The save's own notifications may have led to further changes.
        if !isTurnNoted { release() }
    }

    private func release() {
        held = nil
        heldActor = nil
    }

    private func wake(at deadline: ContinuousClock.Instant) {
        guard !isWakeSet else { return }
        isWakeSet = true
        clock.wake(at: deadline) { [self] in
            run { [self] in
                isWakeSet = false
                saveWhenDue()
            }
        }
    }
}

extension ModelContext {
    /// Called once, for the main actor's context.
    @MainActor func followOnMainActor() {
        let task = ContextTask(self) { body in Task { @MainActor in body() } }
        self.task = task
        for store in stores { store.inbox?.onArrival { [weak task] in task?.requestReceiving() } }
    }

    /// Called once, for a context that was made on an actor.
    func follow(on isolation: any Actor) {
        task =
            isolation === MainActor.shared
            ? ContextTask(self) { body in Task { @MainActor in body() } } : ContextTask(self, on: isolation)
    }

    /// Called once, for a context whose models are touched on a queue only.
    func follow(on queue: DispatchQueue) {
        task = ContextTask(self) { body in queue.async(execute: body) }
    }

    /// The time that autosaves go by; nil where there are none.
    package var autosaveClock: (any AutosaveClock)? {
        get { task?.clock }
        set { if let newValue { task?.clock = newValue } }
    }
}
