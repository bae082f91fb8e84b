/// Reads the commits of this process to a file, each once and in the order of the saves, whenever it likes.
///
/// Nothing is copied for a reader: what it has not taken is kept once for all of them, and within bounds
/// (``UnreadChanges/lost``). Its methods may be called on any thread. It ends when it is let go, which must not happen
/// in its own wake-up.
package final class ChangeReader: Sendable {
    private let hub: ChangeHub
    private let id: Int

    init(_ hub: ChangeHub, id: Int) {
        self.hub = hub
        self.id = id
    }

    deinit { hub.remove(id) }

    /// All that came since the last call. O(what came).
    package func take() -> UnreadChanges { hub.take(id) }

    /// Passes over a save whose changes the reader knows: true where they come next and nothing else came with them.
    package func skip(_ save: UInt64) -> Bool { hub.skip(save, id: id) }

    /// Commits from now on are for the reader where they change one of these entities, or the schema, or come after
    /// saves of other processes; the others are not kept for it.
    package func follow(_ entities: Set<EntityID>) { hub.follow(entities, id: id) }

    /// Calls the closure after each commit that is for the reader, on the thread that committed: it must only schedule.
    package func onArrival(_ wake: @escaping @Sendable () -> Void) { hub.onArrival(wake, id) }

    /// The commits after which a reader is reminded, whatever they changed.
    package static let remindedCommits = 1_000
    /// The changed rows after which it is: about 64 MiB of pages.
    package static let remindedRows = 4_096
    /// The bytes of changed records after which it is.
    package static let remindedBytes = 16 << 20

    /// Has the reader woken whenever so much was committed, also what is not for it: for those who hold a snapshot.
    package func remind(_ wants: Bool) { hub.remind(wants, id) }

    /// Whether there is a reminder, which is taken.
    package func takeReminder() -> Bool { hub.takeReminder(id) }

    /// Whether every commit of this process with saves up to this one can be taken. Where not, the reader is woken as
    /// soon as another one can.
    package func canTake(through save: UInt64) -> Bool { hub.hasHandedOut(through: save, orWake: id) }
}
