import ArgumentParser
import Foundation

/// Gives readers of text what nobody would write.
struct FuzzCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fuzz", abstract: "Give the readers of predicates and index definitions mutated input.",
        discussion: """
            'format' mutates predicates in Core Data's format: each is read, or refused with an error; what is read is \
            printed, and that is read as the same tree; every so many-th is checked against an entity, and tested on \
            rows as it is written, as it is printed and, where it can, in plain Swift. 'indexes' mutates the JSON of catalogs and index definitions, \
            two inputs for each that is counted: each is read or refused, and what is read is written and read again. \
            Anything that traps ends the process: the same seed and count repeat it.
            """)

    enum Subject: String, ExpressibleByArgument, CaseIterable {
        case format, indexes
    }

    @Argument(help: "What is mutated.")
    var subject: Subject

    @Option(help: "What the inputs are derived from.")
    var seed: UInt64 = freshSeed()

    @Option(help: "Inputs.")
    var count = 1_000_000

    @Option(help: "Threads.")
    var threads = 1

    func validate() throws {
        guard count > 0, threads > 0 else { throw ValidationError("Inputs and threads are at least one.") }
    }

    func run() throws {
        say("fuzz \(subject.rawValue): seed \(seed)")
        let batches = (count + FuzzBatch.size - 1) / FuzzBatch.size
        let start = ContinuousClock.now
        let tally = FuzzTally()
        DispatchQueue.concurrentPerform(iterations: min(threads, batches)) { thread in
            for number in stride(from: thread, to: batches, by: threads) where tally.faults < 20 {
                let batch = FuzzBatch(seed: seed &+ UInt64(number))
                tally.add(subject == .format ? batch.runFormats() : batch.runIndexes())
                if number > 0, number % 1000 == 0 {
                    say("  \(tally.inputs) inputs, batch \(seed &+ UInt64(number))")
                }
            }
        }
        let seconds = start.duration(to: .now) / .seconds(1)
        say(
            "fuzz \(subject.rawValue): \(tally.inputs) inputs, \(tally.read) read, "
                + (subject == .format ? "\(tally.judgedBySwift) judged by plain Swift, " : "") + "in "
                + "\(String(format: "%.0f", seconds)) s (\(Int(Double(tally.inputs) / max(seconds, 0.001))) inputs/s), "
                + "\(tally.faults) faults")
        let isIdle = tally.inputs >= 10_000 && (tally.read == 0 || subject == .format && tally.judgedBySwift == 0)
        if isIdle { say("fuzz \(subject.rawValue): nothing was read, or nothing judged: this proves nothing") }
        if tally.faults > 0 || isIdle { throw ExitCode.failure }
    }
}
