import ArgumentParser
import Foundation
import LoamStorage

/// The process that is killed: it writes for ever, one partition per thread, and prints a line after each step.
///
/// Its lines: `ready` once it begins; `done THREAD STEP` after the store has acknowledged a step; `failed TEXT`.
struct CrashWorker: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "crash-worker", shouldDisplay: false)

    @Argument var store: String
    @Option var seed: UInt64
    @Option var durability: WorkDurability
    /// The step that each thread begins with.
    @Option var steps: StepNumbers

    func run() throws {
        do {
            let store = try durability.open(store)
            let threads = try steps.numbers.indices.map { try StepPerformer(store: store, thread: $0) }
            say("ready")
            for (thread, performer) in threads.enumerated() { start(performer, thread: thread) }
            while true { pause() }
        } catch {
            say("failed \(error)")
            throw ExitCode.failure
        }
    }

    private func start(_ performer: StepPerformer, thread: Int) {
        let (workload, first) = (Workload(seed: seed, thread: thread), steps.numbers[thread])
        Thread.detachNewThread {
            var performer = performer
            do {
                for number in first... {
                    try performer.perform(workload.step(number, after: performer.partition))
                    say("done \(thread) \(number)")
                }
            } catch {
                say("failed thread \(thread): \(error)")
                Foundation.exit(EXIT_FAILURE)
            }
        }
    }
}

/// How far a save of the campaign goes to the disk. A kill must not lose anything under any of them.
enum WorkDurability: String, ExpressibleByArgument, CaseIterable {
    case durable, recent, unsynced

    func open(_ path: String) throws -> Store {
        var options = StoreOptions()
        options.durability =
            switch self {
            case .durable: .durable
            case .recent: .recent
            case .unsynced: .unsynced
            }
        options.historyBytes = 1 << 20
        return try Store.open(path: path, options: options)
    }
}

/// Numbers with commas between them.
struct StepNumbers: ExpressibleByArgument {
    var numbers: [Int]

    init(_ numbers: [Int]) { self.numbers = numbers }

    init?(argument: String) {
        let parsed = argument.split(separator: ",").map { Int($0) }
        guard !parsed.isEmpty, !parsed.contains(nil) else { return nil }
        numbers = parsed.compactMap { $0 }
    }

    var argument: String { numbers.map(String.init).joined(separator: ",") }
}
