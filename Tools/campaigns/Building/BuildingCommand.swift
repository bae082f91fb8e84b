import ArgumentParser
import Foundation
import LoamStorage
import RandomQueries
import SeededRandom

/// Adds indexes to many rows while a process saves and reads, and kills that process.
struct BuildingCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "building",
        abstract: "Add indexes to many rows beside a writer and readers, and kill the process.",
        discussion: """
            The rows are those of the benchmarks. First a child process changes one row after the other, durably, and \
            reads, without a build and then beside one: how long each waits is printed. Then such processes are killed \
            at random moments of a build, and the parent finishes each index: a check of the store is clean, and every \
            acknowledged save is there. With --sqlite the same waits are printed of SQLite with the same rows.
            """)

    @Argument(help: "The folder for the store.")
    var folder: String

    @Option(help: "How many rows there are.")
    var rows = 1_000_000

    @Option(help: "How often the child is killed.")
    var kills = 20

    @Flag(help: "Measure SQLite, too: saves beside CREATE INDEX.")
    var sqlite = false

    @Option(help: "What the work is derived from.")
    var seed: UInt64 = freshSeed()

    func validate() throws {
        guard rows >= 1_000, kills >= 0 else { throw ValidationError("There are at least 1000 rows.") }
    }

    func run() throws {
        say("building: seed \(seed)")
        let folder = URL(fileURLWithPath: folder, isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let quakes = try QuakeStore(rowCount: rows, in: folder)
        var campaign = try BuildingCampaign(quakes: quakes, seed: seed)
        do {
            if sqlite {
                let building = try SQLiteBuilding(quakes, in: folder)
                for index in SQLiteBuilding.indexes.indices { say(try building.measure(index)) }
            }
            for index in BuildingCampaign.definitions.indices { try campaign.measure(index) }
            for number in 0..<kills { try campaign.kill(number) }
            guard kills < 10 || campaign.unfinished > 0 else { throw CampaignError("no kill fell into a build") }
        } catch {
            say("fault, seed \(seed): \(error)")
            throw ExitCode.failure
        }
        say(
            "building: \(rows) rows, \(kills) kills, \(campaign.unfinished) of them in a build, "
                + "\(campaign.saves) saves acknowledged, 0 faults")
    }
}

/// The parent's side of the campaign.
struct BuildingCampaign {
    /// What is built in turn: an index of texts, one over functions, a unique one, and one with included fields.
    static let definitions = [
        IndexDefinition([.init("place", form: .caseAndDiacriticFolded)], name: "built"),
        IndexDefinition(
            [.init("time", function: .startOfDay, timeZone: "Europe/Berlin"), .init("place", function: .length)],
            name: "built"),
        IndexDefinition([.init("felt"), .init("code", direction: .descending)], name: "built", kind: .unique),
        IndexDefinition([.init("tsunami"), .init("felt")], name: "built", included: ["code", "place"]),
    ]

    private let quakes: QuakeStore
    private let path: String
    private let seed: UInt64
    private var random: SeededGenerator
    /// How long a build took, beside saves.
    private var seconds = 0.1
    private(set) var saves = 0
    /// The builds that a process left.
    private(set) var unfinished = 0

    init(quakes: QuakeStore, seed: UInt64) throws {
        guard let path = quakes.path else { throw CampaignError("The rows are in memory.") }
        (self.quakes, self.path, self.seed) = (quakes, path, seed)
        random = SeededGenerator(seed: seed)
    }

    /// Builds an index beside saves, says how long these waited, and drops it.
    mutating func measure(_ index: Int) throws {
        let child = try worker(index, number: 0)
        let lines = try child.lines()
        guard child.wait() == .exited(0) else { throw CampaignError(lines.last ?? "The worker ended.") }
        for line in lines where !line.hasPrefix("saved") && !line.hasPrefix("begun") && line != "building" {
            say("  index \(index): \(line)")
            let words = line.split(separator: " ")
            if words.first == "built", words.count > 2 { seconds = Double(words[2]) ?? seconds }
        }
        try verify(lines, index)
    }

    mutating func kill(_ number: Int) throws {
        let index = number % Self.definitions.count
        let child = try worker(index, number: number + 1)
        var lines = try child.lines(until: .now + .seconds(60)) { $0 == "building" }
        let moment = Double.random(in: 0...seconds * 1.2, using: &random)
        lines += try child.lines(until: .now + .microseconds(Int64(moment * 1e6))) { $0.hasPrefix("built") }
        child.killAtOnce()
        lines += try child.lines(until: .now + .seconds(60))
        _ = child.wait()
        if let failure = lines.first(where: { $0.hasPrefix("failed") }) { throw CampaignError(failure) }
        let state = try quakes.store.read { snapshot in
            try snapshot.entity(named: "Quake").indexes.first { $0.name == "built" }?.state
        }
        if state == .building { unfinished += 1 }
        try verify(lines, index)
    }

    private func worker(_ index: Int, number: Int) throws -> ChildProcess {
        try ChildProcess([
            "building-worker", path, "--index", "\(index)", "--rows", "\(quakes.rowCount)", "--seed",
            "\(seed &+ UInt64(number))", "--measures", "\(number == 0)",
        ])
    }

    /// Finishes the index as the next process would, checks everything, and drops it again.
    private mutating func verify(_ lines: [String], _ index: Int) throws {
        let store = quakes.store
        do {
            try store.apply(.addIndex(Self.definitions[index], to: "Quake"))
        } catch let error as StorageError where error.kind == .indexExists {
            // The process came to its end.
        }
        let report = try store.check()
        guard report.isClean else {
            throw CampaignError(
                "The check found: " + report.faults.prefix(5).map(\.description).joined(separator: "; "))
        }
        try store.read { snapshot in
            let entity = try snapshot.entity(named: "Quake")
            guard let built = entity.indexes.first(where: { $0.name == "built" }), built.state == .ready else {
                throw CampaignError("The index is not ready.")
            }
            let count = try snapshot.count(in: built, range: .all)
            guard count == quakes.rowCount else { throw CampaignError("The index has \(count) entries.") }
        }
        try requireSaved(lines)
        try store.apply(.dropIndex("built", from: "Quake"))
    }

    private mutating func requireSaved(_ lines: [String]) throws {
        var values: [RowID: [String]] = [:]
        for line in lines where line.hasPrefix("saved") || line.hasPrefix("begun") {
            let words = line.split(separator: " ").map(String.init)
            guard words.count == 3, let row = RowID(words[1]) else { throw CampaignError(line) }
            if words[0] == "saved" {
                values[row] = [words[2]]
                saves += 1
            } else {
                values[row, default: []].append(words[2])
            }
        }
        try quakes.store.read { snapshot in
            let entity = try snapshot.entity(named: "Quake")
            guard let felt = entity.position(of: "felt") else { throw CampaignError("There is no felt.") }
            for (row, possible) in values {
                guard case .int(let found) = try snapshot.withRow(row, of: entity, { try $0.values() })?[felt] else {
                    // What was begun alone need not be there.
                    if lines.contains(where: { $0.hasPrefix("saved \(row) ") }) {
                        throw CampaignError("Row \(row) has lost its saved value.")
                    }
                    continue
                }
                let isFirst = !lines.contains { $0.hasPrefix("saved \(row) ") }
                guard isFirst || possible.contains("\(found)") else {
                    throw CampaignError("Row \(row) has \(found), saved was \(possible).")
                }
            }
        }
    }
}
