import LMDB

/// The links of one relationship, or of a pair of two: database `l.<table>`, which is made with the first link.
///
/// Each link stands twice, under the 25 bytes *half, owner, position, member*: in half 0 the source owns it, in half 1
/// the destination. The value, 8 bytes, is the position in the other half. Ids and positions are big endian, positions
/// with the sign bit flipped, so that an owner's members lie in order. A pair is linked at most once.
struct LinkTable {
    let number: UInt32
    let database: LateDatabase

    enum Half: UInt8 {
        /// Sources own links: what a forward relationship reads.
        case forward = 0
        /// Destinations own links: what a backward relationship reads.
        case backward = 1

        var other: Half { self == .forward ? .backward : .forward }
    }

    /// A link as one half of the table has it.
    struct Link: Hashable {
        var owner: RowID
        var position: Int64
        var member: RowID
        var otherPosition: Int64

        /// The same link as the other half has it.
        var mirrored: Link { Link(owner: member, position: otherPosition, member: owner, otherPosition: position) }
    }

    static let keyBytes = 25

    static func key(_ half: Half, owner: RowID, position: Int64, member: RowID) -> [UInt8] {
        [half.rawValue] + [UInt8](bigEndian: owner) + ordered(position) + [UInt8](bigEndian: member)
    }

    /// Lends a key, which takes nothing from the heap.
    private static func withKey<R>(
        _ half: Half, owner: RowID, position: Int64, member: RowID, _ body: (RawSpan) throws -> R
    ) rethrows -> R {
        try withUnsafeTemporaryAllocation(byteCount: keyBytes, alignment: 8) { key in
            key[0] = half.rawValue
            key.storeBytes(of: owner.bigEndian, toByteOffset: 1, as: RowID.self)
            let ordered = UInt64(bitPattern: position) ^ 1 << 63
            key.storeBytes(of: ordered.bigEndian, toByteOffset: 9, as: UInt64.self)
            key.storeBytes(of: member.bigEndian, toByteOffset: 17, as: RowID.self)
            return try body(RawSpan(_unsafeBytes: UnsafeRawBufferPointer(key)))
        }
    }

    /// The bytes of a position, which compare as positions do.
    static func ordered(_ position: Int64) -> [UInt8] { [UInt8](bigEndian: UInt64(bitPattern: position) ^ 1 << 63) }

    /// What ``ordered(_:)`` made; the bytes are there.
    static func position(_ bytes: UnsafeRawBufferPointer, offset: Int) -> Int64 {
        Int64(bitPattern: bytes.bigEndian(at: offset, as: UInt64.self) ^ 1 << 63)
    }

    static func decode(key: RawSpan, value: RawSpan) throws -> (half: Half, link: Link) {
        let parts: (Half, Link)? = key.withUnsafeBytes { key in
            value.withUnsafeBytes { value in
                guard key.count == keyBytes, value.count == 8, let half = Half(rawValue: key[0]) else { return nil }
                return (
                    half,
                    Link(
                        owner: key.bigEndian(at: 1), position: position(key, offset: 9), member: key.bigEndian(at: 17),
                        otherPosition: position(value, offset: 0))
                )
            }
        }
        guard let parts else { throw StorageError(.inconsistent("a link is damaged")) }
        return parts
    }

    /// Walks the links of an owner in order. The closure returns false to stop.
    ///
    /// - Parameter bound: begins with the first link not below this position; reversed, with the last below it.
    func scan(
        _ half: Half, of owner: RowID, from bound: Int64? = nil, reversed: Bool = false,
        in transaction: borrowing some Transaction & ~Copyable, _ body: (Link) throws -> Bool
    ) throws {
        guard let database = try transaction.database(database) else { return }
        var cursor = try transaction.cursor(in: database)
        var isAtEntry: Bool
        if reversed {
            let member = bound == nil ? RowID.max : 0
            isAtEntry = try Self.withKey(half, owner: owner, position: bound ?? .max, member: member) {
                try cursor.seek(atLeast: $0)
            }
            isAtEntry = try isAtEntry ? cursor.previous() : cursor.moveToLast()
        } else {
            isAtEntry = try Self.withKey(half, owner: owner, position: bound ?? .min, member: 0) {
                try cursor.seek(atLeast: $0)
            }
        }
        while isAtEntry {
            let (found, link) = try Self.decode(key: cursor.key, value: cursor.value)
            guard found == half, link.owner == owner, try body(link) else { return }
            isAtEntry = try reversed ? cursor.previous() : cursor.next()
        }
    }

    /// The link between two rows, as half 0 has it; nil where there is none.
    ///
    /// O(links of the row that has fewer of them).
    func link(
        from source: RowID, to destination: RowID, in transaction: borrowing some Transaction & ~Copyable
    ) throws -> Link? {
        guard let database = try transaction.database(database) else { return nil }
        var forward = try transaction.cursor(in: database)
        var backward = try transaction.cursor(in: database)
        var isForward = try forward.seek(
            atLeast: Self.key(.forward, owner: source, position: .min, member: 0).span.bytes)
        var isBackward = try backward.seek(
            atLeast: Self.key(.backward, owner: destination, position: .min, member: 0).span.bytes)
        while isForward, isBackward {
            let (half, link) = try Self.decode(key: forward.key, value: forward.value)
            guard half == .forward, link.owner == source else { return nil }
            if link.member == destination { return link }
            let (otherHalf, other) = try Self.decode(key: backward.key, value: backward.value)
            guard otherHalf == .backward, other.owner == destination else { return nil }
            if other.member == source { return other.mirrored }
            isForward = try forward.next()
            isBackward = try backward.next()
        }
        return nil
    }

    /// - Parameter link: as half 0 has it.
    func put(_ link: Link, in transaction: inout WriteTransaction) throws {
        let database = try transaction.makeDatabase(database)
        for (half, side) in [(Half.forward, link), (.backward, link.mirrored)] {
            try transaction.put(
                Self.ordered(side.otherPosition).span.bytes,
                for: Self.key(half, owner: side.owner, position: side.position, member: side.member).span.bytes,
                in: database)
        }
    }

    /// - Parameter link: as half 0 has it.
    func remove(_ link: Link, in transaction: inout WriteTransaction) throws {
        guard let database = try transaction.database(database) else { return }
        for (half, side) in [(Half.forward, link), (.backward, link.mirrored)] {
            _ = try transaction.delete(
                Self.key(half, owner: side.owner, position: side.position, member: side.member).span.bytes, in: database
            )
        }
    }
}

extension Catalog {
    func links(_ table: UInt32) throws -> LinkTable {
        guard let database = links[table] else {
            throw StorageError(.damagedCatalog("a relationship names an unknown table of links"))
        }
        return LinkTable(number: table, database: database)
    }
}
