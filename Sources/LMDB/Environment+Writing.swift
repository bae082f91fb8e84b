import CLMDB
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension Environment {
    /// Runs a body with the write transaction, on this thread, and commits it when the body returns.
    ///
    /// Waits for other writers, of this and of other processes. When the body throws, nothing has happened. When it
    /// throws ``LMDBError/Kind/mapFull``, ``grow(forDeletion:)`` and run it again. Throws
    /// ``LMDBError/Kind/fileDisplaced`` or ``LMDBError/Kind/lockDisplaced``, before the body runs, when the file or its
    /// lock file is not at its path any more. The body must not wait for another
    /// thread that writes.
    ///
    /// - Parameter durability: for this commit; nil for the one in the environment's options.
    @inlinable
    package func write<R: ~Copyable>(
        durability: Durability? = nil, _ body: (inout WriteTransaction) throws -> R
    ) throws -> R {
        var transaction = try beginWrite(durability: durability)
        let result = try body(&transaction)
        try transaction.commit()
        return result
    }

    /// Begins the write transaction; whoever does must commit it on the same thread, or let it end its life there.
    ///
    /// - Throws: ``LMDBError/Kind/readOnly``, ``LMDBError/Kind/fileDisplaced``, ``LMDBError/Kind/lockDisplaced``,
    ///   ``LMDBError/Kind/forked``, ``LMDBError/Kind/panic``, and ``LMDBError/Kind/reentrant`` where this thread
    ///   writes already. The thread is no writer then.
    @usableFromInline
    package func beginWrite(durability: Durability?) throws(LMDBError) -> WriteTransaction {
        try checkProcess(thoroughly: true)
        guard !isReadOnly else { throw LMDBError(kind: .readOnly, call: "write", path: path) }
        closeReserve(afterUse: false)
        reapNowAndThen()
        while true {
            let generation = try entering("write") { () throws(Gate.Refusal) in try gate.beginWriting() }
            apply(durability ?? options.durability)
            let changeCount = handles.changeCount
            var transaction: OpaquePointer?
            let code = mdb_txn_begin(pointer, nil, 0, &transaction)
            if code == MDB_SUCCESS, let transaction {
                do throws(LMDBError) {
                    try requireFilesInPlace()
                } catch {
                    abandon(transaction)
                    throw error
                }
                if handles.isComplete(in: transaction) && handles.changeCount == changeCount {
                    return WriteTransaction(environment: self, pointer: transaction)
                }
                abandon(transaction)
                try openNewDatabases()
                continue
            }
            gate.endWriting()
            guard code == MDB_MAP_RESIZED else { throw error(code, call: "mdb_txn_begin") }
            try followMap(generation: generation)
        }
    }

    /// Throws where path and lock file do not lead to the open files any more: what is written now would be lost for
    /// those who open the path. Costs two `stat` calls.
    private func requireFilesInPlace() throws(LMDBError) {
        guard options.staysAtPath, let displacement = files.displacement() else { return }
        throw LMDBError(kind: displacement, call: "write", path: path)
    }

    /// Takes a transaction's changes back. In a forked child the transaction is the parent's, and left alone.
    func abandon(_ transaction: OpaquePointer) {
        guard !isForked else { return }
        mdb_txn_abort(transaction)
        gate.endWriting()
    }

    /// Sets LMDB's durability flags, which are the environment's; only the writer looks at them.
    private func apply(_ durability: Durability) {
        let wanted = durability.flags
        let current = durabilityFlags.load(ordering: .relaxed)
        guard wanted != current else { return }
        if current != 0 { mdb_env_set_flags(pointer, current, 0) }
        if wanted != 0 { mdb_env_set_flags(pointer, wanted, 1) }
        durabilityFlags.store(wanted, ordering: .relaxed)
    }
}
