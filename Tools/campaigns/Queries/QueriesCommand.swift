import ArgumentParser
import Foundation

/// Compares what plans give with full scans, for random queries over random rows.
struct QueriesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queries", abstract: "Compare every plan of random queries with a full scan.",
        discussion: """
            Each round has rows and indexes of its own, by turns of one entity with attributes of every kind, and of \
            four with relationships; half of the queries see pending changes too. A query is asked in the plan that a \
            context takes, which may be one that was kept for another query of its shape, and in every plan that the \
            planner finds. Of logic, numbers and whole strings an evaluator in plain Swift has to say what the full \
            scan says: where a number leaves its type or is divided by zero, too. The ranges of each index scan have to be the tightest that the index allows, and a plan \
            without a limit reads at most 1.2 times the entries inside its ranges, and 10 for each range. What fails is \
            made smaller and printed with the round's seed, which --seed takes with --rounds 1.
            """)

    @Argument(help: "The folder for the stores.")
    var folder: String

    @OptionGroup var options: RoundOptions

    func run() throws {
        let folder = URL(fileURLWithPath: folder, isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try options.run("queries") { QueryRound(seed: $0, folder: folder).run { say($0) } }
    }
}
