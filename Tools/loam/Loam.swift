import ArgumentParser

@main
struct Loam: ParsableCommand {
    /// The version of the tool. Nothing else says it.
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        abstract: "Look inside Loam stores: import, query, watch, explain, check.",
        discussion: """
            A store is one file with a lock file beside it. Every command works on any store; none needs to know its \
            model classes. No output goes onto a store or its lock file.

            Exit status: 0 when all went well; 1, with a message on standard error, when something failed or a check \
            found faults; 64 on wrong usage. Who stops reading the output ends the command quietly, as SIGPIPE would.
            """,
        version: version,
        subcommands: [
            InfoCommand.self, SchemaCommand.self, ImportCommand.self, QueryCommand.self, ExplainCommand.self,
            WatchCommand.self, DumpCommand.self, LoadCommand.self, CheckCommand.self, IndexCommand.self,
            CompactCommand.self,
        ])

    /// Does what ArgumentParser's `main` does; what a message quotes from a file or an argument cannot steer the
    /// terminal.
    static func main() {
        Signals.prepare()
        do {
            try StoreFiles.refuseStreamsOntoStores()
            var command = try parseAsRoot()
            try command.run()
        } catch {
            end(with: error)
        }
    }

    /// Ends the process as the error asks for: help, versions and scripts are errors to ArgumentParser too.
    private static func end(with error: any Error) -> Never {
        var error = error
        if exitCode(for: error) == .success {
            do {
                let stream = OutputStream.standard
                try stream.write(fullMessage(for: error) + "\n")
                try stream.flush()
                exit()
            } catch let failure {
                error = failure
            }
        }
        if let failure = error as? OutputError, failure.isClosedPipe { Signals.end(by: Signals.closedPipe) }
        let isUsage = exitCode(for: error) == .validationFailure
        let message = isUsage || error is ExitCode ? fullMessage(for: error) : "Error: \(error)"
        if !message.isEmpty { Terminal.writeError(Printable.escapedLines(message) + "\n") }
        exit(withError: exitCode(for: error))
    }
}
