import ArgumentParser
import Foundation
import Loam
import SeededRandom

/// Opens any number of results, and makes saves that change them all.
struct ResultsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "results",
        abstract: "Open thousands of observers, save rows that touch them all, and compare each with a fetch.",
        discussion: """
            Half of the observers are the main actor's, the others belong to four actors; some are in sections, some have a \
            limit. The process may have at most 8 threads more than with one observer.
            """)

    @Argument(help: "The folder for the store.")
    var folder: String

    @Option(help: "Observers.")
    var count = 10_000

    @Option(help: "Saves.")
    var saves = 20

    @Option(help: "Models.")
    var models = 300

    @Option(help: "What the changes are derived from.")
    var seed: UInt64 = freshSeed()

    /// The most threads that observers may add.
    private static let mostThreads = 8

    func validate() throws {
        guard count > 0, saves > 0, models > 0 else { throw ValidationError("Numbers must be above 0.") }
    }

    @MainActor func run() async throws {
        say("results: seed \(seed)")
        let path = try StoreFolder.prepare(folder, store: "results.loam")
        let container = try ModelContainer(
            for: Measurement.self, configurations: ModelConfiguration(url: URL(fileURLWithPath: path)))
        var random = SeededGenerator(seed: seed)
        let writer = ModelContext(container)
        for id in 0..<models {
            writer.insert(
                Measurement(id: id, name: "m\(id)", station: nil, value: .random(in: 0..<100, using: &random)))
        }
        try writer.save()
        var faults: [String] = []
        // The threads are counted with one observer, on the main actor, and with all isolations.
        let rooms = (0..<4).map { _ in ObserverRoom() }
        let one = try ObserverShelf(1, in: container)
        for room in rooms { try await room.open(0, in: container) }
        let single = try await follow(container, writer, &random, saves: 3)
        faults += try one.faults(container)

        let memory = try ProcessUse.memory()
        let start = ContinuousClock.now
        let shelf = try ObserverShelf(count - count / 8 * 4, in: container)
        for room in rooms { try await room.open(count / 8, in: container) }
        let opening = start.duration(to: .now) / .seconds(1)
        let each = Double(try ProcessUse.memory() - memory) / Double(count) / 1_024
        let all = try await follow(container, writer, &random, saves: saves)
        faults += try shelf.faults(container) + one.faults(container)
        for room in rooms { faults += try await room.faults(container) }
        if all.threads > single.threads + Self.mostThreads {
            faults.append("\(all.threads) threads, and \(single.threads) with one observer")
        }
        for fault in faults.prefix(20) { say("fault: \(fault)") }
        say(
            "results: \(count) observers opened in " + String(format: "%.1f s, %.1f KiB each; ", opening, each)
                + "\(saves) saves, " + String(format: "median %.1f ms (%.1f with one); ", all.median, single.median)
                + "\(all.threads) threads (\(single.threads) with one), \(faults.count) faults")
        if !faults.isEmpty { throw ExitCode.failure }
    }

    /// Saves rows that every observer shows. Returns the most threads that were seen, and the milliseconds of a save.
    @MainActor private func follow(
        _ container: ModelContainer, _ writer: ModelContext, _ random: inout SeededGenerator, saves: Int
    ) async throws -> (threads: Int, median: Double) {
        var threads = 0
        var times: [Double] = []
        for step in 0..<saves {
            let models = try writer.fetch(FetchDescriptor<Measurement>(sortBy: [SortDescriptor(\.id)]))
            for model in models.shuffled(using: &random).prefix(4) {
                model.value = .random(in: 0..<100, using: &random)
                model.station = ["north", "south", nil].randomElement(using: &random) ?? nil
            }
            if step % 3 == 0, let last = models.last { writer.delete(last) }
            let id = (models.last?.id ?? 0) + 1
            writer.insert(Measurement(id: id, name: "m\(id)", station: "new", value: 100))
            let start = ContinuousClock.now
            try writer.save()
            times.append(start.duration(to: .now) / .milliseconds(1))
            // Deliveries come while the threads are counted.
            for _ in 0..<10 {
                threads = max(threads, try ProcessUse.threads())
                await Task.yield()
            }
        }
        return (threads, times.sorted()[times.count / 2])
    }
}
