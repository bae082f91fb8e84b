import LMDB

/// References: whom rows lead to after the batch, and where they stand there.
extension BatchDraft {
    func noteReferences() throws {
        for outcome in outcomes {
            for access in map.references(of: outcome.access.entity.id) {
                let old = try outcome.old?.reference(access.property)
                let new = try outcome.new?.reference(access.property)
                if old != new { try draft(access).note(outcome.rowID, old: old, new: new) }
            }
        }
    }

    /// Whether rows of an entity that fresh rows are of have come to a target: then their order is the batch's.
    func meets(_ fresh: FreshRows) -> Bool {
        referenceDrafts.contains { draft in
            fresh.groups.contains { $0.access.entity.id == draft.access.entity }
                && draft.moves.values.contains { $0.new != nil && $0.new != $0.old }
        }
    }

    /// Every target that the batch names must exist. A row that is written again after its deletion lets go of targets
    /// that have gone meanwhile, where it may. A stored row keeps the target that it has where the policy says so.
    func requireTargets(_ policy: MergePolicy, in transaction: borrowing WriteTransaction) throws {
        for draft in referenceDrafts {
            let relationship = draft.access.relationship
            for target in draft.targets where try !exists(target, entity: relationship.destination, in: transaction) {
                for row in draft.arrivals(at: target) {
                    let outcome = outcome(of: row)
                    if policy.dropsChangesOfDeletedRows, outcome?.old != nil {
                        dropped.add(row, entity: draft.access.entity, isDeleted: false, properties: [relationship.id])
                        try setReference(of: row, draft: draft, target: draft.moves[row]?.old, in: transaction)
                    } else if outcome?.isRevived == true, relationship.isOptional {
                        try setReference(of: row, draft: draft, target: nil, in: transaction)
                    } else {
                        throw error(
                            .targetMissing(relationship: relationship.name), entity: draft.access.entity, row: row)
                    }
                }
            }
        }
    }

    /// Releases rows from one-to-ones: of those that refer to the same target, only the one that came last stays.
    func releaseOneToOnes(in transaction: borrowing WriteTransaction) throws {
        for draft in referenceDrafts where draft.access.isOneToOne {
            for target in draft.targets {
                guard let last = draft.arrivals(at: target).last else { continue }
                var others: [RowID] = []
                try draft.forEachReferrer(of: target, in: transaction) {
                    if $0 != last { others.append($0) }
                    return true
                }
                for row in others { try setReference(of: row, draft: draft, target: nil, in: transaction) }
            }
        }
    }

    /// Changes what a row refers to, also a row that the batch does not name.
    func setReference(
        of row: RowID, draft: ReferenceDraft, target: RowID?, in transaction: borrowing WriteTransaction
    ) throws {
        let access = draft.access
        guard let outcome = try outcome(of: row, entity: access.entity, in: transaction), let image = outcome.new else {
            return
        }
        let old = try image.reference(access.property)
        draft.note(row, old: old, new: target)
        // The row may yet be deleted; where it is not, ``requireReferences()`` throws.
        guard target != nil || access.relationship.isOptional else { return }
        try update(row) { outcome in
            try outcome.set(access.property, to: target.map(Value.uint) ?? .null)
            if target == nil, let position = access.position { try outcome.set(position, to: .null) }
        }
    }

    /// Positions of rows whose target changed, then of those that the batch places.
    func applyPlaces(_ places: [PlaceWrite], in transaction: borrowing WriteTransaction) throws {
        let placed = Set(places.map { Placed(row: $0.rowID, relationship: $0.relationship) })
        for outcome in outcomes where outcome.new != nil {
            for access in map.references(of: outcome.access.entity.id) {
                guard let position = access.position else { continue }
                let row = outcome.rowID
                let move = try draft(access).moves[row]
                guard let move, let target = move.new, move.old != target || outcome.old == nil else {
                    // Whatever the record says: positions are not the caller's to write.
                    try keepPosition(of: row, position, isMoved: move.map { $0.old != $0.new } ?? false)
                    continue
                }
                guard !placed.contains(Placed(row: row, relationship: access.relationship.id)) else { continue }
                try place(
                    row, place: .append, at: target, draft: try draft(access), position: position, in: transaction)
            }
        }
        for write in places {
            guard let access = map.reference(write.relationship), access.entity == write.entity,
                let position = access.position
            else { throw StorageError(.unknownRelationship, property: "#\(write.relationship)", rowID: write.rowID) }
            guard let outcome = try outcome(of: write.rowID, entity: access.entity, in: transaction),
                let target = try outcome.new?.reference(access.property)
            else { continue }
            try place(
                write.rowID, place: write.place, at: target, draft: try draft(access), position: position,
                in: transaction)
        }
    }

    private struct Placed: Hashable {
        var row: RowID
        var relationship: PropertyID
    }

    /// The position of a row whose target stays is what is stored; without a target there is none.
    private func keepPosition(of row: RowID, _ position: Int, isMoved: Bool) throws {
        guard let outcome = outcome(of: row), !outcome.isQuiet, let new = outcome.new else { return }
        let value = isMoved ? .null : try outcome.old?.value(position) ?? .null
        if try new.value(position) != value { try update(row) { try $0.set(position, to: value) } }
    }

    private func place(
        _ row: RowID, place: LinkPlace, at target: RowID, draft: ReferenceDraft, position: Int,
        in transaction: borrowing WriteTransaction
    ) throws {
        let (own, renumbered) = try draft.withOrder(of: target) { order in
            try order.place(row, place: place, in: transaction) { neighbour in
                try storedPosition(of: neighbour, at: target, draft: draft, position: position, in: transaction)
            }
        }
        try update(row) { outcome in
            try outcome.set(position, to: .int(own))
            outcome.isQuiet = false
        }
        for other in renumbered {
            let isNamed = outcome(of: other.rowID).map { !$0.isVoid && !$0.isQuiet } ?? false
            _ = try outcome(of: other.rowID, entity: draft.access.entity, in: transaction)
            try update(other.rowID) { outcome in
                try outcome.set(position, to: .int(other.position))
                outcome.isQuiet = !isNamed
            }
        }
    }

    /// The stored position of a row that refers to the target before and after the batch; nil for any other row.
    private func storedPosition(
        of row: RowID, at target: RowID, draft: ReferenceDraft, position: Int,
        in transaction: borrowing WriteTransaction
    ) throws -> Int64? {
        let access = try state.catalog.access(draft.access.entity)
        guard !deleted.contains(row),
            let image = try outcome(of: row)?.old ?? RowImage.read(row, of: access, in: transaction),
            try image.reference(draft.access.property) == target, case .int(let value) = try image.value(position)
        else { return nil }
        return value
    }

    /// A reference that is not optional leads somewhere.
    func requireReferences() throws {
        for draft in referenceDrafts where !draft.access.relationship.isOptional {
            for (row, move) in draft.moves where move.new == nil && !deleted.contains(row) {
                throw error(
                    .referenceRequired(relationship: draft.access.relationship.name), entity: draft.access.entity,
                    row: row)
            }
        }
    }
}
