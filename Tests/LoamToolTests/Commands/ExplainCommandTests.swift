import Foundation
import LoamQuery
import Testing

/// `loam explain`, and `loam query --explain`, which is the same.
@Suite(.serialized) struct ExplainCommandTests {
    private func imported(_ tool: Tool) throws {
        let rows = (0..<2_000).map { "C\($0 % 40),name \($0),\($0 * 37 % 2_003)" }
        try tool.write((["country,name,population"] + rows).joined(separator: "\n") + "\n", to: "cities.csv")
        #expect(try tool("import", "s.loam", "City", "cities.csv").status == 0)
    }

    private static let question = ["s.loam", "City", "--where", "country = \"C3\"", "--columns", "name"]

    private static func tellsTimes(_ text: String) -> Bool { text.contains(" µs") || text.contains(" ms") }

    @Test func `each level tells more, and only the last one has work`() throws {
        try Tool.run { tool in
            try imported(tool)
            let plan = """
                City: rows where country == 'C3'
                  filter country == 'C3'
                    table all records
                  An index on (country) would serve.

                """
            #expect(try tool.run(["explain"] + Self.question + ["--level", "plan"]).output == plan)
            let estimates = try tool.run(["explain"] + Self.question)
            #expect(
                estimates.status == 0 && estimates.output.contains("    table all records (estimated 2000 records)"))
            #expect(!estimates.output.contains("actual"))
            let work = try tool.run(["explain"] + Self.question + ["--level", "work", "--no-times"])
            #expect(work.output.contains("actual 50 of 2000 rows") && !Self.tellsTimes(work.output), "\(work.output)")
            let timed = try tool.run(["explain"] + Self.question + ["--level", "work"])
            #expect(Self.tellsTimes(timed.output), "\(timed.output)")
            for level in [[], ["--level", "plan"], ["--level", "work", "--no-times"]] {
                #expect(
                    try tool.run(["query"] + Self.question + ["--explain"] + level).output
                        == tool.run(["explain"] + Self.question + level).output)
            }
        }
    }

    @Test func `an index that is named serves`() throws {
        try Tool.run { tool in
            try imported(tool)
            #expect(try tool("index", "s.loam", "add", "City", "country").status == 0)
            let text = try tool.run(["explain"] + Self.question).output
            #expect(text.contains("index country, forwards, 1 range") && !text.contains("would serve"), "\(text)")
        }
    }

    @Test func `JSON is an explanation`() throws {
        try Tool.run { tool in
            try imported(tool)
            for more in [[], ["--level", "work"], ["--distinct"]] {
                let result = try tool.run(["explain"] + Self.question + ["--json"] + more)
                let explanation = try JSONDecoder().decode(Explanation.self, from: Data(result.output.utf8))
                #expect(explanation.root.kind == .rows && explanation.advisedIndex == ["country"])
                #expect(explanation.operators.map(\.kind).contains(.distinct) == more.contains("--distinct"))
                #expect((explanation.total?.records == 2_000) == more.contains("work"))
            }
            let groups = try tool("explain", "s.loam", "City", "--group", "country", "--json").output
            #expect(try JSONDecoder().decode(Explanation.self, from: Data(groups.utf8)).root.kind == .groups)
        }
    }

    @Test func `options that would do nothing are refused`() throws {
        try Tool.run { tool in
            try imported(tool)
            for (arguments, words) in [
                (["explain"] + Self.question + ["--output", "json"], "JSON with --json"),
                (["query"] + Self.question + ["--level", "plan", "--output", "csv"], "JSON with --json"),
                (["query"] + Self.question + ["--no-times"], "--no-times goes with --explain"),
                (["query", "s.loam", "City", "--group", "country", "--no-times"], "--no-times goes with --explain"),
            ] {
                let result = try tool.run(arguments)
                #expect(result.status == 64 && result.output == "" && result.error.contains(words), "\(result)")
            }
        }
    }

    @Test func `JSON of rows is another option`() throws {
        try Tool.run { tool in
            let result = try tool.run(["query"] + Self.question + ["--json"])
            #expect(result.status == 64 && result.output == "" && result.error.contains("--output json"))
        }
    }
}
