import LMDB

/// The two numbers of a store that it counts up: the row-id mark and the last save. Only the mark is ever lowered,
/// and only by a bulk load that failed and gives back ids that nobody has seen.
///
/// Two numbers of eight bytes, big endian, and their checksum, under ``Keyspace/storeCounters``.
struct StoreCounters: Hashable, Sendable {
    /// The lowest row id that no process has leased.
    var nextRow: RowID = 1
    /// The number of the last save; 0 before the first.
    var lastSave: UInt64 = 0

    /// The number of the next save. Throws `noMoreSaves` when there is none that a record has room for.
    func nextSave() throws -> UInt64 {
        guard lastSave < RecordHeader.maximumSave else { throw StorageError(.noMoreSaves) }
        return lastSave + 1
    }

    static func read(in transaction: borrowing some Transaction & ~Copyable, from counters: Database) throws -> Self {
        let key = Keyspace.storeCounters
        guard let value = try transaction.value(for: key.span.bytes, in: counters) else {
            throw StorageError(.damagedCatalog("the row-id mark and the save number are missing"))
        }
        let found = value.withUnsafeBytes { value -> StoreCounters? in
            guard value.count == 24, value.bigEndian(at: 16) == checksum(of: value) else { return nil }
            return StoreCounters(nextRow: value.bigEndian(at: 0), lastSave: value.bigEndian(at: 8))
        }
        guard let found else {
            throw StorageError(.damagedCatalog("the checksum of the row-id mark and the save number is wrong"))
        }
        return found
    }

    func write(in transaction: inout WriteTransaction, to counters: Database) throws {
        let key = Keyspace.storeCounters
        try transaction.put(bytes.span.bytes, for: key.span.bytes, in: counters)
    }

    private var bytes: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 24) { bytes, count in
            guard let start = UnsafeMutableRawPointer(bytes.baseAddress) else {
                preconditionFailure("an array was given no memory")
            }
            start.store(bigEndian: nextRow, at: 0)
            start.store(bigEndian: lastSave, at: 8)
            start.store(bigEndian: Self.checksum(of: UnsafeRawBufferPointer(start: start, count: 24)), at: 16)
            count = 24
        }
    }

    /// The checksum of the two numbers.
    private static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt64 {
        Checksum.hash64(UnsafeRawBufferPointer(rebasing: bytes.prefix(16)), seed: 0)
    }
}
