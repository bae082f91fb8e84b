import ArgumentParser
import Foundation
import LoamStorage
import SeededRandom

/// Kills a writing process at random moments and looks at what it leaves.
struct CrashCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "crash",
        abstract: "Kill a writing process again and again; every acknowledged save must be there.",
        discussion: """
            A child process writes with several threads: batches over two entities, refused ones among them, indexes \
            that come and go, bulk loads. After each kill the store is opened again: acknowledged steps are there, \
            those under way are there whole or not at all, row ids are new, and a check is clean.
            """)

    @Argument(help: "The folder for the store. The store stays there when a fault is found.")
    var folder: String

    @Option(help: "How often the child is killed.")
    var kills = 1000

    @Option(help: "What the work is derived from; printed, so that a run can be repeated.")
    var seed: UInt64 = freshSeed()

    @Option(help: "Writing threads.")
    var threads = 3

    @Option(help: "Saves at most that are waited for before a kill.")
    var mostSaves = 12

    @Option(help: "Check the whole store after every so many kills, and at the end.")
    var checkEvery = 1

    func validate() throws {
        guard kills > 0, threads > 0, mostSaves > 0, checkEvery > 0 else {
            throw ValidationError("Numbers must be above 0.")
        }
    }

    func run() throws {
        say("crash: seed \(seed)")
        let path = try StoreFolder.prepare(folder)
        var campaign = CrashCampaign(path: path, seed: seed, threads: threads, mostSaves: mostSaves)
        let start = ContinuousClock.now
        do {
            try WorkEntity.create(in: WorkDurability.durable.open(path))
            for number in 1...kills {
                try campaign.kill()
                try campaign.verify(withCheck: number % checkEvery == 0 || number == kills)
                if number % 100 == 0 { say("  \(number) kills, \(campaign.model.acknowledged) saves acknowledged") }
            }
        } catch {
            say("fault after \(campaign.kills) kills, seed \(seed): \(error)")
            throw ExitCode.failure
        }
        let seconds = start.duration(to: .now) / .seconds(1)
        say(
            "crash: \(campaign.kills) kills (\(campaign.earlyKills) before the first save), "
                + "\(campaign.model.acknowledged) acknowledged saves, \(campaign.checks) checks, "
                + String(format: "%.1f kills/s, 0 faults", Double(campaign.kills) / seconds))
    }
}

/// The parent's side of the campaign.
struct CrashCampaign {
    let path: String
    let seed: UInt64
    let mostSaves: Int
    private(set) var model: CrashModel
    private(set) var kills = 0
    /// The number of kills of a process that was still opening the store.
    private(set) var earlyKills = 0
    private(set) var checks = 0
    private var random: SeededGenerator

    init(path: String, seed: UInt64, threads: Int, mostSaves: Int) {
        self.path = path
        self.seed = seed
        self.mostSaves = mostSaves
        model = CrashModel(seed: seed, threads: threads)
        random = SeededGenerator(seed: seed, stream: .max)
    }

    /// Lets a process write for some saves and milliseconds, and kills it.
    mutating func kill() throws {
        let durability = WorkDurability.allCases.randomElement(using: &random) ?? .durable
        let child = try ChildProcess([
            "crash-worker", path, "--seed", "\(seed)", "--durability", durability.rawValue,
            "--steps", StepNumbers(model.next).argument,
        ])
        let delay = Duration.microseconds(Int64.random(in: 0...8_000, using: &random))
        var lines: [String] = []
        if random.percent(10) {
            // The process may still be opening the store.
            lines += try child.lines(until: .now + delay * 10)
        } else {
            // The kill comes after some saves and not after a time alone, so that the work goes on however busy the
            // machine is.
            var saves = Int.random(in: 0...mostSaves, using: &random)
            lines += try child.lines(until: .now + .seconds(20)) { line in
                if line.hasPrefix("done") { saves -= 1 }
                return saves <= 0 && (line == "ready" || line.hasPrefix("done"))
            }
            lines += try child.lines(until: .now + delay)
        }
        child.killAtOnce()
        lines += try child.lines()
        let ending = child.wait()
        kills += 1
        if !lines.contains(where: { $0.hasPrefix("done") }) { earlyKills += 1 }
        for line in lines { try model.read(line) }
        guard ending == .signal(SIGKILL) else { throw CampaignError("The worker ended by itself: \(ending)") }
    }

    /// Opens the store as its next user would.
    mutating func verify(withCheck: Bool) throws {
        let store = try WorkDurability.recent.open(path)
        try store.read { try model.compare($0) }
        guard withCheck else { return }
        checks += 1
        let report = try store.check()
        guard report.isClean else {
            throw CampaignError(
                "The check found: " + report.faults.prefix(5).map(\.description).joined(separator: "; "))
        }
    }
}
