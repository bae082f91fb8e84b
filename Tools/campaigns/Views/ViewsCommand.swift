import ArgumentParser
import Foundation
import Loam
import LoamUI
import SeededRandom

/// Mounts any number of views with a query each, and makes saves that touch one of them; then a list over many models, and
/// makes saves that touch one of its rows.
struct ViewsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "views",
        abstract: "Mount thousands of views with a query each over disjoint ranges, and save changes that touch one.",
        discussion: """
            Each save must render one view, and the one that shows the model. The process may have no more threads than \
            with one view, but for those that the system keeps for each processor. Times are medians: of the save with its \
            flush to the disk, and of what lies between its return and the end of the render.

            A list over a lazy result of so many rows comes after: it must mount the rows that are shown and no others, \
            and evaluate one where one of these changes, none where another does. For a change it may read 100 records of \
            the result at most.
            """)

    @Argument(help: "The folder for the store.")
    var folder: String

    @Option(help: "Views.")
    var count = 10_000

    @Option(help: "Saves, of each kind.")
    var saves = 200

    @Option(help: "Rows of the list.")
    var rows = 1_000_000

    @Option(help: "What the changes are derived from.")
    var seed: UInt64 = freshSeed()

    /// The most threads that views may add: those that Swift keeps for work of any number of tasks, and a few.
    private static let mostThreads = ProcessInfo.processInfo.activeProcessorCount + 8

    func validate() throws {
        guard count > 0, saves > 0 else { throw ValidationError("Numbers must be above 0.") }
        guard rows >= 1_000 else { throw ValidationError("A list has 1,000 rows or more.") }
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
        let wrong = try await followList(in: container, writer, &random)
        if !faults.isEmpty || wrong > 0 { throw ExitCode.failure }
    }

    /// Mounts a list, and saves changes of rows that are shown and of others.
    ///
    /// - Returns: the number of faults.
    @MainActor private func followList(
        in container: ModelContainer, _ writer: ModelContext, _ random: inout SeededGenerator
    ) async throws -> Int {
        let filler = ModelContext(container)
        for id in 2 * count..<max(rows, 2 * count) {
            filler.insert(Measurement(id: id, name: "m\(id)", station: nil, value: id))
        }
        try filler.save()
        let total = max(rows, 2 * count)
        let memory = try ProcessUse.memory()
        let start = ContinuousClock.now
        let board = ListBoard(in: container)
        let opening = start.duration(to: .now) / .milliseconds(1)
        var faults: [String] = []
        let first = board.shownRows
        if board.rowCount != total || first.lowerBound != 0 || first.count > 100 || board.evaluations != first.count {
            faults.append("the list of \(board.rowCount) shows \(first) and has evaluated \(board.evaluations) rows")
        }
        var (rendering, scrolling): ([Double], [Double]) = ([], [])
        var mostReads = 0
        for step in 0..<saves {
            if step % 4 == 3 {
                let place = Int.random(in: 0..<total - first.count, using: &random)
                let start = ContinuousClock.now
                board.show(rows: place..<place + first.count)
                scrolling.append(start.duration(to: .now) / .milliseconds(1))
                if board.shownRows != place..<place + first.count {
                    faults.append("asked for rows from \(place), the list shows \(board.shownRows)")
                }
            }
            let shown = board.shownRows
            let value = Int.random(in: shown, using: &random)
            let other = (value + total / 2) % total
            let (renders, evaluations, reads) = (board.renders, board.evaluations, board.readRecords)
            if !shown.contains(other) { try change(other, to: "other \(step)", in: writer) }
            try change(value, to: "change \(step)", in: writer)
            let saved = ContinuousClock.now
            while board.renders == renders { await Task.yield() }
            rendering.append(saved.duration(to: board.rendered) / .milliseconds(1))
            if board.evaluations != evaluations + 1 {
                faults.append("save \(step) evaluated \(board.evaluations - evaluations) rows")
            }
            mostReads = max(mostReads, board.readRecords - reads)
            if board.texts[value - shown.lowerBound] != "\(value) change \(step)" {
                faults.append("save \(step) is not shown: \(board.texts[value - shown.lowerBound])")
            }
        }
        if board.readRecords == 0 { faults.append("the list has read no records") }
        if mostReads > 100 { faults.append("a change has read \(mostReads) records") }
        let use = Double(try ProcessUse.memory() - memory) / 1_024 / 1_024
        for fault in faults.prefix(20) { say("fault: \(fault)") }
        say(
            "views: a list of \(total) rows mounted in " + String(format: "%.2f ms, %.1f MiB; ", opening, use)
                + "medians in ms: render of a change " + String(format: "%.3f", rendering.sorted()[rendering.count / 2])
                + ", of other rows "
                + (scrolling.isEmpty ? "-" : String(format: "%.3f", scrolling.sorted()[scrolling.count / 2]))
                + "; \(mostReads) records read for a change at most; \(faults.count) faults")
        return faults.count
    }

    @MainActor private func change(_ value: Int, to name: String, in writer: ModelContext) throws {
        try measurement(of: value, in: writer).name = name
        try writer.save()
    }

    @MainActor private func measurement(of value: Int, in writer: ModelContext) throws -> Measurement {
        let predicate = #Predicate { (measurement: Measurement) in measurement.value == value }
        guard let model = try writer.fetch(FetchDescriptor(predicate: predicate)).first else {
            throw CampaignError("the store has no measurement of \(value)")
        }
        return model
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
            let model = try measurement(of: value, in: writer)
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
