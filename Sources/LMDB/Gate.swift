import CLMDB

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Counts the transactions of this process and keeps them out while the file is mapped anew.
///
/// `mdb_env_set_mapsize` unmaps the file whoever reads in it; the next touch of an old pointer would end the process.
/// So the map moves only while no transaction of this process is open.
///
/// | State | Guarded by | Written by | Until |
/// |---|---|---|---|
/// | `slots`, `idle`, `active` | `mutex` | threads that begin and end reads | the environment closes |
/// | `writer`, `handleOwner` | `mutex` | the thread that they name | it ends its transaction |
/// | `closers`, `exclusiveOwner`, `generation` | `mutex` | threads that close the gate | they open it |
/// | `lenders` | `mutex` | who begins and ends to hold snapshots | they end it |
///
/// A beginner waits for a closer only in the first second of every ``period``, unless the gate is closed already:
/// somebody whom the closer waits for may in turn wait for the beginner. So nothing here waits for ever, reads shorter
/// than a second drain, and a read that is held for an hour slows the others down but now and then.
///
/// Cost: one lock and one unlock each to begin and to end a read. `Mutex` of Synchronization has no condition to wait
/// for, hence the pthread pair.
final class Gate: @unchecked Sendable {
    /// Why waiting would be in vain.
    enum Refusal: Error { case reentrant, lost }

    struct Slot {
        /// A reset transaction that keeps its slot in LMDB's reader table; nil when one has to be begun.
        var transaction: OpaquePointer?
        /// The cursors of the slot's reads that are not in use.
        let shelf: UnsafeMutablePointer<CursorShelf>
        /// The thread that began the read, while it is its business.
        var owner: pthread_t?
    }

    /// The length of a period in seconds.
    private static let period = 16
    /// Reset transactions kept at most: each holds one slot in a table that all processes share.
    private static let idleLimit = 32

    struct State {
        var slots: [Slot] = []
        var idle: [Int] = []
        var active = 0
        var writer: pthread_t?
        var handleOwner: pthread_t?
        var closers = 0
        /// Those who hold snapshots for longer than a read.
        var lenders: [Int: Lender] = [:]
        var nextLender = 0
        /// When the first of them came.
        var closingSince = timespec()
        var exclusiveOwner: pthread_t?
        var generation = 0
        var isLost = false

        func ownsRead(_ thread: pthread_t) -> Bool {
            slots.contains { isSame($0.owner, thread) }
        }
    }

    let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>
    /// The state lies behind a pointer because the lock keeps accesses apart. Swift's own checks would cost more than
    /// the work.
    let state: UnsafeMutablePointer<State>

