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

    /// Whether the commits that have not been taken have no more rows than this, and nothing is to be reminded of. O(rows).
    package func hasFew(rows: Int) -> Bool { hub.hasFew(rows: rows, id) }

    /// Passes over a save whose changes the reader knows: true where they come next and nothing else came with them.
    package func skip(_ save: UInt64) -> Bool { hub.skip(save, id: id) }

    /// Commits from now on are for the reader where they change one of these entities, or the schema, or come after
    /// saves of other processes; the others are not kept for it.
    package func follow(_ entities: Set<EntityID>) { hub.follow(entities, id: id) }

    /// Calls the closure after each commit that is for the reader, on the thread that committed: it must only schedule.
    package func onArrival(_ wake: @escaping @Sendable () -> Void) { hub.onArrival(wake, id) }

    /// Calls the closure with what a small commit will change that is for the reader, before it is made and inside its
    /// transaction, on the thread that commits: it must only schedule. The commit may fail; where it is made, the change
    /// set that can be taken has the same ``ChangeSet/announcement``.
    package func onAnnouncement(_ foresee: @escaping @Sendable (ChangeSet) -> Void) { hub.onAnnouncement(foresee, id) }

    /// The commits after which a reader is reminded, whatever they changed.
    package static let remindedCommits = 1_000

    /// The bytes of pages after which a reader is reminded that holds a snapshot of a file with so many bytes in use: a
    /// sixteenth of them, 1 MiB at least and 64 MiB at most. Pages that a snapshot can see are not used again, so the
    /// file grows by about as much while one is held.
    package static func remindedBytes(inFileOf usedBytes: Int) -> Int { min(max(usedBytes / 16, 1 << 20), 64 << 20) }

    /// Has the reader woken whenever commits have written pages of about so many bytes, or were ``remindedCommits``, also
    /// by what is not for it: for those who hold a snapshot. nil: never.
    package func remind(afterBytes bytes: Int?) { hub.remind(afterBytes: bytes, id) }

    /// Whether there is a reminder, which is taken.
    package func takeReminder() -> Bool { hub.takeReminder(id) }

    /// Whether every commit of this process with saves up to this one can be taken. Where not, the reader is woken as
    /// soon as another one can.
    package func canTake(through save: UInt64) -> Bool { hub.hasHandedOut(through: save, orWake: id) }
}
