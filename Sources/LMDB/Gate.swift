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
/// | `closers`, `exclusiveOwner`, `generation` | `mutex` | threads that change the map or drop a database | they open the gate |
///
/// A beginner waits for a closer at most ``patience`` unless the gate is closed already: somebody whom the closer waits
/// for may in turn wait for the beginner. So nothing here waits for ever, and reads shorter than that drain.
///
/// Cost: one lock and one unlock each to begin and to end a read. `Mutex` of Synchronization has no condition to wait
/// for, hence the pthread pair.
final class Gate: @unchecked Sendable {
    /// Why waiting would be in vain.
    enum Refusal: Error { case reentrant, lost }

    private struct Slot {
        /// A reset transaction that keeps its place in LMDB's reader table; nil when one has to be begun.
        var transaction: OpaquePointer?
        /// The thread that began the read, while it is its business.
        var owner: pthread_t?
    }

    private static let patience = 1
    /// Reset transactions kept at most: each holds one place in a table that all processes share.
    private static let idleLimit = 32

    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>
    private var slots: [Slot] = []
    private var idle: [Int] = []
    private var active = 0
    private var writer: pthread_t?
    private var handleOwner: pthread_t?
    private var closers = 0
    private var exclusiveOwner: pthread_t?
    private var generation = 0
    private var isLost = false

    init() {
        mutex = .allocate(capacity: 1)
        changed = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(changed, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        pthread_cond_destroy(changed)
        mutex.deallocate()
        changed.deallocate()
    }

    // MARK: Reads

    /// A place for a read transaction, with the pooled transaction that lies there and the map's generation.
    func enter() throws(Refusal) -> (slot: Int, transaction: OpaquePointer?, generation: Int) {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        let thread = pthread_self()
        try waitForTurn(of: thread)
        active += 1
        if let slot = idle.popLast() {
            slots[slot].owner = thread
            return (slot, slots[slot].transaction, generation)
        }
        slots.append(Slot(transaction: nil, owner: thread))
        return (slots.count - 1, nil, generation)
    }

    /// Gives a place back. True when the (reset) transaction was kept, false when the caller must free it.
    func leave(_ slot: Int, keeping transaction: OpaquePointer?) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        let keeps = transaction == nil || idle.count < Gate.idleLimit
        slots[slot] = Slot(transaction: keeps ? transaction : nil, owner: nil)
        idle.append(slot)
        active -= 1
        if closers > 0 && active == 0 { pthread_cond_broadcast(changed) }
        return keeps
    }

    /// Keeps the map where it is for a short while, without a place.
    func hold() throws(Refusal) {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        try waitForTurn(of: pthread_self())
        active += 1
    }

    /// The counterpart of ``hold()``.
    func release() {
        pthread_mutex_lock(mutex)
        active -= 1
        if closers > 0 && active == 0 { pthread_cond_broadcast(changed) }
        pthread_mutex_unlock(mutex)
    }

    /// Says that the read in a slot is no longer the business of the thread that began it.
    func disown(_ slot: Int) {
        pthread_mutex_lock(mutex)
        slots[slot].owner = nil
        pthread_mutex_unlock(mutex)
    }

    /// Takes the pooled transactions out, for the environment's end. Nobody else may be using the gate.
    func drain() -> [OpaquePointer] {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        let pooled = slots.compactMap(\.transaction)
        slots = []
        idle = []
        return pooled
    }