    init() {
        mutex = .allocate(capacity: 1)
        changed = .allocate(capacity: 1)
        state = .allocate(capacity: 1)
        state.initialize(to: State())
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(changed, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        pthread_cond_destroy(changed)
        mutex.deallocate()
        changed.deallocate()
        state.deinitialize(count: 1)
        state.deallocate()
    }

    // MARK: Reads

    /// A slot for a read transaction, with the pooled transaction that lies there, its idle cursors, and the map's
    /// generation.
    func enter() throws(Refusal) -> (
        slot: Int, transaction: OpaquePointer?, shelf: UnsafeMutablePointer<CursorShelf>, generation: Int
    ) {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        let thread = pthread_self()
        try waitForTurn(of: thread)
        state.pointee.active += 1
        if let slot = state.pointee.idle.popLast() {
            state.pointee.slots[slot].owner = thread
            let found = state.pointee.slots[slot]
            return (slot, found.transaction, found.shelf, state.pointee.generation)
        }
        let shelf = CursorShelf.make()
        state.pointee.slots.append(Slot(transaction: nil, shelf: shelf, owner: thread))
        return (state.pointee.slots.count - 1, nil, shelf, state.pointee.generation)
    }

    /// Gives a slot back, with a reset transaction. One that is not kept is freed here: once the slot is given back,
    /// the environment may be closed to be opened anew.
    func leave(_ slot: Int, keeping transaction: OpaquePointer?) {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        let keeps = transaction == nil || state.pointee.idle.count < Gate.idleLimit
        if let transaction, !keeps {
            mdb_txn_abort(transaction)
            state.pointee.slots[slot].shelf.pointee.removeAll()
        }
        state.pointee.slots[slot].transaction = keeps ? transaction : nil
        state.pointee.slots[slot].owner = nil
        state.pointee.idle.append(slot)
        state.pointee.active -= 1
        if state.pointee.closers > 0 && state.pointee.active == 0 { pthread_cond_broadcast(changed) }
    }

    /// Keeps the map where it is for a short while, without a slot.
    func hold() throws(Refusal) {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        try waitForTurn(of: pthread_self())
        state.pointee.active += 1
    }

    /// The counterpart of ``hold()``.
    func release() {
        pthread_mutex_lock(mutex)
        state.pointee.active -= 1
        if state.pointee.closers > 0 && state.pointee.active == 0 { pthread_cond_broadcast(changed) }
        pthread_mutex_unlock(mutex)
    }

    /// Takes the pooled transactions out, for the environment's end, and closes the idle cursors. The gate must be
    /// closed, or used by nobody else.
    func drain() -> [OpaquePointer] {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        let pooled = state.pointee.slots.compactMap(\.transaction)
        for slot in state.pointee.slots { CursorShelf.free(slot.shelf) }
        state.pointee.slots = []
        state.pointee.idle = []
        return pooled
    }

    /// Whether a read that this thread began is still open and its business.
    func isReading(on thread: pthread_t) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return state.pointee.ownsRead(thread)
    }

    // MARK: Writes

    /// Makes this thread the process's writer, when its turn comes.
    func beginWriting() throws(Refusal) -> Int {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        let thread = pthread_self()
        if isSame(state.pointee.writer, thread) { throw .reentrant }
        while true {
            try waitForTurn(of: thread)
            if state.pointee.writer == nil { break }
            pthread_cond_wait(changed, mutex)
        }
        state.pointee.writer = thread
        return state.pointee.generation
    }

    /// Ends what this thread holds as writer: its turn, the handles, the gate.
    func endWriting() {
        pthread_mutex_lock(mutex)
        if isSame(state.pointee.handleOwner, state.pointee.writer) { state.pointee.handleOwner = nil }
        let opens = isSame(state.pointee.exclusiveOwner, state.pointee.writer)
        if opens { state.pointee.exclusiveOwner = nil }
        state.pointee.writer = nil
        pthread_cond_broadcast(changed)
        pthread_mutex_unlock(mutex)
        if opens { noteOpened() }
    }

