import LoamQuery
import SeededRandom
import Synchronization
import Testing

@testable import LoamLive
@testable import LoamStorage

/// What a small commit makes of the results is worked out while it is written.
@Suite struct ForeseeingTests {
    /// Holds each commit up until that is done, as a slow disk does.
    private final class SlowDisk: Sendable {
        private let reader: ChangeReader

        /// - Parameters:
        ///   - live: of the results of the file.
        ///   - triesAll: whether the next commit is worked out however many were of no use before.
        init(_ live: LiveResult, _ sample: LiveSample, triesAll: Bool = true) throws {
            reader = sample.store.changes.reader(after: try sample.store.read { try $0.lastSave() })
            let (finish, engine) = (live.foreseeing(), live.engine)
            reader.onAnnouncement { [weak reader, weak engine] _ in
                _ = reader?.take()
                finish()
                if triesAll { engine?.useless.store(0, ordering: .relaxed) }
            }
        }
    }

    private func change(_ position: Int, to value: Value, of rowID: RowID, _ sample: LiveSample) throws {
        var batch = WriteBatch()
        batch.update(
            rowID, of: sample.entity.id, base: nil, changes: [sample.entity.properties[position].id: value])
        try sample.store.save(batch)
    }

    /// The positions of the properties.
    private let size = 2
    private let note = 3

    @Test(arguments: [0, 1, 2, 5, 16, 18, 22, 24], [0, 1])
    func whatKeepsItsPlaceIsForeseen(number: Int, store: Int) throws {
        let query = LiveSample.queries[number]
        let sample = try LiveSample()
        let follower = try LiveFollower(query, in: sample.stores[store])
        let live = follower.live
        live.settle()
        let disk = try SlowDisk(live, sample)
        let rowID = try #require(live.state.rowIDs.first)
        try change(note, to: .string("new"), of: rowID, sample)
        live.settle()
        #expect(live.foreseenRounds == 1 && follower.deliveries == 1 && follower.faults == [])
        guard case .difference(let difference) = follower.last else {
            Issue.record("a reset")
            return
        }
        #expect(difference.updates.map(\.rowID) == [rowID] && difference.insertions.isEmpty && difference.moves.isEmpty)
        // The next one is foreseen from there.
        try change(note, to: .string("newer"), of: rowID, sample)
        live.settle()
        #expect(live.foreseenRounds == 2 && follower.deliveries == 2 && follower.faults == [])
        // A row that may move is not.
        try change(size, to: .int(7), of: rowID, sample)
        live.settle()
        let isSorted = number != 0 && number != 24
        #expect(live.foreseenRounds == (isSorted ? 2 : 3) || number == 24)
        let fresh = try sample.fresh(query)
        #expect(follower.rows == fresh && follower.faults == [])
        withExtendedLifetime(disk) {}
    }

    /// A commit is announced and fails: what it would have made of the result is not taken for the next one.
    @Test(arguments: [1, 2]) func whatFailsIsNotShown(number: Int) throws {
        let query = LiveSample.queries[number]
        let sample = try LiveSample()
        let follower = try LiveFollower(query, in: sample.store)
        let live = follower.live
        live.settle()
        let disk = try SlowDisk(live, sample)
        let rowIDs = live.state.rowIDs
        // A commit of the same number, with another row, is announced and then not made.
        let hub = sample.store.changes
        let base = try #require(hub.lastSave)
        let bytes = try sample.store.read { snapshot in
            try snapshot.withRow(rowIDs[1], of: sample.entity) { $0.view.bytes.withUnsafeBytes { Array($0) } }
        }
        let record = try #require(bytes)
        let row = SaveResult.Row(entity: sample.entity.id, rowID: rowIDs[1], old: record, new: record, changed: [note])
        var failed = CommitChanges(
            last: base + 1, results: [SaveResult(save: base + 1, rows: [row], links: [], mapping: [:])])
        failed.generation = try sample.store.catalog().generation
        hub.conclude(hub.announce(failed, base: base), changes: nil)
        // The next one is too large to be announced to anybody.
        var batch = WriteBatch()
        let changed = rowIDs.prefix(20)
        try #require(changed.count > 16)
        for rowID in changed {
            batch.update(
                rowID, of: sample.entity.id, base: nil, changes: [sample.entity.properties[note].id: .string("made")])
        }
        try sample.store.save(batch)
        live.settle()
        guard case .difference(let difference) = follower.last else {
            Issue.record("a reset")
            return
        }
        #expect(Set(difference.updates.map(\.rowID)) == Set(changed))
        #expect(follower.faults == [] && live.foreseenRounds == 0)
        withExtendedLifetime(disk) {}
    }

