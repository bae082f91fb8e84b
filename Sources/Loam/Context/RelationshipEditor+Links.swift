import LoamStorage

// What a save says of relationships that are not kept in the record.
extension RelationshipEditor {
    /// The links and places of a batch.
    func addMembers(to batch: inout WriteBatch) throws {
        for list in lists.changed {
            switch list.relationship.storage {
            case .inverseOfReference(let reference) where list.relationship.isToMany:
                try addPlaces(of: list, reference, to: &batch)
            // The other side of a one-to-one has one member, and no order.
            case .reference, .inverseOfReference: continue
            case .links(_, let isForward): addLinks(of: list, isForward: isForward, to: &batch)
            }
        }
        for list in lists.changed { addOrder(of: list, to: &batch) }
    }

    /// The lists of the forward side say all links, and come in no order: so a list of the other side says how its new
    /// members follow each other, when they are linked.
    private func addOrder(of list: MemberList, to batch: inout WriteBatch) {
        guard case .links(_, isForward: false) = list.relationship.storage, list.relationship.inverse != nil,
            list.order == nil, list.added.count > 1
        else { return }
        for row in list.added {
            batch.moveLink(list.relationship.id, of: list.key.row, entity: list.entity, to: row, place: .append)
        }
    }

    private func addPlaces(of list: MemberList, _ reference: PropertyID, to batch: inout WriteBatch) throws {
        let child = list.relationship.destination
        if list.order != nil {
            for (row, previous) in list.moved() {
                batch.place(row, of: child, in: reference, place: previous.map(LinkPlace.after) ?? .first)
            }
        } else {
            for row in list.added { batch.place(row, of: child, in: reference, place: .append) }
        }
    }

    /// Every link is said by both sides' lists; the forward side says it, the other only where it alone knows.
    private func addLinks(of list: MemberList, isForward: Bool, to batch: inout WriteBatch) {
        let (source, entity, relationship) = (list.key.row, list.entity, list.relationship)
        let hasForward = relationship.inverse != nil && !isForward
        if !hasForward {
            for row in list.removed.sorted() {
                batch.unlink(relationship.id, of: source, entity: entity, from: row)
            }
            for row in list.added { batch.link(relationship.id, of: source, entity: entity, to: row) }
        }
        for (row, previous) in list.moved() {
            batch.link(
                relationship.id, of: source, entity: entity, to: row, place: previous.map(LinkPlace.after) ?? .first)
        }
    }
}
