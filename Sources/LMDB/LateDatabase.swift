import Synchronization

/// A named database, with bytes for keys, that is made when something is first put into it: until then it reads as an
/// empty one.
///
/// Whether it exists is asked anew in each transaction and kept nowhere else, so nothing has to be told, or taken back,
/// when it is made, when the transaction that makes it aborts, or when another process makes it. What is remembered is
/// only its handle, once it was found committed: a look-up by name happens once. A database that is dropped must not be
/// asked for again, since LMDB gives its handle to another.
///
/// | State | Guarded by | Written by | Until |
/// |---|---|---|---|
/// | `found` | atomic, written once | the first transaction that finds it | the value goes |
package final class LateDatabase: Sendable {
    private final class Found: Sendable {
        let database: Database

        init(_ database: Database) { self.database = database }
    }

    package let name: String
    private let found = AtomicLazyReference<Found>()

    package init(named name: String) {
        self.name = name
    }

    /// The database, if it was found committed.
    var known: Database? { found.load()?.database }

    /// Remembers a database that is committed. Not one that a writer has just made: it goes again when that aborts.
    func remember(_ database: Database) {
        _ = found.storeIfNil(Found(database))
    }
}
