import LMDB

/// Values too long for a record, in chunks of their own with a checksum each.
///
/// A chunk is a ``SealedChunk`` of at most 1 MiB of content; its checksum covers row id, property id and number too.
/// LMDB looks for contiguous pages for a value, so chunks bound the fragmentation that long values cause.
enum LongValues {
    static let chunkBytes = 1 << 20
    /// The longest value that is kept: 1 GiB.
    static let maximumBytes = 1 << 30

    /// Makes the database where this is the entity's first long value.
    static func write(
        _ bytes: [UInt8], row: RowID, property: PropertyID, in late: LateDatabase,
        transaction: inout WriteTransaction
    ) throws {
        try requireAllowed(byteCount: bytes.count, row: row)
        let database = try transaction.makeDatabase(late)
        var offset = 0
        var number: UInt32 = 0
        while offset < bytes.count {
            let end = min(bytes.count, offset + chunkBytes)
            let key = Keyspace.longValue(row: row, property: property, chunk: number)
            let chunk = SealedChunk.seal(bytes[offset..<end], key: key)
            try transaction.put(chunk.span.bytes, for: key.span.bytes, in: database)
            (offset, number) = (end, number + 1)
        }
    }

    /// Throws for a value that is too long to be kept.
    static func requireAllowed(byteCount: Int, row: RowID) throws {
        guard byteCount <= maximumBytes else { throw StorageError(.valueTooLong(limit: maximumBytes), rowID: row) }
    }

    /// The number of a value's chunks; throws for a length that no stored value has.
    static func chunkCount(byteCount: Int, row: RowID) throws -> UInt32 {
        guard byteCount >= 0, byteCount <= maximumBytes else {
            throw StorageError(.damagedLongValue("its length is impossible"), rowID: row)
        }
        return UInt32((byteCount + chunkBytes - 1) / chunkBytes)
    }

    /// The whole value, checked chunk by chunk and against the length in the record.
    static func read(
        row: RowID, property: PropertyID, byteCount: Int, in late: LateDatabase,
        transaction: borrowing some Transaction & ~Copyable
    ) throws -> [UInt8] {
        guard let database = try transaction.database(late) else {
            throw StorageError(.damagedLongValue("the database of its entity's long values is missing"), rowID: row)
        }
        var bytes: [UInt8] = []
        for number in 0..<(try chunkCount(byteCount: byteCount, row: row)) {
            let key = Keyspace.longValue(row: row, property: property, chunk: number)
            guard let chunk = try transaction.value(for: key.span.bytes, in: database),
                chunk.byteCount > SealedChunk.headerBytes, chunk.byteCount <= SealedChunk.headerBytes + chunkBytes
            else {
                throw StorageError(.damagedLongValue("a chunk is missing or has a wrong size"), rowID: row)
            }
            guard let content = SealedChunk.content(of: chunk.withUnsafeBytes { Array($0) }, key: key) else {
                throw StorageError(.damagedLongValue("a chunk's checksum is wrong"), rowID: row)
            }
            bytes += content
        }
        guard bytes.count == byteCount else {
            throw StorageError(.damagedLongValue("its length differs from the record's"), rowID: row)
        }
        return bytes
    }

    /// Deletes all chunks of one property of a row.
    static func delete(
        row: RowID, property: PropertyID, in late: LateDatabase, transaction: inout WriteTransaction
    ) throws {
        guard let database = try transaction.database(late) else { return }
        var number: UInt32 = 0
        while try transaction.delete(
            Keyspace.longValue(row: row, property: property, chunk: number).span.bytes, in: database)
        {
            number += 1
        }
    }
}
