import Dispatch
import LoamQuery
import SeededRandom
import Synchronization
import Testing

@testable import LoamLive
@testable import LoamStorage

/// Results are open in any number: none has a thread or a read transaction of its own.
@Suite struct ManyResultsTests {
    @Test func oneSaveTouchesHundredsOfResults() throws {
        let sample = try LiveSample()
        var random = SeededGenerator(seed: 1)
        let first = try LiveFollower(LiveSample.queries[1], in: sample.store)
        let followers = try (0..<400).map {
            try LiveFollower(LiveSample.queries[$0 % LiveSample.queries.count], in: sample.store)
        }
        #expect(Set(followers.map { ObjectIdentifier($0.live.engine) }) == [ObjectIdentifier(first.live.engine)])
        for step in 0..<12 { try sample.saveChanges(&random, through: step % 2) }
        for follower in followers + [first] { follower.live.settle() }
        let fresh = try LiveSample.queries.map { try sample.fresh($0) }
        for (number, follower) in followers.enumerated() {
            #expect(follower.faults == [])
            #expect(follower.rows == fresh[number % fresh.count], "result \(number)")
        }
    }

    @Test func aCommitWakesTheEngineOnce() throws {
        let sample = try LiveSample()
        let followers = try (0..<50).map { _ in try LiveFollower(Query(entity: "City"), in: sample.store) }
        #expect(Set(followers.map { ObjectIdentifier($0.live.engine) }).count == 1)
        // No result shows lakes, so a save of a lake is kept for nobody.
        let waiting = sample.store.changes.unread.rows
        let record = try sample.store.catalog().encode(["name": .string("Titicaca")], as: "Lake")
        var batch = WriteBatch()
        batch.insert(
            record, into: try sample.store.read { try $0.entity(named: "Lake").id },
            rowID: try sample.store.makeRowID())
        try sample.store.save(batch)
        #expect(sample.store.changes.unread.rows == waiting)
    }