    /// Whether this thread is the writer.
    func isWriting() -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return isSame(state.pointee.writer, pthread_self())
    }

    // MARK: Handles

    /// Reserves the table of database handles, which LMDB lets one transaction at a time change.
    func beginChangingHandles(asWriter: Bool) throws(Refusal) {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        let thread = pthread_self()
        if isSame(state.pointee.handleOwner, thread) {
            if asWriter { return }
            throw .reentrant
        }
        while state.pointee.handleOwner != nil { pthread_cond_wait(changed, mutex) }
        state.pointee.handleOwner = thread
    }

    /// The counterpart of ``beginChangingHandles(asWriter:)`` for a reader; a writer's end does it by itself.
    func endChangingHandles() {
        pthread_mutex_lock(mutex)
        state.pointee.handleOwner = nil
        pthread_cond_broadcast(changed)
        pthread_mutex_unlock(mutex)
    }

    // MARK: Closing

    /// Waits until no transaction of this process is open, and keeps new ones out until ``open(isLost:)``.
    ///
    /// With a generation given, returns false when somebody else has moved the map since.
    func close(unlessNewerThan seen: Int? = nil) throws(Refusal) -> Bool {
        // Where it stays open after all, behind the unlocking.
        defer { noteOpened() }
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        let thread = pthread_self()
        if isSame(state.pointee.writer, thread) || state.pointee.ownsRead(thread) { throw .reentrant }
        beginClosing()
        defer { state.pointee.closers -= 1 }
        askLenders()
        while true {
            if state.pointee.isLost { throw .lost }
            if let seen, seen != state.pointee.generation { return false }
            if state.pointee.active == 0 && state.pointee.writer == nil && state.pointee.exclusiveOwner == nil { break }
            pthread_cond_wait(changed, mutex)
        }
        state.pointee.exclusiveOwner = thread
        return true
    }

    /// Closes the gate as ``close(unlessNewerThan:)`` does, for the writer itself. ``endWriting()`` opens it again.
    func closeAsWriter() throws(Refusal) {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        let thread = pthread_self()
        if isSame(state.pointee.exclusiveOwner, thread) { return }
        if state.pointee.ownsRead(thread) { throw .reentrant }
        beginClosing()
        defer { state.pointee.closers -= 1 }
        askLenders()
        while state.pointee.active > 0 || state.pointee.exclusiveOwner != nil { pthread_cond_wait(changed, mutex) }
        state.pointee.exclusiveOwner = thread
    }

    /// Closes the gate if that needs no waiting.
    func closeIfIdle() -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        guard state.pointee.active == 0, state.pointee.writer == nil, state.pointee.exclusiveOwner == nil,
            !state.pointee.isLost
        else { return false }
        state.pointee.exclusiveOwner = pthread_self()
        return true
    }

    /// Opens the gate after the map has moved; `isLost` when it could not be mapped again.
    func open(isLost: Bool) {
        pthread_mutex_lock(mutex)
        state.pointee.exclusiveOwner = nil
        state.pointee.generation += 1
        if isLost { state.pointee.isLost = true }
        pthread_cond_broadcast(changed)
        pthread_mutex_unlock(mutex)
        noteOpened()
    }

    // MARK: Under the lock

    private func beginClosing() {
        if state.pointee.closers == 0 { state.pointee.closingSince = now() }
        state.pointee.closers += 1
    }

    /// Calls those who hold reads for long, while the lock is given back. From here on nobody lends.
    private func askLenders() {
        guard state.pointee.active > 0, !state.pointee.lenders.isEmpty else { return }
        pthread_mutex_unlock(mutex)
        callLenders()
        pthread_mutex_lock(mutex)
    }

    private func waitForTurn(of thread: pthread_t) throws(Refusal) {
        if state.pointee.closers == 0 && state.pointee.exclusiveOwner == nil && !state.pointee.isLost { return }
        let isPatient = !isSame(state.pointee.writer, thread) && !state.pointee.ownsRead(thread)
        while true {
            if state.pointee.isLost { throw .lost }
            if let owner = state.pointee.exclusiveOwner {
                if isSame(owner, thread) { throw .reentrant }
                pthread_cond_wait(changed, mutex)
            } else if isPatient, var end = endOfWaiting() {
                pthread_cond_timedwait(changed, mutex, &end)
            } else {
                return
            }
        }
    }

    /// Until when a beginner waits for closers; nil when it need not.
    private func endOfWaiting() -> timespec? {
        guard state.pointee.closers > 0 else { return nil }
        let (since, now) = (state.pointee.closingSince, now())
        let seconds = now.tv_sec - since.tv_sec - (now.tv_nsec < since.tv_nsec ? 1 : 0)
        guard seconds % Gate.period == 0 else { return nil }
        return timespec(tv_sec: since.tv_sec + seconds + 1, tv_nsec: since.tv_nsec)
    }

    private func now() -> timespec {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return time
    }
}

/// Whether both are threads, and the same one.
private func isSame(_ one: pthread_t?, _ other: pthread_t?) -> Bool {
    guard let one, let other else { return false }
    return pthread_equal(one, other) != 0
}
