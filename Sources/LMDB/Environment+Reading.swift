import CLMDB

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension Environment {
    /// Runs a body with a snapshot, which ends with the body. Costs about 50 ns besides the body where a pooled
    /// transaction is at hand.
    ///
    /// - Throws: what ``beginRead()`` throws, and what the body throws, as it is.
    @inlinable
    package func read<R: ~Copyable>(_ body: (borrowing ReadTransaction) throws -> R) throws -> R {
        let transaction = try beginRead()
        return try body(transaction)
    }

    /// Begins a snapshot that lives as long as the value returned.
    ///
    /// A full reader table is first freed of the slots of dead processes. A map that another process has grown is
    /// followed, which waits until this process's transactions have ended. Named databases that appeared since the last
    /// time are opened, so every ``Database`` of this snapshot works in it.
    ///
    /// - Throws: ``LMDBError/Kind/forked`` in a child process, ``LMDBError/Kind/panic`` where the environment is
    ///   disabled, ``LMDBError/Kind/readersFull`` where every slot has a living reader,
    ///   ``LMDBError/Kind/outOfMemory`` where a map that has grown finds no address space,
    ///   ``LMDBError/Kind/reentrant`` where this thread would wait for itself to follow it.
    package func beginRead() throws(LMDBError) -> ReadTransaction {
        while true {
            let (slot, transaction, shelf) = try beginPlainRead()
            if handles.isComplete(in: transaction) {
                return ReadTransaction(environment: self, pointer: transaction, slot: slot, shelf: shelf)
            }
            endRead(transaction, slot: slot)
            try openNewDatabases()
        }
    }

    /// Begins a read, with whatever databases are open.
    func beginPlainRead() throws(LMDBError) -> (
        slot: Int, transaction: OpaquePointer, shelf: UnsafeMutablePointer<CursorShelf>
    ) {
        try checkProcess()
        var hasReaped = false
        while true {
            let (slot, pooled, shelf, generation) = try entering("mdb_txn_begin") { () throws(Gate.Refusal) in
                try gate.enter()
            }
            var transaction = pooled
            let code =
                pooled.map { mdb_txn_renew($0) } ?? mdb_txn_begin(pointer, nil, UInt32(MDB_RDONLY), &transaction)
            if code == MDB_SUCCESS, let transaction { return (slot, transaction, shelf) }
            gate.leave(slot, keeping: pooled)
            try recover(from: code, generation: generation, hasReaped: &hasReaped)
        }
    }

    /// Whether this thread is inside a read of this environment: then it must not wait for the writer, who may wait for
    /// it to grow the map.
    package var isReadingOnThisThread: Bool { gate.isReading(on: pthread_self()) }

    /// Adds somebody who holds transactions for long (``ReadTransaction/lend()``).
    ///
    /// - Parameters:
    ///   - letGo: ends them. Called on any thread when somebody waits for all transactions of this process to end. It must
    ///     begin none, and wait for nobody who does.
    ///   - goOn: called on any thread when transactions can be held again, whether ``ReadTransaction/lend()`` was refused
    ///     before or not. It must only schedule.
    /// - Returns: a number for ``removeLender(_:)``.
    package func addLender(
        _ letGo: @escaping @Sendable () -> Void, goOn: @escaping @Sendable () -> Void = {}
    ) -> Int { gate.addLender(Gate.Lender(letGo: letGo, goOn: goOn)) }

    package func removeLender(_ number: Int) { gate.removeLender(number) }

    /// Whether somebody waits for all transactions of this process to end.
    package var waitsForReads: Bool { gate.isClosing }

    /// Begins a read and ends it, for what beginning one repairs.
    func followMapIfGrown() throws(LMDBError) {
        _ = try beginRead()
    }

    /// Makes another attempt to begin a read worth while, or throws.
    private func recover(from code: Int32, generation: Int, hasReaped: inout Bool) throws(LMDBError) {
        switch code {
        case MDB_MAP_RESIZED:
            try followMap(generation: generation)
        case MDB_READERS_FULL where !hasReaped:
            hasReaped = true
            _ = try reapDeadReaders()
        default:
            throw error(code, call: "mdb_txn_begin")
        }
    }

    /// Resets a read transaction into the pool; in a forked child it is left alone, as it belongs to the parent.
    func endRead(_ transaction: OpaquePointer, slot: Int) {
        guard !isForked else { return }
        mdb_txn_reset(transaction)
        gate.leave(slot, keeping: transaction)
    }
}
