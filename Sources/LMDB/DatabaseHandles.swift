import CLMDB
import Synchronization

/// The named databases that the process has handles for.
///
/// LMDB gives a handle to the transactions that begin after it was opened. So that every database of a snapshot is
/// usable in it, the number of entries in the main database, all of which are named databases, is compared when a read
/// begins.
final class DatabaseHandles: Sendable {
    /// LMDB's handle of the main database, in every environment.
    static let main: UInt32 = 1

    private let known = Mutex<[String: Database]>([:])
    /// Entries of the main database when all of them were last opened.
    private let entries = Atomic<Int>(-1)

    subscript(name: String) -> Database? { known.withLock { $0[name] } }

    func add(_ databases: some Sequence<Database>) {
        known.withLock { for database in databases { $0[database.name] = database } }
    }

    func remove(_ name: String) {
        known.withLock { $0[name] = nil }
    }

    /// Records that every database of a snapshot is open, by its number of entries.
    func setComplete(entries count: Int) {
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
