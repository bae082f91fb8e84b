import Foundation
import Testing

/// Every command that the README shows, run as it stands there.
@Suite(.serialized) struct ReadmeCommandTests {
    private static func readme() throws -> String {
        try String(contentsOf: Tool.repository.appendingPathComponent("README.md"), encoding: .utf8)
    }

    /// The commands of the listings, in order, with what is printed below each.
    private static func listings() throws -> [(command: String, output: String)] {
        var listings: [(command: String, output: String)] = []
        for block in try readme().components(separatedBy: "```\n$ ").dropFirst() {
            let text = "$ " + (block.components(separatedBy: "```").first ?? "")
            for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
                if line.hasPrefix("$ ") {
                    listings.append((String(line.dropFirst(2)), ""))
                } else {
                    listings[listings.count - 1].output += line + "\n"
                }
            }
        }
        return listings
    }

    /// The commands named in the text, as `loam dump`.
    private static func named() throws -> [String] {
        try readme().components(separatedBy: "`").filter { $0.hasPrefix("loam ") || $0.hasPrefix("swift run ") }
            .map { $0.replacingOccurrences(of: "swift run -c release loam", with: "loam") }
    }

    @Test func `listings print what they show`() throws {
        let listings = try Self.listings()
        #expect(listings.count > 5)
        try Tool.run { tool in
            try FileManager.default.createSymbolicLink(
                at: tool.folder.appendingPathComponent("Tools"),
                withDestinationURL: Tool.repository.appendingPathComponent("Tools"))
            for (command, output) in listings {
                let result = try tool.shell(command)
                #expect(result.status == 0 && result.error == "", "\(command)")
                #expect(result.output == output, "\(command)")
            }
        }
    }

    @Test func `commands named in the text exist`() throws {
        let named = try Self.named()
        #expect(named.contains("loam --help") && named.contains("loam query --help"))
        try Tool.run { tool in
            for command in named {
                // A command without its arguments is named, not shown.
                let words = command.split(separator: " ").prefix(2).joined(separator: " ")
                let line = command.contains(" --") ? command : words + " --help"
                let result = try tool.shell(line)
                #expect(result.status == 0 && !result.output.isEmpty, "\(command): \(result.error)")
            }
        }
    }

    @Test func `the two commands are there`() throws {
        for name in ["Tools/demo", "Tools/test"] {
            #expect(try Self.readme().contains("- `\(name)` "))
            let path = Tool.repository.appendingPathComponent(name).path
            #expect(FileManager.default.isExecutableFile(atPath: path))
        }
    }
}
