import Dispatch

/// When a context that saves by itself does so, as a function of the times at which it changed and was saved.
///
/// Changes after a pause are saved at the end of their turn. When turn after turn changes something, one durable commit
/// each would be dear: then a save waits until changes have paused, but not for ever.
struct AutosavePace {
    /// How long nothing must have changed before a save that waits.
    static let quietInterval = Duration.milliseconds(250)
    /// How long a change waits at the most.
    static let longestWait = Duration.seconds(1)

    private var lastSave: ContinuousClock.Instant?
    /// The first and the last turn with changes since then.
    private var turns: (first: ContinuousClock.Instant, last: ContinuousClock.Instant)?

    /// A turn that changed something is over.
    mutating func noteChanges(at time: ContinuousClock.Instant) {
        turns = (turns?.first ?? time, time)
    }

    /// All changes were saved, or tried to be.
    mutating func noteSave(at time: ContinuousClock.Instant) {
        lastSave = time
        turns = nil
    }

    /// When the changes are to be saved; nil without any.
    var deadline: ContinuousClock.Instant? {
        guard let turns else { return nil }
        guard let lastSave, lastSave.duration(to: turns.first) < Self.quietInterval else { return turns.first }
        return min(turns.last + Self.quietInterval, turns.first + Self.longestWait)
    }
}

/// What an autosave knows of time.
package protocol AutosaveClock: Sendable {
    var now: ContinuousClock.Instant { get }

    /// Calls the closure once, at that time or soon after, on any thread.
    func wake(at time: ContinuousClock.Instant, _ body: @escaping @Sendable () -> Void)
}

/// The clock on the wall.
struct SystemAutosaveClock: AutosaveClock {
    var now: ContinuousClock.Instant { .now }

    func wake(at time: ContinuousClock.Instant, _ body: @escaping @Sendable () -> Void) {
        let (seconds, attoseconds) = now.duration(to: time).components
        let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(max(0, nanoseconds)), execute: body)
    }
}
