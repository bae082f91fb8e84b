import ArgumentParser

@main
struct Loam: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Look inside Loam stores: import, query, explain, check.",
        discussion: """
            A store is one file with a lock file beside it. Every command works on any store; none needs to know its \
            model classes.

            Exit status: 0 when all went well; 1, with a message on standard error, when something failed or a check \
            found faults; 64 on wrong usage.
            """,
        subcommands: [
            InfoCommand.self, SchemaCommand.self, ImportCommand.self, QueryCommand.self, DumpCommand.self,
            LoadCommand.self, CheckCommand.self, IndexCommand.self, CompactCommand.self,
        ])

    /// As ArgumentParser does it, but what a message quotes from a file cannot steer the terminal.
    static func main() {
        do {
            var command = try parseAsRoot()
            do {
                try command.run()
            } catch let error as ExitCode {
                throw error
            } catch let error as CleanExit {
                throw error
            } catch {
                throw Failure(message: "\(error)")
            }
        } catch {
            exit(withError: error)
        }
    }

    private struct Failure: Error, CustomStringConvertible {
        let message: String

        var description: String {
            message.split(separator: "\n").map { Printable.escaped(String($0)) }.joined(separator: "\n")
        }
    }
}
