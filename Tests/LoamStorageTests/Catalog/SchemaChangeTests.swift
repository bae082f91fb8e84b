import Foundation
import LoamStorage
import Testing

@Suite struct SchemaChangeTests {
    private let temporary: TemporaryStore
    private let store: Store
    private let ids: [RowID]

    init() throws {
        temporary = try TemporaryStore()
        store = try temporary.open()
        let city = EntityDefinition(
            "City",
            properties: [PropertyDefinition("name", type: .string), PropertyDefinition("population", type: .int64)],
            indexes: [IndexDefinition([.init("name")])])
        try store.apply(.addEntity(city))
        ids = try store.insert(
            [
                ["name": .string("Bern"), "population": .int(134_000)],
                ["name": .string("Aarau"), "population": .int(21_000)],
            ], into: "City")
    }

    @Test func anAddedPropertyReadsItsInitialValueFromOldRecords() throws {
        try store.apply(
            .addProperty(PropertyDefinition("country", type: .string, initialValue: .string("CH")), to: "City"))
        #expect(try store.values(ids[0], of: "City") == [.string("Bern"), .int(134_000), .string("CH")])
        try store.update(ids[0], of: "City", ["population": .int(135_000)])
        #expect(try store.values(ids[0], of: "City") == [.string("Bern"), .int(135_000), .string("CH")])
        try store.apply(.addIndex(IndexDefinition([.init("country"), .init("name")]), to: "City"))
        #expect(try store.rows(in: "country,name", of: "City") == [ids[1], ids[0]])
        #expect(try store.check().faults == [])
    }

    @Test func aPropertyThatIsNotOptionalNeedsAnInitialValue() {
        let change = SchemaChange.addProperty(PropertyDefinition("country", type: .string), to: "City")
        #expect(storageError { try store.apply(change) } == .missingValue)
    }

    @Test func aRemovedPropertyTakesItsIndexesWithIt() throws {
        try store.apply(.removeProperty("name", from: "City"))
        #expect(try store.entity("City").indexes == [])
        #expect(try store.values(ids[0], of: "City") == [.int(134_000)])
        try store.update(ids[0], of: "City", ["population": .int(1)])
        #expect(try store.values(ids[0], of: "City") == [.int(1)])
        #expect(try store.check().faults == [])
    }

    @Test func aPropertyAddedUnderARemovedNameIsAnother() throws {
        try store.apply(.removeProperty("name", from: "City"))
        try store.apply(.addProperty(PropertyDefinition("name", type: .int64, isOptional: true), to: "City"))
        #expect(try store.values(ids[0], of: "City") == [.int(134_000), .null])
    }

    @Test func renamingMovesNoData() throws {
        let before = try store.record(ids[0], of: "City")
        try store.apply(.renameProperty("population", to: "inhabitants", in: "City"))
        try store.apply(.renameEntity("City", to: "Town"))
        #expect(try store.entity("Town").properties.map(\.name) == ["name", "inhabitants"])
        #expect(try store.record(ids[0], of: "Town") == before)
        #expect(try store.values(ids[0], of: "Town") == [.string("Bern"), .int(134_000)])
    }

    @Test func anIndexIsBuiltOverRowsThatAreThere() throws {
        try store.apply(.addIndex(IndexDefinition([.init("population", direction: .descending)]), to: "City"))
        #expect(try store.rows(in: "-population", of: "City") == [ids[0], ids[1]])
        try store.apply(.dropIndex("-population", from: "City"))
        #expect(try store.entity("City").indexes.map(\.name) == ["name"])
        #expect(try store.check().faults == [])
    }

    @Test func aUniqueIndexOverDuplicatesIsRefusedAndLeavesNothing() throws {
        try store.insert([["name": .string("Bern"), "population": .int(1)]], into: "City")
        let index = IndexDefinition([.init("name")], name: "unique name", kind: .unique)
        #expect(storageError { try store.apply(.addIndex(index, to: "City")) } != nil)
        #expect(try store.entity("City").indexes.map(\.name) == ["name"])
        #expect(try store.check().faults == [])
    }

