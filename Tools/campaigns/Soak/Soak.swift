import Foundation
import LoamLive
import LoamQuery
import LoamStorage
import SeededRandom
import Synchronization

/// The results, the threads that change what they show and those that look at them, and the sleepers.
struct Soak {
    private static let saverCount = 4
    private static let readerCount = 4
    private static let townCount = 1_000

    private let path: String
    private let seconds: Double
    private let rows: SoakRows
    private let savers: [SoakSaver]
    private let readers: [SoakReader]
    /// Those who sleep for a tenth of the run, a minute at most: one for each kind of result.
    private var sleepers: [SoakConsumer]
    private var random: SeededGenerator
    private let sampler: SoakSampler
    private var tally = ShownResult.Tally()
    private var (naps, foreign, virtual) = (0, 0, 0)

    init(_ path: String, results: Int, seconds: Double, reports: Int, seed: UInt64) throws {
        (self.path, self.seconds) = (path, seconds)
        var random = SeededGenerator(seed: seed)
        let store = try Store.open(path: path, options: SoakRows.options)
        try SoakRows.create(in: store)
        let rows = try SoakRows(store)
        self.rows = rows
        savers = try (0..<Self.saverCount).map { number in
            var writer = SoakWriter(
                rows, towns: Self.townCount / Self.saverCount,
                random: SeededGenerator(seed: seed, stream: UInt64(number)))
            try writer.fill(reports: reports / Self.saverCount)
            return SoakSaver(writer)
        }
        sampler = SoakSampler(store, savers, seconds: seconds)
        let queries = try LiveRows.queries().shuffled(using: &random)
        var awake: [[SoakConsumer]] = Array(repeating: [], count: Self.readerCount)
        sleepers = []
        var kinds: Set<String> = []
        for number in 0..<results {
            // Every third looks when he is told.
            let nap = number.isMultiple(of: 3) ? nil : [0.1, 0.5, 2, 5].randomElement(using: &random)
            let consumer = try SoakConsumer(queries[number % queries.count], nap: nap, in: store)
            if case .virtual = consumer.shown.live.kind { virtual += 1 }
            if kinds.insert(consumer.kind).inserted {
                sleepers.append(consumer)
            } else {
                awake[number % Self.readerCount].append(consumer)
            }
        }
        readers = awake.enumerated().map { number, consumers in
            SoakReader(consumers, random: SeededGenerator(seed: seed, stream: 1_000, UInt64(number)))
        }
        self.random = random
    }

    var text: String {
        let tallies = readers.map(\.tally) + [tally]
        let saves = savers.reduce(0) { $0 + $1.saves }
        return "\(saves) saves and \(foreign) of another process, "
            + "\(tallies.reduce(0) { $0 + $1.deliveries }) deliveries of which "
            + "\(tallies.reduce(0) { $0 + $1.resets }) resets, \(sleepers.count) sleepers woken \(naps) times, "
            + "\(virtual) virtual results; \(sampler.samples.text)"
    }

    var faults: [String] { (readers.map(\.tally) + [tally]).flatMap(\.faults) + sampler.samples.faults }

    /// What should have been done and was not, as a participle.
    var idleParts: [String] {
        [
            (foreign, "saved by another process"), (virtual, "virtual"), (naps, "slept through"),
            (tally.deliveries, "delivered to a sleeper"),
        ].filter { $0.0 == 0 }.map(\.1)
    }

    mutating func run() throws {
        let start = ContinuousClock.now
        let end = start + .seconds(seconds)
        let threads = SoakThreads()
        for saver in savers { threads.begin { try saver.run(until: end) } }
        for reader in readers { threads.begin { reader.run(until: end) } }
        threads.begin { [sampler] in try sampler.run(from: start, until: end) }
        while ContinuousClock.now < end {
            try sleep(until: min(.now + .seconds(min(seconds / 10, 60)), end))
            try SoakSaver.pause(savers[...]) { try wakeSleepers() }
        }
        tally.faults += threads.wait()
        for reader in readers { try reader.settle(rows.towns) }
        try wakeSleepers()
        tally.faults += try rows.store.check().faults.map { "check: \($0)" }
    }

    /// Another process saves and ends.
    private mutating func sleep(until wake: ContinuousClock.Instant) throws {
        let seconds = ContinuousClock.now.duration(to: wake) / .seconds(1)
        let seed = random.next() >> 1
        let child = try ChildProcess(["soak-worker", path, "--seed", "\(seed)", "--seconds", "\(seconds)"])
        let lines = try child.lines()
        let ending = child.wait()
        let saves = lines.compactMap { $0.hasPrefix("saved ") ? Int($0.dropFirst(6)) : nil }
        if ending != .exited(0) || saves.count != 1 { tally.faults.append("the other process: \(ending), \(lines)") }
        foreign += saves.reduce(0, +)
    }

    /// Sleepers have one difference to take, or a reset, whatever was saved. Nobody saves meanwhile.
    private mutating func wakeSleepers() throws {
        naps += 1
        for place in sleepers.indices { try sleepers[place].settle(rows.towns, &tally) }
    }
}

/// Threads, and why some of them have failed.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `faults` | its mutex | the threads | the end |
private final class SoakThreads: Sendable {
    private let group = DispatchGroup()
    private let faults = Mutex<[String]>([])

    func begin(_ body: @escaping @Sendable () throws -> Void) {
        group.enter()
        Thread.detachNewThread { [self] in
            defer { group.leave() }
            do {
                try body()
            } catch {
                faults.withLock { $0.append("a thread has failed: \(error)") }
            }
        }
    }

    /// Waits for all of them.
    func wait() -> [String] {
        group.wait()
        return faults.withLock { $0 }
    }
}
