import LoamQuery
import SeededRandom
import Testing

@testable import LoamLive
@testable import LoamStorage

/// Several rounds whose update nobody takes in between are one difference, whichever way each of them was made.
@Suite struct JoinedUpdatesTests {
    /// Rounds that read a result again, and rounds that place single rows, of results whose window begins behind rows.
    @Test(arguments: 1...6 as ClosedRange<UInt64>, [0, 10])
    func roundsOfBothKindsAreJoined(seed: UInt64, offset: Int) throws {
        var random = SeededGenerator(seed: seed)
        let sample = try LiveSample(rowCount: 400, seed: seed)
        let query = Query(entity: "City", sort: [SortKey("size"), SortKey("name")], offset: offset)
        let live = try LiveResult(query, in: sample.store) { _ in }
        var rows = SectionedRows(live.start())
        for step in 0..<12 {
            for round in 0..<Int.random(in: 2...4, using: &random) {
                try sample.saveChanges(&random, atMost: (step + round) % 2 == 0 ? 300 : 3)
                live.settle()
            }
            guard case .difference(let difference)? = live.take()?.update?.change() else { continue }
            rows = rows.applying(difference)
            try #require(rows == (try sample.fresh(query)), "seed \(seed), step \(step)")
        }
        #expect(live.trace.reads > 2 && live.trace.placed > 10)
    }

    @Test func roundsOfTooManyRowsStayAReset() {
        let (old, new) = (ResultState(), ResultState())
        var update = LiveUpdate(old: old, new: new, LiveDifference(), rows: nil)
        #expect(update.isReset)
        update.append(LiveUpdate(old: new, new: new, LiveDifference(), rows: [1: RowPassage()]))
        #expect(update.change() == .reset)
    }

    /// A commit of this process that the snapshot does not have yet tells of others' saves before it, which it has.
    @Test func savesBeforeACommitBeyondTheSnapshotAreRead() throws {
        let sample = try LiveSample()
        var random = SeededGenerator(seed: 3)
        let before = try sample.store.read { try $0.lastSave() }
        for _ in 0..<3 { try sample.saveChanges(&random) }
        try sample.store.read { snapshot in
            let last = try snapshot.lastSave()
            var changes = CommitChanges()
            changes.last = last + 1
            let commit = ChangeSet(changes, base: last, known: before)
            for known in [before, last + 1] {
                let round = try LiveRound([commit], known: known, in: snapshot)
                let entries = try #require(try round.untoldSaves(after: before))
                #expect(Set(entries.map(\.save)) == Set(before + 1...last))
            }
        }
    }
}