    /// Two saves come before the result is looked at: what was worked out of the first is not taken for both.
    @Test(arguments: [1, 2]) func twoCommitsAtOnceAreFollowed(number: Int) throws {
        let sample = try LiveSample()
        let live = try LiveResult(LiveSample.queries[number], in: sample.store, isPlacedWhereTold: true) { _ in }
        live.start()
        live.settle()
        let disk = try SlowDisk(live, sample)
        let rowIDs = live.state.rowIDs
        for (text, rowID) in zip(["a", "b"], rowIDs) { try change(note, to: .string(text), of: rowID, sample) }
        live.place()
        let update = try #require(live.take()?.update)
        #expect(Set(update.namedRowIDs) == Set(rowIDs.prefix(2)) && live.foreseenRounds == 0)
        // What comes next is foreseen again.
        try change(note, to: .string("c"), of: rowIDs[2], sample)
        live.place()
        #expect(try #require(live.take()?.update).namedRowIDs == [rowIDs[2]] && live.foreseenRounds == 1)
        withExtendedLifetime(disk) {}
    }

    @Test(arguments: 0..<LiveSample.queries.count) func randomSavesGiveWhatIsAskedAnew(number: Int) throws {
        let query = LiveSample.queries[number]
        var random = SeededGenerator(seed: UInt64(number) + 77)
        let sample = try LiveSample(seed: UInt64(number))
        let follower = try LiveFollower(query, in: sample.store)
        let live = follower.live
        live.settle()
        let disk = try SlowDisk(live, sample)
        for step in 0..<120 {
            try sample.saveChanges(&random, atMost: 1 + step % 2, through: step % 2)
            live.settle()
            let fresh = try sample.fresh(query)
            try #require(follower.rows == fresh && follower.faults == [], "query \(number), step \(step)")
        }
        // Of one with names alone, no change leaves a row where it stands.
        #expect(live.foreseenRounds > 0 || number == 9)
        withExtendedLifetime(disk) {}
    }

