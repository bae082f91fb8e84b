import LoamStorage

/// The rows of an entity that saves have changed since a state of a result, each once however often it was changed.
struct RowChanges {
    /// Rows whose place has to be looked up again.
    var moved: Set<RowID> = []
    /// Rows that changed in fields that decide no place.
    var touched: Set<RowID> = []
    /// Whether some changes are not known, so that the result has to be read again.
    var isUnknown = false
    /// Whether something that the places depend on changed outside of the entity's rows.
    var concernsOthers = false

    var count: Int { moved.count + touched.count }
}

/// Which parts of changes matter to a result.
struct ResultInterest: Hashable, Sendable {
    var entity: EntityID
    /// Entities whose rows the predicate is led to along relationships, each with the positions of the properties that
    /// it reads there.
    var others: [EntityID: Set<Int>]
    /// Relationships kept as links that it goes along, under the ids of both sides.
    var links: Set<PropertyID>
    /// Positions of the properties that decide whether a row is in the result and where.
    var placing: Set<Int>
    /// Positions of the properties that are handed out; nil for all.
    var shown: Set<Int>?
    /// The ids of the properties, by position.
    var properties: [PropertyID]

    var entities: Set<EntityID> { Set(others.keys).union([entity]) }
}

extension RowChanges {
    mutating func add(_ changes: ChangeSet, after save: UInt64, interest: ResultInterest) {
        guard changes.last > save else { return }
        if changes.rewritten.contains(interest.entity) { isUnknown = true }
        if concernsOthers(changes, interest: interest) { concernsOthers = true }
        guard changes.entities[interest.entity] != nil else { return }
        for result in changes.results where result.save > save {
            for row in result.rows where row.entity == interest.entity {
                add(row.rowID, isWhole: row.old == nil || row.new == nil, fields: row.changed, interest: interest)
            }
        }
    }

    private func concernsOthers(_ changes: ChangeSet, interest: ResultInterest) -> Bool {
        for (entity, fields) in interest.others {
            if changes.rewritten.contains(entity) { return true }
            guard let extent = changes.entities[entity] else { continue }
            if extent.insertsOrDeletes || !extent.fields.isDisjoint(with: fields) { return true }
        }
        return interest.entities.contains { entity in
            changes.entities[entity].map { !$0.relationships.isDisjoint(with: interest.links) } ?? false
        }
    }

    /// Adds the changes of another process's save, as the history has it.
    mutating func add(_ entry: HistoryEntry, interest: ResultInterest) {
        if entry.rewritten.contains(interest.entity) { isUnknown = true }
        if entry.rewritten.contains(where: { interest.others[$0] != nil }) { concernsOthers = true }
        if entry.links.contains(where: { interest.links.contains($0.relationship) }) { concernsOthers = true }
        for row in entry.rows {
            if interest.others[row.entity] != nil { concernsOthers = true }
            guard row.entity == interest.entity else { continue }
            let fields = row.changed.compactMap { interest.properties.firstIndex(of: $0) }
            add(row.rowID, isWhole: row.kind != .update, fields: fields, interest: interest)
        }
    }

    private mutating func add(_ rowID: RowID, isWhole: Bool, fields: [Int], interest: ResultInterest) {
        if isWhole || fields.contains(where: interest.placing.contains) {
            moved.insert(rowID)
        } else if interest.shown.map({ shown in fields.contains(where: shown.contains) }) ?? true {
            touched.insert(rowID)
        }
    }
}
