import LMDB
import SeededRandom
import Testing

@testable import LoamStorage

/// How many neighbours begin alike, against a look at all of them, and the bounds that follow from it.
@Suite struct AlikeBlocksTests {
    private static func separators(_ generator: inout SeededGenerator) -> [[UInt8]] {
        var keys: Set<[UInt8]> = []
        for _ in 0..<Int.random(in: 1...30, using: &generator) {
            let count = Int.random(in: 0...6, using: &generator)
            keys.insert((0..<count).map { _ in UInt8.random(in: 0...1, using: &generator) })
        }
        return keys.sorted { $0.isBelow($1) }
    }

    private static func alike(_ keys: ArraySlice<[UInt8]>) -> AlikeBlocks {
        var end = 0
        let ends = keys.map { key -> Int in
            end += key.count
            return end
        }
        return AlikeBlocks(separators: Array(keys.joined()), ends: ends)
    }

    /// The most pairs of neighbours in a row that begin alike.
    private static func longest(_ keys: [[UInt8]], bytes: Int) -> Int {
        var (longest, current) = (0, 0)
        for (left, right) in zip(keys, keys.dropFirst()) {
            let isAlike = left.count >= bytes && right.count >= bytes && left.prefix(bytes) == right.prefix(bytes)
            current = isAlike ? current + 1 : 0
            longest = max(longest, current)
        }
        return longest
    }

    @Test("of one run it is exact, and of several no less than of all as one", arguments: 1...30 as ClosedRange<UInt64>)
    func neighbours(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let keys = Self.separators(&generator)
        let cuts = [0, keys.count] + (0..<3).map { _ in Int.random(in: 0...keys.count, using: &generator) }
        let sorted = Set(cuts).sorted()
        let runs = zip(sorted, sorted.dropFirst()).map { Self.alike(keys[$0..<$1]) }
        for bytes in 0...7 {
            let expected = Self.longest(keys, bytes: bytes)
            #expect(AlikeBlocks.longest(in: [Self.alike(keys[...])], bytes: bytes) == expected)
            let found = AlikeBlocks.longest(in: runs, bytes: bytes)
            #expect(found >= expected && found <= max(1, keys.count))
        }
        #expect(AlikeBlocks.longest(in: [Self.alike(keys[...])], bytes: 1_000) == 0)
    }

    /// Calls of 40 places, of which some have nearly all.
    private static func store(_ temporary: TemporaryStore, _ generator: inout SeededGenerator) throws -> Store {
        let store = try temporary.open()
        try store.apply(
            .addEntity(
                EntityDefinition(
                    "Call",
                    properties: [.init("place", type: .string), .init("number", type: .int64)],
                    indexes: [.init([.init("place")]), .init([.init("number")])])))
        let common = Int.random(in: 0..<40, using: &generator)
        let rows = (0..<12_000).map { number -> [String: Value] in
            let place = Int.random(in: 0..<3, using: &generator) == 0 ? common : number % 400
            return ["place": .string("place \(1_000 + place)"), "number": .int(Int64(place))]
        }
        _ = try store.insert(rows, into: "Call")
        return store
    }

    @Test("beginnings never have more entries than the bound", arguments: [1, 2, 3] as [UInt64])
    func bounds(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let temporary = try TemporaryStore()
        let store = try Self.store(temporary, &generator)
        var told = 0
        try store.read { snapshot in
            for index in try snapshot.entity(named: "Call").indexes {
                var keys: [[UInt8]] = []
                try snapshot.scanIndex(index, range: .all) { batch in
                    for position in 0..<batch.count {
                        keys.append(try batch.key(at: position).withUnsafeBytes { Array($0) })
                    }
                    return true
                }
                let sums = try snapshot.sums(of: snapshot.access(index))
                #expect(sums.fewEntries(in: [.prefix(keys[0]), .prefix(keys[9_000])], atMost: .max) == nil)
                try Self.readOutlines(
                    sums, of: index.id, databases: snapshot.databases.blocks, in: snapshot.transaction)
                for _ in 0..<300 {
                    let ranges = (0..<Int.random(in: 2...6, using: &generator)).map { _ in
                        let key = keys.randomElement(using: &generator) ?? []
                        return KeyRange.prefix(Array(key.prefix(Int.random(in: 1...key.count, using: &generator))))
                    }
                    let exact = try ranges.reduce(0) { try $0 + snapshot.count(in: index, range: $1) }
                    #expect(sums.fewEntries(in: ranges, atMost: exact - 1) == nil, "\(ranges)")
                    if sums.fewEntries(in: ranges, atMost: 2 * exact + 8_000) != nil { told += 1 }
                }
                #expect(sums.fewEntries(in: [.prefix(keys[0]), .all], atMost: .max) == nil)
            }
        }
        #expect(told > 100)
    }

    private static func readOutlines(
        _ sums: IndexSums, of index: IndexID, databases: IndexDatabases, in transaction: borrowing ReadTransaction
    ) throws {
        var cursor = IndexCursor(overBlocks: try transaction.cursor(in: databases.indexes), of: index)
        for run in 0..<sums.runCount { sums.outline(ofRun: run).keep(try cursor.readOutline(ofRun: run, sums)) }
    }
}
