import Foundation
import LoamStorage
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite(.serialized) struct WatchCommandTests {
    private static let cities = [
        ("Lima", "PE", 5), ("Cusco", "PE", 3), ("Sucre", "BO", 1),
    ]

    private func made(_ tool: Tool) throws -> (store: WatchedStore, rowIDs: [UInt64]) {
        var store = try WatchedStore(tool)
        return (store, try store.insert(Self.cities.map { ($0.0, $0.1, $0.2) }))
    }

    @Test func `changes that another process saves are printed with their places`() throws {
        try Tool.run { tool in
            let (store, rowIDs) = try made(tool)
            let watch = try Watch(tool, ["City", "--sort=-size", "--columns", "name,size"])
            #expect(
                try watch.lines(6) == [
                    "City: 3 rows, save 1",
                    "save  change  place  row  name   size",
                    "────  ──────  ─────  ───  ─────  ────",
                    "   1          0        \(rowIDs[0])  Lima      5",
                    "   1          1        \(rowIDs[1])  Cusco     3",
                    "   1          2        \(rowIDs[2])  Sucre     1",
                ])
            try store.update(rowIDs[2], "size", .int(9))
            #expect(try watch.line() == "   2  move    2 → 0    \(rowIDs[2])  Sucre     9")
            try store.update(rowIDs[2], "name", .string("La Paz"))
            #expect(try watch.line() == "   3  update  0        \(rowIDs[2])  La Paz     9")
            // What is not printed is not told.
            try store.update(rowIDs[2], "country", .null)
            try store.delete(rowIDs[0])
            #expect(try watch.line() == "   5  delete  1        \(rowIDs[0])")
            let imported = try tool("import", "s.loam", "City", "-", input: "number,name,size\n7,Oruro,4\n")
            #expect(imported.status == 0)
            let line = try watch.line().split(separator: " ")
            #expect(line.first == "6" && line.dropFirst().prefix(2) == ["insert", "1"] && line.last == "4")
            watch.send(SIGTERM)
            let end = try watch.end()
            #expect(end.status == 0 && end.output == "" && end.error == "", "\(end)")
        }
    }

    @Test func `sections are numbered, and come and go`() throws {
        try Tool.run { tool in
            let (store, rowIDs) = try made(tool)
            let watch = try Watch(
                tool, ["City", "--section", "country", "--sort", "size", "--columns", "name", "--limit", "2"])
            #expect(
                try watch.lines(7) == [
                    "City: 2 rows in 2 sections, save 1",
                    "  section 0: BO, 1 row",
                    "  section 1: PE, 1 row",
                    "save  change  place  row  name",
                    "────  ──────  ─────  ───  ─────",
                    "   1          0/0      \(rowIDs[2])  Sucre",
                    "   1          1/0      \(rowIDs[1])  Cusco",
                ])
            try store.delete(rowIDs[2])
            #expect(
                try watch.lines(3) == [
                    "   2  delete  0/0      \(rowIDs[2])",
                    "   2  deleteSection  0 BO",
                    "   2  insert  0/1      \(rowIDs[0])  Lima",
                ])
            try store.update(rowIDs[0], "country", .string("AR"))
            #expect(
                try watch.lines(2) == [
                    "   3  insertSection  0 AR",
                    "   3  move    0/1 → 0/0    \(rowIDs[0])  Lima",
                ])
        }
    }

    @Test func `the work is told behind each difference`() throws {
        try Tool.run { tool in
            let (store, rowIDs) = try made(tool)
            let text = try Watch(tool, ["City", "--explain", "--columns", "size", "--no-rows"])
            let lines = try Watch(tool, ["City", "--explain", "--output", "ndjson", "--no-rows"])
            let kept = "materialized: no index has its filter and its order as one range"
            #expect(try text.lines(4).last == "  rounds 0, placed 0, searches 0, reads 0; \(kept)")
            let state = try lines.step()
            #expect(state.kind == "state" && state.count == 3 && state.sections == nil)
            let end = try lines.step()
            #expect(end.trace?["rounds"] == 0 && end.kept == kept)
            try store.update(rowIDs[0], "size", .int(8))
            #expect(try text.line().contains("update"))
            #expect(try text.line().hasPrefix("  rounds 1, placed 1, "))
            let update = try lines.step()
            #expect(update.kind == "update" && update.row == rowIDs[0] && update.values?.size == 8)
            let trace = try #require(try lines.step().trace)
            #expect(trace["rounds"] == 1 && trace["placed"] == 1 && trace["reads"] == 0)
        }
    }

    @Test func `the environment has every result say on standard error what was done for it`() throws {
        try Tool.run { tool in
            let (store, rowIDs) = try made(tool)
            let watch = try Watch(
                tool, ["City", "--columns", "size", "--no-rows"], environment: ["LOAM_LIVE_TRACE": "1"])
            _ = try watch.line()
            let opened = try watch.messageLine()
            #expect(opened.hasPrefix("live 1 City: opened at save 1, 3 rows; materialized: "), "\(opened)")
            try store.update(rowIDs[0], "size", .int(8))
            _ = try watch.lines(3)
            let followed = try watch.messageLine()
            let start = "live 1 City: save 2, rounds 1, placed 1, searches 0, reads 0; 1 updated; "
            #expect(followed.hasPrefix(start) && followed.hasSuffix(" µs"), "\(followed)")
            let silent = try Watch(tool, ["City", "--no-rows"], environment: ["LOAM_LIVE_TRACE": "0"])
            _ = try silent.line()
            silent.send(SIGTERM)
            #expect(try silent.end().error == "")
        }
    }

    @Test(arguments: [SIGTERM, SIGINT], ["text", "ndjson"])
    func `a signal ends a watch with status 0`(request: Int32, format: String) throws {
        // A shell that starts the tests in the background has them ignore SIGINT, which their children would inherit.
        let before = signal(request, SIG_DFL)
        defer { _ = signal(request, before) }
        try Tool.run { tool in
            _ = try made(tool)
            let watch = try Watch(tool, ["City", "--output", format, "--limit", "1"])
            _ = try watch.lines(3)
            watch.send(request)
            let end = try watch.end()
            #expect(end.status == 0 && end.error == "" && (end.output == "" || end.output.hasSuffix("\n")), "\(end)")
        }
    }

    @Test func `a signal while the reader waits leaves whole lines, and another one ends at once`() throws {
        try Tool.run { tool in
            var store = try WatchedStore(tool)
            // Much more than a pipe holds.
            try store.fill(20_000)
            let watch = try Watch(tool, ["City", "--output", "ndjson"])
            let first = try watch.step()
            #expect(first.kind == "state" && first.count == 20_000)
            watch.send(SIGTERM)
            let end = try watch.end()
            #expect(end.status == 0 && end.error == "" && end.output.hasSuffix("}\n"))
            for line in end.output.split(separator: "\n") {
                #expect(try JSONDecoder().decode(WatchLine.self, from: Data(line.utf8)).kind == "row")
            }
            let stuck = try Watch(tool, ["City", "--output", "ndjson"])
            #expect(try stuck.step().kind == "state")
            let (status, reason) = stuck.sendUntilEnd(SIGTERM)
            #expect(status == SIGTERM && reason == .uncaughtSignal)
        }
    }

    @Test func `a reader who goes away ends a watch quietly, though nobody saves`() throws {
        try Tool.run { tool in
            _ = try made(tool)
            for arguments in ["", " --no-rows", " --output ndjson"] {
                for reader in ["head -n 1 >/dev/null", "true"] {
                    let line = "(loam watch s.loam City\(arguments); echo $? >status) | \(reader); cat status"
                    let result = try tool.shell(line)
                    #expect(result.output == "141\n" && result.error == "", "\(line): \(result)")
                }
            }
            #expect(try tool.shell("loam watch s.loam City >/dev/full").status == 1)
        }
    }

    @Test func `what cannot be watched is said as query says it`() throws {
        try Tool.run { tool in
            _ = try made(tool)
            for arguments in [
                ["none.loam", "City"], ["s.loam", "Cty"], ["s.loam", "City", "--where", "size >"],
                ["s.loam", "City", "--where", "sise > 1"], ["s.loam", "City", "--sort", "sise"],
                ["s.loam", "City", "--section", "contry"], ["s.loam", "City", "--columns", "nme"],
            ] {
                let (watched, queried) = (try tool.run(["watch"] + arguments), try tool.run(["query"] + arguments))
                #expect(watched.status == 1 && watched.output == "" && watched.error.hasPrefix("Error: "))
                #expect(watched.error == queried.error && watched.status == queried.status, "\(arguments)")
            }
            for arguments in [
                ["--limit=-1"], ["--output", "csv"], ["--sort", ""],
                ["--section", "fold(name)", "--sort", "case(name)"],
            ] {
                let result = try tool.run(["watch", "s.loam", "City"] + arguments)
                #expect(result.status == 64 && result.output == "" && result.error.hasPrefix("Error: "), "\(result)")
            }
            #expect(!tool.exists("none.loam"))
        }
    }

    @Test func `a watch of rows in memory keeps no state of the store`() throws {
        try Tool.run { tool in
            _ = try made(tool)
            let watch = try Watch(tool, ["City", "--no-rows", "--output", "ndjson"])
            _ = try watch.lines(2)
            let info = try tool("info", "s.loam").output
            #expect(info.contains("readers") && !info.contains("at transaction"), "\(info)")
        }
    }
}
