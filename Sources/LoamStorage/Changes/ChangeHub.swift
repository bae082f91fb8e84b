import LMDB
import Synchronization

/// Tells who wants to know of every commit that this process makes to a file, in the order of the saves.
///
/// There is one per open file: stores that were opened on it separately share it. A commit is announced while its
/// transaction is open, which puts commits of several writers in order, and handed out after it is made. Readers take
/// what they have not read yet, miss none and get none twice. A commit costs its thread the same however many readers
/// there are, but for those that want to be woken.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `state` | its mutex | writers around their commits; readers | the last store on the file is closed |
package final class ChangeHub: Sendable {
    fileprivate struct Commit {
        let id: UInt64
        let base: UInt64
        let last: UInt64
        /// What it changes, where somebody was told of it beforehand.
        var set: ChangeSet?
        /// What became of the commit; nil while it is under way.
        var outcome: Outcome?
    }

    fileprivate enum Outcome {
        case committed(CommitChanges)
        case failed
    }

    fileprivate struct Reader {
        var position: ChangeLog.Position
        /// The entities whose changes the reader gets; nil for all.
        var entities: Set<EntityID>?
        var wake: (@Sendable () -> Void)?
        var foresee: (@Sendable (ChangeSet) -> Void)?
        /// Counts commits of any kind; nil where the reader does not want to be reminded.
        var reminder: Reminder?
    }

    /// What was committed since a reader was reminded of it.
    fileprivate struct Reminder {
        /// The most bytes of pages that commits may have written before the reader is reminded.
        var mostBytes: Int
        var commits = 0
        var bytes = 0
        var isDue = false

        /// Counts a commit; returns whether the reader is to be woken.
        mutating func count(_ set: ChangeSet) -> Bool {
            commits += 1
            bytes += Self.pageBytes(set)
            guard commits >= ChangeReader.remindedCommits || bytes >= mostBytes else { return false }
            self = Reminder(mostBytes: mostBytes, isDue: true)
            return true
        }

        /// About the bytes of the pages that a commit writes: four pages for itself and for each row (its record's, its
        /// index entries', those above them), more where records are long, and those of long values.
        private static func pageBytes(_ set: ChangeSet) -> Int {
            (set.rowCount + 1) << 14 + set.byteCount + set.longValueBytes
        }
    }

    fileprivate struct State {
        var commits: [Commit] = []
        var nextID: UInt64 = 0
        /// The last save that was handed out, or that the first reader had seen; nil before.
        var known: UInt64?
        var log = ChangeLog()
        var readers: [Int: Reader] = [:]
        var nextReader = 0
        /// Readers that choose, or want to be woken: those that a commit looks at.
        var attentive: Set<Int> = []
        /// Readers that are told of commits before they are made.
        var foreseeing: Set<Int> = []
        /// The readers that wait until a commit that is made already is handed out.
        var waiting: Set<Int> = []
    }

    private let state = Mutex(State())
    /// Keeps the key of ``hubs`` from being used for another file.
    private let environment: Environment

    /// A hub that only its own store tells: what others save looks to its readers as another process's.
    init(_ environment: Environment) { self.environment = environment }

    // MARK: One per file

    private struct Reference: Sendable {
        weak var hub: ChangeHub?
    }

    private static let hubs = Mutex<[ObjectIdentifier: Reference]>([:])

    static func of(_ environment: Environment) -> ChangeHub {
        hubs.withLock { hubs in
            let id = ObjectIdentifier(environment)
            if let hub = hubs[id]?.hub { return hub }
            let hub = ChangeHub(environment)
            hubs[id] = Reference(hub: hub)
            return hub
        }
    }

    deinit {
        let newer = Self.hubs.withLock { hubs in
            let id = ObjectIdentifier(environment)
            let newer = hubs[id]?.hub
            if newer == nil { hubs[id] = nil }
            return newer
        }
        // The last reference to it, if this should be it, goes outside of the lock.
        withExtendedLifetime(newer) {}
    }

    // MARK: Readers

    /// Reads every later commit.
    ///
    /// - Parameter save: the last save of a snapshot that was taken before.
    package func reader(after save: UInt64) -> ChangeReader {
        let id = state.withLock { state in
            if state.known == nil { state.known = save }
            defer { state.nextReader += 1 }
            state.readers[state.nextReader] = Reader(position: state.log.end(after: state.known ?? save))
            return state.nextReader
        }
        return ChangeReader(self, id: id)
    }

    func take(_ id: Int) -> UnreadChanges {
        withReader(id) { log, reader in
            var unread = log.take(&reader.position, for: id)
            // What came while something else waited for the reader was kept, too.
            if let entities = reader.entities { unread.sets.removeAll { !$0.concerns(entities) } }
            return unread
        } ?? UnreadChanges()
    }

    func hasFew(rows: Int, _ id: Int) -> Bool {
        state.withLock { state in
            guard let reader = state.readers[id], reader.reminder?.isDue != true else { return false }
            return state.log.hasFew(rows: rows, behind: reader.position)
        }
    }

    func skip(_ save: UInt64, id: Int) -> Bool {
        withReader(id) { log, reader in log.skip(save, position: &reader.position, for: id) } ?? false
    }

    func follow(_ entities: Set<EntityID>, id: Int) {
        state.withLock { state in
            state.readers[id]?.entities = entities
            state.attentive.insert(id)
        }
    }

    func onArrival(_ wake: @escaping @Sendable () -> Void, _ id: Int) {
        state.withLock { state in
            state.readers[id]?.wake = wake
            state.attentive.insert(id)
        }
    }

    func onAnnouncement(_ foresee: @escaping @Sendable (ChangeSet) -> Void, _ id: Int) {
        state.withLock { state in
            state.readers[id]?.foresee = foresee
            state.foreseeing.insert(id)
        }
    }

    func remind(afterBytes mostBytes: Int?, _ id: Int) {
        state.withLock { state in
            state.attentive.insert(id)
            guard let mostBytes else {
                state.readers[id]?.reminder = nil
                return
            }
            var reminder = state.readers[id]?.reminder ?? Reminder(mostBytes: mostBytes)
            reminder.mostBytes = mostBytes
            state.readers[id]?.reminder = reminder
        }
    }

    func takeReminder(_ id: Int) -> Bool {
        state.withLock { state in
            guard state.readers[id]?.reminder?.isDue == true else { return false }
            state.readers[id]?.reminder?.isDue = false
            return true
        }
    }

    func remove(_ id: Int) {
        // What goes with the reader, goes outside of the lock.
        let removed = withReader(id) { log, reader in
            log.leave(reader.position, for: id)
            return reader
        }
        state.withLock { state in
            state.readers[id] = nil
            state.attentive.remove(id)
            state.foreseeing.remove(id)
            state.waiting.remove(id)
        }
        withExtendedLifetime(removed) {}
    }

    private func withReader<R>(_ id: Int, _ body: (inout ChangeLog, inout Reader) -> R) -> R? {
        let (result, dropped) = state.withLock { state -> (R?, [ChangeSet]) in
            guard var reader = state.readers[id] else { return (nil, []) }
            let result = body(&state.log, &reader)
            state.readers[id] = reader
            return (result, state.takeDropped())
        }
        withExtendedLifetime(dropped) {}
        return result
    }

    /// Whether every commit of this process with saves up to this one has been handed out.
    ///
    /// - Parameter reader: woken as soon as another commit is, where not.
    package func hasHandedOut(through save: UInt64, orWake reader: Int? = nil) -> Bool {
        state.withLock { state in
            guard state.commits.contains(where: { $0.base < save }) else { return true }
            if let reader { state.waiting.insert(reader) }
            return false
        }
    }

    /// The last save that readers were told of.
    package var lastSave: UInt64? { state.withLock(\.known) }

    /// Rows and bytes of the change sets that some reader has not taken.
    package var unread: (rows: Int, bytes: Int) { state.withLock { ($0.log.rowCount, $0.log.byteCount) } }

    // MARK: Commits

    /// Announces a commit, inside its transaction: the order of these calls is that of the commits. Readers that want to
    /// are told of it where it is small.
    func announce(_ changes: CommitChanges, base: UInt64) -> UInt64 {
        let (id, set, told) = state.withLock { state in
            state.nextID += 1
            let (set, told) = state.foresee(changes, base: base)
            state.commits.append(Commit(id: state.nextID, base: base, last: changes.last, set: set))
            return (state.nextID, set, told)
        }
        if let set { for foresee in told { foresee(set) } }
        return id
    }

    /// Hands out that other processes have saved, up to a save that a snapshot shows, without waiting for a commit of this
    /// process. Where one is under way, it will tell.
    package func noteOthers(through save: UInt64) {
        let (wakes, dropped) = state.withLock { state -> ([@Sendable () -> Void], [ChangeSet]) in
            guard let known = state.known, known < save, !state.commits.contains(where: { $0.base < save }) else {
                return ([], [])
            }
            let woken = state.handOut(CommitChanges(last: save), base: save)
            return (woken.compactMap { state.readers[$0]?.wake }, state.takeDropped())
        }
        for wake in wakes { wake() }
        withExtendedLifetime(dropped) {}
    }

    /// Hands out a commit, once those announced before it are; nil when it has failed.
    func conclude(_ id: UInt64, changes: CommitChanges?) {
        let (wakes, dropped) = state.withLock { state -> ([@Sendable () -> Void], [ChangeSet]) in
            guard let position = state.commits.firstIndex(where: { $0.id == id }) else { return ([], []) }
            state.commits[position].outcome = changes.map(Outcome.committed) ?? .failed
            var woken = state.waiting
            state.waiting = []
            while let commit = state.commits.first, let outcome = commit.outcome {
                if case .committed(let changes) = outcome {
                    woken.formUnion(state.handOut(changes, base: commit.base, foreseen: commit.set))
                }
                state.commits.removeFirst()
            }
            return (woken.compactMap { state.readers[$0]?.wake }, state.takeDropped())
        }
        for wake in wakes { wake() }
        withExtendedLifetime(dropped) {}
    }
}

