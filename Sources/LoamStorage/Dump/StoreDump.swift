/// Whole stores as dumps, and back.
package enum StoreDump {
    /// Writes entities of a snapshot; see ``DumpWriter``. Every record's checksum is verified on the way.
    ///
    /// - Parameters:
    ///   - progress: takes the number of rows written, after each.
    ///   - write: takes the bytes.
    package static func write(
        _ entities: [Entity], of snapshot: Snapshot, progress: (Int) -> Void = { _ in },
        to write: @escaping ([UInt8]) throws -> Void
    ) throws {
        let described = try entities.map { entity in
            DumpEntity(
                entity, rows: try snapshot.count(of: entity), lastRow: try snapshot.lastRow(of: entity))
        }
        var writer = try DumpWriter(DumpHeader(entities: described), write: write)
        var count = 0
        for (position, entity) in entities.enumerated() {
            try snapshot.scanRows(of: entity) { row in
                try row.verifyChecksum()
                try writer.append(row.rowID, entity: position, values: row.values())
                count += 1
                progress(count)
                return true
            }
        }
        try writer.finish()
    }

    /// Loads a dump, all of it or nothing: entities, rows under their ids, indexes.
    ///
    /// The store must have none of the entities, and must not have given out ids that the dump uses. An entity is
    /// visible when its rows are complete; a failure takes the earlier ones out again.
    ///
    /// - Returns: the number of rows.
    package static func load(
        _ reader: inout DumpReader, into store: Store, progress: (Int) -> Void = { _ in }
    ) throws -> Int {
        let entities = reader.header.entities
        let schema = try store.catalog().schema
        for entity in entities where schema.entity(named: entity.name) != nil {
            throw StorageError(.entityExists, entity: entity.name)
        }
        let rowIDs = try store.reserveRowIDs(through: entities.map(\.lastRow).max() ?? 0)
        var loaded: [String] = []
        do {
            var count = 0
            var next = try reader.next()
            for (position, entity) in entities.enumerated() {
                _ = try store.load(.newEntity(entity.definition), rowIDs: rowIDs, rowCount: entity.rows) { load in
                    while let row = next, row.entity == position {
                        try load.append(row.values, rowID: row.rowID)
                        count += 1
                        progress(count)
                        next = try reader.next()
                    }
                }
                loaded.append(entity.name)
            }
            return count
        } catch {
            for name in loaded { try? store.apply(.removeEntity(name)) }
            throw error
        }
    }
}

extension Snapshot {
    /// The highest row id of an entity; 0 without rows.
    fileprivate func lastRow(of entity: Entity) throws -> RowID {
        var last: RowID = 0
        try scanRows(of: entity, reversed: true) { row in
            last = row.rowID
            return false
        }
        return last
    }
}