    @Test func whatNobodyTakesIsOneDifference() throws {
        for query in LiveSample.queries {
            let sample = try LiveSample(seed: 4)
            var random = SeededGenerator(seed: 4)
            let told = Mutex(0)
            let live = try LiveResult(query, in: sample.store) { _ in told.withLock { $0 += 1 } }
            var rows = SectionedRows(live.start())
            for _ in 0..<30 {
                for _ in 0..<Int.random(in: 1...8, using: &random) {
                    try sample.saveChanges(&random)
                    live.settle()
                }
                let before = told.withLock { $0 }
                guard let update = live.take()?.update else { continue }
                #expect(SectionedRows(update.old) == rows && before > 0)
                guard case .difference(let difference) = update.change() else {
                    Issue.record("a reset")
                    continue
                }
                rows = rows.applying(difference)
                #expect(rows == (try sample.fresh(query)), "\(query)")
                #expect(live.take() == nil)
                told.withLock { #expect($0 == 1) }
                told.withLock { $0 = 0 }
            }
        }
    }

    @Test func tooManyChangesAreAReset() {
        func update(_ rows: Range<RowID>) -> LiveUpdate {
            let passages = Dictionary(uniqueKeysWithValues: rows.map { ($0, RowPassage()) })
            return LiveUpdate(old: ResultState(), new: ResultState(), LiveDifference(), rows: passages)
        }
        let most = RowID(LiveUpdate.mostRows)
        var waiting = update(0..<most / 2)
        waiting.append(update(0..<most))
        #expect(!waiting.isReset)
        waiting.append(update(most..<most + 1))
        #expect(waiting.isReset && waiting.change() == .reset)
        // Updates that wait stay a reset until they are taken.
        waiting.append(update(0..<1))
        #expect(waiting.isReset && update(0..<most + 1).isReset)
    }

    /// A notification may let go of the last reference to its result, on the engine's own queue; the engine may go with
    /// it.
    @Test func aResultIsLetGoInItsNotification() throws {
        let sample = try LiveSample()
        var random = SeededGenerator(seed: 2)
        let held = Mutex<[LiveResult]>([])
        let told = DispatchSemaphore(value: 0)
        let others = try (0..<10).map { _ in try LiveFollower(LiveSample.queries[1], in: sample.store) }
        for _ in 0..<10 {
            let live = try LiveResult(Query(entity: "City"), in: sample.store) { _ in
                let gone = held.withLock { held in
                    defer { held = [] }
                    return held
                }
                for result in gone { result.cancel() }
                if !gone.isEmpty { told.signal() }
            }
            live.start()
            held.withLock { $0.append(live) }
        }
        weak let engine = others.first?.live.engine
        try sample.saveChanges(&random, atMost: 30)
        for follower in others { follower.live.settle() }
        // Those that were settled need not be the last ones of the round.
        #expect(told.wait(timeout: .now() + 60) == .success)
        #expect(held.withLock { $0.isEmpty } && engine != nil)
        let fresh = try sample.fresh(LiveSample.queries[1])
        #expect(others.allSatisfy { $0.rows == fresh && $0.faults == [] })
    }

    @Test func aResultThatFailsHoldsUpNoOther() throws {
        let sample = try LiveSample()
        var random = SeededGenerator(seed: 3)
        try sample.store.apply(.addProperty(PropertyDefinition("depth", type: .int64, isOptional: true), to: "Lake"))
        let failing = try LiveFollower(Query(entity: "Lake", sort: [SortKey("name")]), in: sample.store)
        let others = try LiveSample.queries.map { try LiveFollower($0, in: sample.store) }
        try sample.store.apply(.removeProperty("name", from: "Lake"))
        for _ in 0..<5 {
            try sample.saveChanges(&random)
            for follower in others { follower.live.settle() }
        }
        for (query, follower) in zip(LiveSample.queries, others) {
            let fresh = try sample.fresh(query)
            #expect(follower.faults == [] && follower.rows == fresh)
        }
        failing.live.settle()
        #expect(!failing.faults.isEmpty)
        // The next commit makes the failed result right again, whatever that commit changes.
        try sample.store.apply(
            .addProperty(PropertyDefinition("name", type: .string, initialValue: .string("")), to: "Lake"))
        failing.live.settle()
        #expect(failing.last == .reset)
    }

    /// A commit can be seen a moment before it is handed out: settling waits until it is, on whichever thread.
    @Test(arguments: 0..<20) func settlingWaitsForACommitThatIsUnderWay(seed: Int) throws {
        let sample = try LiveSample()
        var random = SeededGenerator(seed: UInt64(seed))
        let follower = try LiveFollower(LiveSample.queries[1], in: sample.store)
        let last = try sample.store.read { try $0.lastSave() }
        let commit = sample.store.changes.announce(CommitChanges(last: last), base: last)
        try sample.saveChanges(&random)
        let (begun, settled) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        DispatchQueue.global().async {
            begun.signal()
            follower.live.settle()
            settled.signal()
        }
        begun.wait()
        #expect(follower.deliveries == 0)
        sample.store.changes.conclude(commit, changes: nil)
        settled.wait()
        #expect(follower.rows == (try sample.fresh(LiveSample.queries[1])) && follower.faults == [])
    }

    /// What is saved between the reading and the start reaches the result, from the history or by reading again.
    @Test(arguments: [true, false]) func nothingIsMissedBeforeTheStart(isInMemory: Bool) throws {
        let sample = try LiveSample(isInMemory: isInMemory)
        var random = SeededGenerator(seed: 6)
        let live = try LiveResult(LiveSample.queries[1], in: sample.store) { _ in }
        for _ in 0..<5 { try sample.saveChanges(&random) }
        live.settle()
        #expect(live.take() == nil)
        let rows = SectionedRows(live.start())
        live.settle()
        let update = try #require(live.take()?.update)
        #expect(update.isReset == isInMemory)
        let fresh = try sample.fresh(LiveSample.queries[1])
        #expect(SectionedRows(update.new) == fresh)
        if case .difference(let difference) = update.change() { #expect(rows.applying(difference) == fresh) }
    }
}
