import LMDB

/// Writes what a save changed, for those who follow the store from another process.
///
/// Chunk 0 begins with author, time and counts; chunks end between rows and hold at most 16 KiB, a longer row has one
/// alone. A save of more than 65,536 rows is one mark per entity that says "rewritten", and the deleted rows with
/// preserved values.
enum HistoryWriter {
    /// - Parameter entities: those whose links changed.
    /// - Returns: the number of chunks.
    static func write(
        _ outcomes: [RowOutcome], fresh: FreshRows, links: [LinkChange] = [], of entities: Set<EntityID> = [],
        save: UInt64,
        author: String?,
        time: Double, to database: Database,
        in transaction: inout WriteTransaction
    ) throws -> Int {
        var entry = HistoryEntry(save: save, author: author, time: time)
        if outcomes.count + fresh.count + links.count > HistoryEntry.mostRows {
            entry.rewritten = Set(outcomes.map(\.access.entity.id)).union(entities)
                .union(fresh.groups.map(\.access.entity.id)).sorted()
            entry.rows = try outcomes.filter { $0.new == nil && !$0.access.preservedFields.isEmpty }.map {
                try row($0, keeping: $0.access.preservedFields)
            }
        } else {
            entry.rows = try outcomes.map { try row($0, keeping: $0.access.indexedFields) }
            for group in fresh.groups {
                entry.rows += group.rowIDs.lazy.map {
                    .init(kind: .insert, entity: group.access.entity.id, rowID: $0)
                }
            }
            entry.links = links
        }
        return try write(entry, to: database, in: &transaction)
    }

    @discardableResult
    static func write(
        _ entry: HistoryEntry, to database: Database, in transaction: inout WriteTransaction
    ) throws -> Int {
        let chunks = entry.encodedChunks()
        for (number, chunk) in chunks.enumerated() {
            let key = Keyspace.history(save: entry.save, chunk: UInt32(number))
            let sealed = SealedChunk.seal(chunk[...], key: key)
            try transaction.put(sealed.span.bytes, for: key.span.bytes, in: database)
        }
        return chunks.count
    }

    /// - Parameter fields: positions of those whose previous values are kept besides preserved ones.
    private static func row(_ outcome: RowOutcome, keeping fields: [Int]) throws -> HistoryEntry.Row {
        let access = outcome.access
        guard let old = outcome.old else {
            return .init(kind: .insert, entity: access.entity.id, rowID: outcome.rowID)
        }
        let outside = Set(try old.externalFields().map(\.property))
        let preserved = outcome.new == nil ? access.preservedFields : []
        let kept =
            preserved
            + fields.filter {
                outcome.changed.contains($0) && !preserved.contains($0)
                    && !outside.contains(access.entity.properties[$0].id)
            }
        return .init(
            kind: outcome.new == nil ? .delete : .update, entity: access.entity.id, rowID: outcome.rowID,
            changed: outcome.new == nil ? [] : outcome.changed.slots.map { access.entity.properties[$0].id },
            previous: try kept.map { position in
                let property = access.entity.properties[position]
                return .init(
                    property: property.id, bytes: try CompositeCodec.encode(old.value(position), as: property.type))
            })
    }
}
