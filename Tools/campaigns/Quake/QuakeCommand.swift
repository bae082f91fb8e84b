import ArgumentParser
import Foundation
import LoamQuery
import LoamStorage
import RandomQueries

/// Holds queries over many rows to the most that they may read.
struct QuakeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quake", abstract: "Hold queries over earthquakes to the most that they may read.",
        discussion: """
            The rows are those of the benchmarks. Each query is asked twice, since the second plan may be one that was \
            kept from the first, and a third time for whole records, as models read them. What counts are entries of indexes and records together; what a search has read that \
            was left for another plan is among them. The times are for whoever reads them.
            """)

    @Argument(help: "The folder for the store.")
    var folder: String

    @Option(help: "How many earthquakes there are.")
    var rows = 1_000_000

    @Flag(help: "Print the plan of each query.")
    var plans = false

    func validate() throws {
        guard rows >= 1_000 else { throw ValidationError("There are at least 1000 rows.") }
    }

    func run() throws {
        let folder = URL(fileURLWithPath: folder, isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let quakes = try QuakeStore(rowCount: rows, in: folder)
        var faults = 0
        for promise in try quakes.promises() {
            for turn in 1...(promise.query.result == .rows ? 3 : 2) {
                let (plan, work, seconds) = try quakes.store.read {
                    try Self.ask(promise.query, readsRecords: turn == 3, in: $0)
                }
                let count = work.entries + work.records
                let isKept = count <= promise.most
                if !isKept { faults += 1 }
                say(
                    "\(isKept ? "ok   " : "FAULT") \(promise.name), turn \(turn): \(work.entries) entries and "
                        + "\(work.records) records of \(promise.most), \(String(format: "%.1f", seconds * 1_000)) ms")
                if plans || !isKept { say(plan.explanation(with: work)) }
            }
        }
        say("quake: \(rows) rows, \(faults) faults")
        if faults > 0 { throw ExitCode.failure }
    }

    private static func ask(
        _ query: Query, readsRecords: Bool, in snapshot: Snapshot
    ) throws -> (Plan, Work, seconds: Double) {
        let start = ContinuousClock.now
        let plan = try Planner.plan(query, in: snapshot)
        var work = Work()
        switch query.result {
        case .rows where readsRecords: try plan.readRecords(in: snapshot, overlay: nil, work: &work) { _, _ in }
        case .rows: _ = try plan.rows(in: snapshot, work: &work)
        case .count: _ = try plan.count(in: snapshot, work: &work)
        case .sections: _ = try plan.sections(in: snapshot, work: &work)
        }
        return (plan, work, start.duration(to: .now) / .seconds(1))
    }
}