    /// Whether a read that this thread began is still open and its business.
    func isReading(on thread: pthread_t) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return ownsRead(thread)
    }

    // MARK: Writes

    /// Makes this thread the process's writer, when its turn comes.
    func beginWriting() throws(Refusal) -> Int {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        let thread = pthread_self()
        if isSame(writer, thread) { throw .reentrant }
        while true {
            try waitForTurn(of: thread)
            if writer == nil { break }
            pthread_cond_wait(changed, mutex)
        }
        writer = thread
        return generation
    }

    /// Ends what this thread holds as writer: its turn, the handles, the gate.
    func endWriting() {
        pthread_mutex_lock(mutex)
        if isSame(handleOwner, writer) { handleOwner = nil }
        if isSame(exclusiveOwner, writer) { exclusiveOwner = nil }
        writer = nil
        pthread_cond_broadcast(changed)
        pthread_mutex_unlock(mutex)
    }

    /// Whether this thread is the writer.
    func isWriting() -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return isSame(writer, pthread_self())
    }

    // MARK: Handles

    /// Reserves the table of database handles, which LMDB lets one transaction at a time change.
    func beginChangingHandles(asWriter: Bool) throws(Refusal) {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        let thread = pthread_self()
        if isSame(handleOwner, thread) {
            if asWriter { return }
            throw .reentrant
        }
        while handleOwner != nil { pthread_cond_wait(changed, mutex) }
        handleOwner = thread
    }

    /// The counterpart of ``beginChangingHandles(asWriter:)`` for a reader; a writer's end does it by itself.
    func endChangingHandles() {
        pthread_mutex_lock(mutex)
        handleOwner = nil
        pthread_cond_broadcast(changed)
        pthread_mutex_unlock(mutex)
    }

    // MARK: Closing

    /// Waits until no transaction of this process is open, and keeps new ones out until ``open(isLost:)``.
    ///
    /// With a generation given, returns false when somebody else has moved the map since.
    func close(unlessNewerThan seen: Int? = nil) throws(Refusal) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        let thread = pthread_self()
        if isSame(writer, thread) || ownsRead(thread) { throw .reentrant }
        closers += 1
        defer { closers -= 1 }
        while true {
            if isLost { throw .lost }
            if let seen, seen != generation { return false }
            if active == 0 && writer == nil && exclusiveOwner == nil { break }
            pthread_cond_wait(changed, mutex)
        }
        exclusiveOwner = thread
        return true
    }

    /// As ``close(unlessNewerThan:)``, for the writer itself; ``endWriting()`` opens the gate again.
    func closeAsWriter() throws(Refusal) {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        let thread = pthread_self()
        if isSame(exclusiveOwner, thread) { return }
        if ownsRead(thread) { throw .reentrant }
        closers += 1
        defer { closers -= 1 }
        while active > 0 || exclusiveOwner != nil { pthread_cond_wait(changed, mutex) }
        exclusiveOwner = thread
    }

    /// Closes the gate if that needs no waiting.
    func closeIfIdle() -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        guard active == 0, writer == nil, exclusiveOwner == nil, !isLost else { return false }
        exclusiveOwner = pthread_self()
        return true
    }

    /// Opens the gate after the map has moved; `isLost` when it could not be mapped again.
    func open(isLost: Bool) {
        pthread_mutex_lock(mutex)
        exclusiveOwner = nil
        generation += 1
        if isLost { self.isLost = true }
        pthread_cond_broadcast(changed)
        pthread_mutex_unlock(mutex)
    }

    // MARK: Under the lock

    private func waitForTurn(of thread: pthread_t) throws(Refusal) {
        if closers == 0 && exclusiveOwner == nil && !isLost { return }
        var deadline = timespec()
        clock_gettime(CLOCK_REALTIME, &deadline)
        deadline.tv_sec += Gate.patience
        var isPatient = !isSame(writer, thread) && !ownsRead(thread)
        while true {
            if isLost { throw .lost }
            if let owner = exclusiveOwner {
                if isSame(owner, thread) { throw .reentrant }
                pthread_cond_wait(changed, mutex)
            } else if closers > 0 && isPatient {
                isPatient = pthread_cond_timedwait(changed, mutex, &deadline) != ETIMEDOUT
            } else {
                return
            }
        }
    }

    private func ownsRead(_ thread: pthread_t) -> Bool {
        slots.contains { isSame($0.owner, thread) }
    }

    private func isSame(_ one: pthread_t?, _ other: pthread_t?) -> Bool {
        guard let one, let other else { return false }
        return pthread_equal(one, other) != 0
    }
}
