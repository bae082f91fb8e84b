import Foundation
import LoamQuery
import LoamStorage
import SeededRandom
import Testing

@testable import LoamLive

/// A result that is asked something else leads there with one difference, and goes on from there.
@Suite struct ChangedQueryTests {
    @Test(arguments: 0..<6) func oneDifferenceLeadsToTheNewResult(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed + 30)
        let sample = try LiveSample(rowCount: 80, seed: seed)
        let queries = LiveSample.queries
        let live = try LiveResult(queries[Int(seed)], in: sample.store) { _ in }
        var rows = SectionedRows(live.start())
        for step in 0..<80 {
            if Int.random(in: 0..<3, using: &random) > 0 { try sample.saveChanges(&random, through: step % 2) }
            if Int.random(in: 0..<2, using: &random) == 0 {
                try live.change(to: try #require(queries.randomElement(using: &random)))
            }
            live.settle()
            // What nobody takes at once is one difference with what follows.
            if step % 4 == 3 { continue }
            #expect(SectionedRows(live.state) == (try sample.fresh(live.query)))
            guard let update = live.take()?.update else { continue }
            #expect(SectionedRows(update.old) == rows)
            guard case .difference(let difference) = update.change() else {
                Issue.record("a reset")
                return
            }
            let listed = difference.insertions.map(\.rowID) + difference.moves.map(\.rowID)
            #expect(Set(listed).count == listed.count)
            rows = rows.applying(difference)
            try #require(rows == SectionedRows(live.state), "step \(step), \(live.query)")
        }
    }

    @Test func rowsThatCanStayDoSo() throws {
        let sample = try LiveSample(rowCount: 60)
        let live = try LiveResult(Query(entity: "City", sort: [SortKey("size")]), in: sample.store) { _ in }
        live.start()
        let predicate = try PredicateParser.parse("size > 4")
        try live.change(to: Query(entity: "City", predicate: predicate, sort: [SortKey("size")]))
        guard case .difference(let difference)? = live.take()?.update?.change() else {
            Issue.record("no difference")
            return
        }
        #expect(difference.moves == [] && difference.insertions.isEmpty && difference.updates.isEmpty)
        #expect(difference.deletions.count == 60 - live.state.count)
        // The other way round one row stays.
        try live.change(
            to: Query(entity: "City", predicate: predicate, sort: [SortKey("size", direction: .descending)]))
        guard case .difference(let reversed)? = live.take()?.update?.change() else {
            Issue.record("no difference")
            return
        }
        let kept = live.state.count - reversed.moves.count
        #expect(reversed.deletions.isEmpty && reversed.insertions.isEmpty && kept >= 1)
    }

    /// What is saved while the new query is read, and was of no concern before, is not lost.
    @Test func savesOfAnEntityThatNobodyFollowedAreFollowed() throws {
        let sample = try LiveSample()
        let lake = try sample.store.read { try $0.entity(named: "Lake") }
        let record = try sample.store.catalog().encode(["name": .string("Titicaca")], as: "Lake")
        let live = try LiveResult(LiveSample.queries[1], in: sample.store) { _ in }
        live.start()
        for _ in 0..<100 {
            let saved = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                defer { saved.signal() }
                for _ in 0..<20 {
                    #expect(throws: Never.self) {
                        var batch = WriteBatch()
                        batch.insert(record, into: lake.id, rowID: try sample.store.makeRowID())
                        try sample.store.save(batch)
                    }
                }
            }
            try live.change(to: Query(entity: "Lake", sort: [SortKey("name")]))
            saved.wait()
            live.settle()
            try #require(SectionedRows(live.state) == (try sample.fresh(live.query)))
            try live.change(to: LiveSample.queries[1])
        }
    }

    @Test func aQueryThatCannotBeRunChangesNothing() throws {
        let sample = try LiveSample()
        var random = SeededGenerator(seed: 2)
        let live = try LiveResult(LiveSample.queries[1], in: sample.store) { _ in }
        live.start()
        try sample.saveChanges(&random)
        #expect(throws: QueryError.self) { try live.change(to: Query(entity: "Town")) }
        #expect(throws: QueryError.self) { try live.change(to: Query(entity: "City", sort: [SortKey("mayor")])) }
        #expect(live.query == LiveSample.queries[1])
        #expect(SectionedRows(live.state) == (try sample.fresh(LiveSample.queries[1])))
        try sample.saveChanges(&random)
        live.settle()
        #expect(SectionedRows(live.state) == (try sample.fresh(LiveSample.queries[1])))
        try sample.withoutReaderSlots {
            #expect(throws: (any Error).self) { try live.change(to: LiveSample.queries[4]) }
        }
        try live.change(to: LiveSample.queries[4])
        #expect(SectionedRows(live.state) == (try sample.fresh(LiveSample.queries[4])))
        #expect(live.kind == .virtual(index: "country,size"))
    }
}
