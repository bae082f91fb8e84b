import ArgumentParser
import Foundation
import Loam
import LoamStorage
import SeededRandom

/// Kills a process that saves to two files of one container, and looks at what it leaves in each.
struct StoresCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stores-crash",
        abstract:
            "Kill a process whose saves go to two files; each file must be whole, and no save in the second alone.",
        discussion: """
            A child process changes models of a container with two stores, on several threads. It is killed at random \
            moments, and every other time between the commits of the two files. Then both are opened again: a check of \
            each is clean; each has every acknowledged save; one that was not acknowledged is in a file wholly or not \
            at all, and in the second only where it is in the first.
            """)

    @OptionGroup var options: KillOptions

    func run() throws {
        say("stores-crash: seed \(options.seed)")
        try TwoBooks.clear(options.folder)
        var campaign = StoresCampaign(
            folder: options.folder, seed: options.seed, threads: options.threads, mostSaves: options.mostSaves)
        do {
            for number in 1...options.kills {
                try campaign.run(number)
                if number % 100 == 0 { say("  \(number) kills, \(campaign.summary)") }
            }
            guard options.kills < 2 || campaign.halves > 0 else {
                throw CampaignError("no kill fell between two files")
            }
        } catch {
            say("fault, seed \(options.seed): \(error)")
            throw ExitCode.failure
        }
        say("stores-crash: \(options.kills) kills, \(campaign.summary), \(2 * options.kills) checks, 0 faults")
    }
}

/// The parent's side of the campaign.
struct StoresCampaign {
    /// What is known of a thread's saves.
    private struct Known {
        /// The last in each file.
        var (cash, stock) = (0, 0)
        /// The one that was under way when the process ended.
        var begun: Int?

        /// What may be in the files: the save under way in none, in the first, or in both.
        var possible: [(cash: Int, stock: Int)] {
            [(cash, stock)] + (begun.map { [($0, stock), ($0, $0)] } ?? [])
        }
    }

    let folder: String
    let seed: UInt64
    let mostSaves: Int
    private var known: [Known]
    private var random: SeededGenerator
    private var saves = 0
    /// Saves that were found in the first file alone.
    private(set) var halves = 0

    init(folder: String, seed: UInt64, threads: Int, mostSaves: Int) {
        (self.folder, self.seed, self.mostSaves) = (folder, seed, mostSaves)
        known = [Known](repeating: Known(), count: threads)
        random = SeededGenerator(seed: seed)
    }

    var summary: String { "\(saves) saves acknowledged, \(halves) found in the first file alone" }

    mutating func run(_ number: Int) throws {
        let isBetween = number.isMultiple(of: 2)
        let found = halves
        try kill(number, isBetween: isBetween)
        try verify()
        guard !isBetween || halves > found else {
            throw CampaignError("the process ended behind a commit to the first file, and no save is there alone")
        }
    }

    /// Lets a process save for a while, and kills it, or lets it end itself between two files.
    private mutating func kill(_ number: Int, isBetween: Bool) throws {
        let commits = isBetween ? Int.random(in: 1...mostSaves, using: &random) : 0
        let child = try ChildProcess([
            "stores-crash-worker", folder, "--seed", "\(seed &+ UInt64(number))", "--threads", "\(known.count)",
            "--between", "\(commits)",
        ])
        var lines: [String] = []
        if !isBetween {
            var left = Int.random(in: 0...mostSaves, using: &random)
            lines = try child.lines(until: .now + .seconds(20)) { line in
                if line.hasPrefix("done") { left -= 1 }
                return left <= 0 && (line == "ready" || line.hasPrefix("done"))
            }
            lines += try child.lines(until: .now + .microseconds(Int64.random(in: 0...8_000, using: &random)))
            child.killAtOnce()
        }
        lines += try child.lines(until: .now + .seconds(60))
        child.killAtOnce()
        let ending = child.wait()
        try note(lines)
        guard ending == .signal(SIGKILL) else { throw CampaignError("The worker ended by itself: \(ending)") }
    }

    private mutating func note(_ lines: [String]) throws {
        for line in lines where line != "ready" {
            let words = line.split(separator: " ")
            guard words.count == 3, let thread = Int(words[1]), let save = Int(words[2]),
                known.indices.contains(thread)
            else { throw CampaignError(line) }
            if words[0] == "begun" {
                known[thread].begun = save
            } else {
                known[thread] = Known(cash: save, stock: save)
                saves += 1
            }
        }
    }

    /// Opens both files as their next user would.
    private mutating func verify() throws {
        let container = try TwoBooks.open(folder)
        let context = ModelContext(container)
        for (thread, expected) in known.enumerated() {
            let found = try TwoBooks.numbers(thread, in: context)
            guard expected.possible.contains(where: { $0 == found }) else {
                throw CampaignError(
                    "thread \(thread) is at saves \(found.cash) and \(found.stock), which may be "
                        + expected.possible.map { "\($0.cash) and \($0.stock)" }.joined(separator: ", or "))
            }
            if expected.begun == found.cash, found.stock < found.cash { halves += 1 }
            try TwoBooks.requireWhole(thread, in: context)
            known[thread] = Known(cash: found.cash, stock: found.stock)
        }
        for store in container.stores {
            let report = try store.store.check()
            guard report.isClean else {
                throw CampaignError(
                    "The check of \(store.store.path) found: "
                        + report.faults.prefix(5).map(\.description).joined(separator: "; "))
            }
        }
    }
}
