import LMDB

/// What a store looks like from outside: sizes, counts, readers.
package struct StoreInfo: Sendable, Hashable, Codable {
    package struct EntityInfo: Sendable, Hashable, Codable {
        package var name: String
        package var rows: Int
        package var properties: Int
        package var relationships: Int
        package var indexes: Int
        /// Bytes of the pages that hold records.
        package var recordBytes: Int
        package var longValueBytes: Int
    }

    package struct IndexInfo: Sendable, Hashable, Codable {
        package var entity: String
        package var name: String
        package var state: String
        package var entries: Int
        package var inexactEntries: Int
        package var blocks: Int
        /// Bytes of blocks, without the pages' own overhead.
        package var bytes: Int
    }

    package struct DatabaseInfo: Sendable, Hashable, Codable {
        package var name: String
        package var entries: Int
        package var depth: Int
        package var bytes: Int
    }

    package struct ReaderInfo: Sendable, Hashable, Codable {
        package var process: Int
        /// The transaction that the reader looks at; nil for an idle one.
        package var transaction: Int?
    }

    package var path: String
    package var format: Int
    package var storeID: String
    package var generation: UInt64
    package var lastSave: UInt64
    package var nextRow: RowID
    package var lastTransaction: Int
    package var pageSize: Int
    package var fileBytes: Int
    package var mapBytes: Int
    package var entities: [EntityInfo]
    package var indexes: [IndexInfo]
    package var databases: [DatabaseInfo]
    package var readers: [ReaderInfo]
    package var maximumReaders: Int
    package var loads: [String]
}

extension Store {
    /// Sizes and counts of the store, of one state. O(entities x look-ups + runs of all indexes): the sums of every
    /// index are read, no record and no block.
    ///
    /// - Throws: what ``Store/read(_:)`` throws, and `inconsistent` where the sums of an index cannot be right.
    package func info() throws -> StoreInfo {
        let environmentInfo = try environment.info
        let readers = try environment.readers().map {
            StoreInfo.ReaderInfo(process: Int($0.pid), transaction: $0.transaction)
        }
        return try read { snapshot in
            let counters = try StoreCounters.read(in: snapshot.transaction, from: databases.counters)
            let document = snapshot.catalog.document
            let accesses = try document.schema.entities.map { try snapshot.catalog.access($0.id) }
            return StoreInfo(
                path: path, format: document.format, storeID: document.storeID,
                generation: snapshot.catalog.generation, lastSave: counters.lastSave, nextRow: counters.nextRow,
                lastTransaction: environmentInfo.lastTransaction, pageSize: environmentInfo.pageSize,
                fileBytes: environmentInfo.usedBytes, mapBytes: environmentInfo.mapSize,
                entities: try accesses.map { try snapshot.info(of: $0) },
                indexes: try document.schema.entities.flatMap { entity in
                    try entity.indexes.map { try snapshot.info(of: $0, entity) }
                },
                databases: try snapshot.databaseInfo(), readers: readers,
                maximumReaders: environmentInfo.maxReaders, loads: document.loads.map(\.entity.name))
        }
    }

    /// Copies the store to a new file, without free pages and with its trees in order. Saves go on meanwhile.
    /// O(bytes of the file).
    ///
    /// - Throws: ``LMDBError``: `exists` where the destination does, `diskFull` and the like where it cannot be
    ///   written, `reentrant` inside this thread's own save. No file is left then.
    package func compact(to path: String) throws {
        try environment.copy(to: path, compacting: true)
    }

    /// Writes a compacted copy of the store into an open, empty file, which is left to the caller also where this
    /// throws.
    ///
    /// - Parameter path: the file's name, for errors.
    /// - Throws: ``LMDBError``: `diskFull` and the like where the file cannot be written, `reentrant` inside this
    ///   thread's own save. The file may then hold a part of the copy.
    package func compact(into descriptor: Int32, path: String) throws {
        try environment.copy(into: descriptor, path: path, compacting: true)
    }
}

extension Snapshot {
    fileprivate func info(of access: EntityAccess) throws -> StoreInfo.EntityInfo {
        StoreInfo.EntityInfo(
            name: access.entity.name, rows: try count(of: access.entity),
            properties: access.entity.properties.count { $0.role == .attribute },
            relationships: access.entity.relationships.count, indexes: access.entity.indexes.count,
            recordBytes: try transaction.statistics(of: access.records).bytes,
            longValueBytes: try transaction.database(access.longValues).map { try transaction.statistics(of: $0).bytes }
                ?? 0)
    }

    fileprivate func info(of index: Index, _ entity: Entity) throws -> StoreInfo.IndexInfo {
        let sums = try IndexSums.read(index.id, in: transaction, databases: databases.blocks)
        return StoreInfo.IndexInfo(
            entity: entity.name, name: index.name, state: index.currentState.rawValue, entries: sums.total.entries,
            inexactEntries: sums.total.inexact, blocks: sums.total.blocks, bytes: sums.total.bytes)
    }

    fileprivate func databaseInfo() throws -> [StoreInfo.DatabaseInfo] {
        var all = [databases.catalog, databases.indexes, databases.counters, databases.history]
        for access in catalog.entities.values.sorted(by: { $0.entity.id < $1.entity.id }) {
            all.append(access.records)
            if let longValues = try transaction.database(access.longValues) { all.append(longValues) }
        }
        if let statistics = try transaction.database(catalog.statistics) { all.append(statistics) }
        all += try catalog.links.sorted { $0.key < $1.key }.compactMap { try transaction.database($0.value) }
        return try all.map { database in
            let statistics = try transaction.statistics(of: database)
            return StoreInfo.DatabaseInfo(
                name: database.name, entries: statistics.entries, depth: statistics.depth, bytes: statistics.bytes)
        }
    }
}
