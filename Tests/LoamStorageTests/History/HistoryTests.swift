import Foundation
import LMDB
import LoamStorage
import Testing

@Suite struct HistoryTests {
    private let temporary: TemporaryStore

    init() throws {
        temporary = try TemporaryStore()
    }

    private static let note = EntityDefinition(
        "Note",
        properties: [
            PropertyDefinition("text", type: .string), PropertyDefinition("stars", type: .int64, isOptional: true),
        ],
        indexes: [IndexDefinition([.init("text")])])

    private func entries(of store: Store, after save: UInt64 = 0) throws -> [HistoryEntry] {
        try store.read { try HistoryReader.entries(in: $0, after: save) }
    }

    @Test func aSaveIsKeptWithItsAuthorAndPreviousValuesOfIndexedFields() throws {
        let store = try temporary.open()
        try store.apply(.addEntity(Self.note))
        let id = try store.insert([["text": .string("a"), "stars": .int(1)]], into: "Note")[0]
        try store.update(id, of: "Note", ["text": .string("b"), "stars": .int(2)])
        try store.delete(id, of: "Note")
        let history = try entries(of: store)
        #expect(history.map(\.save) == [1, 2, 3])
        #expect(history.map(\.author) == ["test", "test", nil])
        #expect(history.map { $0.rows.map(\.kind) } == [[.insert], [.update], [.delete]])
        #expect(history.map { $0.rows[0].rowID } == [id, id, id])
        let properties = try store.entity("Note").properties
        #expect(history[1].rows[0].changed == properties.map(\.id))
        let previous = try history[1].rows[0].previous.map {
            ($0.property, try CompositeCodec.decode($0.bytes.span.bytes))
        }
        #expect(previous.map(\.0) == [properties[0].id])
        #expect(previous.map(\.1) == [.string("a")])
        #expect(try entries(of: store, after: 2).map(\.save) == [3])
    }

    @Test func aSaveThatChangesNothingOfARowDoesNotListIt() throws {
        let store = try temporary.open()
        try store.apply(.addEntity(Self.note))
        let id = try store.insert([["text": .string("a")]], into: "Note")[0]
        try store.update(id, of: "Note", ["text": .string("a")])
        #expect(try entries(of: store).last?.rows == [])
    }

    @Test func longSavesAreCutIntoChunks() throws {
        let store = try temporary.open()
        try store.apply(.addEntity(Self.note))
        let ids = try store.insert((0..<3_000).map { ["text": .string("n\($0)")] }, into: "Note")
        #expect(try entries(of: store)[0].rows.map(\.rowID) == ids)
        #expect(try store.check().faults == [])
    }

    @Test func historyIsTrimmedToItsSize() throws {
        let store = try temporary.open { $0.historyBytes = 64 << 10 }
        try store.apply(.addEntity(Self.note))
        let text = String(repeating: "t", count: 400)
        let id = try store.insert([["text": .string(text)]], into: "Note")[0]
        for number in 0..<640 { try store.update(id, of: "Note", ["text": .string(text + "\(number)")]) }
        let saves = try entries(of: store).map(\.save)
        #expect(saves.count < 400 && saves.last == 641)
        #expect(saves == Array((saves[0])...641))
        #expect(try store.check().faults == [])
    }

    @Test func historyIsTrimmedByAge() throws {
        let store = try temporary.open { $0.historySeconds = -1 }
        try store.apply(.addEntity(Self.note))
        for number in 0..<64 { try store.insert([["text": .string("\(number)")]], into: "Note") }
        #expect(try entries(of: store).count < 64)
        #expect(try store.read { try $0.lastSave() } == 64)
    }

    @Test func aSaveOfTooManyRowsStillKeepsPreservedValues() throws {
        let store = try temporary.open()
        let note = EntityDefinition(
            "Note",
            properties: [
                PropertyDefinition("text", type: .string),
                PropertyDefinition("number", type: .int64, isPreserved: true),
            ],
            indexes: [IndexDefinition([.init("text")])])
        try store.apply(.addEntities([note, EntityDefinition("Plain", properties: note.properties.dropLast())]))
        let count = HistoryEntry.mostRows + 1
        let ids = try store.insert(
            (0..<count).map { ["text": .string("t"), "number": .int(Int64($0))] }, into: "Note")
        let plain = try store.insert([["text": .string("t")]], into: "Plain")
        let entities = try ["Note", "Plain"].map { try store.entity($0).id }
        var batch = WriteBatch()
        for id in ids { batch.delete(id, of: entities[0]) }
        for id in plain { batch.delete(id, of: entities[1]) }
        try store.save(batch)
        let entry = try #require(try entries(of: store, after: 2).first)
        #expect(entry.rewritten == entities)
        #expect(entry.rows.count == count && entry.rows.allSatisfy { $0.previous.count == 1 })
        let values = try entry.rows.map { row in
            try row.previous[0].bytes.withUnsafeBytes { try CompositeCodec.decode($0.bytes) }
        }
        #expect(values == (0..<count).map { .int(Int64($0)) })
        #expect(try store.check().faults == [])
    }

    @Test func aSaveIsTrimmedWholeOrNotAtAll() throws {
        let store = try temporary.open { $0.historyBytes = 64 << 10 }
        try store.apply(.addEntity(Self.note))
        let text = String(repeating: "t", count: 15_000)
        let ids = try store.insert((0..<600).map { ["text": .string("\($0)" + text)] }, into: "Note")
        let note = try store.entity("Note")
        var batch = WriteBatch()
        for id in ids { batch.update(id, of: note.id, base: nil, changes: [note.properties[0].id: .string("\(id)")]) }
        try store.save(batch)
        for number in 0..<62 { try store.update(ids[0], of: "Note", ["stars": .int(Int64(number))]) }
        let saves = try entries(of: store).map(\.save)
        #expect(saves.last == 64 && saves[0] > 2)
        #expect(try store.check().faults == [])
    }
}
