import Foundation
import Testing

@testable import loam

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A pager that waits: nobody reads from the pipe that is the tool's output for a while.
@Suite(.serialized) struct SlowReaderTests {
    /// The text of so many rows is more than may wait for a reader.
    static let count = 2 * WriterThread.room / 1_000

    private func importRows(_ tool: Tool) throws {
        let text = String(repeating: "x", count: 1_000)
        let lines = (0..<Self.count).map { "\($0),\($0 * 7_919 % Self.count),\(text)\n" }
        try tool.write("id,rank,text\n" + lines.joined(), to: "rows.csv")
        let result = try tool("import", "s.loam", "Row", "rows.csv", "--index", "rank")
        #expect(result.status == 0, "\(result)")
    }

    private struct Info: Decodable {
        struct Reader: Decodable {
            var process: Int
            var transaction: Int?
        }
        var readers: [Reader]
    }

    /// Whether the process has the store open, and whether it reads it at this moment.
    private func reader(_ process: Process, _ tool: Tool) throws -> Info.Reader? {
        let info = try JSONDecoder().decode(Info.self, from: Data(try tool("info", "s.loam", "--json").output.utf8))
        return info.readers.first { $0.process == Int(process.processIdentifier) }
    }

    /// Starts a query that nobody reads, calls the closure when the tool waits for the reader, then reads everything.
    private func query(
        _ tool: Tool, _ arguments: [String], whileWaiting body: (Info.Reader?) throws -> Void
    ) throws -> (lines: [Substring], note: String) {
        let process = tool.process(["query", "s.loam", "Row"] + arguments)
        let (output, error) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = error
        try process.run()
        // Output means that the rows are being read.
        var request = pollfd(fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&request, 1, -1) == 1)
        // A snapshot that is kept is there for as long as this loop looks; one that is given up is gone long before.
        for _ in 0..<200 {
            guard try reader(process, tool).map({ $0.transaction != nil }) ?? true else { break }
        }
        try body(try reader(process, tool))
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        let note = String(decoding: try error.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return (text.split(separator: "\n"), note)
    }

    @Test(arguments: [
        ["--output", "csv"], ["--sort", "rank", "--output", "csv"], ["--sort=-text,id", "--output", "csv"],
    ])
    func `a waiting reader holds no snapshot, and is told what it reads`(arguments: [String]) throws {
        try Tool.run { tool in
            try importRows(tool)
            let (lines, note) = try query(tool, arguments) { reader in
                #expect(reader != nil && reader?.transaction == nil, "\(String(describing: reader))")
                let saved = try tool("import", "s.loam", "Row", "-", input: "id,rank,text\n-1,0,new\n")
                #expect(saved.status == 0)
            }
            let ids = lines.dropFirst().compactMap { Int($0.prefix { $0 != "," }) }
            #expect(ids.filter { $0 >= 0 }.sorted() == Array(0..<Self.count))
            #expect(note.contains("span saves 1 to 2") && note.contains("--snapshot"))
        }
    }

    @Test func `a reader that is slow while nobody saves is told nothing`() throws {
        try Tool.run { tool in
            try importRows(tool)
            let (lines, note) = try query(tool, ["--output", "ndjson"]) { _ in }
            #expect(lines.count == Self.count && note == "")
        }
    }

    @Test func `--snapshot keeps to one save`() throws {
        try Tool.run { tool in
            try importRows(tool)
            let (lines, note) = try query(tool, ["--snapshot", "--output", "ndjson"]) { reader in
                #expect(reader?.transaction != nil)
                let saved = try tool("import", "s.loam", "Row", "-", input: "id,rank,text\n-1,0,new\n")
                #expect(saved.status == 0)
            }
            #expect(lines.count == Self.count && note == "")
        }
    }

    @Test func `a reader that goes away ends every command quietly`() throws {
        try Tool.run { tool in
            try importRows(tool)
            for command in [
                "query s.loam Row", "query s.loam Row --snapshot --output csv", "query s.loam Row --sort=-id",
                "dump s.loam",
            ] {
                let result = try tool.shell("(loam \(command); echo $? >status) | head -n 1 >/dev/null; cat status")
                #expect(result.output == "141\n" && result.error == "", "\(command): \(result)")
            }
            for command in ["check s.loam", "info s.loam", "schema s.loam", "index s.loam list"] {
                let result = try tool.shell("(loam \(command); echo $? >status) | true; cat status")
                #expect(["0\n", "141\n"].contains(result.output) && result.error == "", "\(command): \(result)")
            }
            #expect(try tool("check", "s.loam").status == 0)
        }
    }
}
