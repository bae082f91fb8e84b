import Dispatch
import LoamQuery
import SeededRandom
import Synchronization
import Testing

@testable import LoamLive
@testable import LoamStorage

/// Small commits are placed by whoever shows a result, one hop after they were made; the engine does what is left.
@Suite struct PlacedResultTests {
    /// What is shown of a result, by its deliveries alone.
    private final class Shown: Sendable {
        private struct Content {
            var rows = SectionedRows(sections: [])
            var told = 0
        }

        private let content = Mutex(Content())
        private let live = Mutex<LiveResult?>(nil)

        var rows: SectionedRows { content.withLock { $0.rows } }
        var told: Int { content.withLock { $0.told } }
        var result: LiveResult? { live.withLock { $0 } }

        init(_ query: Query, in store: Store) throws {
            let live = try LiveResult(query, in: store, isPlacedWhereTold: true) { [weak self] _ in
                self?.content.withLock { $0.told += 1 }
            }
            self.live.withLock { $0 = live }
            let rows = SectionedRows(live.start())
            content.withLock { $0.rows = rows }
        }

        /// Takes what is new, as it is done where the result is shown.
        func take() throws {
            guard let live = result else { return }
            live.place()
            guard let delivery = live.take() else { return }
            if let error = delivery.error { throw error }
            guard let update = delivery.update else { return }
            content.withLock { content in
                #expect(content.rows == SectionedRows(update.old))
                switch update.change() {
                case .reset: content.rows = SectionedRows(update.new)
                case .difference(let difference): content.rows = content.rows.applying(difference)
                }
                #expect(content.rows == SectionedRows(update.new))
            }
        }
    }

    /// The engine's queue stands still all the while, but for the times when it renews the snapshot of virtual rows.
    @Test(arguments: 0..<LiveSample.queries.count)
    func aSmallCommitNeedsNoQueue(number: Int) throws {
        let query = LiveSample.queries[number]
        var random = SeededGenerator(seed: UInt64(number))
        let sample = try LiveSample(seed: UInt64(number))
        let shown = try Shown(query, in: sample.store)
        let live = try #require(shown.result)
        // What the start has asked for.
        live.settle()
        live.engine.queue.sync {}
        live.engine.queue.suspend()
        defer { live.engine.queue.resume() }
        var leftToQueue = 0
        for step in 0..<60 {
            let before = shown.told
            try sample.saveChanges(&random, through: step % 2)
            let fresh = try sample.fresh(query)
            if live.engine.requests.withLock(\.isScheduled) {
                leftToQueue += 1
                live.engine.queue.resume()
                live.engine.queue.sync {}
                live.engine.queue.suspend()
            }
            #expect(shown.told == before + 1 || fresh == shown.rows, "query \(number), step \(step)")
            try shown.take()
            try #require(shown.rows == fresh, "query \(number), step \(step)")
            live.engine.work.withLock { #expect($0.checkInvariants() == []) }
        }
        live.engine.work.withLock { #expect($0.isEmpty && $0.handedOver.isEmpty) }
        #expect(query.limit == 0 || shown.told > 5)
        #expect(leftToQueue <= (live.state.virtual == nil ? 0 : 6))
    }

    /// Whoever shows a result does not come for long: it is told once, and the engine takes over before much is kept.
    @Test func whatNobodyPlacesTheEngineDoes() throws {
        let sample = try LiveSample()
        var random = SeededGenerator(seed: 5)
        let query = LiveSample.queries[4]
        let shown = try Shown(query, in: sample.store)
        let live = try #require(shown.result)
        live.settle()
        live.engine.queue.sync {}
        var mostKept = 0
        for _ in 0..<200 {
            try sample.saveChanges(&random)
            mostKept = max(mostKept, live.engine.work.withLock { $0.rowCount })
        }
        #expect(shown.told == 1 && mostKept < 200)
        live.settle()
        #expect(shown.told == 1)
        try shown.take()
        #expect(shown.rows == (try sample.fresh(query)))
        // A commit of many rows is not left to whoever shows it.
        try sample.saveChanges(&random, atMost: 400)
        live.engine.queue.sync {}
        live.engine.work.withLock { #expect($0.handedOver.isEmpty) }
        try shown.take()
        #expect(shown.rows == (try sample.fresh(query)))
    }

    /// A commit comes while some thread brings results up, and while one takes: nobody misses it.
    @Test func aCommitBetweenPlacingAndTakingIsTold() throws {
        let sample = try LiveSample()
        var random = SeededGenerator(seed: 6)
        let query = LiveSample.queries[2]
        let shown = try Shown(query, in: sample.store)
        let live = try #require(shown.result)
        live.settle()
        live.engine.queue.sync {}
        for _ in 0..<50 {
            try sample.saveChanges(&random)
            live.place()
            let told = shown.told
            try sample.saveChanges(&random)
            let isTouched = live.engine.work.withLock { !$0.isEmpty }
            #expect(shown.told > told || !isTouched)
            try shown.take()
            #expect(shown.rows == (try sample.fresh(query)))
        }
    }

    /// While the engine is at work, commits wait for it.
    @Test func theEngineIsAtWork() throws {
        let sample = try LiveSample()
        var random = SeededGenerator(seed: 7)
        let query = LiveSample.queries[0]
        let shown = try Shown(query, in: sample.store)
        let live = try #require(shown.result)
        live.settle()
        let engine = live.engine
        let (held, released) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        DispatchQueue.global().async {
            engine.work.withLock { _ in
                held.signal()
                released.wait()
            }
        }
        held.wait()
        for _ in 0..<5 { try sample.saveChanges(&random) }
        // Placing waits for nobody.
        live.place()
        #expect(live.take() == nil)
        released.signal()
        live.settle()
        try shown.take()
        #expect(shown.rows == (try sample.fresh(query)))
    }

    /// Several threads save, others show results, and some results are left to the engine.
    @Test(arguments: 0..<6) func manyThreadsAtOnce(seed: Int) throws {
        let sample = try LiveSample(seed: UInt64(seed))
        let shown = try LiveSample.queries.map { try Shown($0, in: sample.store) }
        let followers = try LiveSample.queries.prefix(seed % 3 * 4).map { try LiveFollower($0, in: sample.store) }
        let failures = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { worker in
            var random = SeededGenerator(seed: UInt64(worker + 10 * seed))
            do {
                for _ in 0..<60 {
                    if worker < 2 { try sample.saveChanges(&random, through: worker) }
                    // Each result is shown by one thread.
                    for position in shown.indices where position % 4 == worker { try shown[position].take() }
                }
            } catch {
                failures.withLock { $0.append("\(error)") }
            }
        }
        #expect(failures.withLock { $0 } == [])
        for (query, shown) in zip(LiveSample.queries, shown) {
            shown.result?.settle()
            try shown.take()
            #expect(shown.rows == (try sample.fresh(query)))
        }
        for (query, follower) in zip(LiveSample.queries, followers) {
            follower.live.settle()
            let fresh = try sample.fresh(query)
            #expect(follower.faults == [] && follower.rows == fresh)
        }
        shown.first?.result?.engine.work.withLock { #expect($0.checkInvariants() == []) }
    }
}
