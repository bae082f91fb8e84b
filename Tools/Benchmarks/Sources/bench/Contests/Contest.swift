import Foundation

/// Who takes part.
enum Side: String, CaseIterable, Codable {
    case loam = "Loam"
    case raw = "raw LMDB"
    case grdb = "GRDB"
}

/// One line of the table: the same work, done by several sides in turn.
struct Contest {
    enum Unit: String, Codable {
        /// Units of work per second.
        case rate
        /// Time for one unit of work.
        case time
    }

    /// One side's part.
    struct Entry {
        let side: Side
        /// Units of work that one run does.
        let operations: Int
        /// Done before the clock starts.
        var prepare: () throws -> Void = {}
        /// What is measured. It returns what is left to do when the clock has stopped: freeing results, and making the
        /// digest that must be the same for all sides.
        let run: () throws -> () throws -> UInt64
    }

    let name: String
    let unit: Unit
    /// What the project wants to reach, in words.
    let target: String
    /// Rounds, where it is another number than for most: short work is measured more often.
    var rounds: Int?
    var entries: [Entry]
}

/// What came out of a contest.
struct ContestResult {
    let contest: Contest
    /// Seconds per unit of work, one per round.
    var samples: [Side: [Double]] = [:]

    func median(_ side: Side) -> Double? {
        guard let sorted = samples[side]?.sorted(), !sorted.isEmpty else { return nil }
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    /// How many times as fast as another side Loam is.
    func speed(over other: Side) -> Double? {
        guard let mine = median(.loam), let theirs = median(other), mine > 0 else { return nil }
        return theirs / mine
    }
}

/// What is counted as the time of a run.
enum WorkClock {
    case elapsed
    /// The time that the process had a processor, in all its threads: for comparing computation on a busy machine.
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
    /// Runs the rounds: in each, every side once, another one first each time. A first round warms up and is not
    /// counted; in every round all sides must come to the same result.
    func result(rounds wanted: Int, clock: WorkClock) throws -> ContestResult {
        var result = ContestResult(contest: self)
        for round in 0...(rounds ?? wanted) {
            var digests: [Side: UInt64] = [:]
            for position in entries.indices {
                let entry = entries[(position + round) % entries.count]
                try entry.prepare()
                let start = clock.now
                let finish = try entry.run()
                let elapsed = clock.now - start
                digests[entry.side] = try finish()
                guard round > 0 else { continue }
                result.samples[entry.side, default: []].append(elapsed / Double(entry.operations))
            }
            guard Set(digests.values).count <= 1 else {
                throw BenchmarkError(description: "'\(name)': the sides came to different results: \(digests)")
            }
        }
        return result
    }
}
