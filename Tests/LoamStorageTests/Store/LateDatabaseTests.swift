import Foundation
import LMDB
import Testing

@testable import LoamStorage

/// The databases of long values and of links are made when they are first used.
@Suite struct LateDatabaseTests {
    private let temporary: TemporaryStore
    private let store: Store
    private static let own: Set = ["catalog", "counters", "history", "indexes"]
    private static let long = String(repeating: "long", count: 100_000)

    init() throws {
        temporary = try TemporaryStore()
        store = try temporary.open()
    }

    /// The databases of the file, but for those that every store has and those of records.
    private func late(_ store: Store) throws -> Set<String> {
        let names = Set(try store.environment.databaseNames())
        let records = Set(try store.catalog().document.recordDatabases)
        #expect(names.isSuperset(of: records.union(Self.own)))
        #expect(Set(try store.info().databases.map(\.name)) == names)
        return names.subtracting(records).subtracting(Self.own)
    }

    private func addNotes() throws {
        try store.apply(
            .addEntity(
                EntityDefinition(
                    "Note",
                    properties: [
                        PropertyDefinition("name", type: .string),
                        PropertyDefinition("text", type: .string, isOptional: true),
                    ],
                    indexes: [IndexDefinition([.init("name")], kind: .unique)])))
    }

    @Test func aNewStoreHasOneDatabaseForEachEntity() throws {
        try store.changeSchema { draft in
            for number in 0..<300 {
                let definition = EntityDefinition("E\(number)", properties: [PropertyDefinition("text", type: .string)])
                try draft.apply(.addEntity(definition))
            }
            try draft.apply(.addEntities(WorldSchema.definitions))
        }
        #expect(try store.environment.databaseNames().count == Self.own.count + 300 + 4)
        #expect(try store.check().faults == [])
        try store.insert([["text": .string("short")]], into: "E7")
        #expect(try late(store) == [])
        let row = try store.insert([["text": .string(Self.long)]], into: "E7")[0]
        #expect(try late(store) == ["b.\(try store.entity("E7").id)"])
        #expect(try store.values(row, of: "E7") == [.string(Self.long)])
        #expect(try store.check().faults == [])
        #expect(try store.check().longValues == 1)
    }

    @Test func anUpdateMakesItAndTheLastValueLeavesItEmpty() throws {
        try addNotes()
        let row = try store.insert([["name": .string("a")]], into: "Note")[0]
        try store.update(row, of: "Note", ["text": .string("short")])
        #expect(try late(store) == [])
        try store.update(row, of: "Note", ["text": .string(Self.long)])
        #expect(try late(store).count == 1)
        #expect(try store.values(row, of: "Note") == [.string("a"), .string(Self.long)])
        try store.update(row, of: "Note", ["text": .null])
        #expect(try store.info().databases.first { $0.name.hasPrefix("b.") }?.entries == 0)
        #expect(try store.check().faults == [])
    }

