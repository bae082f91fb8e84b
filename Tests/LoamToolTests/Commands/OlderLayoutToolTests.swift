import Foundation
import LoamStorage
import Testing

/// The tool over rows that were written before a property got its present type.
@Suite(.serialized) struct OlderLayoutToolTests {
    @Test func `rows are queried, checked, dumped and loaded as what they are by now`() throws {
        try Tool.run { tool in
            let path = tool.folder.appendingPathComponent("s.loam").path
            do {
                let store = try Store.open(path: path)
                let city = EntityDefinition(
                    "City",
                    properties: [
                        PropertyDefinition("name", type: .string, isOptional: true),
                        PropertyDefinition("code", type: .uint8),
                        PropertyDefinition("height", type: .float, isOptional: true),
                    ], indexes: [IndexDefinition([.init("code")], kind: .unique)])
                try store.apply(.addEntity(city))
                let catalog = try store.catalog()
                let entity = try #require(catalog.schema.entity(named: "City"))
                var batch = WriteBatch()
                let rows: [[String: Value]] = [
                    ["name": .string("Bern"), "code": .uint(200), "height": .float(0.5)], ["code": .uint(7)],
                ]
                for row in rows {
                    batch.insert(try catalog.encode(row, as: "City"), into: entity.id, rowID: try store.makeRowID())
                }
                try store.save(batch)
                try store.changeSchema { draft in
                    try draft.apply(.widen("code", to: .int64, in: "City"))
                    try draft.apply(.widen("height", to: .double, in: "City"))
                    try draft.apply(.makeRequired("name", nilValue: .string("none"), in: "City"))
                }
            }
            let all = "name,code,height\nnone,7,\nBern,200,0.5\n"
            let query = ["query", "s.loam", "City", "--sort", "code", "--output", "csv"]
            #expect(try tool.run(query).output == all)
            #expect(
                try tool("query", "s.loam", "City", "--where", "code < 100 AND name = 'none'", "--output", "csv").output
                    == "name,code,height\nnone,7,\n")
            #expect(try tool("check", "s.loam").output.hasPrefix("Clean"))
            let dumped = try tool("dump", "s.loam")
            try tool.write(dumped.output, to: "dump")
            #expect(try tool("load", "t.loam", "dump").status == 0)
            #expect(try tool.run(query.map { $0 == "s.loam" ? "t.loam" : $0 }).output == all)
            #expect(try tool("check", "t.loam").output.hasPrefix("Clean"))
        }
    }
}
