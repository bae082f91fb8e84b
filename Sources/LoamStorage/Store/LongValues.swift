import LMDB

/// Values too long for a record, in chunks of their own with a checksum each.
///
/// A chunk: 8 bytes checksum (over row id, property id, chunk number and the content), then at most 1 MiB of content.
/// LMDB looks for a contiguous run of pages for a value, so chunks bound the fragmentation that long values cause.
enum LongValues {
    static let chunkBytes = 1 << 20
    static let headerBytes = 8
    /// The longest value that is kept: 1 GiB.
    static let maximumBytes = 1 << 30

    static func write(
        _ bytes: [UInt8], row: RowID, property: PropertyID, in database: Database,
        transaction: inout WriteTransaction
    ) throws {
        guard bytes.count <= maximumBytes else { throw StorageError(.valueTooLong(limit: maximumBytes), rowID: row) }
        var offset = 0
        var number: UInt32 = 0
        while offset < bytes.count {
            let end = min(bytes.count, offset + chunkBytes)
            let key = Keyspace.longValue(row: row, property: property, chunk: number)
            var chunk = Keyspace.bytes(checksum(bytes[offset..<end], key: key))
            chunk += bytes[offset..<end]
            try transaction.put(chunk.span.bytes, for: key.span.bytes, in: database)
            (offset, number) = (end, number + 1)
        }
    }

    /// The whole value, checked chunk by chunk and against the length in the record.
    static func read(
        row: RowID, property: PropertyID, byteCount: Int, in database: Database,
        transaction: borrowing some Transaction & ~Copyable
    ) throws -> [UInt8] {
        guard byteCount >= 0, byteCount <= maximumBytes else {
            throw StorageError(.damagedLongValue("its length is impossible"), rowID: row)
        }
        var bytes: [UInt8] = []
        var number: UInt32 = 0
        while bytes.count < byteCount {
            let key = Keyspace.longValue(row: row, property: property, chunk: number)
            guard let chunk = try transaction.value(for: key.span.bytes, in: database),
                chunk.byteCount > headerBytes, chunk.byteCount <= headerBytes + chunkBytes
            else {
                throw StorageError(.damagedLongValue("a chunk is missing or has a wrong size"), rowID: row)
            }
            let content = chunk.withUnsafeBytes { Array($0.dropFirst(headerBytes)) }
            let stored = chunk.withUnsafeBytes { UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)) }
            guard checksum(content[...], key: key) == stored else {
                throw StorageError(.damagedLongValue("a chunk's checksum is wrong"), rowID: row)
            }
            bytes += content
            number += 1
        }
        guard bytes.count == byteCount else {
            throw StorageError(.damagedLongValue("its length differs from the record's"), rowID: row)
        }
        return bytes
    }

    /// Deletes all chunks of one property of a row.
    static func delete(
        row: RowID, property: PropertyID, in database: Database, transaction: inout WriteTransaction
    ) throws {
        var number: UInt32 = 0
        while try transaction.delete(
            Keyspace.longValue(row: row, property: property, chunk: number).span.bytes, in: database)
        {
            number += 1
        }
    }

    private static func checksum(_ content: ArraySlice<UInt8>, key: [UInt8]) -> UInt64 {
        let seed = key.withUnsafeBytes { Checksum.hash64($0, seed: 0) }
        return content.withUnsafeBytes { Checksum.hash64($0, seed: seed) }
    }
}
