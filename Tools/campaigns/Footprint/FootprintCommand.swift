import ArgumentParser
import Foundation
import LoamStorage
import RandomQueries

/// Measures what open results cost that nobody changes, and what their upkeep costs.
struct FootprintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "footprint",
        abstract: "Hold live results to the memory, threads and readers that they may use, and time their upkeep.",
        discussion: """
            A result that an index has adds at most 2 MiB, and reads no record before a row is asked for. One in memory \
            takes at most 24 bytes a row and 256 KiB, ordered by a number, by places of some 20 letters or by these and \
            codes of ten, also when it was changed often; what counts is what is in use of the heap. Many results take at most 4 threads and 4 readers more than one. The \
            times are for whoever reads them.
            """)

    @Argument(help: "The folder for the store.")
    var folder: String

    @Option(help: "How many earthquakes there are.")
    var rows = 1_000_000

    @Option(help: "Results over ranges that do not overlap.")
    var results = 1_000

    @Option(help: "Rows that change before memory is measured again.")
    var changes = 200_000

    @Option(help: "What the changes are derived from.")
    var seed: UInt64 = freshSeed()

    func validate() throws {
        guard rows >= 1_000, results > 0, changes > 0 else {
            throw ValidationError("There are at least 1000 rows, a result and a change.")
        }
    }

    func run() throws {
        say("footprint: seed \(seed)")
        let folder = URL(fileURLWithPath: folder, isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let quakes = try QuakeStore(rowCount: rows, in: folder)
        var faults: [String] = []
        var memory = ResultMemory(quakes, seed: seed)
        faults += try memory.virtualFaults()
        faults += try memory.materializedFaults(changes: changes)
        faults += try DisjointLists(quakes, count: results).faults()
        for fault in faults { say("FAULT \(fault)") }
        say("footprint: \(rows) rows, \(faults.count) faults")
        if !faults.isEmpty { throw ExitCode.failure }
    }
}

/// Milliseconds that something takes.
func milliseconds(_ body: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try body()
    return start.duration(to: .now) / .milliseconds(1)
}

extension QuakeStore {
    /// The rows in an order of their own: those of the table.
    func rowIDs() throws -> [RowID] {
        try store.read { snapshot in
            var rowIDs: [RowID] = []
            try snapshot.scanRows(of: try snapshot.entity(named: "Quake")) {
                rowIDs.append($0.rowID)
                return true
            }
            return rowIDs
        }
    }
}
