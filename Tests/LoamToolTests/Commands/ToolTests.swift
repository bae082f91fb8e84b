import Foundation
import Testing

@Suite(.serialized) struct ToolTests {
    static let cities = """
        name,country,population,founded,capital
        Zürich,CH,415367,0015-01-01,false
        Bern,CH,,1191-01-01,true
        "São José, SC",BR,209804,,false
        Reykjavík,IS,118918,0874-01-01,true
        ,XX,1,,

        """

    private func imported(_ tool: Tool) throws {
        try tool.write(Self.cities, to: "cities.csv")
        let result = try tool(
            "import", "s.loam", "City", "cities.csv", "--index=country,-population", "--fold", "name")
        #expect(result.status == 0 && result.output == "" && result.error == "")
    }

    @Test func `an import infers types and a query gives the rows back`() throws {
        try Tool.run { tool in
            try imported(tool)
            #expect(
                try tool("schema", "s.loam").output == """
                    City
                      name        string?
                      country     string?
                      population  int64?
                      founded     date?
                      capital     bool?
                      index country,-population: country, population descending
                      index fold(name): name without case and diacritics

                    """)
            #expect(
                try tool("query", "s.loam", "City", "--output", "csv").output == """
                    name,country,population,founded,capital
                    Zürich,CH,415367,0015-01-01T00:00:00Z,false
                    Bern,CH,,1191-01-01T00:00:00Z,true
                    "São José, SC",BR,209804,,false
                    Reykjavík,IS,118918,0874-01-01T00:00:00Z,true
                    ,XX,1,,

                    """)
        }
    }

    @Test func `queries filter, sort, page, count and group`() throws {
        try Tool.run { tool in
            try imported(tool)
            func query(_ arguments: String...) throws -> String {
                try tool.run(["query", "s.loam", "City"] + arguments).output
            }
            #expect(
                try query("--sort", "-population", "--limit", "2", "--columns", "name,population", "--output", "csv")
                    == "name,population\nZürich,415367\n\"São José, SC\",209804\n")
            #expect(
                try query("--where", "name BEGINSWITH[cd] 'sao'", "--output", "ndjson", "--columns", "name")
                    == "{\"name\":\"São José, SC\"}\n")
            #expect(try query("--where", "population != 1", "--count") == "4\n")
            #expect(try query("--where", "founded < '1000-01-01'", "--count") == "2\n")
            #expect(try query("--section", "country", "--output", "csv") == "country,count\nBR,1\nCH,2\nIS,1\nXX,1\n")
            #expect(
                try query("--section", "country", "--offset", "1", "--limit", "1", "--output", "json")
                    == "[\n{\"country\":\"CH\",\"count\":2}\n]\n")
            #expect(
                try query(
                    "--section", "country", "--sort=-country", "--columns", "name", "--limit", "2", "--output", "csv")
                    == "country,name\nXX,\nIS,Reykjavík\n")
            #expect(
                try query("--sort", "population", "--columns", "population", "--output", "csv", "--limit", "2")
                    == "population\n\"\"\n1\n")
        }
    }

    @Test func `indexes are analyzed`() throws {
        try Tool.run { tool in
            try imported(tool)
            #expect(try tool("index", "s.loam", "analyze", "fold(name)").error == "")
            #expect(try tool("index", "s.loam", "analyze").status == 0)
            #expect(try tool("index", "s.loam", "analyze", "nowhere").status == 1)
            #expect(try tool("index", "s.loam", "analyze", "--unique").status != 0)
            #expect(try tool("info", "s.loam").output.contains("statistics"))
            #expect(try tool("check", "s.loam").status == 0)
        }
    }

    @Test func `indexes over functions are made`() throws {
        try Tool.run { tool in
            try imported(tool)
            let added = try tool("index", "s.loam", "add", "City", "lowercase:(name),-negate(population)")
            #expect(added.status == 0, "\(added.error)")
            #expect(
                try tool("index", "s.loam").output.split(separator: "\n").last
                    == "City.lowercase(name),-negate(population): lowercase(name), negate(population) descending")
            #expect(try tool("index", "s.loam", "add", "City", "lowercase(name)", "--unique").status == 1)
            #expect(try tool("index", "s.loam", "add", "City", "lowercase(population)").status == 1)
            #expect(try tool("index", "s.loam", "add", "City", "lowercase(nme)").error.contains("'nme'"))
            #expect(try tool("query", "s.loam", "City", "--where", "name == 'bern'", "--count").output == "0\n")
            #expect(try tool("check", "s.loam").status == 0)
            #expect(try tool("dump", "s.loam", "-o", "dump").status == 0)
            #expect(try tool("load", "t.loam", "dump").status == 0)
            #expect(try tool("index", "t.loam").output == tool("index", "s.loam").output)
            #expect(try tool("index", "s.loam", "add", "City", "length(name), -fold( name )").status == 0)
            #expect(
                try tool("index", "s.loam").output.split(separator: "\n").last
                    == "City.length(name),-fold(name): length(name), name without case and diacritics descending")
            let count = try tool("query", "s.loam", "City", "--where", "length(name) == 4", "--count", "--explain")
            #expect(count.output.contains("length(name)") && count.status == 0, "\(count.output)\(count.error)")
            let zone = try tool("index", "s.loam", "add", "City", "year(name, 'Europe/Berlin')")
            #expect(zone.status == 1 && zone.error.contains("'name' is a string, of which there is no 'year:in:'"))
            let drops = try tool("index", "s.loam", "drop", "lowercase(name),-negate(population)")
            #expect(drops.status == 0 && drops.error == "")
        }
    }

    @Test func `an index of trigrams is added, dumped, loaded and explained`() throws {
        try Tool.run { tool in
            try imported(tool)
            #expect(try tool("index", "s.loam", "add", "City", "name", "--trigrams").status == 0)
            let line = "City.trigrams(name): name without case and diacritics; trigrams"
            #expect(try tool("index", "s.loam").output.split(separator: "\n").last.map(String.init) == line)
            #expect(try tool("dump", "s.loam", "-o", "dump").status == 0)
            #expect(try tool("load", "t.loam", "dump").status == 0)
            for store in ["s.loam", "t.loam"] {
                let found = try tool(
                    "query", store, "City", "--where", "name CONTAINS[cd] 'URICH'", "--columns", "name", "--output",
                    "csv")
                #expect(found.output == "name\nZürich\n")
                #expect(try tool("check", store).status == 0)
                #expect(try tool("index", store).output.contains(line))
            }
            for wrong in [["population", "--trigrams"], ["name,country", "--trigrams"]] {
                #expect(try tool.run(["index", "s.loam", "add", "City"] + wrong).status == 1)
            }
            for wrong in [["name", "--trigrams", "--unique"], ["name", "--trigrams", "--fold", "name"]] {
                let refused = try tool.run(["index", "s.loam", "add", "City"] + wrong)
                #expect(refused.status != 0 && refused.error.contains("--trigrams stands alone"))
            }
            #expect(try tool("index", "s.loam", "rebuild", "trigrams(name)").status == 0)
            #expect(try tool("index", "s.loam", "drop", "trigrams(name)").status == 0)
            #expect(try tool("check", "s.loam").status == 0)
        }
    }

    @Test func `an existing entity takes more rows, all or none`() throws {
        try Tool.run { tool in
            try imported(tool)
            #expect(try tool("import", "s.loam", "City", "-", input: "country,name\nIT,Roma\n").status == 0)
            #expect(try tool("query", "s.loam", "City", "--count").output == "6\n")
            let wrong = try tool("import", "s.loam", "City", "-", input: "population,name\n1,a\n2,b\nmany,c\n")
            #expect(wrong.status == 1)
            #expect(wrong.error.contains("line 4, column 'population': 'many' is no value of type int64"))
            #expect(
                try tool("import", "s.loam", "City", "-", input: "nme\nx\n").error.contains("no property of this name"))
            #expect(try tool("query", "s.loam", "City", "--count").output == "6\n")
            #expect(try tool("check", "s.loam").status == 0)
        }
    }

    @Test func `a failed import leaves nothing behind`() throws {
        try Tool.run { tool in
            #expect(try tool("import", "s.loam", "A", "-", input: "a,b\n1\n").status == 1)
            #expect(!tool.exists("s.loam"))
            #expect(try tool("import", "s.loam", "A", "missing.csv").error.contains("No such file"))
            #expect(!tool.exists("s.loam"))
            let twice = try tool("import", "s.loam", "A", "-", "--unique", "a", input: "a,b\n1,2\n1,3\n")
            #expect(twice.status == 1 && twice.error.contains("same unique value"))
            #expect(!tool.exists("s.loam") && !tool.exists("s.loam-lock"))
        }
    }

    @Test func `dump, load, dump gives the same bytes`() throws {
        try Tool.run { tool in
            try imported(tool)
            try tool.write("{\"x\":0.1,\"s\":\"e\\u0301\\u0000\"}\n{\"x\":-0.0}\n{\"x\":1e300}\n", to: "more.ndjson")
            #expect(try tool("import", "s.loam", "More", "more.ndjson", "--unique", "x").status == 0)
            #expect(try tool("dump", "s.loam", "-o", "one").status == 0)
            #expect(try tool("load", "t.loam", "one").error == "")
            #expect(try tool("dump", "t.loam", "-o", "two").status == 0)
            #expect(try tool.read("one") == tool.read("two"))
            #expect(try tool("dump", "t.loam").output.utf8.elementsEqual(tool.read("one")))
            #expect(try tool("check", "t.loam").status == 0)
            let again = try tool("load", "t.loam", "one")
            #expect(again.status == 1 && again.error.contains("already has an entity"))
            #expect(try tool("dump", "t.loam", "More").output.split(separator: "\n").count == 4)
        }
    }

    @Test func `a first import or load that fails leaves no store behind, and the mended one goes in`() throws {
        try Tool.run { tool in
            try tool.write("a,b\n1,x\n1,y\n", to: "twice.csv")
            #expect(try tool("import", "s.loam", "T", "twice.csv", "--unique", "a").status == 1)
            #expect(!tool.exists("s.loam") && !tool.exists("s.loam-lock"))
            try tool.write("a,b\n1,x\n2,y\n", to: "once.csv")
            #expect(try tool("import", "s.loam", "T", "once.csv", "--unique", "a").status == 0)
            let dump = try tool("dump", "s.loam").output
            try tool.write(dump.replacingOccurrences(of: "\"x\"", with: "5"), to: "damaged")
            #expect(try tool("load", "t.loam", "damaged").status == 1)
            #expect(!tool.exists("t.loam") && !tool.exists("t.loam-lock"))
            // A failed import leaves the other entities of a store that was there.
            try tool.write("c\n1\n", to: "other.csv")
            #expect(try tool("import", "u.loam", "Other", "other.csv").status == 0)
            #expect(try tool("import", "u.loam", "T", "twice.csv", "--unique", "a").status == 1)
            #expect(try tool("query", "u.loam", "Other", "--count").status == 0)
            try tool.write(dump, to: "sound")
            #expect(try tool("load", "t.loam", "sound").error == "")
            #expect(try tool("dump", "t.loam").output == dump)
        }
    }

    @Test func `a dump that is cut short loads nothing`() throws {
        try Tool.run { tool in
            try imported(tool)
            let dump = try tool("dump", "s.loam").output
            try tool.write(String(dump.dropLast(20)), to: "cut")
            #expect(try tool("load", "t.loam", "cut").status == 1)
            #expect(!tool.exists("t.loam"))
        }
    }

    @Test func `indexes are added, listed, rebuilt and dropped`() throws {
        try Tool.run { tool in
            try imported(tool)
            #expect(try tool("index", "s.loam", "add", "City", "-founded", "--unique").error == "")
            #expect(
                try tool("index", "s.loam", "list").output == """
                    City.country,-population: country, population descending
                    City.fold(name): name without case and diacritics
                    City.-founded: founded descending; unique

                    """)
            #expect(try tool("index", "s.loam", "rebuild", "-founded").status == 0)
            #expect(try tool("index", "s.loam", "rebuild").status == 0)
            #expect(try tool("check", "s.loam").output.hasPrefix("Clean: 5 records, 3 indexes, 15 index entries"))
            #expect(try tool("index", "s.loam", "drop", "City.-founded").status == 0)
            let missing = try tool("index", "s.loam", "drop", "-founded")
            #expect(missing.status == 1 && missing.error.contains("fold(name)"))
        }
    }

    @Test func `a compacted copy is the same store`() throws {
        try Tool.run { tool in
            try imported(tool)
            #expect(try tool("compact", "s.loam", "t.loam").status == 0)
            #expect(try tool("dump", "s.loam").output == tool("dump", "t.loam").output)
            #expect(try tool("compact", "s.loam", "t.loam").status == 1)
        }
    }

    @Test func `wrong usage is status 64, a failure is status 1`() throws {
        try Tool.run { tool in
            try imported(tool)
            for wrong in [
                ["query", "s.loam"], ["query", "s.loam", "City", "--limit", "-1"],
                ["query", "s.loam", "City", "--sort", "a,,b"],
                ["query", "s.loam", "City", "--count", "--section", "name"],
                ["import", "s.loam", "City", "-", "--types", "a:x"],
                ["index", "s.loam", "add", "City"], ["index", "s.loam", "tidy"],
                ["index", "s.loam", "drop", "x", "--unqiue"],
                ["nonsense"], ["query", "s.loam", "City", "--output", "xml"],
            ] {
                let result = try tool.run(wrong)
                #expect(result.status == 64, "\(wrong)")
                #expect(result.output == "" && result.error.contains("Usage:"), "\(wrong)")
            }
            for failing in [
                ["query", "missing.loam", "City"], ["query", "s.loam", "Cty"],
                ["query", "s.loam", "City", "--where", "name ="],
                ["query", "s.loam", "City", "--where", "nme = 1"], ["query", "s.loam", "City", "--columns", "nme"],
                ["info", "cities.csv"], ["load", "t.loam", "cities.csv"],
            ] {
                let result = try tool.run(failing)
                #expect(result.status == 1, "\(failing)")
                #expect(result.output == "" && result.error.hasPrefix("Error: "), "\(failing)")
            }
            #expect(!tool.exists("missing.loam") && !tool.exists("t.loam"))
        }
    }

    @Test func `a damaged store is told from a clean one, whatever byte it is`() throws {
        try Tool.run { tool in
            try imported(tool)
            #expect(try tool("compact", "s.loam", "t.loam").status == 0)
            let bytes = try tool.read("t.loam")
            var found = 0
            for step in 0..<32 {
                var damaged = bytes
                damaged[bytes.count * step / 32 + 17 * step] ^= 0x10
                try damaged.write(to: tool.folder.appendingPathComponent("t.loam"))
                let result = try tool("check", "t.loam")
                // A crash would end the command with the number of a signal.
                #expect([0, 1].contains(result.status), "\(step): \(result)")
                #expect((result.status == 0) == result.output.hasPrefix("Clean"), "\(step): \(result)")
                found += Int(result.status)
            }
            #expect(found > 0)
        }
    }

    @Test func `info tells what is there`() throws {
        try Tool.run { tool in
            try imported(tool)
            let text = try tool("info", "s.loam").output
            #expect(text.contains("City") && text.contains("last transaction"))
            let json = try JSONSerialization.jsonObject(with: Data(try tool("info", "s.loam", "--json").output.utf8))
            #expect(((json as? [String: Any])?["entities"] as? [[String: Any]])?.first?["rows"] as? Int == 5)
        }
    }
}
