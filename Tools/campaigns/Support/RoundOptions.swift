import ArgumentParser
import Foundation
import Synchronization

/// Rounds of cases that follow from a seed each, several at once.
struct RoundOptions: ParsableArguments {
    @Option(help: "What everything is derived from.")
    var seed: UInt64 = freshSeed()

    @Option(help: "Rounds of 250 cases each.")
    var rounds = 40

    @Option(help: "Rounds at once, each in a thread.")
    var threads = 1

    func validate() throws {
        guard rounds > 0, threads > 0 else { throw ValidationError("Rounds and threads are at least one.") }
    }

    /// Runs the rounds, until twenty have failed, and says how many cases there were and how fast they were.
    ///
    /// - Parameters:
    ///   - name: of the campaign.
    ///   - round: takes the round's seed, which is what --seed has to be for that round to come first.
    /// - Throws: `ExitCode.failure` where any round found a fault.
    func run<Counts: RoundCounts>(_ name: String, round: @Sendable (UInt64) -> Counts) throws {
        say("\(name): seed \(seed)")
        let start = ContinuousClock.now
        let total = Mutex(Counts())
        DispatchQueue.concurrentPerform(iterations: min(threads, rounds)) { thread in
            for number in stride(from: thread, to: rounds, by: threads)
            where total.withLock({ $0.faults < 20 }) {
                let counts = round(seed &+ UInt64(number))
                let cases = total.withLock { total -> (before: Int, after: Int) in
                    let before = total.cases
                    total.add(counts)
                    return (before, total.cases)
                }
                if cases.before / 100_000 != cases.after / 100_000 { say("  \(cases.after) cases") }
            }
        }
        let seconds = start.duration(to: .now) / .seconds(1)
        let counts = total.withLock { $0 }
        let rate = Int(Double(counts.cases) / max(seconds, 0.001))
        say(
            "\(name): \(counts.text) in \(String(format: "%.0f", seconds)) s (\(rate) cases/s), "
                + "\(counts.faults) faults")
        if counts.faults > 0 { throw ExitCode.failure }
    }
}

/// What a round has done, or all of them.
protocol RoundCounts: Sendable {
    init()
    var cases: Int { get }
    var faults: Int { get }
    /// What was done, for people.
    var text: String { get }
    mutating func add(_ other: Self)
}
