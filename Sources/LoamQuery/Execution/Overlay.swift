package import LoamStorage

/// Changes that are not saved yet, as a query sees them: laid over the stored rows when a plan runs.
///
/// ```
/// let overlay = Overlay()
/// overlay.mask(4, of: city.id)
/// overlay.set(PlainRow(rowID: 7, values: changed), isStored: true, of: city.id)
/// overlay.set(PlainRow(rowID: 9, values: inserted), isStored: false, of: city.id)
/// let count = try plan.count(in: snapshot, overlay: overlay, work: &work)
/// ```
///
/// It is kept and extended as changes come: each costs O(1) for every property by which a query has looked rows up, and
/// O(log rows) for every order that one has asked for; running a query makes nothing anew. An object, so that nobody
/// copies it; confined to one isolation.
package final class Overlay {
    package private(set) var entities: [EntityID: OverlaidEntity] = [:]
    /// By relationship that is kept in links, then by source row: all rows that the source is to lead to. The other
    /// side of a relationship follows, unless it is given too. Relationships that are kept in records are in the rows.
    package var links: [PropertyID: [RowID: [RowID]]] = [:]

    package init() {}

    /// Hides a stored row that was deleted. What was set for it before is forgotten.
    package func mask(_ row: RowID, of entity: EntityID) { change(entity) { $0.mask(row) } }

    /// Lays a row that was changed, or inserted, over the stored ones, in place of what was set for it before.
    ///
    /// - Parameter isStored: whether there is a stored row, which is hidden.
    package func set(_ row: PlainRow, isStored: Bool, of entity: EntityID) {
        change(entity) { $0.set(row, isStored: isStored) }
    }

    /// Takes away what was said of a row.
    package func forget(_ row: RowID, of entity: EntityID) { entities[entity]?.forget(row) }

    /// The pending rows of an entity, in no order. O(rows).
    package func rows(of entity: EntityID) -> [PlainRow] { entities[entity].map { Array($0.rows.values) } ?? [] }

    /// The pending rows of an entity that lead to another one by a reference. O(1), and O(pending rows) the first time.
    package func rows(of entity: Entity, leadingTo target: RowID, by reference: Property) -> [RowID] {
        guard let overlaid = entities[entity.id], !overlaid.rows.isEmpty,
            let path = try? PropertyPath([reference.name], in: entity)
        else { return [] }
        if let found = overlaid.rows(with: .uint(target), at: path) { return Array(found) }
        return overlaid.rows.values.filter { $0.value(of: path) == .uint(target) }.map(\.rowID)
    }

    package var isEmpty: Bool { entities.values.allSatisfy(\.isEmpty) && links.values.allSatisfy(\.isEmpty) }

    private func change(_ entity: EntityID, _ body: (OverlaidEntity) -> Void) {
        let known = entities[entity] ?? OverlaidEntity()
        entities[entity] = known
        body(known)
    }
}

/// What an overlay says of the rows of one entity.
package final class OverlaidEntity {
    /// Stored rows that were changed or deleted.
    private(set) var masked: Set<RowID> = []
    /// Rows that were inserted or changed, each with all its values in the order of the entity's properties.
    private(set) var rows: [RowID: PlainRow] = [:]
    /// The number of rows in `masked` that no row stands in for.
    private(set) var deletedCount = 0
    /// Pending rows by the value at a path: of each path that a query has asked for, kept from then on.
    private var lookups: [Lookup] = []
    /// Pending rows by an order: of each that a query has asked for, kept as long as any row is pending.
    private var orders: [OverlaidOrder] = []
    /// Beyond that, queries test all pending rows.
    private static let mostLookups = 16
    private static let mostOrders = 16
    /// So many rows are tested without more ado.
    static let fewRows = 32

    var isEmpty: Bool { masked.isEmpty && rows.isEmpty }

    func isMasked(_ row: RowID) -> Bool { masked.contains(row) }

    /// Whether a stored row is hidden and nothing stands in for it.
    func deletes(_ row: RowID) -> Bool { masked.contains(row) && rows[row] == nil }

    func mask(_ row: RowID) {
        forget(row)
        masked.insert(row)
        deletedCount += 1
    }

    func set(_ row: PlainRow, isStored: Bool) {
        forget(row.rowID)
        if isStored { masked.insert(row.rowID) }
        rows[row.rowID] = row
        for lookup in lookups { lookup.add(row) }
        for order in orders { order.noteChange(of: row.rowID) }
    }

    func forget(_ row: RowID) {
        let wasMasked = masked.remove(row) != nil
        guard let old = rows.removeValue(forKey: row) else {
            if wasMasked { deletedCount -= 1 }
            return
        }
        for lookup in lookups { lookup.remove(old) }
        for order in orders { order.noteChange(of: row) }
        if rows.isEmpty { orders = [] }
    }

    /// The pending rows with a value at a path of the row itself; nil where too many paths were asked for. O(1), and
    /// O(pending rows) the first time.
    func rows(with value: Value, at path: PropertyPath) -> Set<RowID>? {
        guard let lookup = lookup(path) else { return nil }
        return lookup.rows[value] ?? []
    }

    /// The values that pending rows have at a path, as ``rows(with:at:)`` finds them.
    package func values(at path: PropertyPath) -> [Value] {
        if let lookup = lookup(path) { return Array(lookup.rows.keys) }
        return Array(Set(rows.values.map { $0.value(of: path) }))
    }

    /// The pending rows in an order; nil where it looks at other rows too, or too many orders were asked for.
    /// O(log rows) for each row that has changed since, and O(rows log rows) the first time.
    func ordered(by keys: [ResolvedSortKey], rowIDs direction: SortDirection) throws -> OverlaidOrder? {
        try ordered {
            $0.order == keys && $0.rowIDDirection == direction
        } orMadeBy: {
            (keys, direction)
        }
    }

    /// The pending rows in some order whose first key is a path in a form, in either direction.
    func ordered(leadBy path: PropertyPath, _ form: StringForm) throws -> OverlaidOrder? {
        try ordered {
            $0.order.first?.path == path && $0.order.first?.form == form
        } orMadeBy: {
            ([ResolvedSortKey(path: path, direction: .ascending, form: form)], .ascending)
        }
    }

    private func ordered(
        _ isWanted: (OverlaidOrder) -> Bool, orMadeBy make: () -> ([ResolvedSortKey], SortDirection)
    ) throws -> OverlaidOrder? {
        if let known = orders.first(where: isWanted) {
            try known.update(from: rows)
            return known
        }
        let (keys, direction) = make()
        guard orders.count < Self.mostOrders, keys.allSatisfy({ $0.path.related == nil }) else { return nil }
        let made = try OverlaidOrder(keys, rowIDDirection: direction, rows: rows.keys)
        try made.update(from: rows)
        orders.append(made)
        return made
    }

    private func lookup(_ path: PropertyPath) -> Lookup? {
        if let known = lookups.first(where: { $0.path == path }) { return known }
        guard lookups.count < Self.mostLookups else { return nil }
        let made = Lookup(path)
        for row in rows.values { made.add(row) }
        lookups.append(made)
        return made
    }

    /// Rows by their value at a path.
    private final class Lookup {
        let path: PropertyPath
        private(set) var rows: [Value: Set<RowID>] = [:]

        init(_ path: PropertyPath) { self.path = path }

        func add(_ row: PlainRow) { rows[row.value(of: path), default: []].insert(row.rowID) }

        func remove(_ row: PlainRow) {
            let value = row.value(of: path)
            rows[value]?.remove(row.rowID)
            if rows[value]?.isEmpty == true { rows[value] = nil }
        }
    }
}
