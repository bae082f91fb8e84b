import LMDB

/// Links: the batch's, in its order, made as the forward side sees them.
extension BatchDraft {
    /// Links of rows that were deleted since are dropped where the policy says so.
    func applyLinks(_ writes: [LinkWrite], policy: MergePolicy, in transaction: borrowing WriteTransaction) throws {
        for write in writes {
            guard let access = map.link(write.relationship) else {
                throw StorageError(.unknownRelationship, property: "#\(write.relationship)", rowID: write.source)
            }
            let isForward = access.forward.id == write.relationship
            let relationship = isForward ? access.forward : access.backward ?? access.forward
            guard write.entity == (isForward ? access.source : access.destination) else {
                throw error(.unknownRelationship, entity: write.entity, row: write.source)
            }
            let pair = LinkDraft.Pair(
                source: isForward ? write.source : write.destination,
                destination: isForward ? write.destination : write.source)
            let draft = try draft(access)
            guard let place = write.place else {
                try draft.unlink(pair, in: transaction)
                if access.isSymmetric { try draft.unlink(pair.reversed, in: transaction) }
                continue
            }
            if write.onlyMoves, try !draft.contains(pair, in: transaction) { continue }
            guard try exists(write.source, entity: write.entity, in: transaction) else {
                if policy.dropsChangesOfDeletedRows {
                    dropped.add(write.source, entity: write.entity, isDeleted: true, properties: [write.relationship])
                    continue
                }
                throw error(.rowMissing, entity: write.entity, row: write.source)
            }
            guard try exists(write.destination, entity: relationship.destination, in: transaction) else {
                if policy.dropsChangesOfDeletedRows {
                    dropped.add(write.source, entity: write.entity, isDeleted: false, properties: [write.relationship])
                    continue
                }
                throw error(.targetMissing(relationship: relationship.name), entity: write.entity, row: write.source)
            }
            try draft.link(pair, place: place, half: isForward ? .forward : .backward, in: transaction)
            if access.isSymmetric, pair != pair.reversed, try !draft.contains(pair.reversed, in: transaction) {
                try draft.link(pair.reversed, place: .append, half: .forward, in: transaction)
            }
        }
    }
}

extension LinkDraft.Pair {
    var reversed: Self { .init(source: destination, destination: source) }
}
