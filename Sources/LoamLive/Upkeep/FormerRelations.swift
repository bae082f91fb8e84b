import LoamQuery
import LoamStorage

/// What lay along the relationships that a result reads, before some commits: enough to tell which of its rows the
/// changes touch, and where those stood, without a look at any other row.
struct FormerRelations {
    /// What rows of entities on the way were before the first of their changes. Those of the result's own entity are
    /// among them where it is led to other rows of that.
    private(set) var rows: [EntityID: [RowID: RowChanges.Former]] = [:]
    /// The links that came and went, in order.
    private(set) var links: [LinkChange] = []
    /// Whether something has changed of which the commits do not tell what it was.
    private(set) var isUnknown = false

    mutating func giveUp() { isUnknown = true }

    /// Adds what a save changed on the way.
    mutating func add(_ result: SaveResult, interest: ResultInterest) {
        for row in result.rows {
            guard let read = interest.others[row.entity] else { continue }
            let isWhole = row.old == nil || row.new == nil
            // Of the result's own rows all is read that places them.
            let isRead = isWhole || row.entity == interest.entity || row.changed.contains(where: read.contains)
            guard isRead else { continue }
            if rows[row.entity]?[row.rowID] == nil {
                rows[row.entity, default: [:]][row.rowID] = row.old.map(RowChanges.Former.record) ?? .absent
            }
        }
        links += result.links.filter { interest.links.contains($0.relationship) }
    }

    /// The state before as an overlay on the one behind: what has changed, as it was. Nil where that is not known.
    ///
    /// - Parameter own: the changed rows of the result's entity.
    /// - Throws: `StorageError` for damage.
    func overlay(
        own: [RowID: RowChanges.Row], interest: ResultInterest, in snapshot: Snapshot
    ) throws -> Overlay? {
        if isUnknown { return nil }
        let overlay = Overlay()
        for (entity, rows) in rows {
            for (rowID, former) in rows {
                guard try lay(former, rowID, of: entity, interest, over: overlay, in: snapshot) else { return nil }
            }
        }
        for (rowID, change) in own where rows[interest.entity]?[rowID] == nil {
            guard try lay(change.former, rowID, of: interest.entity, interest, over: overlay, in: snapshot) else {
                return nil
            }
        }
        return try layLinks(over: overlay, in: snapshot) ? overlay : nil
    }

    private func lay(
        _ former: RowChanges.Former, _ rowID: RowID, of id: EntityID, _ interest: ResultInterest,
        over overlay: Overlay, in snapshot: Snapshot
    ) throws -> Bool {
        guard let entity = snapshot.schema.entity(withID: id) else { return false }
        switch former {
        case .unknown: return false
        case .absent: overlay.mask(rowID, of: id)
        case .record(let record):
            var read = interest.others[id] ?? []
            if id == interest.entity { read.formUnion(interest.placing) }
            let values = try snapshot.withRow(rowID, of: entity, record: record) {
                try Self.values(of: $0, reading: read)
            }
            guard let values else { return false }
            let isStored = try snapshot.withRow(rowID, of: entity) { _ in true } ?? false
            overlay.set(PlainRow(rowID: rowID, values: values), isStored: isStored, of: id)
        }
        return true
    }

    /// The values of a row; nil where one that is read lay outside of the record, and is gone. What nobody reads may as
    /// well be nil.
    private static func values(of row: borrowing StoredRow, reading read: Set<Int>) throws -> [Value]? {
        var values: [Value] = []
        for position in row.entity.properties.indices {
            if try !row.isLong(position) {
                values.append(try row.value(position))
            } else if read.contains(position) {
                return nil
            } else {
                values.append(.null)
            }
        }
        return values
    }

    private func layLinks(over overlay: Overlay, in snapshot: Snapshot) throws -> Bool {
        for (id, links) in Dictionary(grouping: links, by: \.relationship) {
            guard let (entity, relationship) = snapshot.schema.relationship(withID: id) else { return false }
            for (source, links) in Dictionary(grouping: links, by: \.source) {
                var targets = try snapshot.relatedRowIDs(of: source, relationship, in: entity)
                for link in links.reversed() {
                    if link.isAdded {
                        targets.removeAll { $0 == link.destination }
                    } else {
                        targets.append(link.destination)
                    }
                }
                overlay.links[id, default: [:]][source] = targets
            }
        }
        return true
    }
}
