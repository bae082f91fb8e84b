import Foundation
import LoamStorage
import Testing

/// Saves that `loam watch` cannot follow row by row.
@Suite(.serialized) struct WatchFailureTests {
    @Test func `a load behind a large result is a reset`() throws {
        try Tool.run { tool in
            var store = try WatchedStore(tool)
            try store.fill(1_025)
            let watch = try Watch(tool, ["City", "--sort", "size", "--output", "ndjson"])
            var rows = WatchedRows()
            try watch.follow(&rows, through: store.lastSave())
            #expect(try tool("import", "s.loam", "City", "-", input: "number,name,size\n-1,a,3\n").status == 0)
            try watch.follow(&rows, through: store.lastSave())
            #expect(rows.kinds["reset"] == 1 && rows.kinds["state"] == 1)
            try rows.expectAnswer(to: ["--sort", "size"], from: tool)
        }
    }

    @Test func `a store that cannot be read is an error, and watching goes on`() throws {
        try Tool.run { tool in try expectToGoOn(tool) }
    }

    private func expectToGoOn(_ tool: Tool) throws {
        var store = try WatchedStore(tool)
        try store.fill(5)
        let watch = try Watch(tool, ["City", "--sort", "name", "--output", "ndjson"])
        let text = try Watch(tool, ["City", "--sort", "name", "--no-rows"])
        var rows = WatchedRows()
        try watch.follow(&rows, through: try store.lastSave())
        _ = try text.lines(3)
        try store.store.apply(.removeProperty("name", from: "City"))
        for _ in 0..<2 {
            // A change of the schema is seen as it is made, or with the next save.
            let imported = try tool("import", "s.loam", "City", "-", input: "number,size\n-1,3\n")
            #expect(imported.status == 0, "\(imported)")
            let error = try watch.step()
            #expect(error.kind == "error" && error.save == 1)
            #expect(error.message?.contains("name") == true)
            let message = text.message()
            #expect(message.hasPrefix("Error: ") && message.hasSuffix("\n"))
        }
        for watch in [watch, text] { watch.send(15) }
        // The change of the schema and each save that was seen apart from it have told the same error.
        let steps = try watch.end()
        #expect(steps.status == 0)
        for line in steps.output.split(separator: "\n") {
            let step = try JSONDecoder().decode(WatchLine.self, from: Data(line.utf8))
            #expect(step.kind == "error" && step.save == 1 && step.message?.contains("name") == true, "\(line)")
        }
        let lines = try text.end()
        #expect(lines.status == 0 && lines.output == "")
    }
}
