import Foundation
import LoamStorage
import Testing

/// `loam schema STORE drop NAME`: what goes is said first, and goes only when somebody says so.
@Suite(.serialized) struct SchemaDropTests {
    private func withStore(_ body: (Tool) throws -> Void) throws {
        try Tool.run { tool in
            try tool.write(RelationshipToolTests.dump, to: "dump")
            let loaded = try tool("load", "s.loam", "dump")
            #expect(loaded.status == 0, "\(loaded.error)")
            do {
                let store = try Store.open(path: tool.folder.appendingPathComponent("s.loam").path)
                try store.apply(
                    .addIndex(IndexDefinition([.init("name")], name: "unique name", isUnique: true), to: "City"))
            }
            try body(tool)
        }
    }

    @Test func `nothing goes where nobody can be asked`() throws {
        try withStore { tool in
            let before = try tool("schema", "s.loam").output
            let result = try tool("schema", "s.loam", "drop", "City.name")
            #expect(result.status == 1)
            #expect(result.error.contains("City.name goes, with its value in 2 rows"))
            #expect(result.error.contains("--yes"))
            #expect(try tool("schema", "s.loam").output == before)
        }
    }

    @Test func `a constraint, a property, a relationship and an entity go, with what belongs to them`() throws {
        try withStore { tool in
            let steps = [
                ("City.unique name", "The constraint unique name of City goes: rows may then have the same values.\n"),
                ("City.twins", "City.twins goes, with 2 related rows.\n"),
                ("City.country", "City.country goes, with 2 related rows and its inverse Country.cities.\n"),
                ("City.name", "City.name goes, with its value in 2 rows.\n"),
                ("Country", "Entity Country goes, with 2 rows, 0 indexes.\n"),
            ]
            for (name, said) in steps {
                let result = try tool("schema", "s.loam", "drop", name, "--yes")
                #expect(result.status == 0 && result.error == said, "\(result.error)")
            }
            #expect(try tool("schema", "s.loam").output == "City\n")
            #expect(try tool("check", "s.loam").output.hasPrefix("Clean: 2 records"))
        }
    }

    @Test func `what is not there is refused with what is`() throws {
        try withStore { tool in
            for (name, known) in [("Nowhere", "Country"), ("City.nothing", "twins")] {
                let result = try tool("schema", "s.loam", "drop", name, "--yes")
                #expect(result.status == 1 && result.error.contains(known), "\(result.error)")
            }
            #expect(try tool("schema", "s.loam", "drop").status == 64)
            #expect(try tool("schema", "s.loam", "--yes").status == 64)
        }
    }
}
