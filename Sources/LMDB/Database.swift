/// A named database of an environment: a sorted map from keys to values.
///
/// A plain value, good for every transaction of the environment that gave it out until the database is dropped.
package struct Database: Hashable, Sendable {
    package let name: String
    /// Keys are `UInt64` in the machine's byte order, sorted as numbers; otherwise bytes, sorted by `memcmp`.
    package let hasIntegerKeys: Bool
    /// LMDB's handle (`MDB_dbi`).
    let handle: UInt32
}

/// The shape of a database's tree, as of a transaction. Counting them costs nothing: LMDB keeps them.
package struct DatabaseStatistics: Hashable, Sendable {
    package let entries: Int
    /// Levels of the tree; 0 when it is empty.
    package let depth: Int
    package let branchPages: Int
    package let leafPages: Int
    package let overflowPages: Int
    /// Size of all its pages.
    package let bytes: Int
}
