import Dispatch
import LMDB
import LoamQuery
import SeededRandom
import Synchronization
import Testing

@testable import LoamLive
@testable import LoamStorage

/// Snapshots have to end when somebody waits for all reads of the process, and none can be held until that is done.
@Suite("Results whose snapshots are recalled") struct RecalledSnapshotTests {
    /// Somebody who reads, and somebody who waits for all reads to end.
    private final class Recall: Sendable {
        private let store: Store
        private let end = DispatchSemaphore(value: 0)
        private let isReading = Mutex(false)
        private let failures = Mutex<[String]>([])
        private let isDone = Mutex(false)

        init(of store: Store) { self.store = store }

        /// Returns when snapshots are recalled.
        func begin() async {
            DispatchQueue.global().async { [self] in
                note {
                    try store.read { _ in
                        isReading.withLock { $0 = true }
                        end.wait()
                    }
                }
            }
            while !isReading.withLock({ $0 }) { await Task.yield() }
            DispatchQueue.global().async { [self] in
                note { try store.environment.grow() }
                isDone.withLock { $0 = true }
            }
            while !store.recallsLeases { await Task.yield() }
        }

        /// Returns when snapshots can be held again; what went wrong.
        func finish() async -> [String] {
            end.signal()
            while !isDone.withLock({ $0 }) { await Task.yield() }
            return failures.withLock { $0 }
        }

        private func note(_ body: () throws -> Void) {
            do { try body() } catch { failures.withLock { $0.append("\(error)") } }
        }
    }

    @Test(
        "read in one again, also where the round behind the recall got none", .timeLimit(.minutes(30)),
        arguments: LiveSample.virtualQueries)
    func takenUpAgain(number: Int) async throws {
        let sample = try LiveSample(rowCount: 80)
        let live = try LiveResult(LiveSample.queries[number], in: sample.store) { _ in }
        let leases = live.engine.leases
        let old = live.start()
        let rows = SectionedRows(old)
        live.settle()
        #expect(leases.count == 1)
        let recall = Recall(of: sample.store)
        await recall.begin()
        while leases.count > 0 { await Task.yield() }
        // The round that the recall asked for, without a snapshot.
        live.refresh()
        live.settle()
        #expect(leases.count == 0 && SectionedRows(live.state) == rows)
        let faults = await recall.finish()
        #expect(faults == [])
        // Nobody saves anything.
        while leases.count == 0 { await Task.yield() }
        live.settle()
        #expect(leases.count == 1 && SectionedRows(live.state) == rows && SectionedRows(old) == rows)
        #expect(live.trace.reads == 0)
        var random = SeededGenerator(seed: UInt64(number))
        for _ in 0..<20 {
            try sample.saveChanges(&random)
            live.settle()
            #expect(SectionedRows(live.state) == (try sample.fresh(live.query)))
        }
    }

    @Test("that are opened meanwhile hold no rows afterwards", .timeLimit(.minutes(30)))
    func openedMeanwhile() async throws {
        let sample = try LiveSample(rowCount: 80)
        let recall = Recall(of: sample.store)
        await recall.begin()
        let live = try LiveResult(LiveSample.queries[1], in: sample.store) { _ in }
        let rows = SectionedRows(live.start())
        live.settle()
        guard case .materialized = live.kind else {
            Issue.record("it is \(live.kind)")
            return
        }
        let faults = await recall.finish()
        #expect(faults == [])
        while case .materialized = live.kind { await Task.yield() }
        live.settle()
        #expect(live.kind == .virtual(index: "size") && SectionedRows(live.state) == rows)
        #expect(live.engine.leases.count == 1 && live.trace.reads == 0)
    }

    @Test("renew them when another process writes, and nobody here does", .timeLimit(.minutes(30)))
    func idleProcess() async throws {
        let sample = try LiveSample(rowCount: 30)
        // Nobody hears of its saves, as if it were another process's.
        let other = try sample.outsider()
        let live = try LiveResult(LiveSample.queries[1], in: sample.store) { _ in }
        live.start()
        live.settle()
        for name in ["Titicaca", "Poopó", "Junín"] {
            let old = try #require(live.engine.leases.newestSave)
            try addLake(name, to: other)
            // By the watch of the file alone.
            while live.engine.leases.newestSave == old { await Task.yield() }
        }
        #expect(live.engine.leases.count == 1 && live.trace.reads == 0)
        #expect(live.take() == nil)
    }

    private func addLake(_ name: String, to store: Store) throws {
        let lake = try store.read { try $0.entity(named: "Lake") }
        var batch = WriteBatch()
        let record = try store.catalog().encode(["name": .string(name)], as: "Lake")
        batch.insert(record, into: lake.id, rowID: try store.makeRowID())
        try store.save(batch)
    }
}
