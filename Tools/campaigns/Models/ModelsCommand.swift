import ArgumentParser
import Foundation
import Loam

/// Makes random changes through models, and compares the models with plain values.
struct ModelsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "models",
        abstract:
            "Change models at random in several contexts; the store and its observers must show what plain values say.",
        discussion: """
            Models are inserted, changed, related and deleted under every delete rule, saved, rolled back and fetched, \
            and the store is closed and opened again. After each save the stored models are read in a new context, and \
            observers are kept by their differences alone. Every context must show the stored models with its own \
            changes. Models are inserted whose unique value is stored already, and changed ones deleted by other contexts.
            """)

    @Argument(help: "The folder for the store. The store stays there when a fault is found.")
    var folder: String

    @Option(help: "Steps.")
    var steps = 1_000_000

    @Option(help: "What the steps are derived from; printed, so that a run can be repeated.")
    var seed: UInt64 = freshSeed()

    @Option(help: "Contexts that change models side by side.")
    var contexts = 3

    @Option(help: "Players at most.")
    var players = 40

    func validate() throws {
        guard steps > 0, contexts > 0, players > 1 else { throw ValidationError("Numbers must be above 0.") }
    }

    func run() async throws {
        say("models: seed \(seed)")
        let path = try StoreFolder.prepare(folder, store: "models.loam")
        let campaign = try ModelsCampaign(path: path, seed: seed, contexts: contexts, mostPlayers: players)
        let start = ContinuousClock.now
        do {
            for number in 1...steps {
                try await campaign.step()
                if number % 100_000 == 0 { say("  \(number) steps, \(campaign.saves) saves") }
            }
            try await campaign.finish()
        } catch {
            say("fault at step \(campaign.number), seed \(seed): \(error)")
            throw ExitCode.failure
        }
        let seconds = start.duration(to: .now) / .seconds(1)
        say(
            "models: \(steps) steps, \(campaign.saves) saves, \(campaign.denied) of them denied, "
                + "\(campaign.upserts) upserts, \(campaign.dropped) dropped changes, "
                + "\(campaign.rollbacks) rollbacks, \(campaign.reopenings) reopenings, \(campaign.differences) differences, "
                + String(format: "%.0f steps/s, 0 faults", Double(steps) / seconds))
    }
}
