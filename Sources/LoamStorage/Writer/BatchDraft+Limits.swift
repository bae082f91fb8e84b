import LMDB

/// Checks the least and most numbers of related rows, for rows whose number the batch may have changed.
extension BatchDraft {
    func checkLimits(in transaction: borrowing WriteTransaction) throws {
        guard !map.limited.isEmpty else { return }
        var affected: [Relationship: Set<RowID>] = [:]
        for outcome in outcomes where outcome.old == nil && outcome.new != nil {
            for relationship in map.limited[outcome.access.entity.id] ?? [] {
                affected[relationship, default: []].insert(outcome.rowID)
            }
        }
        for draft in referenceDrafts {
            guard let inverse = draft.access.inverse, isLimited(inverse, entity: draft.access.relationship.destination)
            else {
                continue
            }
            for move in draft.moves.values where move.old != move.new {
                affected[inverse, default: []].formUnion([move.old, move.new].compactMap { $0 })
            }
        }
        for draft in linkDrafts {
            if isLimited(draft.access.forward, entity: draft.access.source) {
                affected[draft.access.forward, default: []].formUnion(draft.owners(.forward))
            }
            if let backward = draft.access.backward, !draft.access.isSymmetric,
                isLimited(backward, entity: draft.access.destination)
            {
                affected[backward, default: []].formUnion(draft.owners(.backward))
            }
        }
        for (relationship, rows) in affected {
            for row in rows.sorted() where !deleted.contains(row) {
                try check(row, relationship: relationship, in: transaction)
            }
        }
    }

    private func isLimited(_ relationship: Relationship, entity: EntityID) -> Bool {
        map.limited[entity]?.contains { $0.id == relationship.id } ?? false
    }

    private func check(
        _ row: RowID, relationship: Relationship, in transaction: borrowing WriteTransaction
    ) throws {
        let count = try count(of: row, relationship: relationship, in: transaction)
        guard let entity = owner(of: relationship) else { return }
        guard try exists(row, entity: entity, in: transaction) else { return }
        let isRequired = !relationship.isToMany && !relationship.isOptional
        if count == 0, isRequired {
            throw error(.referenceRequired(relationship: relationship.name), entity: entity, row: row)
        }
        if count == 0, relationship.isOptional { return }
        if count < relationship.minimumCount {
            throw error(
                .tooFewRelated(relationship: relationship.name, count: count, limit: relationship.minimumCount),
                entity: entity, row: row)
        }
        if relationship.maximumCount > 0, count > relationship.maximumCount {
            throw error(
                .tooManyRelated(relationship: relationship.name, count: count, limit: relationship.maximumCount),
                entity: entity, row: row)
        }
    }

    private func owner(of relationship: Relationship) -> EntityID? {
        map.limited.first { $0.value.contains { $0.id == relationship.id } }?.key
    }

    private func count(
        of row: RowID, relationship: Relationship, in transaction: borrowing WriteTransaction
    ) throws -> Int {
        var count = 0
        switch relationship.storage {
        case .reference(_, _, _):
            guard let access = map.reference(relationship.id) else { return 0 }
            let outcome = try outcome(of: row, entity: access.entity, in: transaction)
            return try outcome?.new?.reference(access.property) == nil ? 0 : 1
        case .inverseOfReference(let reference):
            guard let access = map.reference(reference) else { return 0 }
            try draft(access).forEachReferrer(of: row, in: transaction) {
                if !deleted.contains($0) { count += 1 }
                return true
            }
        case .links(_, let isForward):
            guard let access = map.link(relationship.id) else { return 0 }
            try draft(access).forEachMember(isForward ? .forward : .backward, of: row, in: transaction) { _ in
                count += 1
                return true
            }
        }
        return count
    }
}
