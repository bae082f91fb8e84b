import LoamStorage
import SeededRandom
import Testing

/// Long random histories against ``RelatedModel``, from two writers in turn.
@Suite struct RelatedModelTests {
    typealias Reference = RelatedModel.Reference
    typealias Link = RelatedModel.Link

    static let entities = ["A", "B", "C"]
    static let references = [
        Reference(child: "B", name: "a", parent: "A", inverse: "bs", rule: .nullify),
        Reference(child: "B", name: "owner", parent: "A", inverse: "owned", rule: .cascade),
        Reference(child: "C", name: "b", parent: "B", inverse: "cs", rule: .deny),
        Reference(child: "C", name: "lost", parent: "A", inverse: "lostOnes", rule: .noAction),
        Reference(child: "A", name: "parent", parent: "A", inverse: "children", rule: .cascade),
        Reference(child: "A", name: "partner", parent: "B", inverse: "partnered", rule: .nullify, isOneToOne: true),
        Reference(
            child: "B", name: "part", parent: "C", inverse: "whole", rule: .nullify, childRule: .cascade,
            isOneToOne: true),
        Reference(child: "A", name: "oneWay", parent: "C", inverse: nil, rule: .nullify),
    ]
    static let links = [
        Link(source: "A", name: "tags", destination: "C", inverse: "tagged"),
        Link(source: "B", name: "friends", destination: "B", inverse: "friends"),
        Link(source: "C", name: "list", destination: "A", inverse: nil),
        Link(source: "A", name: "kept", destination: "B", inverse: "keepers", rule: .deny, inverseRule: .noAction),
    ]

    static var definitions: [EntityDefinition] {
        entities.map { entity in
            var relationships: [RelationshipDefinition] = []
            for reference in references {
                if reference.child == entity {
                    relationships.append(
                        RelationshipDefinition(
                            reference.name, to: reference.parent, deleteRule: reference.childRule,
                            inverse: reference.inverse))
                }
                if reference.parent == entity, let inverse = reference.inverse {
                    relationships.append(
                        RelationshipDefinition(
                            inverse, to: reference.child, isToMany: !reference.isOneToOne, deleteRule: reference.rule,
                            inverse: reference.name))
                }
            }
            for link in links {
                if link.source == entity {
                    relationships.append(
                        RelationshipDefinition(
                            link.name, to: link.destination, isToMany: true, deleteRule: link.rule,
                            inverse: link.inverse))
                }
                if link.destination == entity, let inverse = link.inverse, !link.isSymmetric {
                    relationships.append(
                        RelationshipDefinition(
                            inverse, to: link.source, isToMany: true, deleteRule: link.inverseRule, inverse: link.name))
                }
            }
            return EntityDefinition(
                entity, properties: [PropertyDefinition("name", type: .string)], relationships: relationships)
        }
    }

    @Test(arguments: 0..<8)
    func whatIsStoredIsWhatTheModelSays(seed: UInt64) throws {
        let folder = try TemporaryStore()
        let stores = [try folder.open(), try folder.open()]
        try stores[0].apply(.addEntities(Self.definitions))
        var run = RelatedRun(seed: seed, stores: stores.map(RelatedRows.init))
        for step in 0..<120 {
            try run.step()
            if step % 15 == 14 {
                try run.compare(step)
                #expect(try stores[0].check().faults == [], "seed \(seed), step \(step)")
            }
        }
    }
}

/// One random history.
struct RelatedRun {
    typealias Reference = RelatedModel.Reference
    typealias Link = RelatedModel.Link

    let seed: UInt64
    let stores: [RelatedRows]
    private var random: SeededGenerator
    private var model = RelatedModel(references: RelatedModelTests.references, links: RelatedModelTests.links)

    init(seed: UInt64, stores: [RelatedRows]) {
        self.seed = seed
        self.stores = stores
        random = SeededGenerator(seed: seed)
    }

