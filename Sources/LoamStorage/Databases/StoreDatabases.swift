import LMDB

/// The databases that every store has.
struct StoreDatabases: Sendable {
    let catalog: Database
    let indexes: Database
    let counters: Database
    let history: Database

    /// Their names, in the order of the properties above.
    static let names = [Keyspace.catalog, Keyspace.indexes, Keyspace.counters, Keyspace.history]

    var blocks: IndexDatabases { IndexDatabases(indexes: indexes, counters: counters) }
}
