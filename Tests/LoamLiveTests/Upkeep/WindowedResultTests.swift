import LMDB
import LoamQuery
import SeededRandom
import Testing

@testable import LoamLive
@testable import LoamStorage

/// Results with a limit or an offset over the order of an index: places in it, of which a window is shown.
@Suite("Windows of virtual results") struct WindowedResultTests {
    private static func query(_ random: inout SeededGenerator) -> Query {
        let direction: SortDirection = Bool.random(using: &random) ? .ascending : .descending
        var query = Query(entity: "City", sort: [SortKey("size", direction: direction)])
        switch Int.random(in: 0..<4, using: &random) {
        case 0: query.section = "size"
        case 1:
            query.sort = [SortKey("country", direction: direction), SortKey("size", direction: direction)]
            query.section = "country"
            if Bool.random(using: &random) { query.sectionOfNil = .string("") }
        default: break
        }
        if random.percent(80) { query.limit = Int.random(in: 0..<20, using: &random) }
        if random.percent(70) { query.offset = Int.random(in: 0..<30, using: &random) }
        return query
    }

    @Test("are what a fetch gives, through saves, other windows and recalls", arguments: 0..<24 as Range<UInt64>)
    func schedule(seed: UInt64) throws {
        let sample = try LiveSample(rowCount: 40, seed: seed)
        var random = SeededGenerator(seed: seed)
        let live = try LiveResult(Self.query(&random), in: sample.store) { _ in }
        var rows = SectionedRows(live.start())
        for step in 0..<80 {
            switch Int.random(in: 0..<12, using: &random) {
            case 0: try live.change(to: Self.query(&random))
            case 1 where step < 12: try sample.store.environment.grow()
            case 2 where step < 24:
                // The snapshot ends, and what it showed is not known when the rows are placed.
                try sample.store.environment.grow()
                try sample.saveChanges(&random, through: 1)
            default: try sample.saveChanges(&random, through: step % 2)
            }
            live.settle()
            if let update = live.take()?.update {
                guard rows == SectionedRows(update.old), case .difference(let difference) = update.change() else {
                    Issue.record("seed \(seed), step \(step): another beginning, or a reset")
                    return
                }
                rows = rows.applying(difference)
            }
            let fresh = try sample.fresh(live.query)
            try #require(rows == fresh, "seed \(seed), step \(step): \(live.query)")
            try #require(SectionedRows(live.state) == fresh && live.state.checkInvariants() == [])
        }
        #expect(live.state.held.count == 0)
        guard case .virtual = live.kind else {
            Issue.record("it is \(live.kind)")
            return
        }
    }

    @Test("write out no more than they show when their snapshot has to end")
    func listed() throws {
        let sample = try LiveSample(rowCount: 500)
        let query = Query(entity: "City", sort: [SortKey("size")], limit: 12, offset: 100)
        let live = try LiveResult(query, in: sample.store) { _ in }
        let state = live.start()
        let rows = SectionedRows(state)
        #expect(state.count == 12 && state.virtual?.count == 500)
        // Nobody follows any more, so that the state stays as it is.
        live.cancel()
        try sample.store.environment.grow()
        live.engine.leases.endUnused()
        guard case .listed(let listed)? = state.virtual?.standing.place else {
            Issue.record("it is still read in a snapshot")
            return
        }
        #expect(listed.count == 12 && SectionedRows(state) == rows && state.checkInvariants() == [])
    }

    @Test("are placed by counting: no query is run again, however many rows leave the window")
    func placed() throws {
        let sample = try LiveSample(rowCount: 60, seed: 5)
        let query = Query(entity: "City", sort: [SortKey("size")], limit: 5, offset: 2)
        let follower = try LiveFollower(query, in: sample.store)
        var batch = WriteBatch()
        for rowID in follower.live.state.rowIDs + (try sample.rowIDs().prefix(20)) {
            guard batch.rows.allSatisfy({ $0.rowID != rowID }) else { continue }
            batch.delete(rowID, of: sample.entity.id)
        }
        try sample.store.save(batch)
        follower.live.settle()
        let fresh = try sample.fresh(query)
        #expect(follower.rows == fresh && follower.faults == [] && follower.resets == 0)
        #expect(follower.live.trace.reads == 0 && follower.live.trace.placed == batch.rows.count)
    }
}
