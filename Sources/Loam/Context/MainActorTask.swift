import Synchronization

/// What the main actor's context does by itself: takes in others' saves when they arrive, and saves at the end of a turn.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `isScheduled` | its mutex | the store's writer, the main actor | the context goes |
/// | `context` | the main actor | nobody after the start | the context goes |
final class MainActorTask: Sendable {
    private struct Flags {
        var receives = false
        var saves = false
    }

    private let isScheduled = Mutex(Flags())
    @MainActor private weak var context: ModelContext?

    @MainActor init(_ context: ModelContext) {
        self.context = context
    }

    /// From any thread.
    func requestReceiving() {
        schedule(\.receives) { $0.processPendingChanges() }
    }

    /// Saves once the turn that changed something is over.
    func requestSave() {
        schedule(\.saves) { context in
            do {
                try context.save()
            } catch {
                // Nobody waits for this save: the next one that somebody calls throws.
                context.keep(error)
            }
        }
    }

    private func schedule(
        _ flag: any WritableKeyPath<Flags, Bool> & Sendable, _ body: @escaping @MainActor (ModelContext) -> Void
    ) {
        let isFirst = isScheduled.withLock { flags in
            defer { flags[keyPath: flag] = true }
            return !flags[keyPath: flag]
        }
        guard isFirst else { return }
        Task { @MainActor in
            isScheduled.withLock { $0[keyPath: flag] = false }
            if let context { body(context) }
        }
    }
}

extension ModelContext {
    /// Called once, for the main actor's context.
    @MainActor func followOnMainActor() {
        let task = MainActorTask(self)
        mainActorTask = task
        inbox?.onArrival { task.requestReceiving() }
    }
}
