import ArgumentParser
import Foundation
import Testing

@testable import loam

@Suite(.serialized) struct HelpTests {
    /// Every command with the words that lead to it: `[]` for the tool itself.
    static let commands: [[String]] = words(Loam.self, [])

    private static func words(_ command: any ParsableCommand.Type, _ before: [String]) -> [[String]] {
        [before]
            + command.configuration.subcommands.flatMap { words($0, before + [$0.configuration.commandName ?? ""]) }
    }

    @Test func `every command explains itself on standard output`() throws {
        #expect(Self.commands.count > 9)
        try Tool.run { tool in
            for command in Self.commands {
                let plain = try tool.run(command + ["--help"])
                #expect(plain.status == 0 && plain.error == "", "\(command): \(plain)")
                #expect(plain.output.hasPrefix("OVERVIEW: ") && plain.output.contains("USAGE: loam"), "\(command)")
                for other in [command + ["-h"], ["help"] + command] {
                    let result = try tool.run(other)
                    #expect(result.status == 0 && result.error == "" && result.output == plain.output, "\(other)")
                }
            }
            #expect(try tool.run([]).output == tool.run(["--help"]).output)
        }
    }

    @Test func `every command knows the version`() throws {
        try Tool.run { tool in
            for command in Self.commands {
                let result = try tool.run(command + ["--version"])
                #expect(result.status == 0 && result.error == "" && result.output == Loam.version + "\n", "\(command)")
            }
        }
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `every command gives a completion script`(shell: String) throws {
        try Tool.run { tool in
            for command in Self.commands {
                let result = try tool.run(command + ["--generate-completion-script", shell])
                #expect(result.status == 0 && result.error == "", "\(command)")
                for name in Self.commands.compactMap(\.last) { #expect(result.output.contains(name), "\(command)") }
                guard shell == "bash" else { continue }
                try tool.write(result.output, to: "script")
                #expect(try tool.shell("bash -n script").status == 0)
            }
            let unknown = try tool("--generate-completion-script", "tcsh")
            #expect(unknown.status == 64 && unknown.output == "" && unknown.error.contains("zsh bash fish"))
        }
    }

    @Test func `wrong usage of any command is status 64 on standard error`() throws {
        try Tool.run { tool in
            for command in Self.commands {
                let result = try tool.run(command + ["--no-such-option"])
                #expect(result.status == 64 && result.output == "" && result.error.contains("Usage:"), "\(command)")
            }
        }
    }

    @Test func `help that nobody takes is an error, quiet where a reader went away`() throws {
        try Tool.run { tool in
            let full = try tool.shell("loam --help >/dev/full")
            #expect(full.status == 1 && full.error.contains("standard output"))
            let pipe = try tool.shell("(loam query --help; echo $? >status) | true; cat status")
            #expect(["0\n", "141\n"].contains(pipe.output) && pipe.error == "", "\(pipe)")
        }
    }

    @Test func `the predicates that the help shows are read`() throws {
        try Tool.run { tool in
            let cities = Tool.repository.appendingPathComponent("Tools/Samples/cities.csv").path
            #expect(try tool("import", "s.loam", "City", cities).status == 0)
            let help = try tool("query", "--help").output
            for (predicate, _) in PredicateHelp.examples {
                #expect(help.contains(predicate))
                let result = try tool("query", "s.loam", "City", "--where", predicate, "--count")
                #expect(result.status == 0 && Int(result.output.dropLast()) != nil, "\(predicate): \(result)")
            }
            try tool.write(RelationshipToolTests.dump, to: "dump")
            #expect(try tool("load", "related.loam", "dump").status == 0)
            for (predicate, count) in [
                ("ANY cities.name BEGINSWITH \"R\"", 1), ("NONE cities.name BEGINSWITH \"R\"", 1),
                ("cities.@count > 3", 0), ("SUBQUERY(cities, $c, $c.name = \"Bergen\").@count > 0", 1),
                ("\"Bergen\" IN cities.name", 1), ("cities[SIZE] > 3", 0), ("count(cities.name) > 3", 0),
            ] {
                #expect(
                    try tool("query", "related.loam", "Country", "--where", predicate, "--count").output
                        == "\(count)\n")
            }
        }
    }

    @Test func `an empty operand matches every text, and the help says so`() throws {
        try Tool.run { tool in
            let cities = Tool.repository.appendingPathComponent("Tools/Samples/cities.csv").path
            #expect(try tool("import", "s.loam", "City", cities).status == 0)
            let help = try tool("query", "--help").output.split { $0.isWhitespace }.joined(separator: " ")
            #expect(help.contains("Every text begins with, ends with and contains \"\", a nil does not."))
            let all = try tool("query", "s.loam", "City", "--count").output
            for word in ["BEGINSWITH", "ENDSWITH", "CONTAINS", "CONTAINS[cd]"] {
                #expect(try tool("query", "s.loam", "City", "--where", "name \(word) ''", "--count").output == all)
            }
        }
    }

    @Test func `what cannot be read is marked`() throws {
        try Tool.run { tool in
            let cities = Tool.repository.appendingPathComponent("Tools/Samples/cities.csv").path
            #expect(try tool("import", "s.loam", "City", cities).status == 0)
            let result = try tool("query", "s.loam", "City", "--where", "name = 'x' AND population >> ", "--count")
            let lines = result.error.split(separator: "\n").map(String.init)
            #expect(result.status == 1 && lines.count == 3, "\(result)")
            #expect(lines.last == "  " + String(repeating: " ", count: 29) + "^", "\(result.error)")
            let unknown = try tool("query", "s.loam", "City", "--where", "popluation > 5", "--count")
            #expect(unknown.status == 1 && unknown.error.contains("Did you mean population?"), "\(unknown)")
        }
    }
}
