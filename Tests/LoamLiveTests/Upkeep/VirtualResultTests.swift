import Dispatch
import LMDB
import LoamQuery
import SeededRandom
import Synchronization
import Testing

@testable import LoamLive
@testable import LoamStorage

/// Results that are one range of an index hold nothing of a row, and are read from snapshots that are held for all.
@Suite struct VirtualResultTests {
    @Test(arguments: 0..<LiveSample.queries.count) func saysHowItsRowsAreKept(number: Int) throws {
        let sample = try LiveSample()
        let live = try LiveResult(LiveSample.queries[number], in: sample.store) { _ in }
        guard LiveSample.virtualQueries.contains(number) else {
            guard case .materialized(let reason) = live.kind else {
                Issue.record("query \(number) is \(live.kind)")
                return
            }
            #expect(!reason.isEmpty && live.engine.leases.count == 0)
            return
        }
        #expect(live.kind == .virtual(index: LiveSample.queriesBySize.contains(number) ? "size" : "country,size"))
        #expect(live.state.held.count == 0 && live.engine.leases.count == 1)
    }

    /// States that were taken at a time, with what they showed then.
    private struct Kept {
        var states: [(state: ResultState, rows: SectionedRows)] = []

        mutating func keep(_ state: ResultState) { states.append((state, SectionedRows(state))) }

        /// Whether all of them show what they did.
        var isTrue: Bool {
            states.allSatisfy { state, rows in
                state.checkInvariants() == [] && SectionedRows(state) == rows
                    && rows.sections.flatMap(\.rows).enumerated().allSatisfy { state.index(of: $1) == $0 }
            }
        }
    }

    @Test(arguments: LiveSample.virtualQueries, [1, 40])
    func statesThatAreKeptStayAsTheyWere(number: Int, saves: Int) throws {
        let sample = try LiveSample(rowCount: 100, seed: UInt64(number))
        var random = SeededGenerator(seed: UInt64(number) + UInt64(saves))
        let live = try LiveResult(LiveSample.queries[number], in: sample.store) { _ in }
        var kept = Kept()
        kept.keep(live.start())
        for step in 0..<saves {
            try sample.saveChanges(&random, through: step % 2)
            live.settle()
            if step % 3 != 1 { kept.keep(live.state) }
        }
        // The newest one, and no more than so many older ones: the states of others are written out.
        #expect(live.engine.leases.count <= LiveLeases.mostLeases + 1)
        #expect(kept.isTrue)
        #expect(SectionedRows(live.state) == (try sample.fresh(live.query)))
        guard case .virtual = live.kind else {
            Issue.record("it is \(live.kind)")
            return
        }
        #expect(live.trace.reads == 0)
    }

    @Test func oneDifferenceLeadsOverManySavesFromAStateThatIsKept() throws {
        let sample = try LiveSample(rowCount: 100)
        var random = SeededGenerator(seed: 8)
        for number in LiveSample.virtualQueries where LiveSample.queries[number].limit != 0 {
            let live = try LiveResult(LiveSample.queries[number], in: sample.store) { _ in }
            let old = SectionedRows(live.start())
            for step in 0..<25 {
                try sample.saveChanges(&random)
                // In between others end the snapshots that are held.
                if step % 10 == 9 {
                    try sample.store.apply(.addIndex(IndexDefinition([.init("note")]), to: "City"))
                    let index = try #require(try sample.store.read { try $0.entity(named: "City") }.indexes.last)
                    try sample.store.apply(.dropIndex(index.name, from: "City"))
                }
                live.settle()
            }
            let update = try #require(live.take()?.update)
            #expect(SectionedRows(update.old) == old && !update.isReset)
            guard case .difference(let difference) = update.change() else {
                Issue.record("a reset")
                return
            }
            #expect(old.applying(difference) == SectionedRows(update.new))
            #expect(SectionedRows(update.new) == (try sample.fresh(live.query)))
        }
    }

    @Test(arguments: [false, true]) func rowsAreGivenUpWhenAnIndexComes(isSectioned: Bool) throws {
        let sample = try LiveSample(rowCount: 300)
        var random = SeededGenerator(seed: 12)
        var query = Query(entity: "City", sort: [.init("size"), .init("country", direction: .descending)])
        if isSectioned { query.section = "size" }
        let live = try LiveResult(query, in: sample.store) { _ in }
        let old = SectionedRows(live.start())
        guard case .materialized = live.kind else {
            Issue.record("it is \(live.kind)")
            return
        }
        try sample.saveChanges(&random)
        live.settle()
        let index = IndexDefinition([.init("size"), .init("country", direction: .descending)])
        try sample.store.apply(.addIndex(index, to: "City"))
        live.settle()
        #expect(live.kind == .virtual(index: "size,-country") && live.trace.reads == 0)
        // What was taken before is still there, and the next difference leads on from it.
        #expect(live.state.count == (try sample.fresh(query)).sections.reduce(0) { $0 + $1.rows.count })
        for step in 0..<20 {
            try sample.saveChanges(&random)
            live.settle()
            #expect(SectionedRows(live.state) == (try sample.fresh(query)), "step \(step)")
        }
        let update = try #require(live.take()?.update)
        guard case .difference(let difference) = update.change() else {
            Issue.record("a reset")
            return
        }
        #expect(old.applying(difference) == SectionedRows(update.new))
        #expect(live.state.held.count == 0 && live.trace.reads == 0)
    }

