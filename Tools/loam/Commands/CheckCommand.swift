import ArgumentParser
import Foundation
import LoamStorage

/// `loam check`: derives everything in a store anew and compares.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a store: every record, index entry and counter.",
        discussion: """
            Records are decoded and their checksums verified, every index is compared with a rescan in both \
            directions, counters are added up anew. Prints what is wrong and ends with status 1 when anything is. The \
            check runs in a process of its own, so that even a page that LMDB cannot survive ends in a message.
            """)

    @OptionGroup var target: StoreArgument

    @Flag(help: "Write JSON.")
    var json = false

    @Flag(name: .customLong("in-process"), help: .hidden)
    var isInProcess = false

    func run() throws {
        guard isInProcess else { return try runInChild() }
        let progress = Progress("Checking")
        let report = try target.reading().check(progress: { progress.note($0) })
        progress.finish()
        let output = OutputStream.standard
        try output.write(json ? JSONOutput.text(CheckText.JSON(report)) : CheckText.text(report))
        try output.flush()
        if !report.isClean { throw ExitCode(1) }
    }

    private func runInChild() throws {
        guard let executable = Bundle.main.executableURL else { return try inProcess() }
        let child = Process()
        child.executableURL = executable
        child.arguments = ["check", "--in-process"] + (json ? ["--json"] : []) + ["--", target.store]
        // This command reports a crash, so Swift's backtrace is turned off.
        child.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { _, new in
            new
        }
        try child.run()
        Signals.passOn(to: child.processIdentifier)
        child.waitUntilExit()
        if child.terminationReason == .uncaughtSignal {
            let signal = child.terminationStatus
            guard Signals.isFault(signal) else { Signals.end(by: signal) }
            throw CheckFailure(signal: signal)
        }
        if child.terminationStatus != 0 { throw ExitCode(child.terminationStatus) }
    }

    private func inProcess() throws {
        var command = self
        command.isInProcess = true
        try command.run()
    }
}

/// Says that the file which was checked has ended the checking process.
struct CheckFailure: Error, CustomStringConvertible {
    var signal: Int32

    var description: String {
        """
        the store's pages are damaged: LMDB ended the checking process (signal \(signal)). \
        Restore the store from a copy or a dump.
        """
    }
}
