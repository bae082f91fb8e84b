import LMDB

/// Links: the batch's, in its order, made as the forward side sees them.
extension BatchDraft {
    /// Links of rows that were deleted since are dropped where the policy says so.
    func applyLinks(_ writes: [LinkWrite], _ policy: MergePolicy, _ transaction: borrowing WriteTransaction) throws {
        for write in writes {
            guard let access = map.link(write.relationship) else {
                throw StorageError(.unknownRelationship, property: "#\(write.relationship)", rowID: write.source)
            }
            let isForward = access.forward.id == write.relationship
            let relationship = isForward ? access.forward : access.backward ?? access.forward
            guard write.entity == (isForward ? access.source : access.destination) else {
                throw error(.unknownRelationship, write.entity, write.source)
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
            guard try exists(write.source, write.entity, transaction) else {
                if policy.dropsChangesOfDeletedRows {
                    dropped.add(write.source, write.entity, isDeleted: true, [write.relationship])
                    continue
                }
                throw error(.rowMissing, write.entity, write.source)
            }
            guard try exists(write.destination, relationship.destination, transaction) else {
                if policy.dropsChangesOfDeletedRows {
                    dropped.add(write.source, write.entity, isDeleted: false, [write.relationship])
                    continue
                }
                throw error(.targetMissing(relationship: relationship.name), write.entity, write.source)
            }
            try draft.link(pair, place, half: isForward ? .forward : .backward, in: transaction)
            if access.isSymmetric, pair != pair.reversed, try !draft.contains(pair.reversed, transaction) {
                try draft.link(pair.reversed, .append, half: .forward, in: transaction)
            }
        }
    }
}

extension LinkDraft.Pair {
    var reversed: Self { .init(source: destination, destination: source) }
}
