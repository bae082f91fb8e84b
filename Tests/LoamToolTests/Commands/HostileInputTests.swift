import Foundation
import Testing

/// Arguments and files that nobody means to give: each ends in a sentence, and nothing is lost.
@Suite(.serialized) struct HostileInputTests {
    private func withStore(_ body: (Tool) throws -> Void) throws {
        try Tool.run { tool in
            try tool.write("id,name\n1,a\n2,b\n", to: "rows.csv")
            #expect(try tool("import", "s.loam", "Row", "rows.csv", "--index", "id").status == 0)
            try body(tool)
        }
    }

    /// Makes files that are no store, no dump and no table.
    private static func makeFiles(_ tool: Tool) throws {
        var noise = UInt64(7)
        let binary = (0..<20_000).map { _ in
            noise = noise &* 6_364_136_223_846_793_005 &+ 1
            return UInt8(truncatingIfNeeded: noise >> 33)
        }
        try Data(binary).write(to: tool.folder.appendingPathComponent("binary"))
        try Data([0, 0, 10, 44, 0]).write(to: tool.folder.appendingPathComponent("zeros"))
        try tool.write("", to: "empty")
        try tool.write("\n\n\r\n", to: "lines")
        #expect(try tool.shell("mkdir folder; ln -s loop loop; ln -s nowhere dangling").status == 0)
    }

    static let files = ["binary", "zeros", "empty", "lines", "folder", "loop", "dangling", "missing", "", "/dev/null"]

    @Test(arguments: files)
    func `a file that is not what it should be is refused, and left as it is`(file: String) throws {
        try withStore { tool in
            try Self.makeFiles(tool)
            let before = try? tool.read(file)
            for command in [
                ["info", file], ["schema", file], ["query", file, "Row"], ["dump", file], ["check", file],
                ["index", file], ["index", file, "rebuild"], ["index", file, "drop", "x"], ["compact", file, "copy"],
                ["load", "new.loam", file], ["import", "new.loam", "Row", file], ["import", "s.loam", "Row", file],
                ["load", "s.loam", file],
            ] {
                let result = try tool.run(command)
                #expect(result.status == 1 && result.output == "", "\(command): \(result)")
                #expect(result.error.hasPrefix("Error: ") && result.error.hasSuffix("\n"), "\(command): \(result)")
                #expect(!result.error.contains("Error(") && !result.error.contains("NSError"), "\(command): \(result)")
            }
            let after = try? tool.read(file)
            #expect(after == before)
            #expect(!tool.exists("copy") && !tool.exists("new.loam"))
            #expect(try tool("check", "s.loam").output == "Clean: 2 records, 1 index, 2 index entries.\n")
        }
    }

    @Test func `names that steer a terminal are shown escaped, by every command`() throws {
        try Tool.run { tool in
            let name = "A\u{9B}31m\u{202E}\u{2067}\u{200F}\u{61C}\u{2029}é"
            try tool.write("id,\(name)\n1,\(name)\n", to: "rows.csv")
            #expect(try tool("import", "s.loam", name, "rows.csv", "--index", name).status == 0)
            for command in [
                ["info", "s.loam"], ["info", "s.loam", "--json"], ["schema", "s.loam"], ["schema", "s.loam", "--json"],
                ["index", "s.loam"], ["index", "s.loam", "list", "--json"], ["query", "s.loam", name],
                ["query", "s.loam", name, "--output", "json"], ["query", "s.loam", name, "--output", "ndjson"],
                ["query", "s.loam", name, "--section", name], ["query", "s.loam", name, "--sort", name, "--explain"],
                ["query", "s.loam", "B\(name)"], ["query", "s.loam", name, "--where", "\(name) ="],
                ["query", "s.loam", name, "--where", "id = '\(name)'"],
                ["query", "s.loam", name, "--columns", "x\(name)"],
                ["query", "s.loam", name, "--\(name)"], [name], ["info", name], ["dump", "s.loam"],
                ["dump", "s.loam", "B\(name)"], ["dump", "s.loam", "-o", "folder/\(name)"],
                ["index", "s.loam", "drop", "B\(name)"], ["index", "s.loam", "add", name, name], ["check", "s.loam"],
                ["import", "s.loam", name, "x\(name)"], ["load", "s.loam", "x\(name)"],
                ["compact", "s.loam", "s.loam"],
                ["import", "s.loam", name, "-", "--types", "\(name):int"],
            ] {
                let result = try tool.run(command)
                let shown = (result.output + result.error).unicodeScalars
                #expect(!shown.isEmpty || result.status == 0, "\(command)")
                for scalar in name.unicodeScalars where scalar != "é" && scalar.value > 0x7F {
                    #expect(!shown.contains(scalar), "\(command): \(String(scalar.value, radix: 16))")
                }
            }
            // Output for programs is exact: it is escaped where that changes nothing, and otherwise as it is.
            #expect(try tool("query", "s.loam", name, "--output", "csv").output == "id,\(name)\n1,\(name)\n")
            let line = try tool("query", "s.loam", name, "--output", "ndjson").output
            let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect(row?[name] as? String == name)
            let dump = try tool("dump", "s.loam").output
            try tool.write(dump, to: "dump")
            #expect(try tool("load", "t.loam", "dump").status == 0)
            #expect(try tool("dump", "t.loam").output == dump)
        }
    }

    @Test func `a pipe is read once and imported whole`() throws {
        try Tool.run { tool in
            let rows = (0..<3_000).map { "\($0),name \($0)\n" }.joined()
            try tool.write("id,name\n" + rows, to: "rows.csv")
            let result = try tool.shell("mkfifo pipe; cat rows.csv >pipe & loam import s.loam Row pipe")
            #expect(result.status == 0 && result.error == "", "\(result)")
            #expect(try tool("query", "s.loam", "Row", "--count").output == "3000\n")
            #expect(try tool.shell("cat rows.csv | loam import s.loam Row /dev/stdin").status == 0)
            #expect(try tool("query", "s.loam", "Row", "--count").output == "6000\n")
        }
    }

    @Test func `a store that another process reads and writes can be used by all commands`() throws {
        try withStore { tool in
            // The import waits in the middle, with the store open, until its input goes on.
            let result = try tool.shell(
                """
                mkfifo pipe
                (exec 3>pipe; echo 'id,name' >&3; for command in 'info s.loam' 'query s.loam Row' 'dump s.loam' \
                'compact s.loam copy.loam' 'check s.loam' 'index s.loam add Row name'; do
                loam $command >/dev/null || echo "$command"; done; echo '3,c' >&3) &
                loam import s.loam Row pipe; wait
                """)
            #expect(result.status == 0 && result.output == "" && result.error == "", "\(result)")
            #expect(try tool("check", "s.loam").output == "Clean: 3 records, 2 indexes, 6 index entries.\n")
        }
    }

    @Test func `names that the store does not take are refused before it is made`() throws {
        try Tool.run { tool in
            for entity in ["", "a.b", "a,b", "a\nb", String(repeating: "é", count: 128)] {
                let result = try tool("import", "s.loam", entity, "-", input: "id\n1\n")
                #expect(result.status == 1 && result.error.contains("entity's name"), "\(result)")
            }
            let result = try tool("import", "s.loam", "Row", "-", input: "id,first.name\n1,2\n")
            #expect(result.status == 1 && result.error.contains("line 1, column 'first.name'"), "\(result)")
            #expect(!tool.exists("s.loam"))
        }
    }
}
