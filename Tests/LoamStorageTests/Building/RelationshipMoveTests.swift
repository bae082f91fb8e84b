import SeededRandom
import Testing

@testable import LoamStorage

/// Relationships over many rows that are kept elsewhere from one commit on.
@Suite struct RelationshipMoveTests {
    /// What is there before, and what becomes of it.
    enum Move: CaseIterable {
        case referencesToLinks, referencesToTheOtherSide, linksInBothOrders, linksToReferences, orderedReferences

        /// Of the parents; the children have the inverse of a one-to-one.
        var before: RelationshipDefinition {
            switch self {
            case .referencesToLinks, .referencesToTheOtherSide, .orderedReferences:
                RelationshipDefinition("child", to: "Child")
            case .linksInBothOrders, .linksToReferences: RelationshipDefinition("child", to: "Child", isToMany: true)
            }
        }

        var inverseBefore: RelationshipDefinition? {
            self == .referencesToTheOtherSide ? RelationshipDefinition("parent", to: "Parent") : nil
        }

        var change: SchemaChange {
            switch self {
            case .referencesToLinks, .referencesToTheOtherSide: .makeToMany("child", in: "Parent")
            case .linksInBothOrders, .orderedReferences:
                .addInverse(
                    RelationshipDefinition("parent", to: "Parent", isToMany: true, inverse: "child"), to: "Child",
                    of: "child")
            case .linksToReferences: Move.addParent(isOptional: true)
            }
        }

        static func addParent(isOptional: Bool) -> SchemaChange {
            .addInverse(
                RelationshipDefinition("parent", to: "Parent", isOptional: isOptional, inverse: "child"), to: "Child",
                of: "child")
        }

        /// Whether no two parents may have one child.
        var needsOne: Bool { self == .linksToReferences || self == .referencesToTheOtherSide }
    }

    /// Rows of two entities and what relates them.
    private final class Family {
        let temporary: TemporaryStore
        let store: Store
        let rows: RelatedRows
        private(set) var parents: [RowID] = []
        private(set) var children: [RowID] = []
        private(set) var related: [RowID: [RowID]] = [:]

        init(_ move: Move, count: Int) throws {
            temporary = try TemporaryStore()
            store = try temporary.open()
            rows = RelatedRows(store: store)
            try store.apply(
                .addEntities(
                    ["Parent", "Child"].map {
                        EntityDefinition($0, properties: [PropertyDefinition("name", type: .string)])
                    }))
            try store.apply(.addRelationship(move.before, to: "Parent", inverse: move.inverseBefore))
            parents = try store.insert((0..<count).map { ["name": .string("p\($0)")] }, into: "Parent")
            children = try store.insert((0..<count).map { ["name": .string("c\($0)")] }, into: "Child")
            var random = SeededGenerator(seed: 5)
            let shuffled = children.shuffled(using: &random)
            for (number, parent) in parents.enumerated() where number % 7 != 0 {
                let other = Int.random(in: 0..<count, using: &random)
                related[parent] = [move.needsOne ? shuffled[number] : shuffled[other]]
            }
            try relate(move)
        }

        private func relate(_ move: Move) throws {
            let entity = try store.entity("Parent")
            let relationship = try rows.relationship("child", of: "Parent").id
            let reference = entity.position(of: "child").map { entity.properties[$0].id }
            var batch = WriteBatch(author: "test")
            for (parent, children) in related.sorted(by: { $0.key < $1.key }) {
                for child in children {
                    if let reference {
                        batch.update(parent, of: entity.id, base: nil, changes: [reference: .uint(child)])
                    } else {
                        batch.link(relationship, of: parent, entity: entity.id, to: child, place: .append)
                    }
                }
            }
            try store.save(batch)
        }

        /// Of every row, what it leads to, where its entity has the relationship.
        func lists() throws -> [RowID: [RowID]] {
            var lists: [RowID: [RowID]] = [:]
            for parent in parents { lists[parent] = try rows.related(parent, "child", of: "Parent") }
            guard try store.entity("Child").relationship(named: "parent") != nil else { return lists }
            for child in children { lists[child] = try rows.related(child, "parent", of: "Child") }
            return lists
        }
    }

