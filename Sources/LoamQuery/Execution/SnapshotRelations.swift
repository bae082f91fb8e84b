import LoamStorage

/// Related rows of a snapshot, as an overlay changes them.
final class SnapshotRelations: RelatedRows {
    private let snapshot: Snapshot
    /// The pending changes; nil where there are none.
    private let overlay: Overlay?
    private var results: [ObjectIdentifier: [Value: Bool]] = [:]
    /// The values by the names of their path. All paths begin at one entity.
    private var values: [[String]: [Value: Value]] = [:]
    private var resultCount = 0
    private static let resultLimit = 200_000
    /// Whether the overlay takes rows away, so that references of stored rows may lead nowhere.
    private let deletesRows: Bool

    init(_ snapshot: Snapshot, overlay: Overlay? = nil) {
        self.snapshot = snapshot
        self.overlay = overlay
        deletesRows = overlay?.entities.values.contains { $0.deletedCount > 0 } ?? false
    }

    private func pending(_ rowID: RowID, entity: EntityID) -> PlainRow? { overlay?.entities[entity]?.rows[rowID] }

    /// A stored row as it is seen under the overlay: what the overlay takes away is referred to no more.
    func seen(_ row: borrowing StoredRow) throws -> PlainRow {
        var values = try row.values()
        let entity = row.entity
        for relationship in entity.relationships {
            guard let id = relationship.referenceProperty,
                let position = entity.properties.firstIndex(where: { $0.id == id }),
                case .uint(let target) = values[position], deletes(target, of: relationship.destination)
            else { continue }
            values[position] = .null
        }
        return PlainRow(rowID: row.rowID, values: values)
    }

    func value(of expression: TypedExpression, at rowID: RowID, of entity: Entity) throws -> Value? {
        if let row = pending(rowID, entity: entity.id) { return try expression.value(in: row, self) }
        guard !isMasked(rowID, entity: entity) else { return nil }
        return try snapshot.withRow(rowID, of: entity) { row in
            try deletesRows ? expression.value(in: seen(row), self) : expression.value(in: row, self)
        }
    }

    func holds(_ predicate: TypedPredicate, at rowID: RowID, of entity: Entity) throws -> Bool? {
        if let row = pending(rowID, entity: entity.id) { return try predicate.holds(row, related: self) }
        guard !isMasked(rowID, entity: entity) else { return nil }
        return try snapshot.withRow(rowID, of: entity) { row in
            try deletesRows ? predicate.holds(seen(row), related: self) : predicate.holds(row, related: self)
        }
    }

    func run(_ program: FilterProgram, at rowID: RowID, of entity: Entity, _ call: FilterCall) throws -> Bool? {
        if let row = pending(rowID, entity: entity.id) { return try program.run(row, related: self, call: call) }
        guard !isMasked(rowID, entity: entity) else { return nil }
        return try snapshot.withRow(rowID, of: entity) { row in
            try deletesRows
                ? program.run(seen(row), related: self, call: call) : program.run(row, related: self, call: call)
        }
    }

    func contains(_ rowID: RowID, of entity: Entity) throws -> Bool {
        if pending(rowID, entity: entity.id) != nil { return true }
        guard !isMasked(rowID, entity: entity) else { return false }
        return try snapshot.visitRow(rowID, of: entity) { _ in }
    }

    func forEachRelated(of rowID: RowID, _ hop: RelationHop, _ body: (RowID) throws -> Bool) throws {
        switch hop.relationship.storage {
        case .reference:
            guard let reference = hop.reference, let target = try target(of: reference, at: rowID, of: hop.source),
                try contains(target, of: hop.destination)
            else { return }
            _ = try body(target)
        case .inverseOfReference:
            var isStopped = false
            try snapshot.scanRelated(of: rowID, hop.relationship, in: hop.source) { member in
                isStopped = try !isMasked(member, entity: hop.destination) && !body(member)
                return !isStopped
            }
            guard !isStopped, let reference = hop.inverseReference else { return }
            for member in pendingRows(of: hop.destination, reference, leadingTo: rowID) {
                guard try body(member) else { return }
            }
        case .links:
            guard overlay != nil else {
                return try snapshot.scanRelated(of: rowID, hop.relationship, in: hop.source, body)
            }
            for member in try members(of: rowID, hop) where try contains(member, of: hop.destination) {
                guard try body(member) else { return }
            }
        }
    }

    /// The row that a row's reference holds, which may not exist.
    private func target(of reference: PropertyPath, at rowID: RowID, of entity: Entity) throws -> RowID? {
        if let row = pending(rowID, entity: entity.id) { return row.value(of: reference).unsigned }
        guard !isMasked(rowID, entity: entity) else { return nil }
        return try snapshot.withRow(rowID, of: entity) { try $0.value(of: reference).unsigned } ?? nil
    }

    func relatedCount(of rowID: RowID, _ hop: RelationHop) throws -> Int {
        if overlay == nil { return try snapshot.relatedCount(of: rowID, hop.relationship, in: hop.source) }
        var count = 0
        try forEachRelated(of: rowID, hop) { _ in
            count += 1
            return true
        }
        return count
    }

    func known(_ owner: ObjectIdentifier, key: Value) -> Bool? { results[owner]?[key] }

    func remember(_ result: Bool, for owner: ObjectIdentifier, key: Value) {
        guard resultCount < Self.resultLimit else { return }
        resultCount += 1
        results[owner, default: [:]][key] = result
    }

    func knownValue(of path: PropertyPath, _ target: Value) -> Value? { values[path.names]?[target] }

    func remember(_ value: Value, of path: PropertyPath, target: Value) {
        guard resultCount < Self.resultLimit else { return }
        resultCount += 1
        values[path.names, default: [:]][target] = value
    }

    /// Whether the overlay takes a row away.
    func deletes(_ rowID: RowID, of entity: EntityID) -> Bool {
        overlay?.entities[entity]?.deletes(rowID) ?? false
    }

    private func isMasked(_ rowID: RowID, entity: Entity) -> Bool {
        overlay?.entities[entity.id]?.isMasked(rowID) ?? false
    }

    /// The rows that links lead to: those that are pending for the row, else the stored ones, without and with those
    /// whose own pending links say so.
    private func members(of rowID: RowID, _ hop: RelationHop) throws -> [RowID] {
        if let members = overlay?.links[hop.relationship.id]?[rowID] { return members }
        var members = try snapshot.relatedRowIDs(of: rowID, hop.relationship, in: hop.source)
        guard let inverse = hop.relationship.inverse, let others = overlay?.links[inverse], !others.isEmpty else {
            return members
        }
        members.removeAll { others[$0] != nil }
        members += others.filter { $0.value.contains(rowID) }.keys.sorted()
        return members
    }

    private func pendingRows(
        of entity: Entity, _ reference: PropertyPath, leadingTo target: RowID
    ) -> [RowID] {
        guard let pending = overlay?.entities[entity.id], !pending.rows.isEmpty else { return [] }
        if let found = pending.rows(with: .uint(target), at: reference) { return found.sorted() }
        return pending.rows.values.filter { $0.value(of: reference) == .uint(target) }.map(\.rowID)
    }
}
