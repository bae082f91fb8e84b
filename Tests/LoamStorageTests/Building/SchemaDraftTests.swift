import Foundation
import Testing

@testable import LoamStorage

/// Several changes of the schema that are made in one commit, or not at all.
@Suite struct SchemaDraftTests {
    private let temporary: TemporaryStore

    init() throws { temporary = try TemporaryStore() }

    private func entity(_ number: Int) -> EntityDefinition {
        EntityDefinition(
            "Entity\(number)",
            properties: [PropertyDefinition("name", type: .string), PropertyDefinition("size", type: .int64)],
            indexes: [
                IndexDefinition([.init("name")], kind: .unique), IndexDefinition([.init("size")]),
                IndexDefinition([.init("size", direction: .descending), .init("name")]),
            ])
    }

    @Test func eightyEntitiesWithThreeIndexesEachAreOneCommit() throws {
        let store = try Store.open(path: temporary.path) { draft in
            try draft.apply(.addEntities((0..<80).map(entity)))
        }
        #expect(try store.info().lastTransaction == 1)
        #expect(try store.catalog().schema.entities.flatMap(\.indexes).count { $0.state == .ready } == 240)
        try store.insert([["name": .string("a"), "size": .int(1)]], into: "Entity79")
        #expect(try store.check().faults == [])
    }

    @Test func whatThrowsChangesNothing() throws {
        let store = try temporary.open()
        let before = try Data(contentsOf: URL(fileURLWithPath: temporary.path))
        let kind = storageError {
            try store.changeSchema { draft in
                try draft.apply(
                    .addEntity(EntityDefinition("A", properties: [PropertyDefinition("name", type: .string)])))
                try draft.apply(.renameProperty("nothing", to: "something", in: "A"))
            }
        }
        #expect(kind == .unknownProperty)
        #expect(try Data(contentsOf: URL(fileURLWithPath: temporary.path)) == before)
    }

    @Test func changesOfOneEntityMakeOneLayout() throws {
        let store = try temporary.open()
        let definition = entity(0)
        try store.apply(.addEntity(definition))
        let ids = try store.insert([["name": .string("a"), "size": .int(1)]], into: "Entity0")
        try store.changeSchema { draft in
            for number in 0..<5 {
                try draft.apply(
                    .addProperty(PropertyDefinition("new\(number)", type: .int64, initialValue: .int(7)), to: "Entity0")
                )
            }
        }
        #expect(try store.catalog().document.layouts.count == 2)
        #expect(try store.values(ids[0], of: "Entity0")?.suffix(5) == [.int(7), .int(7), .int(7), .int(7), .int(7)])
    }

    @Test func anIndexWhoseBuilderIsGoneIsBuiltByTheNext() throws {
        let store = try temporary.open()
        try store.apply(.addEntity(entity(0)))
        let ids = try store.insert(
            (0..<100).map { ["name": .string("n\($0)"), "size": .int(100 - $0)] }, into: "Entity0")
        let process = ProcessMark.begin()
        try store.changeCatalog { document in
            let index = try document.addIndex(
                IndexDefinition([.init("size")], name: "later"), to: "Entity0", state: .building)
            document.builders[index.id] = process
        }
        let more = try store.insert([["name": .string("more"), "size": .int(1_000)]], into: "Entity0")
        process.end()
        try store.changeSchema { _ in }
        #expect(try store.entity("Entity0").indexes.first { $0.name == "later" }?.state == .ready)
        #expect(try store.rows(in: "later", of: "Entity0") == ids.reversed() + more)
        #expect(try store.check().faults == [])
    }

    @Test func aRelationshipWhoseBuilderIsGoneKeepsWhatWasSaved() throws {
        let store = try temporary.open()
        try store.apply(.addEntity(entity(0)))
        let ids = try store.insert(
            (0..<2).map { ["name": .string("n\($0)"), "size": .int($0)] }, into: "Entity0")
        let process = ProcessMark.begin()
        try store.changeCatalog { document in
            let indexes = try document.addRelationship(
                RelationshipDefinition("parent", to: "Entity0"), to: "Entity0",
                inverse: RelationshipDefinition("children", to: "Entity0", isToMany: true))
            for id in indexes { document.builders[id] = process }
        }
        try store.update(ids[1], of: "Entity0", ["parent": .uint(ids[0])])
        process.end()
        try store.changeSchema { _ in }
        let rows = RelatedRows(store: store)
        #expect(try rows.related(ids[0], "children", of: "Entity0") == [ids[1]])
        #expect(try store.check().faults == [])
    }

    @Test func moreIncludedFieldsThanABlockHoldsAreRefused() throws {
        let store = try temporary.open()
        let names = (0..<65).map { "field\($0)" }
        let definition = EntityDefinition("Wide", properties: names.map { PropertyDefinition($0, type: .int64) })
        try store.apply(.addEntity(definition))
        func refusal(_ count: Int) -> StorageError.Kind? {
            storageError {
                try store.apply(
                    .addIndex(IndexDefinition([.init("field0")], included: Array(names.prefix(count))), to: "Wide"))
            }
        }
        #expect(refusal(65) == .invalidIndex("it includes more than 64 fields"))
        #expect(refusal(64) == nil)
        try store.insert([Dictionary(uniqueKeysWithValues: names.map { ($0, .int(1)) })], into: "Wide")
        #expect(try store.check().faults == [])
    }

    @Test func moreThanAThousandDatabasesAreOpenedAndMetAgain() throws {
        let definitions = (0..<700).map { number in
            EntityDefinition("Entity\(number)", properties: [PropertyDefinition("name", type: .string)])
        }
        do {
            let store = try Store.open(path: temporary.path) { try $0.apply(.addEntities(definitions)) }
            try store.insert([["name": .string("a")]], into: "Entity699")
        }
        // A store that is opened without declarations has room for all databases of the file.
        let store = try temporary.open()
        try store.insert([["name": .string("b")]], into: "Entity699")
        #expect(try store.read { try $0.count(of: $0.entity(named: "Entity699")) } == 2)
        try store.changeSchema { draft in
            for number in 700..<800 {
                try draft.apply(
                    .addEntity(
                        EntityDefinition("Entity\(number)", properties: [PropertyDefinition("name", type: .string)])))
            }
        }
        #expect(try store.catalog().schema.entities.count == 800)
        #expect(try store.check().faults == [])
    }

    @Test func severalProcessesAndThreadsMayDecideAtOnce() throws {
        let stores = try (0..<4).map { _ in try temporary.open() }
        let definition = entity(0)
        DispatchQueue.concurrentPerform(iterations: 16) { number in
            do {
                try stores[number % 4].changeSchema { draft in
                    guard draft.schema.entity(named: "Entity0") == nil else { return }
                    try draft.apply(.addEntity(definition))
                }
            } catch {
                Issue.record(error)
            }
        }
        #expect(try stores[0].catalog().schema.entities.count == 1)
        #expect(try stores[0].info().lastTransaction == 2)
    }
}
