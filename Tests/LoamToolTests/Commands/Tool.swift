import Foundation

/// The tool as its users run it: a process, its output and its status, in a folder of its own.
struct Tool {
    let folder: URL

    struct Result {
        var status: Int32
        var output: String
        var error: String
    }

    /// Runs the closure with a tool in a new folder, which is removed afterwards.
    static func run(_ body: (Tool) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("loam-tool-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(Tool(folder: folder))
    }

    func callAsFunction(_ arguments: String..., input: String = "") throws -> Result {
        try run(arguments, input: input)
    }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }

    func read(_ name: String) throws -> Data { try Data(contentsOf: folder.appendingPathComponent(name)) }

    func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path)
    }

    /// The tests' executable and the tool's lie side by side.
    static let programs = URL(fileURLWithPath: CommandLine.arguments.first ?? "").deletingLastPathComponent()

    static let repository = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..").standardized

    func run(_ arguments: [String], input: String = "") throws -> Result {
        try run(process(arguments), input: input)
    }

    /// Runs a line of shell, in which `loam` is the tool.
    func shell(_ line: String) throws -> Result {
        let shell = process(["-c", line])
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        shell.environment = ProcessInfo.processInfo.environment.merging(["PATH": "\(Self.programs.path):\(path)"]) {
            $1
        }
        return try run(shell, input: "")
    }

    /// The tool with these arguments, not yet started.
    func process(_ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = Self.programs.appendingPathComponent("loam")
        process.arguments = arguments
        process.currentDirectoryURL = folder
        return process
    }

    private func run(_ process: Process, input: String) throws -> Result {
        let names = ["in", "out", "error"].map { folder.appendingPathComponent(".\($0)") }
        try Data(input.utf8).write(to: names[0])
        for name in names.dropFirst() { try Data().write(to: name) }
        process.standardInput = try FileHandle(forReadingFrom: names[0])
        process.standardOutput = try FileHandle(forWritingTo: names[1])
        process.standardError = try FileHandle(forWritingTo: names[2])
        try process.run()
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus, output: String(decoding: try Data(contentsOf: names[1]), as: UTF8.self),
            error: String(decoding: try Data(contentsOf: names[2]), as: UTF8.self))
    }
}
