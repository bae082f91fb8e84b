import ArgumentParser
import Foundation
import Loam
import LoamStorage
import SeededRandom
import Synchronization

/// The process that is killed: contexts on several threads change models of both files for ever.
///
/// Its lines: `ready` once it begins; `begun THREAD SAVE` before a save and `done THREAD SAVE` after it has returned;
/// `failed TEXT`.
struct StoresWorker: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "stores-crash-worker", shouldDisplay: false)

    @Argument var folder: String
    @Option var seed: UInt64
    @Option var threads: Int
    /// The process ends behind the how manieth commit to the first file, before the same save writes the second; 0 for
    /// never.
    @Option var between = 0

    func run() throws {
        do {
            let container = try TwoBooks.open(folder)
            var next: [Int] = []
            for thread in 0..<threads { next.append(try TwoBooks.prepare(thread, in: ModelContext(container))) }
            say("ready")
            let killer = between > 0 ? try killer(container) : nil
            for thread in 0..<threads { start(thread, from: next[thread], container) }
            // Nothing comes behind the loop, so what is only to live as long as it has to be used in it.
            while true { withExtendedLifetime(killer) { _ = pause() } }
        } catch {
            say("failed \(error)")
            throw ExitCode.failure
        }
    }

    /// Ends the process as nothing else can, on the thread that has committed.
    private func killer(_ container: ModelContainer) throws -> ChangeReader {
        let first = container.stores[0].store
        let reader = first.changes.reader(after: try first.read { try $0.lastSave() })
        let left = Mutex(between)
        reader.onArrival {
            let isLast = left.withLock { left in
                left -= 1
                return left == 0
            }
            if isLast { kill(getpid(), SIGKILL) }
        }
        return reader
    }

    private func start(_ thread: Int, from first: Int, _ container: ModelContainer) {
        let seed = seed
        Thread.detachNewThread {
            do {
                let context = ModelContext(container)
                var random = SeededGenerator(seed: seed, stream: UInt64(thread))
                for save in first... {
                    try TwoBooks.change(thread, save: save, in: context, &random)
                    say("begun \(thread) \(save)")
                    try context.save()
                    say("done \(thread) \(save)")
                }
            } catch {
                say("failed thread \(thread): \(error)")
                Foundation.exit(EXIT_FAILURE)
            }
        }
    }
}
