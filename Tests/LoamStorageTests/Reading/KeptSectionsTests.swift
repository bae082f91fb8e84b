import SeededRandom
import Testing

@testable import LoamStorage

/// The sections of runs of blocks are kept from snapshot to snapshot, for as long as nobody changes the run.
@Suite struct KeptSectionsTests {
    private let temporary: TemporaryStore
    private let store: Store

    /// Four entries to a block, so that few rows make many runs of blocks.
    private static let padding = String(repeating: "x", count: 440)
    /// Some eight blocks each.
    private static let groups = 100

    init() throws {
        temporary = try TemporaryStore()
        store = try temporary.open()
        try store.apply(
            .addEntity(
                EntityDefinition(
                    "Note", properties: [.init("group", type: .int64), .init("text", type: .string)],
                    indexes: [.init([.init("group"), .init("text")])])))
    }

    private static func values(_ number: Int, group: Int? = nil) -> [String: Value] {
        ["group": .int(Int64(group ?? number % groups)), "text": .string("\(number * 7_919)" + padding)]
    }

    private func fill(_ count: Int) throws -> [RowID] {
        try store.insert((0..<count).map { Self.values($0) }, into: "Note")
    }

    /// Compares the sections of all entries and of a range, in both directions, with those that a scan finds.
    ///
    /// - Returns: the runs whose sections were known before, and how many there are.
    @discardableResult
    private static func check(_ store: Store, _ random: inout SeededGenerator) throws -> (known: Int, of: Int) {
        try store.read { snapshot in
            let index = try #require(try snapshot.entity(named: "Note").indexes.first)
            let sums = try snapshot.sums(of: snapshot.access(index))
            let known = (0..<sums.runCount).count { sums.outline(ofRun: $0).sections.known != nil }
            let bounds = [0, 1].map { _ in [UInt8.random(in: 0...255, using: &random)] }
            let ranges = [
                KeyRange.all, .all, KeyRange(lower: try key(&random, index, snapshot)),
                KeyRange(upper: try key(&random, index, snapshot)),
                KeyRange(lower: try key(&random, index, snapshot), upper: try key(&random, index, snapshot)),
                KeyRange(lower: bounds[0], upper: bounds[1]),
            ]
            for range in ranges where !range.isEmpty {
                let expected = try scan(range, index, snapshot)
                #expect(try snapshot.sections(in: index, range: range) == expected)
                #expect(try snapshot.sections(in: index, range: range, reversed: true) == expected.reversed())
            }
            return (known, sums.runCount)
        }
    }

    /// A beginning of the key of some entry.
    private static func key(_ random: inout SeededGenerator, _ index: Index, _ snapshot: Snapshot) throws -> [UInt8] {
        let count = try snapshot.count(in: index, range: .all)
        guard count > 0 else { return [] }
        let key = try snapshot.entry(in: index, at: .random(in: 0..<count, using: &random))?.key ?? []
        return Array(key.prefix(.random(in: 0...min(key.count, 14), using: &random)))
    }

    private static func scan(_ range: KeyRange, _ index: Index, _ snapshot: Snapshot) throws -> [IndexSection] {
        let leading = try snapshot.access(index).blockShape.leadingLength
        var sections: [IndexSection] = []
        try snapshot.scanIndex(index, range: range) { batch in
            for position in 0..<batch.count {
                let key = try batch.key(at: position).withUnsafeBytes { key in
                    Array(key.prefix(leading.end(in: key) ?? 0))
                }
                if sections.last?.key == key {
                    sections[sections.count - 1].count += 1
                } else {
                    sections.append(IndexSection(key: key, count: 1))
                }
            }
            return true
        }
        return sections
    }

    @Test func onlyTheRunsThatASaveChangedAreWalkedThroughAgain() throws {
        var random = SeededGenerator(seed: 5)
        let rows = try fill(4_000)
        let first = try Self.check(store, &random)
        #expect(first.of > 4 && first.known == 0)
        #expect(try Self.check(store, &random).known == first.of)
        try store.update(rows[0], of: "Note", Self.values(0, group: 1))
        let second = try Self.check(store, &random)
        #expect((first.of - 2...first.of - 1).contains(second.known))
        #expect(try Self.check(store, &random).known == second.of)
    }

    /// Where nearly each entry is a section, they are not kept: that would be a copy of the index.
    @Test func manySmallSectionsAreNotKept() throws {
        var random = SeededGenerator(seed: 6)
        try store.insert((0..<4_000).map { Self.values($0, group: $0) }, into: "Note")
        for _ in 0..<2 { #expect(try Self.check(store, &random).known == 0) }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func whateverIsSavedTheSectionsAreThoseOfTheEntries(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var rows = try fill(3_000)
        let other = try temporary.open()
        var most = 0
        for step in 0..<40 {
            let store = Int.random(in: 0..<4, using: &random) == 0 ? other : store
            func values() -> [String: Value] {
                // Some groups grow over several runs, and others disappear.
                Self.values(
                    .random(in: 0..<1_000_000, using: &random),
                    group: Bool.random(using: &random) ? .random(in: -3..<104, using: &random) : 40)
            }
            switch Int.random(in: 0..<8, using: &random) {
            case 0...2:
                let count = Int.random(in: 0..<6, using: &random) == 0 ? 1_200 : Int.random(in: 1...20, using: &random)
                rows += try store.insert((0..<count).map { _ in values() }, into: "Note")
            case 3...4:
                let start = Int.random(in: 0...rows.count, using: &random)
                let end = min(rows.count, start + (Int.random(in: 0..<3, using: &random) == 0 ? 900 : 5))
                var batch = WriteBatch()
                for row in rows[start..<end] { batch.delete(row, of: try store.entity("Note").id) }
                if start < end { try store.save(batch) }
                rows.removeSubrange(start..<end)
            case 5 where step % 20 == 11:
                try store.erase()
                rows = try fill(500)
            default:
                guard let row = rows.randomElement(using: &random) else { continue }
                try store.update(row, of: "Note", values())
            }
            most = max(most, try Self.check(self.store, &random).known)
            if step % 3 == 0 { try Self.check(other, &random) }
        }
        #expect(most > 0)
    }
}
