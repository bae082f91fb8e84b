import ArgumentParser
import Foundation

/// Spoils a store byte by byte. The check must report each damage.
struct DamageCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "damage", abstract: "Spoil a small store byte by byte; the check must report each.",
        discussion: """
            Through LMDB, so that its pages stay sound: every byte of every value and key of every database, values one \
            byte shorter or longer, entries taken away.
            """)

    @Argument(help: "The folder for the store.")
    var folder: String

    @Option(help: "What the store and the damages are derived from.")
    var seed: UInt64 = freshSeed()

    @Option(help: "Spoil every so many-th byte.")
    var stride = 1

    func run() throws {
        say("damage: seed \(seed)")
        let path = try StoreFolder.prepare(folder)
        let start = ContinuousClock.now
        let outcome = try DamageCampaign(path: path, seed: seed, stride: stride).run { database, entries in
            say("  \(database): \(entries) entries")
        }
        for miss in outcome.misses.prefix(20) { say("missed: \(miss)") }
        let missed = Dictionary(grouping: outcome.misses) { $0.prefix { $0 != "," } }.mapValues(\.count)
        for (database, count) in outcome.damages.sorted(by: { $0.key < $1.key }) {
            say("  \(database): \(count) damages, \(missed[Substring(database)] ?? 0) missed")
        }
        let seconds = start.duration(to: .now) / .seconds(1)
        let total = outcome.damages.values.reduce(0, +)
        say("damage: \(total) damages in \(String(format: "%.0f", seconds)) s, \(outcome.misses.count) missed")
        if !outcome.misses.isEmpty { throw ExitCode.failure }
    }
}
