import Foundation
import LoamStorage
import Testing

/// A process has a store open when another one puts the first long value and the first link into it.
@Suite(.serialized) struct LateDatabaseToolTests {
    @Test func `what another process has made is found and gone on with`() throws {
        try Tool.run { tool in
            let store = try Store.open(path: tool.folder.appendingPathComponent("s.loam").path)
            try tool.write(RelationshipToolTests.dump, to: "dump")
            let loaded = try tool("load", "s.loam", "dump")
            #expect(loaded.status == 0, "\(loaded.error)")
            // There are two databases of records and one of links, besides those of every store.
            #expect(try store.info().databases.count == 4 + 3)
            #expect(try store.check().links == 2)
            try store.apply(
                .addEntity(EntityDefinition("Note", properties: [PropertyDefinition("text", type: .string)])))
            let own = try store.info().databases.count
            let long = String(repeating: "long", count: 30_000)
            func insert(_ text: String) throws {
                var batch = WriteBatch(author: "test")
                let entity = try store.read { try $0.entity(named: "Note") }
                let record = try store.catalog().encode(["text": .string(text)], as: "Note")
                batch.insert(record, into: entity.id, rowID: try store.makeRowID())
                try store.save(batch)
            }
            try insert("short")
            let imported = try tool("import", "s.loam", "Note", "-", input: "text\n\(long)\n")
            #expect(imported.status == 0, "\(imported.error)")
            #expect(try store.info().databases.count == own + 1)
            try insert(long)
            #expect(try store.check().faults.isEmpty)
            #expect(try store.check().longValues == 2)
            let counted = try tool("query", "s.loam", "Note", "--where", "text BEGINSWITH 'longlong'", "--count")
            #expect(counted.output == "2\n", "\(counted.error)")
            #expect(try tool("check", "s.loam").status == 0)
        }
    }
}
