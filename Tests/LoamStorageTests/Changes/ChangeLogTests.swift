import SeededRandom
import Testing

@testable import LoamStorage

/// Commits that readers have not taken are kept once for all of them, within bounds, and a reader learns which it lost.
@Suite struct ChangeLogTests {
    private let files: TemporaryStore

    init() throws { files = try TemporaryStore() }

    /// A commit of one save, with so many rows of so many bytes.
    private static func set(_ save: UInt64, rows: Int = 1, bytes: Int = 0, known: UInt64? = nil) -> ChangeSet {
        var changes = CommitChanges()
        changes.last = save
        let record = [UInt8](repeating: 0, count: bytes)
        let row = SaveResult.Row(entity: 7, rowID: 1, old: nil, new: record, changed: [])
        changes.results = [
            SaveResult(save: save, rows: Array(repeating: row, count: rows), links: [], mapping: [:])
        ]
        return ChangeSet(changes, base: save - 1, known: known ?? save - 1)
    }

    /// Readers take commits at random moments, some after a long time: each gets every save once, or is told that it
    /// was lost.
    @Test(arguments: 0..<8 as Range<UInt64>)
    func everySaveIsTakenOnceOrLost(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var log = ChangeLog()
        var readers = (0..<5).map { _ in (position: log.end(after: 0), save: UInt64(0)) }
        var mostRows = 0
        for save in 1...400 as ClosedRange<UInt64> {
            let isLarge = Int.random(in: 0..<20, using: &random) == 0
            let rows = isLarge ? 70_000 : Int.random(in: 1..<4_000, using: &random)
            log.append(Self.set(save, rows: rows), readers: 5, woken: isLarge ? [0, 1] : [])
            mostRows = max(mostRows, log.rowCount)
            for id in readers.indices where Int.random(in: 0..<(3 << (3 * id)), using: &random) == 0 {
                let unread = log.take(&readers[id].position, for: id)
                let told = unread.sets.flatMap { $0.results.map(\.save) }
                try #require(told == told.sorted() && Set(told).count == told.count)
                for missed in (readers[id].save + 1)...max(save, readers[id].save + 1) where missed <= save {
                    let isLost = unread.lost.map { $0.contains(missed - 1) } ?? false
                    try #require(told.contains(missed) || isLost, "seed \(seed), reader \(id), save \(missed)")
                }
                readers[id].save = save
            }
        }
        #expect(mostRows <= UnreadChanges.mostRows)
        for id in readers.indices { _ = log.take(&readers[id].position, for: id) }
        #expect(log.rowCount == 0 && log.byteCount == 0)
    }

    @Test func bytesAreBoundedToo() {
        var log = ChangeLog()
        var idle = log.end(after: 0)
        for save in 1...100 as ClosedRange<UInt64> {
            log.append(Self.set(save, rows: 10, bytes: 100_000), readers: 1, woken: [])
            #expect(log.byteCount <= UnreadChanges.mostBytes)
        }
        let unread = log.take(&idle, for: 0)
        #expect(unread.lost == 0..<92 && unread.sets.map(\.last) == Array(93...100))
        #expect(log.byteCount == 0 && log.dropped.count == 100)
    }

    @Test func whatIsTooLargeIsKeptForThoseWhoWereWoken() {
        var log = ChangeLog()
        var (idle, awake) = (log.end(after: 0), log.end(after: 0))
        log.append(Self.set(1), readers: 2, woken: [1])
        log.append(Self.set(2, rows: 70_000), readers: 2, woken: [1])
        log.append(Self.set(3), readers: 2, woken: [1])
        #expect(log.take(&awake, for: 1).sets.map(\.last) == [1, 2, 3])
        // No reader that is awake needs the large commit any more, so it is dropped.
        #expect(log.dropped.map(\.last) == [2])
        let unread = log.take(&idle, for: 0)
        #expect(unread.sets.map(\.last) == [1, 3] && unread.lost == 1..<2)
    }

    @Test func aLargeCommitIsKeptWhileTheOneBeforeItIsPassedOver() {
        var log = ChangeLog()
        var (slow, fast) = (log.end(after: 0), log.end(after: 0))
        log.append(Self.set(1, rows: 70_000), readers: 2, woken: [0, 1])
        #expect(log.take(&fast, for: 1).sets.map(\.last) == [1])
        log.append(Self.set(2, rows: 70_000), readers: 2, woken: [0, 1])
        let unread = log.take(&slow, for: 0)
        #expect(unread.sets.map(\.last) == [2] && unread.lost == 0..<1)
        #expect(log.take(&fast, for: 1).sets.map(\.last) == [2])
        #expect(log.dropped.map(\.last) == [1, 2])
    }

    @Test func ownSavesArePassedOver() {
        var log = ChangeLog()
        var position = log.end(after: 0)
        log.append(Self.set(1), readers: 1, woken: [])
        #expect(log.skip(1, position: &position, for: 0) && log.rowCount == 0)
        // A commit that is too large to be kept can be skipped, too.
        log.append(Self.set(2, rows: 70_000), readers: 1, woken: [])
        #expect(log.skip(2, position: &position, for: 0) && log.take(&position, for: 0).isEmpty)
        // A save cannot be skipped where another one comes before it, or saves of other processes do.
        log.append(Self.set(3), readers: 1, woken: [])
        log.append(Self.set(4), readers: 1, woken: [])
        #expect(!log.skip(4, position: &position, for: 0) && log.take(&position, for: 0).sets.count == 2)
        log.append(Self.set(9, known: 4), readers: 1, woken: [])
        #expect(!log.skip(9, position: &position, for: 0) && log.take(&position, for: 0).sets.count == 1)
    }

    @Test func idleReadersShareWhatWaits() throws {
        let store = try files.open()
        try store.apply(.addEntity(EntityDefinition("City", properties: [.init("name", type: .string)])))
        let save = try store.read { try $0.lastSave() }
        let readers = (0..<500).map { _ in store.changes.reader(after: save) }
        for number in 0..<20 { try store.insert([["name": .string("\(number)")]], into: "City") }
        #expect(store.changes.unread.rows == 20)
        for reader in readers { #expect(reader.take().sets.count == 20) }
        #expect(store.changes.unread.rows == 0)
        try store.insert([["name": .string("Lima")]], into: "City")
        #expect(store.changes.unread.rows == 1)
        withExtendedLifetime(readers) {}
    }

    @Test func readersThatGoLeaveNothing() throws {
        let store = try files.open()
        try store.apply(.addEntity(EntityDefinition("City", properties: [.init("name", type: .string)])))
        let save = try store.read { try $0.lastSave() }
        do {
            let reader = store.changes.reader(after: save)
            try store.insert([["name": .string("Lima")]], into: "City")
            #expect(store.changes.unread.rows == 1)
            withExtendedLifetime(reader) {}
        }
        #expect(store.changes.unread.rows == 0)
        try store.insert([["name": .string("Lima")]], into: "City")
        #expect(store.changes.unread.rows == 0)
    }
}
