import ArgumentParser
import Foundation
import LoamStorage
import SeededRandom

/// Moves, replaces and deletes a store's files under two processes that write it.
struct MovesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "moves",
        abstract: "Move, replace and delete a store and its lock file under two writing processes.",
        discussion: """
            Every acknowledged save must be in the file that its process had open then, whatever that is called by \
            now; a process that is told that files were moved opens the path again. At the end of each round every \
            file is checked, and the store that is at the path opens.
            """)

    @Argument(help: "The folder for the stores. Those of a round with a fault stay there.")
    var folder: String

    @Option(help: "How often it begins anew.")
    var rounds = 500

    @Option(help: "Moves in a round at most.")
    var mostMoves = 4

    @Option(help: "What the moves are derived from.")
    var seed: UInt64 = freshSeed()

    func validate() throws {
        guard rounds > 0, mostMoves > 0 else { throw ValidationError("Numbers must be above 0.") }
    }

    func run() throws {
        say("moves: seed \(seed)")
        var campaign = MovesCampaign(folder: folder + "/moves", mostMoves: mostMoves, seed: seed)
        for round in 1...rounds {
            do {
                try campaign.run()
            } catch {
                say("fault in round \(round), seed \(seed): \(error)")
                throw ExitCode.failure
            }
            if round % 100 == 0 { say("  \(round) rounds, \(campaign.summary)") }
        }
        say("moves: \(rounds) rounds, \(campaign.summary), 0 faults")
    }
}

/// The parent's side of the campaign.
struct MovesCampaign {
    private let folder: String
    private let mostMoves: Int
    private var random: SeededGenerator
    private var moves = 0
    private var saves = 0
    private var told: [String: Int] = [:]
    private var files = 0

    init(folder: String, mostMoves: Int, seed: UInt64) {
        self.folder = folder
        self.mostMoves = mostMoves
        random = SeededGenerator(seed: seed)
    }

    var summary: String {
        let reasons = told.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        return "\(moves) moves, \(saves) acknowledged saves in \(files) files, told: \(reasons)"
    }

    mutating func run() throws {
        try? FileManager.default.removeItem(atPath: folder)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var moved = try MovedFiles(folder: folder)
        let stop = folder + "/stop"
        let children = try (0..<2).map { writer in
            try ChildProcess([
                "moves-worker", moved.store, "--writer", "\(writer)", "--stop", stop, "--seed", "\(random.next())",
            ])
        }
        var lines: [String] = []
        do {
            for _ in 0..<Int.random(in: 1...mostMoves, using: &random) {
                lines += try listen(to: children, milliseconds: Int.random(in: 0...120, using: &random))
                try moved.apply(.random(&random))
                moves += 1
            }
            lines += try listen(to: children, milliseconds: Int.random(in: 0...120, using: &random))
        } catch {
            children.forEach { $0.killAtOnce() }
            for child in children { _ = child.wait() }
            throw error
        }
        try Data().write(to: URL(fileURLWithPath: stop))
        for child in children {
            lines += try child.lines()
            let ending = child.wait()
            guard ending == .exited(0) else { throw CampaignError("a writer ended with \(ending)") }
        }
        try moved.keep()
        try compare(try read(lines), with: moved)
        try FileManager.default.removeItem(atPath: folder)
    }

    private func listen(to children: [ChildProcess], milliseconds: Int) throws -> [String] {
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        return try children.flatMap { try $0.lines(until: end) }
    }

    /// The acknowledged saves, by file.
    private mutating func read(_ lines: [String]) throws -> [UInt64: Set<Notes.Note>] {
        var acknowledged: [UInt64: Set<Notes.Note>] = [:]
        for line in lines {
            let words = line.split(separator: " ")
            if words.count == 4, words[0] == "saved", let file = UInt64(words[1]), let writer = Int(words[2]),
                let number = Int(words[3])
            {
                acknowledged[file, default: []].insert(.init(writer: writer, number: number))
                saves += 1
            } else if words.count == 2, words[0] == "told" {
                told[String(words[1]), default: 0] += 1
            } else {
                throw CampaignError(line)
            }
        }
        return acknowledged
    }

    private mutating func compare(_ acknowledged: [UInt64: Set<Notes.Note>], with moved: MovedFiles) throws {
        let kept = try moved.files
        for (file, notes) in acknowledged {
            guard let path = kept[file] else { throw CampaignError("file \(file) of \(notes.count) saves is unknown") }
            let store = try Notes(path: path)
            let lost = notes.subtracting(try store.all())
            guard lost.isEmpty else {
                throw CampaignError("\(lost.count) of \(notes.count) acknowledged saves are not in their file")
            }
            if let fault = try store.check().faults.first { throw CampaignError("check: \(fault)") }
            files += 1
        }
        // No process has a file open, so what is at the path can be opened as a store.
        _ = try Notes(path: moved.store).all()
    }
}
