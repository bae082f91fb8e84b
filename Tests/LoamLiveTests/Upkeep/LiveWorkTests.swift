import SeededRandom
import Testing

@testable import LoamLive
@testable import LoamStorage

/// The commits that are kept for results that have not followed them.
@Suite struct LiveWorkTests {
    private static func changes(_ save: UInt64, rows: Int = 1, bytes: Int = 0, links: Int = 0) -> ChangeSet {
        var changes = CommitChanges()
        changes.last = save
        let row = SaveResult.Row(
            entity: 7, rowID: 1, old: nil, new: [UInt8](repeating: 0, count: bytes), changed: [])
        let link = LinkChange(relationship: 1, source: 1, destination: 2, isAdded: true)
        changes.results = [
            SaveResult(
                save: save, rows: Array(repeating: row, count: rows), links: Array(repeating: link, count: links),
                mapping: [:])
        ]
        return ChangeSet(changes, base: save - 1, known: save - 1)
    }

    private static func unread(_ sets: [ChangeSet]) -> UnreadChanges {
        var unread = UnreadChanges()
        unread.sets = sets
        return unread
    }

    /// Saves come faster than all results can follow, so that some result is always due.
    @Test func whatEverybodyHasFollowedGoesThoughSomebodyIsDue() {
        var work = LiveWork()
        let results = Array(1...1_000)
        var most = 0
        for save in 1...500 as ClosedRange<UInt64> {
            work.add(Self.unread([Self.changes(save)]))
            for id in results { work.add(id) }
            let batch = work.takeBatch(300)
            #expect(batch.count == 300 && !work.isEmpty)
            work.trim()
            most = max(most, work.sets.count)
        }
        #expect(most <= 5)
    }

    /// Every result gets, when its turn comes, all commits that it became due for and has not followed.
    @Test(arguments: 0..<8 as Range<UInt64>)
    func nobodyMissesACommit(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var work = LiveWork()
        var missing: [Int: Set<UInt64>] = [:]
        for save in 1...400 as ClosedRange<UInt64> {
            if Int.random(in: 0..<3, using: &random) == 0 { work.add(Int.random(in: 0..<50, using: &random)) }
            let rows = Int.random(in: 0..<40, using: &random) == 0 ? 40_000 : 1
            work.add(Self.unread([Self.changes(save, rows: rows)]))
            for _ in 0..<Int.random(in: 0..<30, using: &random) {
                let id = Int.random(in: 0..<50, using: &random)
                work.add(id)
                missing[id, default: []].insert(save)
            }
            if Int.random(in: 0..<3, using: &random) == 0 {
                let before = work.handedOver
                let new = work.handOver()
                #expect(new == work.handedOver.subtracting(before) && work.handedOver == work.isDue)
            }
            var taken: [Int] = []
            if Bool.random(using: &random) { taken = work.takeBatch(Int.random(in: 0..<20, using: &random)) }
            let one = Int.random(in: 0..<50, using: &random)
            if work.take(one) { taken.append(one) }
            if Int.random(in: 0..<4, using: &random) == 0 {
                work.giveBack(taken)
                taken = []
            }
            for id in taken {
                let told = Set(work.sets.map(\.last))
                let lost = missing[id, default: []].subtracting(told)
                #expect(lost.allSatisfy { save in work.lost.map { $0.contains(save - 1) } ?? false }, "seed \(seed)")
                missing[id] = nil
            }
            work.trim()
            #expect(work.checkInvariants() == [])
            #expect(work.sets.reduce(0) { $0 + $1.rowCount } <= UnreadChanges.mostRows)
        }
        _ = work.takeBatch(.max)
        work.trim()
        #expect(work.isEmpty && work.sets.isEmpty && work.lost == nil && work.checkInvariants() == [])
    }

    @Test func linksCountAsBytes() {
        let linked = Self.changes(1, links: 1_000_000)
        #expect(linked.byteCount > UnreadChanges.mostBytes)
        var log = ChangeLog()
        var idle = log.end(after: 0)
        log.append(linked, readers: 1, woken: [])
        let unread = log.take(&idle, for: 0)
        #expect(unread.sets.isEmpty && unread.lost == 0..<1)
    }
}
