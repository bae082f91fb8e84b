import LMDB
import Testing

@testable import LoamStorage

/// Who holds a snapshot is reminded to renew it by the pages that commits have written.
@Suite("A reader that is reminded") struct RemindingTests {
    private let files: TemporaryStore
    private let store: Store

    init() throws {
        files = try TemporaryStore()
        store = try files.open()
        let note = EntityDefinition(
            "Note", properties: [.init("text", type: .string), .init("stars", type: .int64, isOptional: true)])
        try store.apply(.addEntity(note))
    }

    private func reader(afterBytes bytes: Int) throws -> ChangeReader {
        let reader = store.changes.reader(after: try store.read { try $0.lastSave() })
        reader.remind(afterBytes: bytes)
        return reader
    }

    @Test("hears of long values that lie outside of the records", arguments: [1, 400])
    func longValues(rows: Int) throws {
        let text = Value.string(String(repeating: "x", count: 6 << 20 / rows))
        let reader = try reader(afterBytes: rows << 15 + 4 << 20)
        let ids = try store.insert(Array(repeating: ["text": .string("short")], count: rows), into: "Note")
        #expect(!reader.takeReminder())
        // Long values of new rows.
        try store.insert(Array(repeating: ["text": text], count: rows), into: "Note")
        #expect(reader.takeReminder() && !reader.takeReminder())
        // And of one that was there.
        let change = try #require(ids.first)
        try store.update(change, of: "Note", ["text": .string(String(repeating: "y", count: rows << 15 + 5 << 20))])
        #expect(reader.takeReminder())
        try store.insert([["text": .string("short")]], into: "Note")
        #expect(!reader.takeReminder())
    }
}
