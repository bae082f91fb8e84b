import ArgumentParser
import Foundation
import Loam
import LoamStorage

/// Lets two versions of a program save to one store, in turn and at the same time, and looks whether every value of
/// both is there.
struct VersionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "versions", abstract: "Save to one store from programs with different versions of their models.",
        discussion: """
            First both begin at the same time on a file that is not there, and save as often as there are rounds. \
            Then, in another store, a process of one version follows one of the other, round by round. Each writes \
            properties of its own on the trips of both. What was acknowledged must be there at the end.
            """)

    @Argument(help: "The folder for the stores.")
    var folder: String

    @Option(help: "Saves of each version at the same time, and processes of each version in turn.")
    var rounds = 1000

    @Option(help: "What the writes are derived from.")
    var seed: UInt64 = freshSeed()

    func validate() throws {
        guard rounds > 0 else { throw ValidationError("The number of rounds must be above 0.") }
    }

    func run() throws {
        say("versions: seed \(seed)")
        let faults = try saveAtTheSameTime() + saveInTurn()
        for fault in faults.prefix(20) { say("fault: \(fault)") }
        if !faults.isEmpty { throw ExitCode.failure }
    }

    private func saveAtTheSameTime() throws -> [String] {
        let path = try StoreFolder.prepare(folder, store: "together.loam")
        var tally = VersionsTally()
        let children = try ProgramVersion.allCases.map { version in
            (version, try worker(path, version, first: version == .older ? 1 : rounds + 1, saves: rounds))
        }
        for (version, child) in children { try tally.read(child.lines(), of: version) }
        for (_, child) in children { tally.add(child.wait()) }
        try tally.compare(with: path)
        say("versions: at the same time, \(rounds) rounds: \(tally.summary)")
        return tally.faults
    }

    private func saveInTurn() throws -> [String] {
        let path = try StoreFolder.prepare(folder, store: "in-turn.loam")
        var tally = VersionsTally()
        let versions = seed.isMultiple(of: 2) ? ProgramVersion.allCases : ProgramVersion.allCases.reversed()
        var first = 1
        for round in 0..<rounds where tally.faults.isEmpty {
            for version in versions {
                let child = try worker(path, version, first: first, saves: 3)
                first += 3
                try tally.read(child.lines(), of: version)
                tally.add(child.wait())
            }
            if round % 100 == 99 { try tally.compare(with: path) }
        }
        try tally.compare(with: path)
        say("versions: in turn, \(rounds) rounds: \(tally.summary)")
        return tally.faults
    }

    private func worker(_ path: String, _ version: ProgramVersion, first: Int, saves: Int) throws -> ChildProcess {
        try ChildProcess([
            "versions-worker", path, "--version", version.rawValue, "--seed", "\(seed)", "--first", "\(first)",
            "--saves", "\(saves)",
        ])
    }
}

/// Compares the saves that both versions acknowledged with what the store holds.
struct VersionsTally {
    /// The number of the last write, by version and trip.
    private var written: [ProgramVersion: [Int: Int]] = [:]
    /// The trip and the last remark of each stay.
    private var stays: [Int: Int] = [:]
    private var remarks: [Int: Int] = [:]
    private var saves: [ProgramVersion: Int] = [:]
    private(set) var faults: [String] = []

    var summary: String {
        ProgramVersion.allCases.map { "\(saves[$0] ?? 0) saves of the \($0)" }.joined(separator: ", ")
            + ", \(stays.count) stays, \(remarks.count) of them with remarks, \(faults.count) faults"
    }

    mutating func read(_ lines: [String], of version: ProgramVersion) throws {
        for line in lines {
            let words = line.split(separator: " ")
            let numbers = words.dropFirst().compactMap { Int($0) }
            guard numbers.count == 2 else {
                faults.append(line)
                continue
            }
            switch words.first {
            case "wrote":
                written[version, default: [:]][numbers[0]] = numbers[1]
                saves[version, default: 0] += 1
            case "stayed": stays[numbers[1]] = numbers[0]
            case "remarked": remarks[numbers[0]] = numbers[1]
            default: faults.append(line)
            }
        }
    }

    mutating func add(_ ending: ChildProcess.Ending) {
        if ending != .exited(0) { faults.append("a process ended with \(ending)") }
    }

    /// Reads everything through the newer models, which know all that there is, and the shared part through the older
    /// ones.
    mutating func compare(with path: String) throws {
        let container = try ProgramVersion.newer.open(path)
        faults += try container.store.check().faults.map { "check: \($0)" }
        let context = ModelContext(container)
        let trips = try context.fetch(FetchDescriptor<NewerModels.Trip>())
        for trip in trips { compare(trip) }
        let known = Set(trips.map(\.number))
        for number in Set(written.values.flatMap(\.keys)).subtracting(known) { faults.append("trip \(number) is gone") }
        let found = try context.fetch(FetchDescriptor<NewerModels.Stay>())
        let byID = Dictionary(found.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for (id, trip) in stays {
            guard let stay = byID[id], stay.trip?.number == trip else {
                faults.append("stay \(id) is gone from trip \(trip)")
                continue
            }
            if stay.remark != remarks[id] ?? 0 { faults.append("stay \(id) lost a remark: \(stay.remark)") }
        }
        let older = try ModelContext(ProgramVersion.older.open(path)).fetch(FetchDescriptor<OlderModels.Trip>())
        for trip in older where trip.days != written[.older]?[trip.number] ?? 0 {
            faults.append("trip \(trip.number) has other days through the older models: \(trip.days)")
        }
    }

    private mutating func compare(_ trip: NewerModels.Trip) {
        func require(_ isSame: Bool, _ what: String) {
            if !isSame { faults.append("trip \(trip.number) lost its \(what)") }
        }
        let older = written[.older]?[trip.number]
        require(trip.name == older.map { VersionsValues(number: $0).title } ?? "", "title")
        require(trip.days == older ?? 0, "days")
        let newer = written[.newer]?[trip.number]
        let values = newer.map(VersionsValues.init)
        require(trip.rating == newer ?? -1, "rating")
        require(trip.note == values?.note, "note")
        require(trip.code == values?.code, "code")
        require(trip.picture == values?.picture ?? Data(), "picture")
        require(trip.guide?.name == values?.guide, "guide")
    }
}
