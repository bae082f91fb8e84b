import LoamQuery
import LoamStorage
import Testing

@testable import LoamLive

/// A difference, applied to the old state, gives the new one; a state that was kept equals one that was read.
@Suite struct ResultDifferenceTests {
    @Test(arguments: 1...120 as ClosedRange<UInt64>)
    func appliedToTheOldStateGivesTheNew(seed: UInt64) {
        var sample = ResultSample(seed: seed)
        var state = sample.state()
        #expect(SectionedRows(state) == sample.expected())
        for step in 0..<25 {
            let old = state
            let changed = sample.change()
            let before = Dictionary(uniqueKeysWithValues: state.held.find(Array(changed.keys)).map { ($1.rowID, $1) })
            #expect(before.count == changed.keys.count { old.held.map(\.rowID).contains($0) })
            var held = state.apply(
                changed.map { ChangedRow(rowID: $0.key, before: before[$0.key], place: $0.value) })
            if state.isShort {
                let (rows, isComplete) = sample.read(state.wanted)
                state.extend(by: rows, isComplete: isComplete, &held)
            }
            let kept = LiveDifference(
                WindowChanges(removed: held.removed, inserted: held.inserted, old: old, new: state), from: old,
                to: state, touched: held.passages.values.compactMap(\.after))
            let merged = LiveDifference(from: old, to: state, changed: Set(changed.keys))
            #expect(state.checkInvariants() == [])
            #expect(SectionedRows(state) == sample.expected(), "seed \(seed), step \(step)")
            #expect(SectionedRows(old).applying(kept) == sample.expected(), "seed \(seed), step \(step)")
            #expect(kept == merged, "seed \(seed), step \(step)")
            check(kept, changed, old, state)
            state.trim()
            #expect(state.checkInvariants() == [])
            #expect(SectionedRows(state) == sample.expected(), "seed \(seed), step \(step)")
        }
    }

    /// Checks that every changed row of both states is moved or updated, and no other row is.
    private func check(
        _ difference: LiveDifference, _ changed: [RowID: some Any], _ old: ResultState, _ new: ResultState
    ) {
        let (before, after) = (Set(old.rowIDs), Set(new.rowIDs))
        #expect(Set(difference.insertions.map(\.rowID)) == after.subtracting(before))
        let deleted = difference.deletions.compactMap { old.index(at: $0).map { old[$0] } }
        #expect(Set(deleted) == before.subtracting(after))
        let updated = difference.updates.compactMap { update in new.index(at: update.position).map { new[$0] } }
        #expect(updated == difference.updates.map(\.rowID))
        let moved = difference.moves.map(\.rowID)
        #expect(Set(updated + moved) == before.intersection(after).intersection(changed.keys))
        #expect(updated.count + moved.count == Set(updated + moved).count)
    }

    @Test func tellsAnUpdateFromAMove() {
        let old = state(["a1", "b2", "c3"])
        #expect(LiveDifference(from: old, to: old, changed: []).isEmpty)
        let updated = LiveDifference(from: old, to: state(["a1", "bx2", "c3"]), changed: [2])
        #expect(updated.updates.map(\.position) == [ResultPosition(section: 0, item: 1)] && updated.moves.isEmpty)
        let moved = LiveDifference(from: old, to: state(["a1", "c3", "d2"]), changed: [2])
        #expect(moved.moves.map(\.rowID) == [2] && moved.updates.isEmpty)
        let swapped = LiveDifference(from: old, to: state(["a2", "b1", "c3"]), changed: [1, 2])
        #expect(swapped.moves.count == 1 && swapped.updates.count == 1)
    }

    @Test func listsSectionsThatComeAndGo() {
        var sample = ResultState(isSectioned: true)
        sample.insert(1, at: .init(key: [5, 1], sectionCount: 1, section: .int(5)))
        var next = sample
        next.remove(ResultRow(rowID: 1, key: [5, 1]))
        next.insert(1, at: .init(key: [6, 1], sectionCount: 1, section: .int(6)))
        let difference = LiveDifference(from: sample, to: next, changed: [1])
        #expect(difference.deletedSections == [0])
        #expect(difference.insertedSections == [.init(section: 0, identifier: .int(6))])
        #expect(difference.moves.count == 1)
        #expect(SectionedRows(sample).applying(difference) == SectionedRows(next))
    }

    /// A state without sections, from words: the key and a digit for the row id.
    private func state(_ words: [String]) -> ResultState {
        ResultState(
            placed: words.map { word in
                let key = Array(word.utf8.dropLast())
                return (RowID(word.utf8.last ?? 48) - 48, .init(key: key, sectionCount: 0, section: .null))
            }, isSectioned: false, order: ResultOrder())
    }
}
