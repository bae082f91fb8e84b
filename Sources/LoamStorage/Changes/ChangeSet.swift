/// What one commit of this process changed: the saves that shared it, in their order.
package struct ChangeSet: Sendable {
    /// The last save before the commit. The commit's own are those after it up to ``last``; none, where it changed the
    /// schema only.
    package let base: UInt64
    package let last: UInt64
    /// The last save that was known before: those after it up to ``base`` are other processes', and nobody told of
    /// them.
    package let known: UInt64
    /// The saves with every row that they changed, ascending.
    package let results: [SaveResult]
    /// Entities of which more changed than is listed, as by a bulk load.
    package let rewritten: Set<EntityID>
    /// Whether entities, properties or indexes changed.
    package let changesSchema: Bool
    /// Of the catalog that the transaction ended with.
    package let generation: UInt64
    /// How far each entity was changed.
    package let entities: [EntityID: Extent]
    /// The rows of all saves.
    package let rowCount: Int
    /// About the memory that they take. Not counted up where the rows are too many to be kept anyway.
    package let byteCount: Int
    /// The bytes of values that were written outside of the records.
    let longValueBytes: Int
    /// Tells it from others that were announced, made or not; nil where it was announced to nobody.
    package let announcement: UInt64?

    /// How far an entity's rows were changed.
    package struct Extent: Hashable, Sendable {
        /// Whether rows came or went.
        package var insertsOrDeletes = false
        /// Positions in `entity.properties` of fields that some row changed, new and deleted rows left aside.
        package var fields: Set<Int> = []
        /// Relationships of the entity, kept as links, that some row changed.
        package var relationships: Set<PropertyID> = []
    }

    init(_ commit: CommitChanges, base: UInt64, known: UInt64, announcement: UInt64? = nil) {
        self.announcement = announcement
        self.base = base
        // The first reader may have seen the save before it is handed out.
        self.known = min(known, base)
        last = commit.last
        results = commit.results
        rewritten = commit.rewritten
        changesSchema = commit.changesSchema
        generation = commit.generation
        longValueBytes = commit.longValueBytes
        var entities: [EntityID: Extent] = [:]
        rowCount = commit.results.reduce(0) { $0 + $1.rows.count }
        let isCounted = rowCount <= UnreadChanges.mostRows
        var byteCount = rowCount * MemoryLayout<SaveResult.Row>.stride
        for result in commit.results {
            byteCount += result.byteCountBesideRows
            // Of many rows in a row most change the same: what is noted already is not noted again.
            var last: (entity: EntityID, changed: [Int]?)?
            for row in result.rows {
                if isCounted { byteCount += row.byteCount }
                let changed = row.old == nil || row.new == nil ? nil : row.changed
                if let last, last.entity == row.entity, last.changed == changed { continue }
                if let changed {
                    entities[row.entity, default: Extent()].fields.formUnion(changed)
                } else {
                    entities[row.entity, default: Extent()].insertsOrDeletes = true
                }
                last = (row.entity, changed)
            }
        }
        for (entity, relationships) in commit.results.lazy.flatMap(\.linked) {
            entities[entity, default: Extent()].relationships.formUnion(relationships)
        }
        self.entities = entities
        self.byteCount = byteCount
    }

    /// Whether saves of other processes lie between this commit and the one before.
    package var hasGap: Bool { base > known }

    /// Whether there is one save in it, this one, and nothing else.
    func isOnly(_ save: UInt64) -> Bool {
        base + 1 == save && last == save && !hasGap && !changesSchema && rewritten.isEmpty
    }

    /// Calls the closure with each entity of which a row, or a link, changed.
    package func forEachChangedEntity(_ body: (EntityID) -> Void) {
        for entity in entities.keys { body(entity) }
        for entity in rewritten where entities[entity] == nil { body(entity) }
    }

    func concerns(_ wanted: Set<EntityID>) -> Bool {
        changesSchema || hasGap || entities.keys.contains(where: wanted.contains) || !rewritten.isDisjoint(with: wanted)
    }
}

/// What the jobs of a transaction have changed, collected for the hub.
struct CommitChanges: Sendable {
    var last: UInt64 = 0
    var results: [SaveResult] = []
    var rewritten: Set<EntityID> = []
    var changesSchema = false
    var generation: UInt64 = 0
    var longValueBytes = 0
}

extension SaveResult {
    /// About what it keeps that is not in ``rows``.
    fileprivate var byteCountBesideRows: Int {
        links.count * MemoryLayout<LinkChange>.stride + mapping.count * 2 * MemoryLayout<RowID>.stride
            + dropped.count * MemoryLayout<Dropped>.stride
    }
}

extension SaveResult.Row {
    /// About the bytes of the records, and what arrays cost beside their elements.
    fileprivate var byteCount: Int {
        let overhead = 32
        return [old?.count, new?.count].reduce(0) { $0 + ($1.map { $0 + overhead } ?? 0) }
            + (changed.isEmpty ? 0 : overhead + changed.count * MemoryLayout<Int>.stride)
    }
}
