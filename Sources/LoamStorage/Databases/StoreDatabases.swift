import LMDB

/// The databases that every store has.
struct StoreDatabases: Sendable {
    let catalog: Database
    let indexes: Database
    let counters: Database
    let history: Database

    /// How many they are.
    static let names = [Keyspace.catalog, Keyspace.indexes, Keyspace.counters, Keyspace.history]

    var blocks: IndexDatabases { IndexDatabases(indexes: indexes, counters: counters) }
}
