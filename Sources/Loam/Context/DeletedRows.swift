import LoamStorage

/// Stored rows that the next save of a context deletes, and that no object stands for.
struct DeletedRows {
    private(set) var byEntity: [EntityID: Set<RowID>] = [:]

    var isEmpty: Bool { byEntity.isEmpty }

    var count: Int { byEntity.values.reduce(0) { $0 + $1.count } }

    /// Row ids are those of the store, so that the entity need not be said. O(entities).
    func contains(_ row: RowID) -> Bool { byEntity.contains { $0.value.contains(row) } }

    mutating func insert(_ rows: Set<RowID>, of entity: EntityID) {
        if !rows.isEmpty { byEntity[entity, default: []].formUnion(rows) }
    }

    /// Whether the row was in the set.
    mutating func remove(_ row: RowID, of entity: EntityID) -> Bool {
        guard byEntity[entity]?.remove(row) != nil else { return false }
        if byEntity[entity]?.isEmpty == true { byEntity[entity] = nil }
        return true
    }

    /// The rows without those in the set, in their order.
    func removed(from rows: [RowID]) -> [RowID] {
        isEmpty ? rows : rows.filter { !contains($0) }
    }
}