    /// Whoever shows a result brings it up without a snapshot where no row has moved, and with one where some did.
    @Test func whatIsForeseenNeedsNoSnapshot() throws {
        let query = LiveSample.queries[1]
        let sample = try LiveSample()
        let live = try LiveResult(query, in: sample.store, isPlacedWhereTold: true) { _ in }
        live.start()
        live.settle()
        let disk = try SlowDisk(live, sample)
        let rowIDs = live.state.rowIDs
        let first = try #require(live.engine.leases.newestSave)
        for number in 1...5 {
            try change(note, to: .string("\(number)"), of: rowIDs[number], sample)
            live.place()
            #expect(live.foreseenRounds == number && live.state.save == first + UInt64(number))
            #expect(try #require(live.take()?.update).namedRowIDs == [rowIDs[number]])
            #expect(live.engine.leases.newestSave == first && live.state.rowIDs == rowIDs)
            live.engine.work.withLock { #expect($0.checkInvariants() == [] && $0.isEmpty && $0.sets.isEmpty) }
        }
        try change(size, to: .int(-5), of: rowIDs[2], sample)
        live.place()
        #expect(live.foreseenRounds == 5 && live.engine.leases.newestSave == first + 6)
        #expect(live.state.rowIDs.last == rowIDs[2] && live.engine.leases.count <= 2)
        withExtendedLifetime(disk) {}
    }

    @Test(arguments: 0..<LiveSample.queries.count) func randomSavesArePlacedAsAskedAnew(number: Int) throws {
        let query = LiveSample.queries[number]
        var random = SeededGenerator(seed: UInt64(number) + 177)
        let sample = try LiveSample(seed: UInt64(number))
        let live = try LiveResult(query, in: sample.store, isPlacedWhereTold: true) { _ in }
        // Another result of the same file is brought up by the queue.
        let other = try LiveFollower(LiveSample.queries[(number + 1) % LiveSample.queries.count], in: sample.store)
        var rows = SectionedRows(live.start())
        live.settle()
        let disk = try SlowDisk(live, sample)
        for step in 0..<120 {
            try sample.saveChanges(&random, atMost: 1 + step % 2, through: step % 2)
            // Now and then several saves are placed at once.
            if step % 7 == 6 { continue }
            live.place()
            live.settle()
            if let update = live.take()?.update {
                #expect(SectionedRows(update.old) == rows)
                rows =
                    if case .difference(let difference) = update.change() { rows.applying(difference) } else {
                        SectionedRows(update.new)
                    }
                #expect(SectionedRows(update.new) == rows)
            }
            let fresh = try sample.fresh(query)
            try #require(rows == fresh && live.state.checkInvariants() == [], "query \(number), step \(step)")
        }
        other.live.settle()
        let fresh = try sample.fresh(other.live.query)
        #expect(other.rows == fresh && other.faults == [])
        #expect(live.foreseenRounds > 0 || number == 9)
        withExtendedLifetime(disk) {}
    }

    /// A city in Peru and one elsewhere, and a query for those in Peru, of which an index has the rows.
    private func twoCities() throws -> (sample: LiveSample, rowIDs: [RowID], query: Query) {
        let sample = try LiveSample(rowCount: 0)
        var batch = WriteBatch()
        var rowIDs: [RowID] = []
        for country in ["PE", "CL"] {
            let rowID = try sample.store.makeRowID()
            rowIDs.append(rowID)
            let values: [Value] = [.string("Lima"), .string(country), .int(1), .string("")]
            batch.insert(
                try sample.store.catalog().encode(values, as: sample.entity.id), into: sample.entity.id, rowID: rowID)
        }
        try sample.store.save(batch)
        let query = try Query(
            entity: "City", predicate: PredicateParser.parse("country == 'PE'"),
            sort: [SortKey("size", direction: .descending)])
        return (sample, rowIDs, query)
    }

    /// Commits that concern no result lie between those that are foreseen.
    @Test func othersLieBetween() throws {
        let (sample, rowIDs, query) = try twoCities()
        let live = try LiveResult(query, in: sample.store, isPlacedWhereTold: true) { _ in }
        live.start()
        live.settle()
        let disk = try SlowDisk(live, sample)
        let first = try #require(live.engine.leases.newestSave)
        for number in 1...5 {
            try change(note, to: .string("\(number)"), of: rowIDs[1], sample)
            try change(note, to: .string("\(number)"), of: rowIDs[0], sample)
            live.place()
            #expect(live.foreseenRounds == number && live.state.save == first + UInt64(2 * number))
            #expect(try #require(live.take()?.update).namedRowIDs == [rowIDs[0]])
            #expect(live.engine.leases.newestSave == first && live.state.rowIDs == [rowIDs[0]])
        }
        withExtendedLifetime(disk) {}
    }

    /// Where commits concern no result, few of them are looked at; the first one that does is enough to look at all again.
    @Test func whatIsOfNoUseIsTriedSeldom() throws {
        let (sample, rowIDs, query) = try twoCities()
        let follower = try LiveFollower(query, in: sample.store)
        let live = follower.live
        live.settle()
        let disk = try SlowDisk(live, sample, triesAll: false)
        let useless = { live.engine.useless.load(ordering: .relaxed) }
        try change(note, to: .string("a"), of: rowIDs[0], sample)
        live.settle()
        #expect(live.foreseenRounds == 1 && useless() == 0)
        for number in 0..<60 { try change(note, to: .string("\(number)"), of: rowIDs[1], sample) }
        #expect((8...9).contains(useless()))
        // Not foreseen, and followed.
        var saves = 0
        repeat {
            saves += 1
            try change(note, to: .string("\(saves)"), of: rowIDs[0], sample)
            live.settle()
        } while useless() > 0 && saves < 100
        #expect(saves <= 64 && follower.deliveries == saves + 1 && follower.faults == [] && live.foreseenRounds == 2)
        try change(note, to: .string("b"), of: rowIDs[0], sample)
        live.settle()
        #expect(live.foreseenRounds == 3)
        withExtendedLifetime(disk) {}
    }
}
