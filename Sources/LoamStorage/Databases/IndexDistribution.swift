import LMDB

/// How the values of an index are distributed, as they were when somebody last looked: what the planner guesses with
/// where it has no better. Wrong numbers make slow plans, never wrong answers.
///
/// In the database `statistics`, by index id (4 bytes, big endian): a ``SealedChunk`` of
///
/// | bytes | what |
/// |---|---|
/// | 1 | version, 1 |
/// | 1 | n, the number of components |
/// | 8 | entries |
/// | 8 n | by k: different values of the first k components together |
/// | 2 | m, the number of bounds |
/// | m times: 4, then so many | the leading component's bytes of the entry that i / m of all lie before |
package struct IndexDistribution: Hashable, Sendable {
    package var entries: UInt64
    /// Different values of the first component, of the first two, and so on.
    package var distinct: [UInt64]
    /// The leading component's bytes at the beginning of each of so many parts of the same size, the first one's too.
    package var bounds: [[UInt8]]

    private static let version: UInt8 = 1
    /// Parts that the entries are cut into.
    package static let parts = 64
}

extension IndexDistribution {
    static func read(
        _ index: IndexID, from statistics: LateDatabase, in transaction: borrowing some Transaction & ~Copyable
    ) throws -> IndexDistribution? {
        let key = [UInt8](bigEndian: index)
        guard let database = try transaction.database(statistics),
            let value = try transaction.value(for: key.span.bytes, in: database)
        else { return nil }
        return try decode(value.withUnsafeBytes { Array($0) }, key: key)
    }

    /// Makes the database where these are the first.
    func write(
        _ index: IndexID, to statistics: LateDatabase, in transaction: inout WriteTransaction
    ) throws {
        let key = [UInt8](bigEndian: index)
        let value = SealedChunk.seal(bytes[...], key: key)
        let database = try transaction.makeDatabase(statistics)
        try transaction.put(value.span.bytes, for: key.span.bytes, in: database)
    }

    static func delete(
        _ index: IndexID, from statistics: LateDatabase, in transaction: inout WriteTransaction
    ) throws {
        guard let database = try transaction.database(statistics) else { return }
        let key = [UInt8](bigEndian: index)
        _ = try transaction.delete(key.span.bytes, in: database)
    }

    /// - Throws: `damagedStatistics`, also for what only a later version could have written.
    static func decode(_ value: [UInt8], key: [UInt8]) throws -> IndexDistribution {
        guard let content = SealedChunk.content(of: value, key: key) else {
            throw StorageError(.damagedStatistics("their checksum is wrong"))
        }
        var reader = ByteReader(content) { .damagedStatistics($0) }
        guard try reader.byte() == version else { throw StorageError(.damagedStatistics("their version is unknown")) }
        let components = try reader.byte()
        var distribution = IndexDistribution(entries: try reader.integer(), distinct: [], bounds: [])
        for _ in 0..<components { distribution.distinct.append(try reader.integer()) }
        let bounds: UInt16 = try reader.integer()
        for _ in 0..<bounds { distribution.bounds.append(try reader.list()) }
        guard reader.isAtEnd else { throw StorageError(.damagedStatistics("bytes follow their end")) }
        return distribution
    }

    private var bytes: [UInt8] {
        var bytes: [UInt8] = [Self.version, UInt8(truncatingIfNeeded: distinct.count)]
        bytes.append(littleEndian: entries)
        for count in distinct { bytes.append(littleEndian: count) }
        bytes.append(littleEndian: UInt16(truncatingIfNeeded: bounds.count))
        for bound in bounds { bytes.append(list: bound) }
        return bytes
    }
}
