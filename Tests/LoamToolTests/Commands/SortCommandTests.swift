import Foundation
import Testing

/// Orders and sections by functions and in forms, as `loam query` takes them.
@Suite(.serialized) struct SortCommandTests {
    private static let visits = """
        name,time,note
        Åsa,2024-03-01T23:30:00Z,x
        adam,2024-03-02T01:00:00Z,
        Zoë,2024-03-01T10:00:00Z,yy
        zoe,2025-01-01T00:00:00Z,zzz
        file 10,2025-01-01T12:00:00Z,a
        file 9,2024-12-31T22:00:00Z,a

        """

    private func visits(_ body: (_ query: (String...) throws -> String) throws -> Void) throws {
        try Tool.run { tool in
            try tool.write(Self.visits, to: "visits.csv")
            _ = try tool("import", "s.loam", "Visit", "visits.csv", "--types", "time:date")
            for index in [nil, "length(name),-year(time)", "startOfDay(time)", "localized(name)"] {
                if let index { _ = try tool("index", "s.loam", "add", "Visit", index) }
                try body { try tool.run(["query", "s.loam", "Visit"] + $0).output }
            }
        }
    }

    @Test func `rows come in the order of functions`() throws {
        try visits { query throws in
            #expect(
                try query("--sort", "length(name),-year(time)", "--columns", "name,length(name)", "--output", "csv")
                    == """
                    name,length(name)
                    zoe,3
                    Zoë,3
                    Åsa,3
                    adam,4
                    file 9,6
                    file 10,7

                    """)
            #expect(
                try query(
                    "--sort", "month(time, 'Europe/Berlin'),-length(note)", "--columns", "name", "--output", "csv",
                    "--limit", "3") == "name\nzoe\nfile 10\nZoë\n")
        }
    }

    @Test func `texts come in the order of a form or of a selector of Core Data`() throws {
        try visits { query throws in
            func names(_ sort: String) throws -> [Substring] {
                try query("--sort=\(sort)", "--columns", "name", "--output", "csv").split(separator: "\n").dropFirst()
                    .map { $0 }
            }
            #expect(try names("name") == ["Zoë", "adam", "file 10", "file 9", "zoe", "Åsa"])
            #expect(try names("localized(name)") == ["adam", "Åsa", "file 9", "file 10", "zoe", "Zoë"])
            #expect(try names("-localizedStandardCompare(name)") == ["Zoë", "zoe", "file 10", "file 9", "Åsa", "adam"])
            #expect(try names("localizedCompare(name)") == ["adam", "Åsa", "file 10", "file 9", "zoe", "Zoë"])
            #expect(try names("case(name)") == ["adam", "file 10", "file 9", "zoe", "Zoë", "Åsa"])
            #expect(try names("fold(name)") == ["adam", "Åsa", "file 10", "file 9", "Zoë", "zoe"])
            let folded = try names("fold(name)")
            #expect(try names("fold(lowercase(name))") == folded)
        }
    }

    @Test func `sections are by a function, or in a form`() throws {
        try visits { query throws in
            #expect(
                try query("--section", "startOfDay(time)", "--output", "csv") == """
                    startOfDay(time),count
                    2024-03-01T00:00:00Z,2
                    2024-03-02T00:00:00Z,1
                    2024-12-31T00:00:00Z,1
                    2025-01-01T00:00:00Z,2

                    """)
            #expect(
                try query(
                    "--section", "year(time, 'Europe/Berlin')", "--sort=-year(time, 'Europe/Berlin')", "--output", "csv"
                )
                    == "\"year(time, 'Europe/Berlin')\",count\n2025,2\n2024,4\n")
            let rows = try query(
                "--section", "length(name)", "--sort=-time", "--columns", "name", "--limit", "2", "--output", "csv")
            #expect(rows == "length(name),name\n3,zoe\n3,Åsa\n")
            let folded = try query("--section", "fold(name)", "--output", "csv")
            #expect(folded == "fold(name),count\nadam,1\nÅsa,1\nfile 10,1\nfile 9,1\nZoë,2\n")
            let groups = try query("--group", "year(time)", "--sort=-count", "--output", "csv")
            #expect(groups == "year(time),count()\n2024,4\n2025,2\n")
        }
    }

    @Test func `a section in a form goes with an order of its key`() throws {
        try visits { query throws in
            func titles(_ section: String, _ sort: String) throws -> String {
                try query("--section", section, "--sort=\(sort)", "--output", "csv")
                    .split(separator: "\n").dropFirst().compactMap { $0.split(separator: ",").first }
                    .joined(separator: " ")
            }
            let people = "adam,Åsa,file 9,file 10,zoe,Zoë".split(separator: ",")
            #expect(try titles("localized(name)", "-name") == people.reversed().joined(separator: " "))
            #expect(try titles("localized(name)", "localized(name)") == people.joined(separator: " "))
            #expect(
                try titles("localized(uppercase(name))", "-uppercase:(name)")
                    == people.reversed().map { $0.uppercased() }.joined(separator: " "))
            #expect(try titles("localized(name)", "fold(name)") == "")
            #expect(
                try query(
                    "--section", "lowercase(name)", "--columns", "lowercase:(name)", "--limit", "1", "--output", "csv")
                    == "lowercase(name)\nadam\n")
        }
    }

    @Test func `aggregates are of functions with commas, and conditions name keys that are functions`() throws {
        try visits { query throws in
            #expect(
                try query(
                    "--group", "year(time)", "--aggregate", "max(month(time, 'Europe/Berlin')),sum(length(name))",
                    "--having", "year(time, 'UTC') = 2024 AND sum(length(name)) > 3", "--output", "csv")
                        == """
                        year(time),"maximum(month(time, 'Europe/Berlin'))",sum(length(name))
                        2024,12,16

                        """)
        }
    }

    @Test func `what is no key is refused by name`() throws {
        try Tool.run { tool in
            try tool.write(Self.visits, to: "visits.csv")
            _ = try tool("import", "s.loam", "Visit", "visits.csv")
            for (sort, word) in [("lenght(name)", "length"), ("length(nmae)", "name"), ("length(name", "the end")] {
                let result = try tool.run(["query", "s.loam", "Visit", "--sort", sort])
                #expect(
                    result.status != 0 && result.output == "" && result.error.contains(word), "\(sort): \(result.error)"
                )
            }
        }
    }
}