extension ChangeHub.State {
    /// The rows up to which readers are told of a commit before it is made.
    private static var mostForeseen: Int { 16 }

    /// What a commit will change, and who is to be told of it; nobody where it is large, or others have saved before it.
    fileprivate func foresee(
        _ changes: CommitChanges, base: UInt64
    ) -> (set: ChangeSet?, told: [@Sendable (ChangeSet) -> Void]) {
        let none: [@Sendable (ChangeSet) -> Void] = []
        guard !foreseeing.isEmpty, commits.isEmpty, known == base, !changes.changesSchema, changes.rewritten.isEmpty,
            changes.results.reduce(0, { $0 + $1.rows.count }) <= Self.mostForeseen
        else { return (nil, none) }
        let set = ChangeSet(changes, base: base, known: base, announcement: nextID)
        let told = foreseeing.sorted().compactMap { id -> (@Sendable (ChangeSet) -> Void)? in
            guard let reader = readers[id], reader.entities.map(set.concerns) ?? true else { return nil }
            return reader.foresee
        }
        return (set, told)
    }

    /// Returns the readers that it is for and that want to be woken.
    ///
    /// - Parameter foreseen: what readers were told of it before it was made.
    fileprivate mutating func handOut(
        _ changes: CommitChanges, base: UInt64, foreseen: ChangeSet? = nil
    ) -> Set<Int> {
        let known = known ?? base
        self.known = max(known, changes.last)
        guard !readers.isEmpty else { return [] }
        let set =
            foreseen.flatMap { $0.known == min(known, base) ? $0 : nil } ?? ChangeSet(changes, base: base, known: known)
        var woken: Set<Int> = []
        var reminded: [Int] = []
        var passing: [Int] = []
        for id in attentive {
            guard let reader = readers[id] else { continue }
            if reader.entities.map(set.concerns) ?? true {
                if reader.wake != nil { woken.insert(id) }
            } else if log.isAtEnd(reader.position) {
                passing.append(id)
            }
            if reader.reminder != nil, readers[id]?.reminder?.count(set) == true, reader.wake != nil {
                reminded.append(id)
            }
        }
        log.append(set, readers: readers.count - passing.count, woken: woken)
        for id in passing { readers[id]?.position = log.end(after: set.last) }
        return woken.union(reminded)
    }

    /// Takes the change sets that were dropped. The caller releases them outside of the lock.
    fileprivate mutating func takeDropped() -> [ChangeSet] {
        defer { log.dropped = [] }
        return log.dropped
    }
}
