import ArgumentParser

/// Keeps many results open for long, over writing threads and another process.
struct SoakCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soak",
        abstract: "Keep results open over writing threads and another process, and measure memory, file and snapshots.",
        discussion: """
            Each result has somebody who shows what was delivered to him: some look when they are told, some after a nap, \
            and some sleep for a tenth of the run, a minute at most; one difference or a reset then leads to what a \
            query gives that is asked anew. Memory has to be flat, the file at most 1.5 times its data and the history \
            that is kept, and no snapshot may be held for longer than its bound.
            """)

    @Argument(help: "The folder for the store.")
    var folder: String

    @Option(help: "How long threads write.")
    var seconds = 600.0

    @Option(help: "Results.")
    var results = 100

    @Option(help: "Long rows that no result shows: about 2,300 bytes each.")
    var reports = 10_000

    @Option(help: "What the changes are derived from.")
    var seed: UInt64 = freshSeed()

    func validate() throws {
        guard seconds >= 10, results > 0, reports >= 0 else {
            throw ValidationError("A run takes at least 10 seconds, and numbers must not be below 0.")
        }
    }

    func run() throws {
        say("soak: seed \(seed)")
        let path = try StoreFolder.prepare(folder, store: "soak.loam")
        var soak = try Soak(path, results: results, seconds: seconds, reports: reports, seed: seed)
        try soak.run()
        let faults = soak.faults
        for fault in faults.prefix(20) { say("fault: \(fault)") }
        say("soak: \(soak.text), \(faults.count) faults")
        let idle = soak.idleParts
        for part in idle { say("soak: nothing was \(part): this proves less than it says") }
        if !faults.isEmpty || !idle.isEmpty { throw ExitCode.failure }
    }
}
