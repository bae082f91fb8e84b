import Foundation
import Testing

@Suite(.serialized) struct GroupCommandTests {
    private func imported(_ tool: Tool) throws {
        try tool.write(ToolTests.cities, to: "cities.csv")
        _ = try tool("import", "s.loam", "City", "cities.csv", "--index=country,-population")
    }

    @Test func `groups have a line each, in every output format`() throws {
        try Tool.run { tool in
            try imported(tool)
            func query(_ arguments: String...) throws -> String {
                try tool.run(["query", "s.loam", "City"] + arguments).output
            }
            #expect(
                try query("--group", "country", "--aggregate", "count(),sum(population)") == """
                    country  count()  sum(population)
                    ───────  ───────  ───────────────
                    BR             1           209804
                    CH             2           415367
                    IS             1           118918
                    XX             1                1

                    """)
            #expect(
                try query(
                    "--group", "country", "--aggregate", "AVG(population), max:(name)", "--sort=-average(population)",
                    "--having", "count(name) > 0 AND country != 'IS'", "--output", "csv"
                ) == "country,average(population),maximum(name)\nCH,415367.0,Zürich\nBR,209804.0,\"São José, SC\"\n")
            #expect(
                try query("--group", "capital", "--where", "population != nil", "--output", "json") == """
                    [
                    {"capital":null,"count()":1},
                    {"capital":false,"count()":2},
                    {"capital":true,"count()":1}
                    ]

                    """)
            #expect(
                try query("--aggregate", "count(),minimum(population),sum(population)", "--output", "ndjson")
                    == "{\"count()\":5,\"minimum(population)\":1,\"sum(population)\":744090}\n")
            #expect(
                try query("--group", "country", "--sort=-count()", "--limit", "1", "--offset", "1", "--output", "csv")
                    == "country,count()\nBR,1\n")
        }
    }

    @Test func `distinct rows come once`() throws {
        try Tool.run { tool in
            try imported(tool)
            func query(_ arguments: String...) throws -> String {
                try tool.run(["query", "s.loam", "City"] + arguments).output
            }
            let countries = try query("--distinct", "--columns", "country", "--output", "csv")
            #expect(countries == "country\nCH\nBR\nIS\nXX\n")
            #expect(
                try query(
                    "--distinct", "--columns", "capital", "--sort=-capital", "--limit", "1", "--offset", "1",
                    "--output", "ndjson"
                ) == "{\"capital\":false}\n")
        }
    }

    @Test func `a plan for groups is explained`() throws {
        try Tool.run { tool in
            try imported(tool)
            func query(_ arguments: String...) throws -> String {
                try tool.run(["query", "s.loam", "City"] + arguments).output
            }
            let sums = try query("--group", "country", "--explain")
            #expect(sums.hasPrefix("City: groups by country of count()\n  groups ") && sums.contains("estimated"))
            let rows = try query(
                "--group", "country", "--aggregate", "sum(population)", "--having", "sum(population) > 5", "--explain"
            )
            #expect(rows.hasPrefix("City: groups by country of sum(population) having sum(population) > 5\n"))
        }
    }

    @Test(
        arguments: [
            ["--aggregate", "median(population)"], ["--aggregate", "sum"], ["--aggregate", "count(),count()"],
            ["--having", "count() > 1"], ["--group", "country", "--count"],
            ["--group", "country", "--columns", "name"], ["--distinct", "--count"],
            ["--group", "country", "--section", "name"], ["--distinct", "--snapshot"],
        ])
    func `what does not go together is said before anything is read`(_ arguments: [String]) throws {
        try Tool.run { tool in
            let result = try tool.run(["query", "nowhere.loam", "City"] + arguments)
            #expect(result.status == 64 && result.output == "" && result.error.contains("Usage: loam query"))
        }
    }

    @Test(
        arguments: [
            (["--group", "nothing"], "no property at this key path"),
            (["--aggregate", "sum(name)"], "applies to numbers"),
            (["--group", "country", "--sort", "name"], "no property at this key path"),
            (["--group", "country", "--having", "name = 'x'"], "no property at this key path"),
            (["--group", "country", "--having", "count( > 1"], "expected a value"),
            (["--group", "country", "--having", "median(population) > 1"], "no property at this key path"),
        ])
    func `what the entity does not have is an error that names it`(_ arguments: [String], message: String) throws {
        try Tool.run { tool in
            try tool.write(ToolTests.cities, to: "cities.csv")
            _ = try tool("import", "s.loam", "City", "cities.csv")
            let result = try tool.run(["query", "s.loam", "City"] + arguments)
            #expect(result.status != 0 && result.output == "" && result.error.contains(message), "\(result.error)")
        }
    }
}
