import CLMDB

/// A snapshot of the whole environment: what was committed when it began, whatever is written since.
///
/// It blocks nobody, but pages that it can see are not used again while it lives, so the file grows when it lives long;
/// and the map cannot grow (``Environment/grow(forDeletion:)`` waits). It may be used from any thread, by one at a
/// time; while it lives, the thread that began it cannot grow the map. The end of its life gives it back to a pool,
/// from which the next one takes about 50 ns.
package struct ReadTransaction: ~Copyable, Transaction {
    package let environment: Environment
    package let pointer: OpaquePointer
    package let shelf: UnsafeMutablePointer<CursorShelf>?
    let slot: Int

    init(environment: Environment, pointer: OpaquePointer, slot: Int, shelf: UnsafeMutablePointer<CursorShelf>) {
        self.environment = environment
        self.pointer = pointer
        self.slot = slot
        self.shelf = shelf
    }

    deinit {
        environment.endRead(pointer, slot: slot)
    }

    /// Lets the transaction be held for longer than a read, by somebody who lets go of it when asked to
    /// (``Environment/addLender(_:)``): the thread that began it may grow the map then. False where it has to end now,
    /// because somebody waits for all reads to end.
    package func lend() -> Bool { environment.gate.lend(slot) }

    /// Bytes of all pages of the file up to the last one in use, as of the last commit.
    package var usedBytes: Int { environment.mapSizeAndUse().used }

    /// The named database, where this snapshot has it.
    ///
    /// - Throws: why a database of this name that exists could not be opened, as ``LMDBError/Kind/tooManyDatabases``.
    package func database(named name: String) throws(LMDBError) -> Database? {
        guard let database = try environment.handles.find(name) else { return nil }
        return knows(database) ? database : nil
    }

    /// A database that is made late, where this snapshot has it.
    ///
    /// - Throws: why a database of this name that exists could not be opened, as ``LMDBError/Kind/tooManyDatabases``.
    package func database(_ late: LateDatabase) throws(LMDBError) -> Database? {
        if let database = late.known { return knows(database) ? database : nil }
        guard let database = try database(named: late.name) else { return nil }
        late.remember(database)
        return database
    }

    /// The names of all databases of the snapshot, in the order of their bytes. O(databases).
    ///
    /// - Throws: ``LMDBError/Kind/damaged`` where the pages with the names contradict each other.
    package func databaseNames() throws(LMDBError) -> [String] {
        try environment.names(in: pointer)
    }

    /// Whether the transaction has a database; false for a handle that was made after the snapshot.
    private func knows(_ database: Database) -> Bool {
        var stat = MDB_stat()
        return mdb_stat(pointer, database.handle, &stat) == MDB_SUCCESS
    }
}
