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
    /// - Throws: `ExitCode.failure` where any round found a fault, or where a kind of check never took place.
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
        // A few rounds may leave something out by chance.
        let idle = counts.cases >= Self.leastCases ? counts.idleChecks : []
        for check in idle { say("\(name): no case was \(check): this proves less than it says") }
        if counts.faults > 0 || !idle.isEmpty { throw ExitCode.failure }
    }

    /// From so many cases on each kind of check has to have taken place.
    private static let leastCases = 500
}

/// What a round has done, or all of them.
protocol RoundCounts: Sendable {
    init()
    var cases: Int { get }
    var faults: Int { get }
    /// What should have been done to some of the cases, as a participle, and was done to none or too few.
    var idleChecks: [String] { get }
    /// What was done, for people.
    var text: String { get }
    mutating func add(_ other: Self)
}
