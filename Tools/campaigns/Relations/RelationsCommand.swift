import ArgumentParser
import Foundation
import LoamStorage
import SeededRandom

/// Lets processes relate, reorder and delete the same rows, kills them, and looks at the store that they leave.
struct RelationsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relations",
        abstract: "Relate and delete rows from several processes that are killed again and again.",
        discussion: """
            Each thread keeps two ordered lists of its own, and relates its rows to shared ones that all of them delete, \
            under every delete rule. After each kill the lists are those of the last acknowledged save, or of the one \
            under way, and a check finds no reference that leads nowhere.
            """)

    @Argument(help: "The folder for the store. The store stays there when a fault is found.")
    var folder: String

    @Option(help: "How often the processes are killed.")
    var kills = 200

    @Option(help: "Writing processes.")
    var processes = 2

    @Option(help: "Threads of each process.")
    var threads = 2

    @Option(help: "Saves at most that are waited for before a kill.")
    var mostSaves = 40

    @Option(help: "What the work is derived from.")
    var seed: UInt64 = freshSeed()

    func validate() throws {
        guard kills > 0, processes > 0, threads > 0, mostSaves > 0 else {
            throw ValidationError("Numbers must be above 0.")
        }
    }

    func run() throws {
        say("relations: seed \(seed)")
        let path = try StoreFolder.prepare(folder)
        try RelationsSchema.create(in: WorkDurability.durable.open(path), writers: processes * threads)
        var campaign = RelationsCampaign(writers: processes * threads)
        var random = SeededGenerator(seed: seed, stream: .max)
        do {
            for kill in 1...kills {
                try killOnce(kill, path, &campaign, &random)
                if kill % 50 == 0 { say("  \(kill) kills, \(campaign.saves) saves, \(campaign.refused) refused") }
            }
        } catch {
            say("fault, seed \(seed): \(error)")
            throw ExitCode.failure
        }
        say(
            "relations: \(kills) kills of \(processes) processes, \(threads) threads each: \(campaign.saves) saves, "
                + "\(campaign.refused) refused, \(kills) checks, 0 faults")
    }

    private func killOnce(
        _ number: Int, _ path: String, _ campaign: inout RelationsCampaign, _ random: inout SeededGenerator
    ) throws {
        let durability = WorkDurability.allCases.randomElement(using: &random) ?? .durable
        let children = try (0..<processes).map { process in
            try ChildProcess([
                "relations-worker", path, "--seed", "\(seed &+ UInt64(number))", "--first-writer",
                "\(process * threads)", "--threads", "\(threads)", "--durability", durability.rawValue,
            ])
        }
        var lines: [String] = []
        var saves = Int.random(in: 0...mostSaves, using: &random)
        for child in children {
            lines += try child.lines(until: .now + .seconds(20)) { line in
                if line.hasPrefix("done") { saves -= 1 }
                return saves <= 0
            }
        }
        let delay = Duration.microseconds(Int64.random(in: 0...8_000, using: &random))
        for child in children { lines += try child.lines(until: .now + delay) }
        for child in children { child.killAtOnce() }
        for child in children {
            lines += try child.lines()
            let ending = child.wait()
            guard ending == .signal(SIGKILL) else { throw CampaignError("A worker ended by itself: \(ending)") }
        }
        for line in lines { try campaign.read(line) }
        let store = try WorkDurability.recent.open(path)
        try store.read { try campaign.compare($0) }
        let report = try store.check()
        guard report.isClean else {
            throw CampaignError(
                "The check found: " + report.faults.prefix(5).map(\.description).joined(separator: "; "))
        }
    }
}

/// The lines of the writers.
struct RelationsCampaign {
    private var acknowledged: [OwnRows]
    /// The saves that were begun. The store knows which of them were made.
    private var begun: [Int: OwnRows] = [:]
    private(set) var saves = 0
    private(set) var refused = 0

    init(writers: Int) {
        acknowledged = Array(repeating: OwnRows(), count: writers)
    }

    mutating func read(_ line: String) throws {
        let words = line.split(separator: " ")
        guard words.count > 1, let writer = Int(words[1]), acknowledged.indices.contains(writer) else {
            throw CampaignError("A worker \(line)")
        }
        switch words[0] {
        case "begin": begun[writer] = OwnRows(Array(words.dropFirst(2)))
        case "done":
            guard let rows = begun.removeValue(forKey: writer) else { throw CampaignError("Nothing was begun.") }
            acknowledged[writer] = rows
            saves += 1
        case "refused":
            begun[writer] = nil
            refused += 1
        default: throw CampaignError("A worker \(line)")
        }
    }

    mutating func compare(_ snapshot: Snapshot) throws {
        let stored = try OwnRows.read(snapshot)
        for writer in acknowledged.indices {
            guard let rows = stored[writer]?.rows else { throw CampaignError("Owner \(writer) is gone.") }
            guard rows == acknowledged[writer] || rows == begun[writer] else {
                throw CampaignError(
                    "Writer \(writer) has \(rows.text), acknowledged was \(acknowledged[writer].text), under way "
                        + (begun[writer]?.text ?? "nothing"))
            }
            acknowledged[writer] = rows
        }
        begun = [:]
    }
}
