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

    private func key(_ target: RowID, position: Int64) -> [UInt8] {
        Self.prefix(target) + [1] + LinkTable.ordered(position)
    }

    /// Walks the rows that refer to a target. The closure returns false to stop.
    ///
    /// - Parameter bound: begins with the first not below this position; reversed, with the last below it.
    func scan(
        of target: RowID, from bound: Int64? = nil, reversed: Bool = false,
        in transaction: borrowing some Transaction & ~Copyable, _ body: (Referrer) throws -> Bool
    ) throws {
        var range = Self.range(target)
        if let bound, hasPosition {
            if reversed {
                range.upper = key(target, position: bound)
            } else {
                range = KeyRange(lower: key(target, position: bound), upper: range.upper)
            }
        }
        let reader = IndexReader(shape: index.blockShape, databases: databases)
        try reader.scan(range, reversed: reversed, in: transaction) { batch in
            for number in 0..<batch.count {
                let position = hasPosition ? try position(inKey: batch.key(at: number)) : 0
                guard try body(Referrer(position: position, rowID: batch.rowID(at: number))) else { return false }
            }
            return true
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
