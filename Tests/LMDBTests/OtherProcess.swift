import Foundation
import Testing

/// A process of the program `LMDBTestProcess`, which does one action.
final class OtherProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// Starts the process with an action, a path and a number.
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

    /// Waits for the next output of the process; empty when the process has ended.
    func nextOutput() -> String {
        String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Ends the input of the process, waits for its end, and returns the rest of its output.
    @discardableResult
    func finish() throws -> String {
        try input.fileHandleForWriting.close()
        let rest = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: rest, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Kills the process, as `kill -9` does.
    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