    @Test func aSaveThatFailsLeavesNoDatabaseBehind() throws {
        try addNotes()
        try store.insert([["name": .string("a")]], into: "Note")
        let kind = storageError {
            try store.insert([["name": .string("a"), "text": .string(Self.long)]], into: "Note")
        }
        guard case .uniqueViolation = kind else {
            Issue.record("\(String(describing: kind))")
            return
        }
        #expect(try late(store) == [])
        // A job that fails once it has written takes its whole transaction back.
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try store.run(
                WriterJob { transaction, state in
                    state.hasWritten = true
                    _ = try transaction.makeDatabase(state.catalog.access(named: "Note").longValues)
                    throw Stop()
                })
        }
        #expect(try late(store) == [])
        let row = try store.insert([["name": .string("b"), "text": .string(Self.long)]], into: "Note")[0]
        #expect(try late(store).count == 1)
        #expect(try store.values(row, of: "Note")?.last == .string(Self.long))
    }

    @Test func theFirstLinkMakesIt() throws {
        try store.apply(.addEntities(WorldSchema.definitions))
        let world = RelatedRows(store: store)
        let city = try world.insert("City", "c")
        let tag = try world.insert("Tag", "t")
        // Unlinking, counting and deleting make no database.
        try world.save { try $0.unlink("tags", of: city, "City", from: tag) }
        #expect(try world.related(city, "tags", of: "City") == [])
        let other = try world.insert("Tag", "u")
        try world.save { try $0.delete(other, "Tag") }
        #expect(try late(store) == [])
        try world.save { try $0.link("tags", of: city, "City", to: tag) }
        #expect(try late(store).count == 1)
        #expect(try world.related(tag, "cities", of: "Tag") == [city])
        #expect(try store.check().faults == [])
        #expect(try store.check().links == 1)
    }

    @Test func aStoreThatWasOpenedBeforeSeesIt() throws {
        try addNotes()
        let before = try temporary.open()
        #expect(try before.read { try $0.count(of: $0.entity(named: "Note")) } == 0)
        let row = try store.insert([["name": .string("a"), "text": .string(Self.long)]], into: "Note")[0]
        #expect(try before.values(row, of: "Note") == [.string("a"), .string(Self.long)])
        try before.update(row, of: "Note", ["text": .string(Self.long + "er")])
        #expect(try store.values(row, of: "Note") == [.string("a"), .string(Self.long + "er")])
    }

    @Test func aLoadMakesItWithItsFirstLongValue() throws {
        try addNotes()
        for (name, text) in [("a", "short"), ("b", Self.long)] {
            _ = try store.load(.existingEntity("Note")) { try $0.append([.string(name), .string(text)]) }
            #expect(try late(store).count == (name == "a" ? 0 : 1))
        }
        #expect(try store.check().faults == [])
        #expect(try store.read { try $0.count(of: $0.entity(named: "Note")) } == 2)
    }

    @Test func whatWasNeverUsedIsDumpedErasedAndTakenAway() throws {
        try addNotes()
        try store.apply(.addEntities(WorldSchema.definitions))
        try store.insert([["name": .string("a")]], into: "Note")
        let dump = try RelationshipDumpTests.dump(store)
        let (folder, loaded) = try RelationshipDumpTests.load(dump)
        #expect(try late(loaded) == [])
        #expect(try RelationshipDumpTests.dump(loaded) == dump)
        #expect(FileManager.default.fileExists(atPath: folder.path))
        try store.erase()
        #expect(try store.check().faults == [])
        try store.apply(.removeRelationship("tags", from: "City"))
        try store.apply(.removeEntity("Note"))
        #expect(try late(store) == [])
        #expect(try store.catalog().document.hasRetiredData == false)
        #expect(try store.check().faults == [])
    }

    @Test func whatWasUsedGoesWithItsEntityAndItsRelationship() throws {
        try addNotes()
        try store.apply(.addEntities(WorldSchema.definitions))
        try store.insert([["name": .string("a"), "text": .string(Self.long)]], into: "Note")
        let world = RelatedRows(store: store)
        let city = try world.insert("City", "c")
        try world.save { try $0.link("twins", of: city, "City", to: city) }
        #expect(try late(store).count == 2)
        try store.apply(.removeEntity("Note"))
        try store.apply(.removeRelationship("twins", from: "City"))
        #expect(try late(store) == [])
        #expect(try store.check().faults == [])
    }

    @Test func whereThereIsNoRoomForItTheSaveFailsAndNothingElse() throws {
        try addNotes()
        try store.insert([["name": .string("a")]], into: "Note")
        let full = temporary.folder.appendingPathComponent("full.loam").path
        try store.compact(to: full)
        do {
            // There is room for the databases of every store and for one of records.
            var options = Environment.Options()
            options.maxDatabases = 5
            let environment = try Environment.open(path: full, options: options)
            let store = try Store.open(path: full)
            #expect(store.environment === environment)
            var kind: LMDBError.Kind?
            do {
                try store.insert([["name": .string("b"), "text": .string(Self.long)]], into: "Note")
            } catch let error as LMDBError {
                kind = error.kind
            }
            #expect(kind == .tooManyDatabases)
            try store.insert([["name": .string("c")]], into: "Note")
            #expect(try store.check().faults == [])
            #expect(try late(store) == [])
        }
        let again = try Store.open(path: full)
        try again.insert([["name": .string("b"), "text": .string(Self.long)]], into: "Note")
        #expect(try late(again).count == 1)
        #expect(try again.read { try $0.count(of: $0.entity(named: "Note")) } == 3)
        #expect(try again.check().faults == [])
    }

    @Test func aLivingStoreTakesMoreEntitiesThanItHadRoomFor() throws {
        try addNotes()
        let row = try store.insert([["name": .string("a"), "text": .string(Self.long)]], into: "Note")[0]
        let room = store.environment.databaseRoom
        let definitions = (0..<room).map {
            EntityDefinition("E\($0)", properties: [PropertyDefinition("text", type: .string)])
        }
        try store.apply(.addEntities(definitions))
        #expect(store.environment.databaseRoom == 2 * room)
        #expect(try store.values(row, of: "Note") == [.string("a"), .string(Self.long)])
        let other = try store.insert([["text": .string(Self.long)]], into: "E\(room - 1)")[0]
        #expect(try store.values(other, of: "E\(room - 1)") == [.string(Self.long)])
        #expect(try store.check().faults == [])
    }

    @Test func aDatabaseThatIsGoneOrUnknownIsAFault() throws {
        try addNotes()
        let row = try store.insert([["name": .string("a"), "text": .string(Self.long)]], into: "Note")[0]
        let name = try #require(try late(store).first)
        try store.environment.write { transaction in
            let database = try #require(try transaction.database(named: name))
            try transaction.drop(database)
        }
        let again = try temporary.open()
        #expect(try again.check().faults.contains { $0.rowID == row })
        guard case .damagedLongValue = storageError({ _ = try again.values(row, of: "Note") }) else {
            Issue.record("the value was read")
            return
        }
        // A damaged name could look like this one.
        try again.environment.write { _ = try $0.openDatabase(named: "l.77", integerKeys: false) }
        #expect(try again.check().faults.contains { $0.message.contains("'l.77'") })
    }
}
