import Foundation

/// The stores that take part.
enum Side: String, CaseIterable, Codable {
    case loam = "Loam"
    case raw = "raw LMDB"
    case grdb = "GRDB"
}

/// One line of the table: the same work, done by several sides in turn.
struct Contest {
    enum Unit: String, Codable {
        /// The unit is work per second.
        case rate
        /// The unit is the time for one piece of work.
        case time
    }

    /// The part of one side.
    struct Entry {
        let side: Side
        /// The units of work that one call of `run` does.
        let operations: Int
        /// Work that is done before the clock starts.
        var prepare: () throws -> Void = {}
        /// The work that is measured. It returns the work that is left when the clock has stopped: freeing results, and
        /// making the digest that must be the same for all sides.
        let run: () throws -> () throws -> UInt64
        /// The seconds of the last call, where the part takes the time itself.
        var ownSeconds: (() -> Double)?

        /// A part that takes the time itself, because its work ends on another thread.
        ///
        /// - Parameter run: returns the seconds of the work that counts, and the work that is left.
        static func timed(
            _ side: Side, prepare: @escaping () throws -> Void = {},
            run: @escaping () throws -> (seconds: Double, finish: () throws -> UInt64)
        ) -> Entry {
            var seconds = 0.0
            return Entry(
                side: side, operations: 1, prepare: prepare,
                run: {
                    let (elapsed, finish) = try run()
                    seconds = elapsed
                    return finish
                }, ownSeconds: { seconds })
        }
    }

    let name: String
    let unit: Unit
    /// The project's aim, in words.
    let target: String
    /// The number of rounds, where it is not the usual one: short work is measured more often.
    var rounds: Int?
    /// Whether the report also says what 99 of 100 rounds stay below.
    var hasTail = false
    var entries: [Entry]
    /// Closes what the contest has opened.
    var finish: () throws -> Void = {}
}

/// The results of a contest.
struct ContestResult {
    let contest: Contest
    /// Seconds per unit of work, one per round.
    var samples: [Side: [Double]] = [:]

    func median(_ side: Side) -> Double? {
        guard let sorted = samples[side]?.sorted(), !sorted.isEmpty else { return nil }
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    /// What 99 of 100 rounds stay below.
    func tail(_ side: Side) -> Double? {
        guard let sorted = samples[side]?.sorted(), !sorted.isEmpty else { return nil }
        return sorted[min(sorted.count * 99 / 100, sorted.count - 1)]
    }

    /// How many times as fast as another side Loam is.
    func speed(over other: Side) -> Double? {
        guard let mine = median(.loam), let theirs = median(other), mine > 0 else { return nil }
        return theirs / mine
    }
}

/// The clock by which a round is measured.
enum WorkClock {
    case elapsed
    /// The time that the process had a processor, in all its threads. It compares computation on a busy machine.
    case processor

    /// Seconds since some moment.
    var now: Double {
        var time = timespec()
        clock_gettime(self == .elapsed ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}

struct BenchmarkError: Error, CustomStringConvertible {
    let description: String
}

extension Contest {
    /// Runs the rounds: in each round every side once, in one of the ``orders``. A first round warms up and is not
    /// counted. In every round all sides must come to the same result.
    func result(rounds wanted: Int, clock: WorkClock) throws -> ContestResult {
        var result = ContestResult(contest: self)
        let orders = orders
        for round in 0...(rounds ?? wanted) {
            var digests: [Side: UInt64] = [:]
            for entry in orders[round % orders.count] {
                try entry.prepare()
                let start = clock.now
                let finish = try entry.run()
                let elapsed = entry.ownSeconds?() ?? (clock.now - start)
                digests[entry.side] = try finish()
                guard round > 0 else { continue }
                result.samples[entry.side, default: []].append(elapsed / Double(entry.operations))
            }
            guard Set(digests.values).count <= 1 else {
                throw BenchmarkError(description: "'\(name)': the sides came to different results: \(digests)")
            }
        }
        try finish()
        return result
    }

    /// The entries, each of them first once, and the same backwards: so that each side follows each other one as often.
    /// Where one side reads a million rows, the next one finds the processor's caches without its own.
    private var orders: [[Entry]] {
        let forwards = entries.indices.map { Array(entries[$0...] + entries[..<$0]) }
        return forwards + forwards.map { $0.reversed() }
    }
}
