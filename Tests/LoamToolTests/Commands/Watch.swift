import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A `loam watch` that runs, and what it prints. Reading waits for the next line; that is all that tests wait by.
final class Watch {
    private let process: Process
    private let output = Pipe()
    private let error = Pipe()
    private var unread = Data()
    private var unreadMessages = Data()

    /// Starts `loam watch s.loam` with these arguments, in this environment and what is added to it.
    init(_ tool: Tool, _ arguments: [String], environment: [String: String] = [:]) throws {
        process = tool.process(["watch", "s.loam"] + arguments)
        if !environment.isEmpty {
            let own = process.environment ?? ProcessInfo.processInfo.environment
            process.environment = own.merging(environment) { _, new in new }
        }
        process.standardOutput = output
        process.standardError = error
        try process.run()
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// The next line, without its end.
    func line() throws -> String { try Self.line(from: output, &unread) }

    /// The next line of standard error, without its end.
    func messageLine() throws -> String { try Self.line(from: error, &unreadMessages) }

    private static func line(from pipe: Pipe, _ unread: inout Data) throws -> String {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread = Data(unread[(end + 1)...]) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            let more = pipe.fileHandleForReading.availableData
            try #require(!more.isEmpty, "the watch has ended: \(String(decoding: unread, as: UTF8.self))")
            unread += more
        }
    }

    func lines(_ count: Int) throws -> [String] { try (0..<count).map { _ in try line() } }

    /// The next line, of JSON.
    func step() throws -> WatchLine { try JSONDecoder().decode(WatchLine.self, from: Data(line().utf8)) }

    /// Does the next lines, up to the end of the difference that shows a save.
    func follow(_ rows: inout WatchedRows, through save: UInt64) throws {
        while true {
            let line = try step()
            try rows.apply(line)
            if line.kind == "end", line.save >= save { return }
        }
    }

    /// What stands on standard error next.
    func message() -> String { String(decoding: error.fileHandleForReading.availableData, as: UTF8.self) }

    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Sends a signal again and again, until the process has ended.
    func sendUntilEnd(_ signal: Int32) -> (status: Int32, reason: Process.TerminationReason) {
        while process.isRunning { send(signal) }
        return (process.terminationStatus, process.terminationReason)
    }

    /// Waits for the end, and returns what was not read.
    func end() throws -> Tool.Result {
        let rest = try output.fileHandleForReading.readToEnd() ?? Data()
        let text = try error.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
        return Tool.Result(
            status: process.terminationStatus, output: String(decoding: unread + rest, as: UTF8.self),
            error: String(decoding: text, as: UTF8.self))
    }
}

/// A line of `loam watch --output ndjson` over ``WatchedCity``.
struct WatchLine: Decodable, Hashable {
    struct Section: Decodable, Hashable {
        var value: String?
        var count: Int
    }

    struct Place: Decodable, Hashable {
        var section: Int
        var item: Int
    }

    var kind: String
    var save: UInt64
    var count: Int?
    var sections: [Section]?
    var section: Int?
    var item: Int?
    var row: UInt64?
    var value: String?
    var from: Place?
    var values: WatchedCity?
    var trace: [String: Int]?
    var kept: String?
    var message: String?
}

struct WatchedCity: Decodable, Hashable {
    var number: Int
    var name: String
    var country: String?
    var size: Int
}
