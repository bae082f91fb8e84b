import ArgumentParser
import Foundation
import Loam
import LoamUI
import SeededRandom

/// Mounts any number of views with a query each, and makes saves that touch one of them.
struct ViewsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "views",
        abstract: "Mount thousands of views with a query each over disjoint ranges, and save changes that touch one.",
        discussion: """
            Each save must render one view, and the one that shows the model. The process may have no more threads than \
            with one view, but for those that the system keeps for each processor. Times are medians: of the save with its \
            flush to the disk, and of what lies between its return and the end of the render.
            """)

    @Argument(help: "The folder for the store.")
    var folder: String

    @Option(help: "Views.")
    var count = 10_000

    @Option(help: "Saves.")
    var saves = 200

    @Option(help: "What the changes are derived from.")
    var seed: UInt64 = freshSeed()

    /// The most threads that views may add: those that Swift keeps for work of any number of tasks, and a few.
    private static let mostThreads = ProcessInfo.processInfo.activeProcessorCount + 8

    func validate() throws {
        guard count > 0, saves > 0 else { throw ValidationError("Numbers must be above 0.") }
    }

    @MainActor func run() async throws {
        say("views: seed \(seed)")
        let path = try StoreFolder.prepare(folder, store: "views.loam")
        let container = try ModelContainer(
            for: Measurement.self, configurations: ModelConfiguration(url: URL(fileURLWithPath: path)))
        let writer = ModelContext(container)
        for id in 0..<2 * count {
            writer.insert(Measurement(id: id, name: "m\(id)", station: nil, value: id))
        }
        try writer.save()
        var random = SeededGenerator(seed: seed)
        let single = try await follow(ViewBoard(1, in: container), writer, &random)
        let memory = try ProcessUse.memory()
        let start = ContinuousClock.now
        let board = ViewBoard(count, in: container)
        let opening = start.duration(to: .now) / .seconds(1)
        let each = Double(try ProcessUse.memory() - memory) / Double(count) / 1_024
        let all = try await follow(board, writer, &random)
        var faults = single.faults + all.faults
        if all.threads > single.threads + Self.mostThreads {
            faults.append("\(all.threads) threads, and \(single.threads) with one view")
        }
        for fault in faults.prefix(20) { say("fault: \(fault)") }
        say(
            "views: \(count) mounted in " + String(format: "%.1f s, %.1f KiB each; ", opening, each)
                + "\(saves) saves, medians in ms (with one view): "
                + "save " + text(all.saving, single.saving) + ", then render " + text(all.rendering, single.rendering)
                + "; \(all.threads) threads (\(single.threads)), \(faults.count) faults")
        if !faults.isEmpty { throw ExitCode.failure }
    }

    private func text(_ all: [Double], _ single: [Double]) -> String {
        String(format: "%.3f (%.3f)", all.sorted()[all.count / 2], single.sorted()[single.count / 2])
    }

    /// What was seen while changes were saved.
    private struct Outcome {
        var saving: [Double] = []
        var rendering: [Double] = []
        var threads = 0
        var faults: [String] = []
    }

    /// Saves changes of models that one view shows.
    @MainActor private func follow(
        _ board: ViewBoard, _ writer: ModelContext, _ random: inout SeededGenerator
    ) async throws -> Outcome {
        var outcome = Outcome()
        for step in 0..<saves {
            let number = Int.random(in: 0..<board.count, using: &random)
            let value = 2 * number + Int.random(in: 0...1, using: &random)
            let predicate = #Predicate { (measurement: Measurement) in measurement.value == value }
            guard let model = try writer.fetch(FetchDescriptor(predicate: predicate)).first else {
                throw CampaignError("the store has no measurement of \(value)")
            }
            model.name = "change \(step)"
            let (renders, evaluations) = (board.renders, board.evaluations)
            let start = ContinuousClock.now
            try writer.save()
            let saved = ContinuousClock.now
            while board.renders == renders { await Task.yield() }
            outcome.saving.append(start.duration(to: saved) / .milliseconds(1))
            outcome.rendering.append(saved.duration(to: board.rendered) / .milliseconds(1))
            outcome.threads = max(outcome.threads, try ProcessUse.threads())
            if board.evaluations != evaluations + 1 {
                outcome.faults.append("save \(step) evaluated \(board.evaluations - evaluations) views")
            }
            if !board.text(of: number).contains(model.name) {
                outcome.faults.append("save \(step) is not shown: \(board.text(of: number))")
            }
        }
        return outcome
    }
}