    /// Makes a batch of some changes, and saves it in one of the stores and in the model, or in neither.
    mutating func step() throws {
        let rows = stores[Int.random(in: 0..<stores.count, using: &random)]
        var next = model
        var batch = RelatedBatch(rows: rows, batch: WriteBatch(author: "test"))
        var changes: [RowID: (entity: String, values: [String: Value])] = [:]
        var inserted: Set<RowID> = []
        var deleted: Set<RowID> = []
        var places: [(Reference, RowID, LinkPlace)] = []
        var links: [(Link, RowID, RowID, LinkPlace?, Bool)] = []
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<25:
                let row = try rows.store.makeRowID()
                next.insert(row, pick(RelatedModelTests.entities))
                inserted.insert(row)
                changes[row] = (next.rows[row] ?? "", ["name": .string("n")])
            case 25..<65:
                let reference = pick(RelatedModelTests.references)
                guard let row = pickRow(reference.child, next, deleted) else { continue }
                guard changes[row]?.values[reference.name] == nil else { continue }
                let target = Int.random(in: 0..<6, using: &random) == 0 ? nil : pickRow(reference.parent, next, deleted)
                changes[row, default: (reference.child, [:])].values[reference.name] = target.map(Value.uint) ?? .null
            case 65..<75:
                let reference = pick(RelatedModelTests.references)
                guard reference.inverse != nil, !reference.isOneToOne,
                    let row = pickRow(reference.child, next, deleted)
                else { continue }
                places.append((reference, row, pickPlace(reference.child, next)))
            case 75..<92:
                let link = pick(RelatedModelTests.links)
                guard let source = pickRow(link.source, next, deleted),
                    let destination = pickRow(link.destination, next, deleted)
                else { continue }
                let isForward = link.inverse == nil || link.isSymmetric || Bool.random(using: &random)
                let isRemoval = Int.random(in: 0..<4, using: &random) == 0
                let place = isRemoval ? nil : pickPlace(isForward ? link.destination : link.source, next)
                links.append((link, source, destination, place, isForward))
            default:
                guard let row = pickRow(pick(RelatedModelTests.entities), next, []), !inserted.contains(row) else {
                    continue
                }
                deleted.insert(row)
            }
        }
        for row in deleted {
            changes[row] = nil
            try batch.delete(row, next.rows[row] ?? "")
        }
        let order = changes.keys.sorted().filter { changes[$0] != nil }
        for row in order {
            guard let (entity, values) = changes[row] else { continue }
            if inserted.contains(row) {
                batch.batch.insert(
                    try rows.store.catalog().encode(values, as: entity), into: try rows.entity(entity).id, rowID: row)
            } else {
                try batch.update(row, entity, values)
            }
        }
        for (reference, row, place) in places { try batch.place(row, reference.child, reference.name, place) }
        for (link, source, destination, place, isForward) in links {
            let name = isForward ? link.name : link.inverse ?? ""
            let (owner, entity) = isForward ? (source, link.source) : (destination, link.destination)
            let other = isForward ? destination : source
            if let place {
                try batch.link(name, of: owner, entity, to: other, place)
            } else {
                try batch.unlink(name, of: owner, entity, from: other)
            }
        }
        let refused = apply(
            order.compactMap { row in changes[row].map { (row, $0.values) } }, deleted, places, links, to: &next)
        do {
            let result = try rows.store.save(batch.batch)
            #expect(!refused, "seed \(seed)")
            let gone = Set(model.rows.keys).subtracting(next.rows.keys)
            #expect(Set(result.rows.filter { $0.new == nil }.map(\.rowID)) == gone, "seed \(seed)")
            model = next
        } catch let error as StorageError {
            guard case .deletionDenied = error.kind, refused else { throw error }
        }
    }

    /// Applies a batch in the order in which the writer does: targets, links and deletions, then places.
    private func apply(
        _ changes: [(RowID, [String: Value])], _ deleted: Set<RowID>, _ places: [(Reference, RowID, LinkPlace)],
        _ links: [(Link, RowID, RowID, LinkPlace?, Bool)], to next: inout RelatedModel
    ) -> Bool {
        for (row, values) in changes {
            for reference in RelatedModelTests.references where reference.child == next.rows[row] {
                guard let value = values[reference.name] else { continue }
                var target: RowID?
                if case .uint(let row) = value { target = row }
                guard model.targets[reference]?[row] != target else { continue }
                next.set(reference, of: row, to: target)
            }
        }
        for (link, source, destination, place, isForward) in links {
            if let place {
                next.link(link, source, destination, place, isForward: isForward)
            } else {
                next.unlink(link, source, destination)
            }
        }
        do { try next.delete(deleted) } catch { return true }
        // Rows that the batch adds and places stand nowhere until it places them.
        for (reference, row, _) in places {
            guard let target = next.targets[reference]?[row], target != model.targets[reference]?[row] else { continue }
            next.members[reference]?[target]?.removeAll { $0 == row }
        }
        for (reference, row, place) in places where next.rows[row] != nil {
            next.place(row, in: reference, place)
        }
        return false
    }

    func compare(_ step: Int) throws {
        let rows = stores[step % stores.count]
        for (row, entity) in model.rows {
            #expect(try rows.exists(row, entity), "seed \(seed), step \(step)")
        }
        for reference in RelatedModelTests.references {
            for (row, entity) in model.rows {
                if entity == reference.child {
                    let expected = model.related(row, model.targets[reference]?[row].map { [$0] })
                    #expect(
                        try rows.related(row, reference.name, of: entity) == expected,
                        "\(reference.name), seed \(seed), step \(step)")
                }
                if entity == reference.parent, let inverse = reference.inverse {
                    #expect(
                        try rows.related(row, inverse, of: entity)
                            == model.related(row, model.members[reference]?[row]),
                        "\(inverse), seed \(seed), step \(step)")
                }
            }
        }
        for link in RelatedModelTests.links {
            for (row, entity) in model.rows {
                if entity == link.source {
                    #expect(
                        try rows.related(row, link.name, of: entity) == model.related(row, model.forward[link]?[row]),
                        "\(link.name), seed \(seed), step \(step)")
                }
                if entity == link.destination, let inverse = link.inverse, !link.isSymmetric {
                    #expect(
                        try rows.related(row, inverse, of: entity)
                            == model.related(row, model.backward[link]?[row]),
                        "\(inverse), seed \(seed), step \(step)")
                }
            }
        }
    }

    private mutating func pick<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &random)] }

    private mutating func pickRow(_ entity: String, _ model: RelatedModel, _ deleted: Set<RowID>) -> RowID? {
        let rows = model.rows.filter { $0.value == entity && !deleted.contains($0.key) }.keys.sorted()
        return rows.isEmpty ? nil : pick(rows)
    }

    private mutating func pickPlace(_ entity: String, _ model: RelatedModel) -> LinkPlace {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: .append
        case 1: .first
        default: pickRow(entity, model, []).map(LinkPlace.after) ?? .append
        }
    }
}
