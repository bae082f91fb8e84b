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
            planner finds. What fails is made smaller and printed with the round's seed, which --seed takes with \
            --rounds 1.
            """)

    @Argument(help: "The folder for the stores.")
    var folder: String

    @Option(help: "What rows and queries are derived from.")
    var seed: UInt64 = freshSeed()

    @Option(help: "Rounds of 250 queries each.")
    var rounds = 40

    @Option(help: "Rounds at once, each in a thread.")
    var threads = 1

    func validate() throws {
        guard rounds > 0, threads > 0 else { throw ValidationError("Rounds and threads are at least one.") }
    }

    func run() throws {
        say("queries: seed \(seed)")
        let folder = URL(fileURLWithPath: folder, isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let start = ContinuousClock.now
        let tally = QueryTally()
        DispatchQueue.concurrentPerform(iterations: min(threads, rounds)) { thread in
            for round in stride(from: thread, to: rounds, by: threads) where tally.faultCount < 20 {
                // The seed of a round is what --seed has to be for that round to come first.
                let round = QueryRound(seed: seed &+ UInt64(round), folder: folder)
                tally.add(round.run { say($0) })
                let done = tally.queryCount
                if done % 100_000 < 250 { say("  \(done) queries") }
            }
        }
        let seconds = start.duration(to: .now) / .seconds(1)
        say(
            "queries: \(tally.queryCount) queries, \(tally.planCount) plans, \(tally.keptCount) of them kept, in "
                + "\(String(format: "%.0f", seconds)) s (\(Int(Double(tally.queryCount) / max(seconds, 0.001))) "
                + "queries/s), \(tally.faultCount) faults")
        if tally.faultCount > 0 { throw ExitCode.failure }
    }
}
