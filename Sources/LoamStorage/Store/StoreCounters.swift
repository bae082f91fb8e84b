import LMDB

/// The two numbers of a store that only ever rise: the row-id mark and the last save.
///
/// Sixteen bytes, big endian, under ``Keyspace/storeCounters``.
struct StoreCounters: Hashable, Sendable {
    /// The lowest row id that no process has leased.
    var nextRow: RowID = 1
    /// The number of the last save; 0 before the first.
    var lastSave: UInt64 = 0

    static func read(_ transaction: borrowing some Transaction & ~Copyable, in counters: Database) throws -> Self {
        let key = Keyspace.storeCounters
        guard let value = try transaction.value(for: key.span.bytes, in: counters) else {
            return StoreCounters()
        }
        guard value.byteCount == 16 else {
            throw StorageError(.damagedCatalog("the row-id mark and the save number have a wrong size"))
        }
        return value.withUnsafeBytes {
            StoreCounters(
                nextRow: UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)),
                lastSave: UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
        }
    }

    func write(_ transaction: inout WriteTransaction, in counters: Database) throws {
        let key = Keyspace.storeCounters
        let value = Keyspace.bytes(nextRow) + Keyspace.bytes(lastSave)
        try transaction.put(value.span.bytes, for: key.span.bytes, in: counters)
    }
}
