import ArgumentParser
import Foundation
import SQLiteOracle

/// Compares what plans give with what SQLite answers.
struct SQLiteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sqlite", abstract: "Compare random queries with SQLite's answers.",
        discussion: """
            Each round has rows and indexes of its own, by turns of one entity and of four with relationships, and the \
            same rows in SQLite; half of the queries see pending changes too. Asked are the plan that a context takes \
            and one of the others, in what both languages say alike. Each comparison is written in SQL so that it is \
            never unknown. Left out are overflow, division by zero, casts out of range, NaN, numbers above Int64, \
            letters beyond ASCII in folded forms, localized forms, characters of several code points, and regular \
            expressions. What fails is made smaller and printed with the round's seed, which --seed takes with \
            --rounds 1.
            """)

    @Argument(help: "The folder for the stores.")
    var folder: String

    @OptionGroup var options: RoundOptions

    func run() throws {
        let folder = URL(fileURLWithPath: folder, isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try options.run("sqlite") { seed -> SQLiteCounts in
            do {
                return try SQLiteRound(seed: seed, folder: folder).run { say($0) }
            } catch {
                say("seed \(seed): \(error)")
                var counts = SQLiteCounts()
                counts.faults = 1
                return counts
            }
        }
    }
}

extension SQLiteCounts: RoundCounts {
    var idleChecks: [String] {
        [("one that gives anything", found), ("asked with pending changes", pending)]
            .filter { $0.1 * 20 < cases }.map(\.0)
    }

    var text: String { "\(cases) queries (\(found) give anything, \(pending) with pending changes)" }
}
