import LoamQuery
import LoamStorage
import SeededRandom
import Testing

@testable import LoamLive

/// A result follows saves that this process was not told of by the history; where there is no history, the result is
/// read again.
@Suite struct OtherProcessTests {
    @Test(arguments: 0..<LiveSample.queries.count)
    func followsTheHistory(number: Int) throws {
        let query = LiveSample.queries[number]
        var random = SeededGenerator(seed: UInt64(number) + 50)
        let sample = try LiveSample(seed: UInt64(number))
        var upkeep = try sample.store.read { try ResultUpkeep(query, in: $0) }
        for step in 0..<40 {
            try sample.saveChanges(&random)
            if step % 4 == 0 { try sample.saveChanges(&random) }
            let old = upkeep.state
            // The upkeep is told of no changes, as where another process has saved them.
            let change = try sample.store.read { try upkeep.follow(LiveRound([], known: old.save, in: $0))?.change() }
            #expect(change != .reset && upkeep.state.checkInvariants() == [])
            let expected = try sample.fresh(query)
            try #require(SectionedRows(upkeep.state) == expected, "query \(number), step \(step)")
            guard case .difference(let difference)? = change else { continue }
            #expect(SectionedRows(old).applying(difference) == SectionedRows(upkeep.state))
        }
    }

    @Test(arguments: 0..<LiveSample.queries.count)
    func followsAStoreThatIsErased(number: Int) throws {
        let query = LiveSample.queries[number]
        let sample = try LiveSample(seed: 9)
        var upkeep = try sample.store.read { try ResultUpkeep(query, in: $0) }
        let save = upkeep.state.save
        try sample.store.erase()
        _ = try sample.store.read { try upkeep.follow(LiveRound([], known: save, in: $0))?.change() }
        #expect(upkeep.state.checkInvariants() == [])
        #expect(SectionedRows(upkeep.state) == (try sample.fresh(query)))
    }

    @Test("search the rows only for changes of what places them") func keptPlaces() throws {
        let sample = try LiveSample(rowCount: 60, seed: 3)
        let query = LiveSample.queries[2]
        var upkeep = try sample.store.read { try ResultUpkeep(query, in: $0) }
        func update(_ position: Int, to value: Value) throws -> LiveChange? {
            var batch = WriteBatch(policy: .storeWins)
            for rowID in try sample.rowIDs().prefix(30) {
                batch.update(
                    rowID, of: sample.entity.id, base: nil, changes: [sample.entity.properties[position].id: value])
            }
            try sample.store.save(batch)
            let save = upkeep.state.save
            return try sample.store.read { try upkeep.follow(LiveRound([], known: save, in: $0))?.change() }
        }
        let shown = upkeep.state.rowIDs
        guard case .difference(let difference)? = try update(3, to: .string("seen")) else {
            Issue.record("no difference")
            return
        }
        let changed = try sample.rowIDs().prefix(30).filter(shown.contains)
        #expect(!changed.isEmpty && Set(difference.updates.map(\.rowID)) == Set(changed))
        #expect(upkeep.trace.placed == 30 && upkeep.trace.searches == 0 && upkeep.trace.reads == 0)
        #expect(SectionedRows(upkeep.state) == (try sample.fresh(query)))
        _ = try update(0, to: .string("Puno"))
        #expect(upkeep.trace.searches == 1 && upkeep.trace.reads == 0)
        #expect(SectionedRows(upkeep.state) == (try sample.fresh(query)))
    }

    @Test func startsOverWithoutHistory() throws {
        let sample = try LiveSample(isInMemory: true)
        let query = LiveSample.queries[1]
        var random = SeededGenerator(seed: 5)
        var upkeep = try sample.store.read { try ResultUpkeep(query, in: $0) }
        try sample.saveChanges(&random)
        let save = upkeep.state.save
        let change = try sample.store.read { try upkeep.follow(LiveRound([], known: save, in: $0))?.change() }
        #expect(change == .reset)
        #expect(SectionedRows(upkeep.state) == (try sample.fresh(query)))
    }
}