    @Test func aRebuiltIndexHasANewNumberAndTheSameEntries() throws {
        let before = try store.entity("City").indexes[0]
        try store.apply(.rebuildIndex("name", of: "City"))
        let after = try store.entity("City").indexes[0]
        #expect(after.name == before.name && after.id > before.id && after.state == .ready)
        #expect(try store.rows(in: "name", of: "City") == [ids[1], ids[0]])
        #expect(try store.check().faults == [])
    }

    @Test func savesGoOnWhileAnIndexIsBuilt() async throws {
        try store.insert((0..<3_000).map { ["name": .string("c\($0)"), "population": .int($0)] }, into: "City")
        let store = store
        async let changes: Void = Task.detached {
            for number in 0..<200 {
                let id = try store.insert([["name": .string("n\(number)"), "population": .int(7)]], into: "City")[0]
                try store.update(id, of: "City", ["population": .int(8)])
                if number % 3 == 0 { try store.delete(id, of: "City") }
            }
        }.value
        for _ in 0..<5 {
            try store.apply(.addIndex(IndexDefinition([.init("population"), .init("name")]), to: "City"))
            try store.apply(.dropIndex("population,name", from: "City"))
        }
        try store.apply(.addIndex(IndexDefinition([.init("population"), .init("name")]), to: "City"))
        try await changes
        #expect(try store.check().faults == [])
    }

    @Test func aRowSavedDuringABuildKeepsItsEntryWhereThatStaysTheSame() throws {
        let rows = 4_096
        _ = try store.load(.existingEntity("City"), rowCount: rows) { load in
            for number in 0..<rows { try load.append([.string("city"), .int(Int64(number))]) }
        }
        let (store, id, saved) = (store, ids[0], DispatchSemaphore(value: 0))
        try store.apply(.addIndex(IndexDefinition([.init("population")]), to: "City")) { _, _ in
            // The builder has read the row already, so this save changes a row that the index was made of.
            Thread.detachNewThread {
                try? store.update(id, of: "City", ["name": .string("Berne")])
                saved.signal()
            }
            saved.wait()
        }
        #expect(try store.values(id, of: "City")?.first == .string("Berne"))
        #expect(try store.rows(in: "population", of: "City").count == rows + 2)
        #expect(try store.check().faults == [])
    }

    @Test func aRemovedEntityIsGoneAndItsNameFree() throws {
        try store.apply(.removeEntity("City"))
        #expect(storageError { _ = try store.entity("City") } == .unknownEntity)
        try store.apply(.addEntity(EntityDefinition("City", properties: [PropertyDefinition("name", type: .string)])))
        #expect(try store.read { try $0.count(of: $0.entity(named: "City")) } == 0)
        #expect(try store.check().faults == [])
    }

    @Test func indexesReachIntoStructures() throws {
        let address = ValueType.structure([
            .init(name: "street", type: .string), .init(name: "zip", type: .int32, isOptional: true),
        ])
        try store.apply(
            .addEntity(
                EntityDefinition(
                    "Person", properties: [PropertyDefinition("address", type: address, isOptional: true)],
                    indexes: [IndexDefinition([.init("address.zip")])])))
        let ids = try store.insert(
            [
                ["address": .structure(["street": .string("A"), "zip": .int(3000)])],
                ["address": .structure(["street": .string("B")])],
                ["address": .null],
                ["address": .structure(["street": .string("C"), "zip": .int(1000)])],
            ], into: "Person")
        #expect(try store.rows(in: "address.zip", of: "Person") == [ids[1], ids[2], ids[3], ids[0]])
        #expect(try store.check().faults == [])
    }

    @Test func badDefinitionsAreRefused() {
        func refusal(_ index: IndexDefinition) -> StorageError.Kind? {
            storageError { try store.apply(.addIndex(index, to: "City")) }
        }
        #expect(refusal(IndexDefinition([.init("nowhere")])) == .unknownProperty)
        #expect(refusal(IndexDefinition([.init("population", form: .caseFolded)])) != nil)
        #expect(refusal(IndexDefinition([.init("name", form: .caseFolded)], kind: .unique)) != nil)
        #expect(refusal(IndexDefinition([.init("name")])) == .indexExists)
        #expect(storageError { try store.apply(.renameEntity("City", to: "a.b")) } != nil)
    }
}
