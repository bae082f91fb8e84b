import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// `loam load` that is killed: the same dump can be loaded afterwards.
@Suite(.serialized) struct KilledLoadTests {
    private static let count = 40_000
    private static let header =
        #"{"loam":"dump","format":1,"entities":[{"indexes":[],"lastRow":\#(count),"name":"Note","properties":"#
        + #"[{"name":"id","optional":false,"type":"int64"},{"name":"description","optional":false,"type":"string"}],"#
        + #""rows":\#(count)}]}"# + "\n"

    private static func row(_ id: Int) -> String {
        #"{"entity":"Note","row":\#(id),"values":{"id":\#(id),"description":"\#(String(repeating: "x", count: 80))"}}"#
            + "\n"
    }

    @Test func `the row ids of a killed load are there for the next one`() throws {
        try Tool.run { tool in
            let rows = (1...Self.count).map(Self.row)
            let process = tool.process(["load", "s.loam", "-"])
            let input = Pipe()
            process.standardInput = input
            process.standardError = FileHandle.nullDevice
            try process.run()
            // The part is more than a pipe and the tool's buffer hold: when all is written, the tool has begun with the
            // rows.
            let part = Data((Self.header + rows.prefix(3 * Self.count / 4).joined()).utf8)
            #expect(part.count > 3 << 20)
            try input.fileHandleForWriting.write(contentsOf: part)
            #expect(kill(process.processIdentifier, SIGKILL) == 0)
            process.waitUntilExit()
            #expect(try tool("check", "s.loam").output.contains("A bulk load of Note was given up"))
            try tool.write(Self.header + rows.joined(), to: "dump")
            let loaded = try tool("load", "s.loam", "dump")
            #expect(loaded.status == 0, "\(loaded.error)")
            #expect(try tool("check", "s.loam").output.hasPrefix("Clean: 40,000 records"))
        }
    }
}
