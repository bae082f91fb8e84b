import ArgumentParser
import LoamLive
import LoamStorage
import SeededRandom

/// Keeps results of every kind open while random schedules change what they show.
struct LiveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "live",
        abstract: "Keep results of every kind open over random changes, and compare each with a query asked anew.",
        discussion: """
            Two stores on one file and another process change rows: what is shown, what orders and what filters. Results \
            are opened and closed, asked something else in place, and left alone for a while; states of them are kept; \
            the snapshots that virtual results are read from are taken away. Each difference must lead from the state \
            before to the one behind, and each state be what a query gives that is asked anew.
            """)

    @Argument(help: "The folder for the store.")
    var folder: String

    @Option(help: "Steps.")
    var steps = 20_000

    @Option(help: "Results that are open at a time.")
    var results = 12

    @Option(help: "What everything is derived from.")
    var seed: UInt64 = freshSeed()

    func validate() throws {
        guard steps > 0, results > 0 else { throw ValidationError("Numbers must be above 0.") }
    }

    func run() throws {
        say("live: seed \(seed)")
        let path = try StoreFolder.prepare(folder, store: "live.loam")
        var schedule = try LiveSchedule(path, results: results, seed: seed)
        let start = ContinuousClock.now
        for step in 1...steps {
            try schedule.step(step)
            if !schedule.faults.isEmpty { break }
            if step % 100_000 == 0 { say("  \(step) steps") }
        }
        let seconds = start.duration(to: .now) / .seconds(1)
        for fault in schedule.faults.prefix(20) { say("fault: \(fault)") }
        say("live: \(schedule.text) in \(Int(seconds)) s, \(schedule.faults.count) faults")
        if !schedule.faults.isEmpty { throw ExitCode.failure }
        let idle = steps < 5_000 ? [] : schedule.idleParts
        for part in idle { say("live: nothing was \(part): this proves less than it says") }
        if !idle.isEmpty { throw ExitCode.failure }
    }
}

/// The other process: makes some random saves and ends.
struct LiveWorker: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "live-worker", shouldDisplay: false)

    @Argument var store: String
    @Option var seed: UInt64
    @Option var saves: Int

    func run() throws {
        let rows = try LiveRows(Store.open(path: store, options: LiveRows.options))
        var random = SeededGenerator(seed: seed)
        for _ in 0..<saves { try rows.store.save(rows.changes(&random, atMost: 8)) }
    }
}
