import ArgumentParser
import Foundation
import Loam
import LoamStorage
import SeededRandom

/// Kills a process whose contexts save, at random moments, and looks at what it leaves.
struct ModelsCrashCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "models-crash",
        abstract: "Kill a process that saves models again and again; every acknowledged save must be there, and whole.",
        discussion: """
            A child process changes models in several contexts on several threads. After each kill the store is opened \
            again: each thread's last acknowledged save is there, the last one that is there is whole, with its \
            relationships, and a check is clean.
            """)

    @OptionGroup var options: KillOptions

    func run() throws {
        say("models-crash: seed \(options.seed)")
        let path = try StoreFolder.prepare(options.folder, store: "models-crash.loam")
        var random = SeededGenerator(seed: options.seed)
        var acknowledged = [Int](repeating: 0, count: options.threads)
        var saves = 0
        do {
            for number in 1...options.kills {
                saves += try kill(path, number, &acknowledged, &random)
                try verify(path, acknowledged)
                if number % 100 == 0 { say("  \(number) kills, \(saves) saves acknowledged") }
            }
        } catch {
            say("fault, seed \(options.seed): \(error)")
            throw ExitCode.failure
        }
        say("models-crash: \(options.kills) kills, \(saves) acknowledged saves, \(options.kills) checks, 0 faults")
    }

    /// Lets a process save for a while, and kills it. Returns the number of acknowledged saves.
    private func kill(
        _ path: String, _ number: Int, _ acknowledged: inout [Int], _ random: inout SeededGenerator
    ) throws -> Int {
        let child = try ChildProcess([
            "models-crash-worker", path, "--seed", "\(options.seed &+ UInt64(number))", "--threads",
            "\(options.threads)",
        ])
        var left = Int.random(in: 0...options.mostSaves, using: &random)
        var lines = try child.lines(until: .now + .seconds(20)) { line in
            if line.hasPrefix("done") { left -= 1 }
            return left <= 0 && (line == "ready" || line.hasPrefix("done"))
        }
        lines += try child.lines(until: .now + .microseconds(Int64.random(in: 0...8_000, using: &random)))
        child.killAtOnce()
        lines += try child.lines()
        let ending = child.wait()
        var saves = 0
        for line in lines {
            let words = line.split(separator: " ")
            if words.first == "failed" { throw CampaignError(line) }
            guard words.count == 3, let thread = Int(words[1]), let save = Int(words[2]),
                acknowledged.indices.contains(thread)
            else { continue }
            acknowledged[thread] = max(acknowledged[thread], save)
            saves += 1
        }
        guard ending == .signal(SIGKILL) else { throw CampaignError("The worker ended by itself: \(ending)") }
        return saves
    }

    /// Opens the store as its next user would.
    private func verify(_ path: String, _ acknowledged: [Int]) throws {
        let container = try CrashPlayers.open(path)
        try CrashPlayers.verify(acknowledged, in: ModelContext(container))
        let report = try container.store.check()
        guard report.isClean else {
            throw CampaignError(
                "The check found: " + report.faults.prefix(5).map(\.description).joined(separator: "; "))
        }
    }
}
