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
                  An index on (country) would serve:
                    loam index s.loam add City country

                """
            #expect(try tool.run(["explain"] + Self.question + ["--level", "plan"]).output == plan)
            let estimates = try tool.run(["explain"] + Self.question)
            #expect(
                estimates.status == 0
                    && estimates.output.contains("    table all records (estimated 2000 records, cost 2000)"))
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

    /// What the advice says is run in a shell as it stands there: the plan uses the index then, and no more is advised.
    @Test(
        arguments: [
            (["--where", "country = \"C3\""], "country", 1),
            (["--where", "name BEGINSWITH[cd] 'náme 77'"], "fold(name)", 1),
            (["--where", "length(name) = 6"], "length(name)", 1),
            (["--sort=-population", "--limit", "5", "--columns", "name,population"], "-population", 1),
            (["--where", "country = 'C3'", "--sort=-population", "--limit", "3"], "country,-population", 1),
            (["--where", "day(founded, 'Europe/Berlin') = 7"], "day(founded", 1),
            (["--where", "country = 'C3' OR population > 1990"], "population", 2),
            (["--group", "country", "--aggregate", "sum(population)"], "country,population", 1),
            (["--where", "name CONTAINS[cd] 'ÁME 77'"], "add City name --trigrams", 1),
            (["--where", "country = 'C3' OR name CONTAINS[cd] 'áme 77'"], "add City name --trigrams", 2),
        ] as [([String], String, Int)])
    func `the command that is advised adds the index`(question: [String], keys: String, count: Int) throws {
        try Tool.run { tool in
            let rows = (0..<2_000).map { number in
                let day = "2001-\(String(101 + number % 12).dropFirst())-\(String(101 + number % 28).dropFirst())"
                return "C\(number % 40),name \(number),\(number * 37 % 2_003),\(day)T05:00:00Z"
            }
            let text = (["country,name,population,founded"] + rows).joined(separator: "\n") + "\n"
            try tool.write(text, to: "cities.csv")
            #expect(try tool("import", "it's here.loam", "City", "cities.csv").status == 0)
            let arguments = ["explain", "it's here.loam", "City"] + question + ["--level", "work", "--no-times"]
            let before = try tool.run(arguments).output
            let commands = before.split(separator: "\n").map { $0.drop { $0 == " " } }
                .filter { $0.hasPrefix("loam index ") }
            #expect(commands.count == count && commands.last?.contains(keys) == true, "\(before)")
            for command in commands {
                let added = try tool.shell(String(command))
                #expect(added.status == 0, "\(command)\n\(added.error)")
            }
            let after = try tool.run(arguments).output
            #expect(after.contains("  index ") && !after.contains("would serve"), "\(before)\n\(after)")
            #expect(before.contains("table all records") && !after.contains("table all records"), "\(after)")
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
