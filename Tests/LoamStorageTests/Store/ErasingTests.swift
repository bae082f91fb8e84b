import Foundation
import LoamStorage
import Testing

/// Deletion of all rows of a store in one save.
@Suite struct ErasingTests {
    private let temporary: TemporaryStore
    private let store: Store
    private let world: RelatedRows

    init() throws {
        temporary = try TemporaryStore()
        store = try temporary.open()
        try store.apply(.addEntities(WorldSchema.definitions))
        try store.apply(
            .addEntity(
                EntityDefinition(
                    "Note", properties: [PropertyDefinition("text", type: .string)],
                    indexes: [IndexDefinition([.init("text")], kind: .unique)])))
        world = RelatedRows(store: store)
    }

    /// Rows of every kind, with references, links and long values.
    private func fill() throws -> [RowID] {
        let country = try world.insert("Country", "Iceland")
        var rows = [country]
        try world.save { batch in
            for number in 0..<3_000 { rows.append(try batch.insert("City", "c\(number)", ["country": country])) }
        }
        let tag = try world.insert("Tag", "north")
        try world.save { batch in
            for city in rows[1..<200] { try batch.link("tags", of: city, "City", to: tag) }
        }
        let long = String(repeating: "long", count: 100_000)
        return rows + [tag] + (try store.insert([["text": .string(long)], ["text": .string("short")]], into: "Note"))
    }

    private func counts() throws -> [Int] {
        try store.read { snapshot in try snapshot.schema.entities.map { try snapshot.count(of: $0) } }
    }

    @Test func nothingIsLeftAndEverythingGoesOn() throws {
        let rows = try fill()
        try store.erase()
        #expect(try counts() == [0, 0, 0, 0, 0])
        #expect(try world.related(rows[0], "cities", of: "Country") == [])
        let report = try store.check()
        #expect(report.faults == [] && report.longValues == 0)
        // No row id is given out again, and unique values are free.
        let again = try fill()
        #expect(again.min() ?? 0 > rows.max() ?? .max)
        #expect(try counts().reduce(0, +) == rows.count)
        #expect(try world.related(again[0], "cities", of: "Country") == Array(again[1...3_000]))
        #expect(try store.check().faults == [])
        // Another process, which begins with the mark in the file, gives out no id again either.
        #expect(try store.info().nextRow > again.max() ?? .max)
    }

    @Test func itIsOneSaveThatWritesNoRow() throws {
        _ = try fill()
        let before = try store.info()
        let save = try store.erase(author: "me")
        let after = try store.info()
        #expect(save == before.lastSave + 1 && after.lastSave == save)
        #expect(after.lastTransaction == before.lastTransaction + 1)
        // The file grows by a few pages, for empty trees and for the list of free pages.
        #expect(after.fileBytes <= before.fileBytes + 24 * after.pageSize)
        let entry = try store.read { snapshot in
            try HistoryReader.entries(in: snapshot, after: save - 1).first
        }
        #expect(entry?.author == "me")
        #expect(try Set(entry?.rewritten ?? []) == Set(store.read { $0.schema.entities.map(\.id) }))
        #expect(entry?.rows == [])
    }

    @Test func denyHasNoSay() throws {
        try store.apply(
            .addEntities([
                EntityDefinition(
                    "Owner", properties: [PropertyDefinition("name", type: .string)],
                    relationships: [
                        RelationshipDefinition(
                            "things", to: "Thing", isToMany: true, deleteRule: .deny, inverse: "owner")
                    ]),
                EntityDefinition(
                    "Thing", properties: [PropertyDefinition("name", type: .string)],
                    relationships: [RelationshipDefinition("owner", to: "Owner", isOptional: false)]),
            ]))
        let owner = try world.insert("Owner", "o")
        try world.insert("Thing", "t", ["owner": owner])
        #expect(
            storageError { try world.save { try $0.delete(owner, "Owner") } }
                == .deletionDenied(relationship: "things"))
        try store.erase()
        #expect(try counts().reduce(0, +) == 0)
        #expect(try store.check().faults == [])
    }

    @Test func aLoadUnderWayIsNotErased() throws {
        _ = try store.load(.existingEntity("Note")) { load in
            try load.append([.string("a")])
            #expect(storageError { try store.erase() } == .loadInProgress)
        }
        #expect(try counts().reduce(0, +) == 1)
    }

    @Test func anIndexThatIsBuiltMeanwhileEndsUpEmpty() throws {
        _ = try fill()
        try store.insert((0..<4_100).map { ["text": .string("\($0)")] }, into: "Note")
        var hasErased = false
        try store.apply(.rebuildIndex("text", of: "Note")) { _, _ in
            guard !hasErased else { return }
            hasErased = true
            let store = store
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                do { try store.erase() } catch { Issue.record(error) }
                done.signal()
            }
            done.wait()
        }
        #expect(hasErased)
        #expect(try counts().reduce(0, +) == 0)
        #expect(try store.check().faults == [])
    }
}
