import LMDB

/// The index that a to-one relationship is read backwards by: entries (target[, position]) to the referring row.
struct ReferenceIndex {
    let index: IndexAccess
    /// Whether the key has a position behind the target.
    let hasPosition: Bool
    let databases: IndexDatabases

    /// One referring row, in the order of positions, then of row ids.
    struct Referrer: Hashable {
        var position: Int64
        var rowID: RowID
    }

    /// The bytes of a component: a tag and eight bytes.
    private static let componentBytes = 9

    static func prefix(_ target: RowID) -> [UInt8] { [1] + [UInt8](bigEndian: target) }

    static func range(_ target: RowID) -> KeyRange { .prefix(prefix(target)) }

    /// Lends the bounds of a target's entries, which takes nothing from the heap.
    ///
    /// - Parameters:
    ///   - first: the position that the range begins with; nil for all.
    ///   - end: the position that it ends before; nil for all.
    private static func withBounds<R>(
        of target: RowID, from first: Int64? = nil, to end: Int64? = nil,
        _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> R
    ) rethrows -> R {
        try withUnsafeTemporaryAllocation(byteCount: 4 * componentBytes, alignment: 8) { keys in
            func fill(
                _ key: Slice<UnsafeMutableRawBufferPointer>, target: RowID, position: Int64?
            ) -> UnsafeRawBufferPointer {
                let key = UnsafeMutableRawBufferPointer(rebasing: key)
                key[0] = 1
                key.storeBytes(of: target.bigEndian, toByteOffset: 1, as: RowID.self)
                guard let position else { return UnsafeRawBufferPointer(rebasing: key[..<componentBytes]) }
                key[componentBytes] = 1
                let ordered = UInt64(bitPattern: position) ^ 1 << 63
                key.storeBytes(of: ordered.bigEndian, toByteOffset: componentBytes + 1, as: UInt64.self)
                return UnsafeRawBufferPointer(key)
            }
            let lower = fill(keys[..<(2 * componentBytes)], target: target, position: first)
            let rest = keys[(2 * componentBytes)...]
            guard end == nil else { return try body(lower, fill(rest, target: target, position: end)) }
            guard target == .max else { return try body(lower, fill(rest, target: target + 1, position: nil)) }
            // Behind the last target there is: the first component's next tag.
            keys[2 * componentBytes] = 2
            return try body(lower, UnsafeRawBufferPointer(rebasing: rest.prefix(1)))
        }
    }

    /// How many rows refer to a target where they are few, which lie in one block or two; nil for more. O(log n).
    func shortCount(
        of target: RowID, in transaction: borrowing some Transaction & ~Copyable
    ) throws -> Int? {
        let reader = IndexReader(shape: index.blockShape, databases: databases)
        return try Self.withBounds(of: target) { try reader.shortCount(from: $0, to: $1, in: transaction) }
    }

    /// Walks the rows that refer to a target. The closure returns false to stop.
    ///
    /// - Parameters:
    ///   - bound: begins with the first not below this position; reversed, with the last below it.
    ///   - memory: nobody else uses it meanwhile.
    func scan(
        of target: RowID, from bound: Int64? = nil, reversed: Bool = false,
        in transaction: borrowing some Transaction & ~Copyable, memory: BatchMemory = BatchMemory(),
        _ body: (Referrer) throws -> Bool
    ) throws {
        let reader = IndexReader(shape: index.blockShape, databases: databases)
        let bound = hasPosition ? bound : nil
        try Self.withBounds(of: target, from: reversed ? nil : bound, to: reversed ? bound : nil) { lower, upper in
            try reader.scan(from: lower, to: upper, reversed: reversed, in: transaction, memory: memory) { batch in
                for number in 0..<batch.count {
                    let position = hasPosition ? try position(inKey: batch.key(at: number)) : 0
                    guard try body(Referrer(position: position, rowID: batch.rowID(at: number))) else { return false }
                }
                return true
            }
        }
    }

    private func position(inKey key: RawSpan) throws -> Int64 {
        guard key.byteCount == 2 * Self.componentBytes else {
            throw StorageError(.damagedKey("a reference has a wrong length"), index: index.index.name)
        }
        return key.withUnsafeBytes { key in
            Int64(bitPattern: key.bigEndian(at: Self.componentBytes + 1, as: UInt64.self) ^ 1 << 63)
        }
    }
}

extension Catalog {
    /// The index behind a relationship of storage `reference`.
    func referenceIndex(of relationship: Relationship, _ databases: IndexDatabases) throws -> ReferenceIndex {
        guard case .reference(_, let position, let index) = relationship.storage, let (_, access) = access(index: index)
        else {
            throw StorageError(.damagedCatalog("a relationship keeps no reference"), property: relationship.name)
        }
        return ReferenceIndex(index: access, hasPosition: position != nil, databases: databases)
    }

    /// The other side of a relationship, with its entity.
    func inverse(of relationship: Relationship) -> (entity: Entity, relationship: Relationship)? {
        guard let id = relationship.inverse, let entity = entities[relationship.destination]?.entity,
            let inverse = entity.relationship(withID: id)
        else { return nil }
        return (entity, inverse)
    }

    /// Whether the rows that the relationship leads to may be gone: their deletion leaves it alone.
    func mayDangle(_ relationship: Relationship) -> Bool {
        if case .inverseOfReference = relationship.storage { return false }
        return inverse(of: relationship)?.relationship.deleteRule == .noAction
    }
}
