import ArgumentParser
import Foundation
import LoamQuery
import LoamStorage
import RandomQueries

/// Measures how long it takes to plan queries.
struct PlanningCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "planning", abstract: "Measure how long it takes to plan queries of common shapes.",
        discussion: """
            Printed are nanoseconds for a query of a shape that is known, with constants that change each time, and for \
            one of which nothing is known: of medians of several rounds the least. Nothing is read of the rows, and \
            nothing is a fault: figures of an idle machine are for whoever reads them.
            """)

    @Argument(help: "The folder for the store.")
    var folder: String

    @Option(help: "How many rows there are.")
    var rows = 100_000

    @Option(help: "How many times each shape is measured.")
    var rounds = 5

    @Option(help: "Measure only shapes whose names contain this.")
    var only: String?

    @Flag(help: "Print a plan of each shape.")
    var plans = false

    func validate() throws {
        guard rows >= 1_000 else { throw ValidationError("There are at least 1000 rows.") }
        guard rounds >= 1 else { throw ValidationError("There is at least one round.") }
    }

    func run() throws {
        let folder = URL(fileURLWithPath: folder, isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let parcels = try PlanningStore(rowCount: rows, in: folder)
        let shapes = parcels.shapes.filter { shape in only.map(shape.name.contains) ?? true }
        var measurements = try shapes.map(PlanningMeasurement.init)
        for _ in 0..<rounds {
            for number in measurements.indices {
                try parcels.store.read { try measurements[number].measure(in: $0) }
            }
        }
        say("planning: \(rows) rows, nanoseconds for a known shape, and for the first of its shape")
        for measurement in measurements {
            say(measurement.line)
            if plans { say(try parcels.store.read { try measurement.plan(in: $0).explanation() }) }
        }
    }
}

extension PlanningMeasurement {
    fileprivate var line: String {
        let note = isKept ? "" : ", not kept"
        return String(format: "%8.0f %8.0f  ", known, first) + shape.name + note
    }
}
