import LMDB

/// Decides whether a batch's final state keeps an index unique.
///
/// Two rows conflict when all their components are equal and none is nil. What the batch itself removes does not
/// count, so rows may swap their values. Where a key is cut, the records decide.
struct UniquenessCheck: ~Copyable {
    let index: IndexAccess
    let entity: EntityAccess
    let databases: IndexDatabases
    private var inserted: [[UInt8]: [RowImage]] = [:]
    private var removed: Set<RowID> = []

    init(index: IndexAccess, entity: EntityAccess, databases: IndexDatabases) {
        self.index = index
        self.entity = entity
        self.databases = databases
    }

    /// Notes what one row of the batch does to the index.
    mutating func add(removed: IndexEntry?, inserted: IndexEntry?, image: RowImage?) throws {
        if let removed { self.removed.insert(removed.rowID) }
        guard let inserted, let image, try !hasNil(image) else { return }
        self.inserted[inserted.key, default: []].append(image)
    }

    private func hasNil(_ image: RowImage) throws -> Bool {
        try index.componentValues(of: image).contains(where: \.isNull)
    }

    /// Throws ``StorageError/Kind/uniqueViolation(existing:)`` for the first conflict.
    consuming func run(_ transaction: borrowing WriteTransaction) throws {
        for (key, images) in inserted {
            for (position, image) in images.enumerated() {
                let values = try index.componentValues(of: image)
                for other in images[..<position] where try index.componentValues(of: other) == values {
                    throw violation(image.rowID, other.rowID)
                }
                for row in try storedRows(withKey: key, transaction) where !removed.contains(row) {
                    if try isSame(values, row, transaction) { throw violation(image.rowID, row) }
                }
            }
        }
    }

    private func storedRows(withKey key: [UInt8], _ transaction: borrowing WriteTransaction) throws -> [RowID] {
        var rows: [RowID] = []
        let reader = IndexReader(shape: index.blockShape, databases: databases)
        try reader.scan(.prefix(key), reversed: false, in: transaction) { batch in
            for position in 0..<batch.count { rows.append(batch.rowID(at: position)) }
            return true
        }
        return rows
    }

    private func isSame(_ values: [Value], _ row: RowID, _ transaction: borrowing WriteTransaction) throws -> Bool {
        guard let image = try RowImage.read(row, of: entity, in: transaction) else {
            throw StorageError(
                .inconsistent("an index entry has no record"), entity: entity.entity.name, index: index.index.name,
                rowID: row)
        }
        return try index.componentValues(of: image) == values
    }

    private func violation(_ row: RowID, _ existing: RowID) -> StorageError {
        StorageError(
            .uniqueViolation(existing: existing), entity: entity.entity.name, index: index.index.name, rowID: row)
    }
}
