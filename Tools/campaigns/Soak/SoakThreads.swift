import Foundation
import LoamLive
import LoamQuery
import LoamStorage
import SeededRandom
import Synchronization

/// A thread that saves.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `writer` | its mutex, also while it saves | the thread; who pauses it | the end |
/// | `counts` | its mutex | the thread | the end |
final class SoakSaver: Sendable {
    private let writer: Mutex<SoakWriter>
    private let counts = Mutex((saves: 0, rows: 0))

    init(_ writer: SoakWriter) { self.writer = Mutex(writer) }

    var saves: Int { counts.withLock { $0.saves } }
    var rows: Int { counts.withLock { $0.rows } }

    func run(until end: ContinuousClock.Instant) throws {
        while ContinuousClock.now < end {
            let (rows, pause) = try writer.withLock { writer in (try writer.save(), writer.pause()) }
            counts.withLock { $0 = ($0.saves + 1, $0.rows + rows) }
            Thread.sleep(forTimeInterval: pause)
        }
    }

    /// Does something while none of the threads saves.
    static func pause(_ savers: ArraySlice<SoakSaver>, while body: () throws -> Void) throws {
        guard let first = savers.first else { return try body() }
        try first.writer.withLock { _ in try pause(savers.dropFirst(), while: body) }
    }
}

/// Somebody who shows a result, and looks at what is new in it at times of his own.
struct SoakConsumer: Sendable {
    /// Whether the result has told of something new since it was looked at.
    private final class Notice: Sendable {
        private let isSet = Mutex(false)

        func set() { isSet.withLock { $0 = true } }

        func take() -> Bool {
            isSet.withLock { isSet in
                defer { isSet = false }
                return isSet
            }
        }
    }

    private(set) var shown: ShownResult
    private let notice: Notice
    /// The most seconds between two looks; nil for somebody who looks when he is told.
    private let nap: Double?
    private var due = ContinuousClock.now

    /// What kind of a result is shown: how its rows are kept, and what of them it shows.
    var kind: String {
        let query = shown.live.query
        var words: [String] = []
        if case .virtual = shown.live.kind { words.append("virtual") } else { words.append("materialized") }
        if query.limit != nil { words.append("windowed") }
        if query.section != nil { words.append("sectioned") }
        if query.predicate != .constant(true) { words.append("filtered") }
        return words.joined(separator: ", ")
    }

    init(_ query: Query, nap: Double?, in store: Store) throws {
        let notice = Notice()
        shown = ShownResult(try LiveResult(query, in: store) { _ in notice.set() })
        (self.notice, self.nap) = (notice, nap)
    }

    /// Looks, where it is time to.
    mutating func lookNowAndThen(_ random: inout SeededGenerator, _ tally: inout ShownResult.Tally) {
        guard let nap else {
            if notice.take() { shown.take(&tally) }
            return
        }
        guard ContinuousClock.now >= due else { return }
        due = .now + .seconds(Double.random(in: 0..<nap, using: &random))
        _ = notice.take()
        shown.take(&tally)
    }

    /// Follows everything that was saved, with one delivery at most, and compares. Nobody saves meanwhile.
    mutating func settle(_ rows: LiveRows, _ tally: inout ShownResult.Tally) throws {
        // Saves of the other process may not have been looked for yet.
        shown.live.refresh()
        shown.live.settle()
        let isTold = notice.take()
        if shown.take(&tally), !isTold { tally.faults.append("\(shown.live.query): nobody told of what is new") }
        if shown.live.take() != nil { tally.faults.append("\(shown.live.query): more than one delivery waits") }
        tally.faults += try shown.faults(in: rows)
    }
}

/// A thread of consumers.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `state` | its mutex | the thread; then who settles the results | the end |
final class SoakReader: Sendable {
    private struct State {
        var consumers: [SoakConsumer]
        var random: SeededGenerator
        var tally = ShownResult.Tally()
    }

    private let state: Mutex<State>

    init(_ consumers: [SoakConsumer], random: SeededGenerator) {
        state = Mutex(State(consumers: consumers, random: random))
    }

    var tally: ShownResult.Tally { state.withLock(\.tally) }

    func run(until end: ContinuousClock.Instant) {
        while ContinuousClock.now < end {
            state.withLock { state in
                for place in state.consumers.indices {
                    state.consumers[place].lookNowAndThen(&state.random, &state.tally)
                }
            }
            Thread.sleep(forTimeInterval: 0.01)
        }
    }

    /// Follows everything that was saved, and compares. Nobody saves meanwhile.
    func settle(_ rows: LiveRows) throws {
        try state.withLock { state in
            for place in state.consumers.indices { try state.consumers[place].settle(rows, &state.tally) }
        }
    }
}

/// The thread that takes samples.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `state` | its mutex | the thread | the end |
final class SoakSampler: Sendable {
    private let store: Store
    private let savers: [SoakSaver]
    private let state: Mutex<SoakSamples>

    init(_ store: Store, _ savers: [SoakSaver], seconds: Double) {
        (self.store, self.savers) = (store, savers)
        state = Mutex(SoakSamples(seconds: seconds))
    }

    var samples: SoakSamples { state.withLock { $0 } }

    func run(from start: ContinuousClock.Instant, until end: ContinuousClock.Instant) throws {
        while ContinuousClock.now < end {
            let rows = savers.reduce(0) { $0 + $1.rows }
            let elapsed = start.duration(to: .now) / .seconds(1)
            try state.withLock { try $0.add(store, elapsed: elapsed, rows: rows) }
            Thread.sleep(forTimeInterval: 1)
        }
    }
}
