import LoamStorage

/// Rows and relationships in plain Swift, with the rules of relationships in their simplest form: whole lists, rescans.
struct RelatedModel {
    /// A to-one, with the delete rules of both sides.
    struct Reference: Hashable {
        var child: String
        var name: String
        var parent: String
        /// The other side's name; nil for one that leads one way.
        var inverse: String?
        var rule: DeleteRule
        /// The rule for the target when the child is deleted.
        var childRule = DeleteRule.nullify
        var isOneToOne = false
    }

    struct Link: Hashable {
        var source: String
        var name: String
        var destination: String
        var inverse: String?
        var rule = DeleteRule.nullify
        var inverseRule = DeleteRule.nullify
        var isSymmetric: Bool { inverse == name && source == destination }
    }

    let references: [Reference]
    let links: [Link]
    var rows: [RowID: String] = [:]
    var targets: [Reference: [RowID: RowID]] = [:]
    /// The members of each target, in order. A target that is gone keeps its list.
    var members: [Reference: [RowID: [RowID]]] = [:]
    var forward: [Link: [RowID: [RowID]]] = [:]
    var backward: [Link: [RowID: [RowID]]] = [:]

    init(references: [Reference], links: [Link]) {
        self.references = references
        self.links = links
    }

    struct Refused: Error {}

    mutating func insert(_ row: RowID, _ entity: String) { rows[row] = entity }

    /// Has the row lead to the target, as its last member.
    mutating func set(_ reference: Reference, of row: RowID, to target: RowID?) {
        if let old = targets[reference]?[row] {
            members[reference, default: [:]][old]?.removeAll { $0 == row }
        }
        targets[reference, default: [:]][row] = target
        guard let target else { return }
        if reference.isOneToOne {
            for other in members[reference]?[target] ?? [] { targets[reference]?[other] = nil }
            members[reference]?[target] = []
        }
        members[reference, default: [:]][target, default: []].append(row)
    }

    mutating func place(_ row: RowID, in reference: Reference, _ place: LinkPlace) {
        guard let target = targets[reference]?[row] else { return }
        members[reference, default: [:]][target] = Self.placed(row, place, in: members[reference]?[target] ?? [])
    }

    mutating func link(_ link: Link, _ source: RowID, _ destination: RowID, _ place: LinkPlace, isForward: Bool = true)
    {
        let isNew = !(forward[link]?[source] ?? []).contains(destination)
        if isForward || isNew {
            let order = forward[link]?[source] ?? []
            forward[link, default: [:]][source] = Self.placed(destination, isForward ? place : .append, in: order)
        }
        if !isForward || isNew {
            let order = backward[link]?[destination] ?? []
            backward[link, default: [:]][destination] = Self.placed(source, isForward ? .append : place, in: order)
        }
        if link.isSymmetric, !(forward[link]?[destination] ?? []).contains(source) {
            self.link(link, destination, source, .append)
        }
    }

    mutating func unlink(_ link: Link, _ source: RowID, _ destination: RowID) {
        forward[link]?[source]?.removeAll { $0 == destination }
        backward[link]?[destination]?.removeAll { $0 == source }
        guard link.isSymmetric else { return }
        forward[link]?[destination]?.removeAll { $0 == source }
        backward[link]?[source]?.removeAll { $0 == destination }
    }

    private static func placed(_ row: RowID, _ place: LinkPlace, in order: [RowID]) -> [RowID] {
        var order = order.filter { $0 != row }
        switch place {
        case .append: order.append(row)
        case .first: order.insert(row, at: 0)
        case .after(let neighbour):
            order.insert(row, at: order.firstIndex(of: neighbour).map { $0 + 1 } ?? order.count)
        }
        return order
    }

    /// Deletes rows, and what the rules delete with them. Throws where a rule denies it.
    mutating func delete(_ first: Set<RowID>) throws {
        var gone: Set<RowID> = []
        var waiting = Array(first)
        while let row = waiting.popLast() {
            guard let entity = rows[row], gone.insert(row).inserted else { continue }
            for reference in references {
                if reference.child == entity, reference.childRule == .cascade, let target = targets[reference]?[row] {
                    waiting.append(target)
                }
                if reference.parent == entity, reference.rule == .cascade {
                    waiting += members[reference]?[row] ?? []
                }
            }
            for link in links {
                if link.source == entity, link.rule == .cascade { waiting += forward[link]?[row] ?? [] }
                if link.destination == entity, link.inverseRule == .cascade { waiting += backward[link]?[row] ?? [] }
            }
        }
        for row in gone {
            for reference in references where reference.parent == rows[row] && reference.rule == .deny {
                guard related(row, members[reference]?[row]).allSatisfy(gone.contains) else { throw Refused() }
            }
            for link in links where link.source == rows[row] && link.rule == .deny {
                guard related(row, forward[link]?[row]).allSatisfy(gone.contains) else { throw Refused() }
            }
        }
        for row in gone {
            for reference in references {
                if reference.child == rows[row] { set(reference, of: row, to: nil) }
                if reference.parent == rows[row], reference.rule != .noAction {
                    for child in members[reference]?[row] ?? [] { targets[reference]?[child] = nil }
                    members[reference]?[row] = nil
                }
            }
            for link in links {
                if link.source == rows[row], link.rule != .noAction || link.inverse == nil {
                    for other in forward[link]?[row] ?? [] { unlink(link, row, other) }
                }
                if link.destination == rows[row], link.inverseRule != .noAction {
                    for other in backward[link]?[row] ?? [] { unlink(link, other, row) }
                }
            }
        }
        for row in gone { rows[row] = nil }
    }

    /// The members that a read gives: rows that are gone are passed over.
    func related(_ row: RowID, _ list: [RowID]?) -> [RowID] { (list ?? []).filter { rows[$0] != nil } }
}