    private func saveUntilRowsMove(
        _ live: LiveResult, _ sample: LiveSample, _ random: inout SeededGenerator
    ) throws {
        let rows = SectionedRows(live.state)
        while SectionedRows(live.state) == rows {
            try sample.saveChanges(&random)
            live.settle()
        }
    }

    @Test func snapshotsEndWhenSomebodyWaitsForThem() throws {
        let sample = try LiveSample(rowCount: 100)
        var random = SeededGenerator(seed: 3)
        let live = try LiveResult(LiveSample.queries[4], in: sample.store) { _ in }
        var kept = Kept()
        kept.keep(live.start())
        try saveUntilRowsMove(live, sample, &random)
        kept.keep(live.state)
        #expect(live.engine.leases.count == 2)
        // It waits until no transaction is open.
        try sample.store.environment.grow()
        #expect(kept.isTrue)
        // The engine's queue makes it due, too, when it comes to that.
        live.refresh()
        live.settle()
        #expect(live.engine.leases.count == 1 && kept.isTrue)
        try sample.saveChanges(&random)
        live.settle()
        kept.keep(live.state)
        #expect(kept.isTrue && live.trace.reads == 0)
        #expect(SectionedRows(live.state) == (try sample.fresh(live.query)))
    }

    @Test func commitsElsewhereLetTheSnapshotGoOn() throws {
        let sample = try LiveSample()
        let live = try LiveResult(LiveSample.queries[1], in: sample.store) { _ in }
        let old = live.start()
        live.settle()
        let rows = SectionedRows(old)
        var random = SeededGenerator(seed: 4)
        try saveUntilRowsMove(live, sample, &random)
        let rounds = live.trace.rounds
        #expect(live.engine.leases.count == 2)
        let lake = try sample.store.read { try $0.entity(named: "Lake") }
        let record = try sample.store.catalog().encode(["name": .string("Titicaca")], as: "Lake")
        var saves: Set<UInt64> = []
        for _ in 0..<3 {
            for _ in 0..<ChangeReader.remindedCommits {
                var batch = WriteBatch()
                batch.insert(record, into: lake.id, rowID: try sample.store.makeRowID())
                try sample.store.save(batch)
            }
            // The engine has been woken; the work is done in its queue or here.
            live.settle()
            saves.insert(try #require(live.engine.leases.newestSave))
        }
        #expect(saves.count == 3)
        // The old state was written out, and is what it was.
        #expect(live.engine.leases.count == 1 && SectionedRows(old) == rows)
        #expect(live.trace.rounds == rounds)
    }

    @Test func goesOnInMemoryWhereAKeyIsCut() throws {
        let sample = try LiveSample(rowCount: 0)
        let city = sample.entity
        func insert(_ name: String) throws {
            var batch = WriteBatch()
            let record = try sample.store.catalog().encode(
                [.string(name), .string("PE"), .int(1), .null], as: city.id)
            batch.insert(record, into: city.id, rowID: try sample.store.makeRowID())
            try sample.store.save(batch)
        }
        for name in ["Lima", "Arequipa", "Cusco"] { try insert(name) }
        let query = Query(entity: "City", sort: [SortKey("name", form: .caseAndDiacriticFolded)])
        let follower = try LiveFollower(query, in: sample.store)
        let first = follower.live.kind
        #expect(first == .virtual(index: "fold(name)"))
        try insert("Trujillo")
        follower.live.settle()
        #expect(follower.resets == 0)
        try insert(String(repeating: "long", count: 300))
        follower.live.settle()
        #expect(follower.resets == 1 && follower.faults == [])
        #expect("\(follower.live.kind)".contains("keys were cut"))
        try insert("Puno")
        follower.live.settle()
        #expect(follower.resets == 1 && follower.faults == [])
        #expect(follower.rows == (try sample.fresh(query)))
    }

    @Test func goesOnInMemoryWhereTheIndexIsRemoved() throws {
        let sample = try LiveSample()
        var random = SeededGenerator(seed: 12)
        let follower = try LiveFollower(LiveSample.queries[1], in: sample.store)
        guard case .virtual(let index) = follower.live.kind else {
            Issue.record("it is \(follower.live.kind)")
            return
        }
        try sample.store.apply(.dropIndex(index, from: "City"))
        follower.live.settle()
        #expect(follower.live.kind == .materialized(reason: "no index has its filter and its order as one range"))
        for _ in 0..<10 {
            try sample.saveChanges(&random)
            follower.live.settle()
            #expect(follower.rows == (try sample.fresh(follower.live.query)) && follower.faults == [])
        }
        #expect(follower.live.engine.leases.count == 0)
    }

    @Test func savesOfOtherProcessesArePlacedByTheSnapshotBefore() throws {
        let sample = try LiveSample(rowCount: 100)
        let other = Store(
            path: sample.store.path, options: sample.store.options, environment: sample.store.environment,
            cache: sample.store.cache, changes: ChangeHub(sample.store.environment))
        var random = SeededGenerator(seed: 5)
        let followers = try LiveSample.virtualQueries.map {
            try LiveFollower(LiveSample.queries[$0], in: sample.store)
        }
        for step in 0..<40 {
            try other.save(try sample.makeChanges(&random))
            if step % 3 == 0 { try sample.saveChanges(&random) }
            for follower in followers {
                follower.live.refresh()
                follower.live.settle()
                #expect(follower.rows == (try sample.fresh(follower.live.query)), "\(follower.live.query)")
                #expect(follower.faults == [])
            }
        }
        for follower in followers { #expect(follower.resets == 0 && follower.live.trace.searches == 0) }
    }

    @Test func isReadWhileItIsFollowed() throws {
        let sample = try LiveSample(rowCount: 200)
        let lives = try LiveSample.virtualQueries.map {
            let live = try LiveResult(LiveSample.queries[$0], in: sample.store) { _ = $0.take() }
            live.start()
            return live
        }
        let faults = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 6) { worker in
            var random = SeededGenerator(seed: UInt64(worker) + 60)
            do {
                for step in 0..<40 {
                    if worker < 2 {
                        try sample.saveChanges(&random, through: worker)
                    } else if worker == 2, step % 10 == 0 {
                        try sample.store.environment.grow()
                    }
                    let state = lives[Int.random(in: 0..<lives.count, using: &random)].state
                    let found = state.checkInvariants()
                    faults.withLock { $0 += found }
                }
            } catch {
                faults.withLock { $0.append("\(error)") }
            }
        }
        #expect(faults.withLock { $0 } == [])
        for live in lives {
            live.settle()
            #expect(SectionedRows(live.state) == (try sample.fresh(live.query)))
        }
    }

    @Test func nothingIsHeldBehindTheLastResult() throws {
        let sample = try LiveSample()
        var random = SeededGenerator(seed: 14)
        var live: LiveResult? = try LiveResult(LiveSample.queries[1], in: sample.store) { _ in }
        let leases = try #require(live?.engine.leases)
        let state = try #require(live?.start())
        live?.settle()
        let rows = SectionedRows(state)
        #expect(leases.count == 1)
        live?.cancel()
        live = nil
        // States that are kept are written out behind that.
        leases.endUnused()
        try sample.saveChanges(&random)
        #expect(leases.count == 0 && SectionedRows(state) == rows)
    }

    @Test func statesOfClosedResultsStayAsTheyWere() throws {
        let sample = try LiveSample()
        var random = SeededGenerator(seed: 15)
        let other = try LiveResult(LiveSample.queries[4], in: sample.store) { _ in }
        other.start()
        for isFollowed in [true, false] {
            let live = try LiveResult(LiveSample.queries[1], in: sample.store) { _ in }
            var kept = Kept()
            kept.keep(live.start())
            if isFollowed { live.settle() }
            live.cancel()
            for _ in 0..<10 {
                try sample.saveChanges(&random)
                other.settle()
                live.settle()
                #expect(kept.isTrue)
            }
            try sample.store.environment.grow()
            #expect(kept.isTrue)
        }
        #expect(SectionedRows(other.state) == (try sample.fresh(other.query)))
    }

    @Test func nobodyWaitsForAResultThatFollowedAQueryThatCannotBeRun() throws {
        let sample = try LiveSample()
        var random = SeededGenerator(seed: 16)
        let live = try LiveResult(LiveSample.queries[1], in: sample.store) { _ in }
        live.start()
        var kept = Kept()
        for step in 0..<10 {
            try sample.saveChanges(&random)
            #expect(throws: QueryError.self) { try live.change(to: Query(entity: "City", sort: [SortKey("mayor")])) }
            kept.keep(live.state)
            #expect(SectionedRows(live.state) == (try sample.fresh(live.query)))
            if step == 8 { live.cancel() }
            try sample.store.environment.grow()
            #expect(kept.isTrue)
            if step == 8 { return }
        }
    }
}
