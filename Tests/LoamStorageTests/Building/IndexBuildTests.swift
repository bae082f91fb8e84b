import Foundation
import Testing

@testable import LoamStorage

/// Changes that other threads make to the store while an index is built.
@Suite struct IndexBuildTests {
    private let temporary: TemporaryStore
    private let store: Store
    private let ids: [RowID]

    init() throws {
        temporary = try TemporaryStore()
        store = try temporary.open()
        let city = EntityDefinition(
            "City",
            properties: [PropertyDefinition("name", type: .string), PropertyDefinition("population", type: .int64)])
        try store.apply(.addEntity(city))
        ids = try store.insert((0..<4_200).map { ["name": .string("c\($0)"), "population": .int($0)] }, into: "City")
    }

    /// Calls the closure on another thread, once, while the builds of a change read rows.
    private func during(_ change: SchemaChange, _ body: @escaping @Sendable () throws -> Void) throws {
        var isDone = false
        try store.apply(change) { _, _ in
            guard !isDone else { return }
            isDone = true
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                do { try body() } catch { Issue.record(error) }
                done.signal()
            }
            done.wait()
        }
        #expect(isDone)
    }

    @Test func aRowSavedMeanwhileInAnotherFieldKeepsItsEntry() throws {
        let (store, ids) = (store, ids)
        try during(.addIndex(IndexDefinition([.init("name")]), to: "City")) {
            for id in ids.prefix(10) { try store.update(id, of: "City", ["population": .int(-1)]) }
        }
        #expect(try Set(store.rows(in: "name", of: "City")) == Set(ids))
        #expect(try store.check().faults == [])
    }

    @Test func anIndexThatAnotherProcessMadeStaleDoesNotBecomeReady() throws {
        let store = store
        let kind = storageError {
            try during(.addIndex(IndexDefinition([.init("name")]), to: "City")) {
                try store.changeCatalog { try $0.update("City") { $0.indexes[0].state = .stale } }
            }
        }
        #expect(kind == .indexNotReady(state: "stale"))
    }

    @Test func anIndexThatTwoAddAtOnceIsAddedOnce() throws {
        let (store, ids) = (store, ids)
        let name = IndexDefinition([.init("name")])
        try during(.addIndex(name, to: "City")) {
            try store.update(ids[0], of: "City", ["name": .string("renamed")])
            try store.apply(.addIndex(name, to: "City"))
            let states = try store.entity("City").indexes.map(\.state)
            #expect(states == [.ready])
            try store.update(ids[1], of: "City", ["name": .string("renamed too")])
        }
        #expect(try store.entity("City").indexes.map(\.state) == [.ready])
        #expect(try Set(store.rows(in: "name", of: "City")) == Set(ids))
        #expect(try store.check().faults == [])
        #expect(storageError { try store.apply(.addIndex(name, to: "City")) } == .indexExists)
    }

    @Test func whoHelpsToBuildAnIndexDoesNotTakeItAway() throws {
        let (store, ids) = (store, ids)
        try store.update(ids[0], of: "City", ["population": .int(1)])
        let population = IndexDefinition([.init("population")], kind: .unique)
        let outer = storageError {
            try during(.addIndex(population, to: "City")) {
                let inner = storageError { try store.apply(.addIndex(population, to: "City")) }
                #expect(inner == .uniqueViolation(existing: ids[0]))
                let states = try store.entity("City").indexes.map(\.state)
                #expect(states == [.building])
            }
        }
        #expect(outer == .uniqueViolation(existing: ids[0]))
        #expect(try store.entity("City").indexes == [])
        #expect(try store.check().faults == [])
    }

    /// An index that another process left and that cannot be built is no error of this change: whoever declares it is
    /// told.
    @Test func anIndexThatCannotBeBuiltIsTakenOutAndFailsNoOtherChange() throws {
        try store.update(ids[0], of: "City", ["population": .int(1)])
        let process = ProcessMark.begin()
        try store.changeCatalog { document in
            let index = try document.addIndex(
                IndexDefinition([.init("population")], kind: .unique), to: "City", state: .building)
            document.builders[index.id] = process
        }
        process.end()
        try store.apply(.addProperty(PropertyDefinition("mayor", type: .string, isOptional: true), to: "City"))
        #expect(try store.entity("City").indexes == [])
        #expect(try store.catalog().document.builders == [:])
        #expect(try !store.catalog().document.hasRetiredData)
        #expect(try store.entity("City").properties.map(\.name) == ["name", "population", "mayor"])
        let unique = IndexDefinition([.init("population")], kind: .unique)
        #expect(
            storageError { try store.apply(.addIndex(unique, to: "City")) } == .uniqueViolation(existing: ids[0]))
        #expect(try store.check().faults == [])
    }

    @Test func anIndexThatADeadProcessHasBegunToAddIsAdded() throws {
        let name = IndexDefinition([.init("name")])
        let process = ProcessMark.begin()
        try store.changeCatalog { document in
            let index = try document.addIndex(name, to: "City", state: .building)
            document.builders[index.id] = process
        }
        process.end()
        let other = IndexDefinition([.init("name", direction: .descending)], name: "name")
        #expect(storageError { try store.apply(.addIndex(other, to: "City")) } == .indexExists)
        try store.apply(.addIndex(name, to: "City"))
        #expect(try store.entity("City").indexes.map(\.state) == [.ready])
        #expect(try Set(store.rows(in: "name", of: "City")) == Set(ids))
        #expect(try store.check().faults == [])
    }

    @Test func anIndexDroppedWhileItIsRebuiltStaysDropped() throws {
        try store.apply(.addIndex(IndexDefinition([.init("name")]), to: "City"))
        let store = store
        let kind = storageError {
            try during(.rebuildIndex("name", of: "City")) { try store.apply(.dropIndex("name", from: "City")) }
        }
        #expect(kind == .unknownIndex)
        #expect(try store.entity("City").indexes == [])
        #expect(try store.check().faults == [])
    }

    @Test func checkReportsRowsThatBreakAUniqueIndex() throws {
        let twins = EntityDefinition(
            "Twin", properties: [PropertyDefinition("name", type: .string)],
            indexes: [IndexDefinition([.init("name")], kind: .unique)])
        try store.apply(.addEntity(twins))
        try store.changeCatalog { try $0.update("Twin") { $0.indexes[0].state = .building } }
        let rows = try store.insert([["name": .string("a")], ["name": .string("a")]], into: "Twin")
        try store.changeCatalog { try $0.update("Twin") { $0.indexes[0].state = .ready } }
        #expect(try store.check().faults.map(\.rowID) == [rows[1]])
    }
}
