#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Snapshots that are held for longer than a read.
extension Gate {
    /// Somebody who holds reads for long. The closures are called on any thread and under no lock of the gate; they must
    /// begin no read, and wait for nobody who does.
    struct Lender {
        /// Ends the reads: somebody waits for all of them.
        let letGo: @Sendable () -> Void
        /// Reads can be lent again.
        let goOn: @Sendable () -> Void
    }

    func addLender(_ lender: Lender) -> Int {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        state.pointee.nextLender += 1
        state.pointee.lenders[state.pointee.nextLender] = lender
        return state.pointee.nextLender
    }

    func removeLender(_ number: Int) {
        pthread_mutex_lock(mutex)
        let lender = state.pointee.lenders.removeValue(forKey: number)
        pthread_mutex_unlock(mutex)
        // What goes with it, goes outside of the lock.
        withExtendedLifetime(lender) {}
    }

    /// Makes a read nobody's business, so that it may be held for long: the thread that began it may write. Returns
    /// false, and changes nothing, while somebody waits for all reads to end.
    func lend(_ slot: Int) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        guard state.pointee.closers == 0, state.pointee.exclusiveOwner == nil else { return false }
        state.pointee.slots[slot].owner = nil
        return true
    }

    /// Whether somebody waits for all reads to end.
    var isClosing: Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return state.pointee.closers > 0 || state.pointee.exclusiveOwner != nil
    }

    /// Asks those who hold reads for long to let go of them.
    func callLenders() {
        pthread_mutex_lock(mutex)
        let lenders = Array(state.pointee.lenders.values)
        pthread_mutex_unlock(mutex)
        for lender in lenders { lender.letGo() }
    }

    /// Tells those who hold reads for long where nobody waits for their end any more.
    func noteOpened() {
        pthread_mutex_lock(mutex)
        let isOpen = state.pointee.closers == 0 && state.pointee.exclusiveOwner == nil
        let lenders = isOpen ? Array(state.pointee.lenders.values) : []
        pthread_mutex_unlock(mutex)
        for lender in lenders { lender.goOn() }
    }
}
