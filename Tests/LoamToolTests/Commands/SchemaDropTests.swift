import Foundation
import LoamStorage
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

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
                    .addIndex(IndexDefinition([.init("name")], name: "unique name", kind: .unique), to: "City"))
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

    /// Both ends of a terminal: what is written to the first was typed at the second. `pty.h` is not in Swift's module.
    private func pseudoTerminal() throws -> (terminal: Int32, keyboard: Int32) {
        typealias Open =
            @convention(c) (
                UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>, OpaquePointer?, OpaquePointer?, OpaquePointer?
            ) -> Int32
        let symbol = try #require(dlsym(nil, "openpty"))
        var (terminal, keyboard): (Int32, Int32) = (-1, -1)
        try #require(unsafeBitCast(symbol, to: Open.self)(&terminal, &keyboard, nil, nil, nil) == 0)
        return (terminal, keyboard)
    }

    /// Runs the tool with a terminal to ask on, at which somebody types.
    private func drop(_ name: String, typing text: String, _ tool: Tool) throws -> (status: Int32, error: String) {
        let (terminal, keyboard) = try pseudoTerminal()
        defer { close(terminal) }
        // Typed ahead: the terminal keeps it until it is read.
        let bytes = Array(text.utf8)
        #expect(write(terminal, bytes, bytes.count) == bytes.count)
        let process = tool.process(["schema", "s.loam", "drop", name])
        let error = Pipe()
        process.standardInput = FileHandle(fileDescriptor: keyboard, closeOnDealloc: true)
        process.standardError = error
        try process.run()
        let said = String(decoding: try error.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, said)
    }

    @Test func `somebody at a terminal is asked, and says yes or anything else`() throws {
        try withStore { tool in
            let question = """
                City.name goes, with its value in 2 rows and the indexes that use it: unique name.
                Drop it for good? [y/N]\u{20}
                """
            let before = try tool("schema", "s.loam").output
            // Ctrl-D ends the input.
            for answer in ["n\n", "\n", "yesterday\n", "\u{4}"] {
                let (status, said) = try drop("City.name", typing: answer, tool)
                #expect(status == 1 && said == question + "Nothing was dropped.\n", "\(answer): \(said)")
            }
            #expect(try tool("schema", "s.loam").output == before)
            let (status, said) = try drop("City.name", typing: "Yes\n", tool)
            #expect(status == 0 && said == question, "\(said)")
            #expect(try tool("schema", "s.loam").output != before)
            #expect(try drop("Country", typing: "y\n", tool).status == 0)
            #expect(try tool("check", "s.loam").output.hasPrefix("Clean: 2 records"))
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
