import LMDB

/// Whole stores as dumps, and back.
package enum StoreDump {
    /// Writes entities of a snapshot; see ``DumpWriter``. Every record's checksum is verified on the way.
    ///
    /// Costs O(bytes of the rows and links), in memory that does not grow with their number.
    ///
    /// - Parameters:
    ///   - progress: takes the number of rows written, after each.
    ///   - write: takes the bytes.
    /// - Throws: `damagedRecord` or `damagedLongValue` where a row cannot be read, `unknownEntity` where the snapshot
    ///   lacks an entity, and what `write` throws. What was written by then is no whole dump.
    package static func write(
        _ entities: [Entity], of snapshot: Snapshot, progress: (Int) -> Void = { _ in },
        to write: @escaping ([UInt8]) throws -> Void
    ) throws {
        let chosen = Set(entities.map(\.id))
        let links = try snapshot.dumpedLinks(of: entities, among: chosen)
        let relationships = entities.map { entity in
            entity.relationships.filter { chosen.contains($0.destination) }
        }
        let described = try zip(entities, relationships).map { entity, relationships in
            DumpEntity(
                entity, rows: try snapshot.count(of: entity), lastRow: try snapshot.lastRow(of: entity),
                relationships: relationships, in: snapshot.schema, links: links.mapValues(\.count),
                initialValues: try snapshot.initialValues(of: entity),
                rules: snapshot.catalog.document.ruleVersions?[entity.id])
        }
        var writer = try DumpWriter(DumpHeader(entities: described), write: write)
        var count = 0
        for (position, entity) in entities.enumerated() {
            let positions = DumpEntity.positions(of: entity, relationships[position])
            let dangling = try snapshot.danglingReferences(of: entity)
            try snapshot.scanRows(of: entity) { row in
                try row.verifyChecksum()
                var values = try row.values()
                for check in dangling { try check.clear(&values, in: snapshot) }
                try writer.append(row.rowID, entity: position, values: positions.map { values[$0] })
                count += 1
                progress(count)
                return true
            }
        }
        for (position, relationships) in relationships.enumerated() {
            for (number, relationship) in relationships.enumerated() {
                try links[relationship.id]?.forEach(in: snapshot) { link in
                    try writer.append(
                        DumpLink(
                            entity: position, relationship: number, source: link.owner, destination: link.member,
                            position: link.position, otherPosition: link.otherPosition))
                }
            }
        }
        try writer.finish()
    }

    /// Loads a dump, all of it or nothing: entities, rows under their ids, indexes.
    ///
    /// The store must have none of the entities, and must not have given out ids that the dump uses. An entity is
    /// visible when its rows are complete; a failure takes the earlier ones out again and gives the ids back, so that
    /// the mended dump can be loaded, unless others were given out meanwhile.
    ///
    /// Costs what ``BulkLoad`` does for each entity, and O(log n) for each link.
    ///
    /// - Returns: the number of rows.
    /// - Throws: `entityExists`, `rowIDTaken` where an id was given out before, `invalidDump` with the line,
    ///   `uniqueViolation` and what else ``Store/load(_:rowIDs:rowCount:sortBudget:progress:_:)`` throws,
    ///   `unreadableFile`.
    package static func load(
        _ reader: inout DumpReader, into store: Store, progress: (Int) -> Void = { _ in }
    ) throws -> Int {
        let entities = reader.header.entities
        let schema = try store.catalog().schema
        for entity in entities where schema.entity(named: entity.name) != nil {
            throw StorageError(.entityExists, entity: entity.name)
        }
        // What a killed load of the same dump has left is taken away, too: it has the same ids.
        try store.takeAwayLeftovers()
        let rowIDs = try store.reserveRowIDs(through: entities.map(\.lastRow).max() ?? 0)
        var loaded: [String] = []
        // Whoever abandons the first load gives the ids back with it.
        var areOwnIDs = true
        do {
            var count = 0
            var next = try reader.next()
            for (position, entity) in entities.enumerated() {
                let ids = LoadedRowIDs(range: rowIDs, isUnused: position == 0)
                areOwnIDs = !ids.isUnused
                _ = try store.load(.newEntity(entity.definition), rowIDs: ids, rowCount: entity.rows) { load in
                    while let row = next, row.entity == position {
                        try load.append(row.values, rowID: row.rowID)
                        count += 1
                        progress(count)
                        next = try reader.next()
                    }
                }
                areOwnIDs = true
                loaded.append(entity.name)
            }
            try loadRelationships(&reader, into: store)
            return count
        } catch {
            takeOut(loaded, rowIDs: areOwnIDs ? rowIDs : 0..<0, of: store)
            throw error
        }
    }
}

extension StoreDump {
    /// Takes entities that were loaded out again and gives their ids back. Entities that cannot be taken out stay, and
    /// keep their ids.
    private static func takeOut(_ entities: [String], rowIDs: Range<RowID>, of store: Store) {
        do {
            for name in entities { try store.apply(.removeEntity(name)) }
            try store.giveBackRowIDs(rowIDs)
        } catch {}
    }
}

extension Snapshot {
    /// What new rows get for properties that their writer does not know, where that is not nil.
    fileprivate func initialValues(of entity: Entity) throws -> [PropertyID: Value] {
        var values: [PropertyID: Value] = [:]
        for (position, property) in entity.properties.enumerated() {
            let value = try catalog.initialValue(of: position, in: entity.id)
            if !value.isNull { values[property.id] = value }
        }
        return values
    }

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
