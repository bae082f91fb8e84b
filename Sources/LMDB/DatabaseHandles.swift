import CLMDB
import Synchronization

/// The named databases that the process has handles for.
///
/// LMDB gives a handle to the transactions that begin after it was opened. So that every database of a snapshot is
/// usable in it, the number of entries in the main database, all of which are named databases, is compared when a
/// transaction begins. A write transaction begins only when nothing is left to open: two transactions must not open
/// handles at the same time ("mdb_dbi_open" in lmdb.h), and while one writes, no other process adds any.
///
/// | State | Guarded by | Written by | Until |
/// |---|---|---|---|
/// | `known` | its mutex | who has reserved the table of handles (``Gate``) | the environment closes |
/// | `entries`, `changes` | atomic | the same | the environment closes |
final class DatabaseHandles: Sendable {
    /// LMDB's handle of the main database, in every environment.
    static let main: UInt32 = 1

    private struct Known {
        var databases: [String: Database] = [:]
        /// Databases that exist and could not be opened.
        var failures: [String: LMDBError] = [:]
    }

    private let known = Mutex(Known())
    /// Entries of the main database when all of them were last opened.
    private let entries = Atomic<Int>(-1)
    /// Counts the changes of LMDB's table.
    private let changes = Atomic<Int>(0)

    subscript(name: String) -> Database? { known.withLock { $0.databases[name] } }

    /// The number of changes so far.
    var changeCount: Int { changes.load(ordering: .acquiring) }

    /// The database of a name, nil when there is none; throws when it exists and could not be opened.
    func find(_ name: String) throws(LMDBError) -> Database? {
        let (database, failure) = known.withLock { ($0.databases[name], $0.failures[name]) }
        if let failure { throw failure }
        return database
    }

    /// Takes over what a snapshot holds: all databases that could be opened, and why others could not.
    func replaceAll(_ databases: [String: Database], failures: [String: LMDBError], entries count: Int) {
        known.withLock { $0 = Known(databases: databases, failures: failures) }
        finish(entries: count)
    }

    /// Takes over what a committed transaction has made and dropped.
    func add(_ databases: [String: Database], entries count: Int) {
        known.withLock { $0.databases.merge(databases) { $1 } }
        finish(entries: count)
    }

    /// Forgets a database whose handle LMDB has closed; whatever becomes of that transaction, all are looked at again.
    func forget(_ name: String) {
        known.withLock { $0.databases[name] = nil }
        finish(entries: -1)
    }

    /// All of them, in the order of their handles.
    var all: [Database] { known.withLock { $0.databases.values.sorted { $0.handle < $1.handle } } }

    /// Lets the next transaction look for databases again: those that could not be opened may now be.
    func lookAgain() { finish(entries: -1) }

    private func finish(entries count: Int) {
        changes.add(1, ordering: .releasing)
        entries.store(count, ordering: .releasing)
    }

    /// Whether every database of a transaction's snapshot is open. Some 10 ns.
    func isComplete(in transaction: OpaquePointer) -> Bool {
        DatabaseHandles.entries(in: transaction) == entries.load(ordering: .acquiring)
    }

    /// The number of named databases in a transaction.
    static func entries(in transaction: OpaquePointer) -> Int {
        var stat = MDB_stat()
        return mdb_stat(transaction, main, &stat) == MDB_SUCCESS ? stat.ms_entries : 0
    }
}