    private static let small = 1 << 16

    @Test(arguments: Move.allCases) func sortInFilesWhatMemoryMayNotHold(move: Move) throws {
        let (family, other) = (try Family(move, count: 4_000), try Family(move, count: 4_000))
        try family.store.changeSchema(sortBudget: Self.small) { try $0.apply(move.change) }
        try other.store.changeSchema { try $0.apply(move.change) }
        #expect(family.parents == other.parents)
        let lists = try family.lists()
        #expect(try lists == other.lists())
        for parent in family.parents { #expect(lists[parent] == family.related[parent] ?? []) }
        if try family.store.entity("Child").relationship(named: "parent") != nil {
            var expected: [RowID: [RowID]] = [:]
            for parent in family.parents {
                for child in family.related[parent] ?? [] { expected[child, default: []] += [parent] }
            }
            for child in family.children { #expect(lists[child]?.sorted() == expected[child] ?? []) }
        }
        #expect(try family.store.check().faults == [])
    }

    @Test(arguments: Move.allCases) func holdNoMorePairsThanTheyMay(move: Move) throws {
        let family = try Family(move, count: 4_000)
        try family.store.read { snapshot in
            var draft = SchemaDraft(snapshot.catalog.document) { _ in true }
            try draft.apply(move.change)
            try draft.finish()
            let moves = RelationshipMove.all(from: snapshot.catalog.document, to: draft.document)
            #expect(moves.count == 1)
            for found in moves {
                let pairs = try found.read(snapshot.catalog, sortBudget: Self.small, in: snapshot.transaction)
                #expect(pairs.mostBytes <= Self.small)
                // References that stay where they are need not be read.
                #expect(pairs.count == (move == .orderedReferences ? 0 : family.related.count))
                var destinations: [RowID] = []
                try pairs.forEach { destinations.append($0.destination) }
                #expect(destinations == destinations.sorted())
            }
        }
    }

    @Test func aRowThatIsLedToTwiceIsNamed() throws {
        let family = try Family(.linksToReferences, count: 3_000)
        let child = try #require(family.related[family.parents[1_501]]?.first)
        try family.rows.save { try $0.link("child", of: family.parents[0], "Parent", to: child) }
        let before = try family.store.catalog().document
        let error = #expect(throws: StorageError.self) {
            try family.store.changeSchema(sortBudget: Self.small) { try $0.apply(Move.addParent(isOptional: true)) }
        }
        #expect(error?.kind == .severalReferences && error?.rowID == child && error?.property == "parent")
        #expect(try family.store.catalog().document == before)
    }

    @Test(arguments: [0, 1, 1_024, 1_999]) func aRowThatMustBeLedToIsNamed(place: Int) throws {
        let family = try Family(.linksToReferences, count: 2_000)
        let free = Set(family.children).subtracting(family.related.values.joined()).sorted()
        var parents = family.parents.filter { family.related[$0] == nil }
        for child in free {
            try family.rows.save { try $0.link("child", of: parents.removeLast(), "Parent", to: child) }
        }
        let child = family.children[place]
        let parent = try #require(
            family.parents.first { try family.rows.related($0, "child", of: "Parent") == [child] })
        try family.rows.save { try $0.unlink("child", of: parent, "Parent", from: child) }
        let error = #expect(throws: StorageError.self) {
            try family.store.changeSchema(sortBudget: Self.small) { try $0.apply(Move.addParent(isOptional: false)) }
        }
        #expect(error?.kind == .rowWithoutValue && error?.rowID == child)
        try family.rows.save { try $0.link("child", of: parent, "Parent", to: child) }
        try family.store.changeSchema(sortBudget: Self.small) { try $0.apply(Move.addParent(isOptional: false)) }
        #expect(try family.rows.related(child, "parent", of: "Child") == [parent])
        #expect(try family.store.check().faults == [])
    }
}
