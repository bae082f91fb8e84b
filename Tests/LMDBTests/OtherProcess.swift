import Foundation
import Testing

/// A run of the test support program, `LMDBTestProcess`.
final class OtherProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// Starts it with an action, a path and a number.
    init(_ action: String, _ path: String, _ number: Int = 0) throws {
        let products = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let candidates = [products, URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()]
        let programs = candidates.map { $0.appending(path: "LMDBTestProcess").path }
        let program = try #require(programs.first(where: FileManager.default.isExecutableFile))
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [action, path, String(number)]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    /// Waits for its next output; empty when it has ended.
    func nextOutput() -> String {
        String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Ends its input, waits for its end, and returns the rest of its output.
    @discardableResult
    func finish() throws -> String {
        try input.fileHandleForWriting.close()
        let rest = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: rest, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Kills it, as `kill -9` does.
    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
