import ArgumentParser
import Foundation

/// The contests have a thread of their own, so that the main actor is free for those that read there.
@main
enum Program {
    static func main() {
        Thread.detachNewThread {
            Bench.main()
            exit(0)
        }
        while true { RunLoop.main.run() }
    }
}

/// `bench`: Loam beside raw LMDB and GRDB in one process, sides in turn.
struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Compares Loam with LMDB used by hand from C and with GRDB, doing the same work on the same rows.")

    @Option(help: "Rows to load: the record is 1,000,000.")
    var rows = 100_000

    @Option(help: "Rounds of each contest; single saves take more.")
    var rounds = 5

    @Option(help: "Runs only contests whose name contains this text; may be given several times.")
    var only: [String] = []

    @Option(help: "Runs only this side: loam, raw or grdb; for profiling.")
    var side: Side?

    @Flag(help: "Counts processor time instead of elapsed time: for a busy machine, and not for commits.")
    var processorTime = false

    @Flag(help: "Prints JSON with every sample instead of the table.")
    var json = false

    @Option(help: "A folder for the stores, on the disk that is to be measured; nothing is left in it.")
    var folder = FileManager.default.currentDirectoryPath

    func validate() throws {
        guard rows >= 1_000, rows <= 50_000_000 else { throw ValidationError("--rows must be 1,000 to 50,000,000.") }
        guard rounds >= 1 else { throw ValidationError("--rounds must be 1 or more.") }
    }

    func run() throws {
        let place = folder + "/loam-bench-\(ProcessInfo.processInfo.processIdentifier)"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: place) }
        let before = Self.loadAverage
        let suite = Suite(rowCount: rows, folder: place)
        var results = try suite.loads.filter(isWanted).map(measured)
        try suite.loadTheRest()
        let sizes = try suite.fileSizes()
        results += try (suite.contests.dropFirst(suite.loads.count)).filter(isWanted).map(measured)
        if side == nil, only.isEmpty {
            let digests = try suite.digests()
            guard Set(digests.values).count == 1 else {
                throw BenchmarkError(description: "The sides end with different rows: \(digests)")
            }
        }
        try suite.close()
        let report = Report(
            rowCount: rows, rounds: rounds, clock: processorTime ? .processor : .elapsed, fileSizes: sizes,
            loadAverages: (before, Self.loadAverage),
            results: results)
        print(json ? try report.json() : report.table)
    }

    private func isWanted(_ contest: Contest) -> Bool {
        only.isEmpty || only.contains { contest.name.localizedCaseInsensitiveContains($0) }
    }

    private func measured(_ contest: Contest) throws -> ContestResult {
        FileHandle.standardError.write(Data("\(contest.name) ...\n".utf8))
        var contest = contest
        if let side { contest.entries.removeAll { $0.side != side } }
        return try contest.result(rounds: rounds, clock: processorTime ? .processor : .elapsed)
    }

    /// The load average of the last minute.
    private static var loadAverage: Double {
        var average = 0.0
        return getloadavg(&average, 1) == 1 ? average : 0
    }
}

extension Side: ExpressibleByArgument {
    init?(argument: String) {
        switch argument {
        case "loam": self = .loam
        case "raw": self = .raw
        case "grdb": self = .grdb
        default: return nil
        }
    }
}
