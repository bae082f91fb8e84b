import Foundation
import LoamQuery
import LoamStorage
import SeededRandom
import Testing

@testable import loam

/// Rows go to a reader that is slower than the store, while the store changes. Saves inside a snapshot would throw, so
/// each of these tests also shows that no snapshot is held while the reader is waited for.
@Suite struct PacedRowsTests {
    /// A reader that has no room behind so many rows, and lets somebody save while it takes them.
    private final class SlowReader: PacedOutput {
        let batch: Int
        let meanwhile: () throws -> Void
        private var rows = 0

        init(batch: Int, _ meanwhile: @escaping () throws -> Void) {
            (self.batch, self.meanwhile) = (batch, meanwhile)
        }

        func send(_ bytes: [UInt8]) {}

        func hasRoom(until deadline: ContinuousClock.Instant) -> Bool {
            rows += 1
            return rows % batch != 0
        }

        func waitUntilTaken() throws { try meanwhile() }
    }

    private final class Printed {
        var rows: [[Value]] = []
    }

    private struct Collector: RowWriter {
        let printed: Printed

        func append(_ values: [Value]) { printed.rows.append(values) }
        func finish() {}
    }

    /// A store whose rows change at random, with what is known of each: its id, where it stands, whether it matches.
    private final class Changing {
        let store: Store
        let entity: Entity
        var rows: [Int64: (rowID: RowID, matches: Bool)] = [:]
        /// The rows that were there and matched in every state so far.
        var steady: Set<Int64> = []
        private var next: Int64 = 0
        private var generator: SeededGenerator
        private let folder: URL

        init(seed: UInt64) throws {
            folder = FileManager.default.temporaryDirectory.appendingPathComponent("loam-paced-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            var options = StoreOptions()
            options.durability = .unsynced
            store = try Store.open(path: folder.appendingPathComponent("store").path, options: options)
            try store.apply(
                .addEntity(
                    EntityDefinition(
                        "Item",
                        properties: [
                            .init("id", type: .int64), .init("name", type: .string), .init("rank", type: .int64),
                            .init("isOpen", type: .bool),
                        ],
                        indexes: [IndexDefinition([.init("rank")])])))
            entity = try store.read { try $0.entity(named: "Item") }
            generator = SeededGenerator(seed: seed)
            try save(insertions: 200, of: 0)
            steady = Set(rows.filter(\.value.matches).keys)
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        /// Inserts rows, and deletes, moves, opens and closes about so many others.
        func save(insertions: Int, of changes: Int) throws {
            var batch = WriteBatch(author: "test")
            for id in rows.keys.sorted().shuffled(using: &generator).prefix(changes) {
                guard let row = rows[id] else { continue }
                switch Int.random(in: 0..<4, using: &generator) {
                case 0:
                    batch.delete(row.rowID, of: entity.id)
                    rows[id] = nil
                    steady.remove(id)
                case 1:
                    batch.update(
                        row.rowID, of: entity.id, base: nil, changes: [property("isOpen"): .bool(!row.matches)])
                    rows[id]?.matches.toggle()
                    if row.matches { steady.remove(id) }
                case 2:
                    batch.update(row.rowID, of: entity.id, base: nil, changes: [property("name"): .string(name())])
                default:
                    batch.update(row.rowID, of: entity.id, base: nil, changes: [property("rank"): rank()])
                }
            }
            for _ in 0..<insertions { try insert(&batch) }
            try store.save(batch)
        }

        func deleteAll() throws {
            var batch = WriteBatch(author: "test")
            for row in rows.values { batch.delete(row.rowID, of: entity.id) }
            rows = [:]
            try store.save(batch)
        }

        private func insert(_ batch: inout WriteBatch) throws {
            let rowID = try store.makeRowID()
            let isOpen = generator.percent(70)
            batch.insert(
                try store.catalog().encode(
                    ["id": .int(next), "name": .string(name()), "rank": rank(), "isOpen": .bool(isOpen)], as: "Item"),
                into: entity.id, rowID: rowID)
            rows[next] = (rowID, isOpen)
            next += 1
        }

        private func property(_ name: String) -> PropertyID { entity.properties.first { $0.name == name }?.id ?? 0 }
        private func rank() -> Value { .int(Int64.random(in: 0..<20, using: &generator)) }
        private func name() -> String { "n\(Int.random(in: 0..<1_000, using: &generator))" }
    }

    /// A clock that goes on by a tenth of a second at each look, and a reader that keeps up and lets somebody save
    /// whenever no snapshot is held. A snapshot lasts from one such moment to the next.
    private final class LongSearch: PacedOutput {
        let meanwhile: () throws -> Void
        private(set) var snapshots = 0
        private(set) var longest = Duration.zero
        private(set) var time: ContinuousClock.Instant
        private var begin: ContinuousClock.Instant

        init(_ meanwhile: @escaping () throws -> Void) {
            self.meanwhile = meanwhile
            time = .now
            begin = time
        }

        func now() -> ContinuousClock.Instant {
            time += .milliseconds(100)
            return time
        }

        func send(_ bytes: [UInt8]) {}
        func hasRoom(until deadline: ContinuousClock.Instant) -> Bool { true }

        func waitUntilTaken() throws {
            longest = max(longest, begin.duration(to: time))
            snapshots += 1
            try meanwhile()
            begin = time
        }
    }

    private static func search(
        _ query: Query, of changing: Changing, saving: Bool = true
    ) throws -> (ids: [Int64], rows: [[Value]], saves: PacedRows.Saves, search: LongSearch) {
        let printed = Printed()
        let search = LongSearch { if saving { try changing.save(insertions: 3, of: 12) } }
        var paced = PacedRows(store: changing.store, query: query)
        paced.searchInterval = 4
        paced.now = search.now
        let (_, saves) = try paced.write(to: search) { _ in Collector(printed: printed) }
        let ids = printed.rows.compactMap { row -> Int64? in
            if case .int(let id)? = row.first { id } else { nil }
        }
        return (ids, printed.rows, saves, search)
    }

    private static func print(
        _ query: Query, of changing: Changing, batch: Int
    ) throws -> (ids: [Int64], rows: [[Value]], saves: PacedRows.Saves) {
        let printed = Printed()
        let reader = SlowReader(batch: batch) { try changing.save(insertions: 3, of: 12) }
        let (_, saves) = try PacedRows(store: changing.store, query: query).write(to: reader) { _ in
            Collector(printed: printed)
        }
        let ids = printed.rows.compactMap { row -> Int64? in
            if case .int(let id)? = row.first { id } else { nil }
        }
        return (ids, printed.rows, saves)
    }

    static let orders: [[SortKey]] = [
        [], [SortKey("rank")], [SortKey("rank", direction: .descending)], [SortKey("name")],
        [SortKey("name", direction: .descending)],
        [SortKey("rank"), SortKey("name", direction: .descending)], [SortKey("isOpen")],
        [SortKey("isOpen", direction: .descending)],
    ]

    @Test(arguments: orders, [UInt64(1), 2, 3])
    func `no row comes twice, none is missing that was there throughout`(order: [SortKey], seed: UInt64) throws {
        let changing = try Changing(seed: seed)
        let query = Query(entity: "Item", predicate: try PredicateParser.parse("isOpen = true"), sort: order)
        let (ids, rows, saves) = try Self.print(query, of: changing, batch: 17)
        #expect(Set(ids).count == ids.count)
        #expect(changing.steady.subtracting(ids) == [])
        #expect(!changing.steady.isEmpty && changing.steady.count < ids.count)
        // Each row matched in the state that it was read from.
        #expect(rows.allSatisfy { $0.last == .bool(true) })
        #expect(saves.last > saves.first && saves.note?.contains("--snapshot") == true)
    }

    @Test(arguments: orders, [(0, 60), (25, 60), (100, 1_000), (1_000, 10)])
    func `offset and limit are those of the first state`(order: [SortKey], page: (offset: Int, limit: Int)) throws {
        let changing = try Changing(seed: 9)
        var query = Query(
            entity: "Item", predicate: try PredicateParser.parse("isOpen = true"), sort: order, limit: page.limit,
            offset: page.offset)
        var work = Work()
        let wanted: [RowID] = try changing.store.read { snapshot in
            try Planner.plan(query, in: snapshot).rows(in: snapshot, work: &work).map(\.rowID)
        }
        let numbers = Dictionary(changing.rows.map { ($1.rowID, $0) }, uniquingKeysWith: { first, _ in first })
        let expected = wanted.compactMap { numbers[$0] }
        query.columns = ["id"]
        let (ids, _, _) = try Self.print(query, of: changing, batch: 17)
        #expect(Set(ids).count == ids.count && ids.count <= page.limit)
        // The rows come in the order of the first state; those that are missing were deleted meanwhile.
        let positions = ids.compactMap { expected.firstIndex(of: $0) }
        #expect(positions == positions.sorted())
        #expect(Set(expected).intersection(changing.steady).subtracting(ids) == [])
    }

    static let filters = ["isOpen = true", "isOpen = true AND name != 'n'", "isOpen = true AND rank >= 0"]

    @Test(arguments: orders, filters)
    func `a long search holds no snapshot for a second, and loses no row`(order: [SortKey], filter: String) throws {
        for seed in 1...3 as ClosedRange<UInt64> {
            let changing = try Changing(seed: seed)
            let query = Query(entity: "Item", predicate: try PredicateParser.parse(filter), sort: order)
            let (ids, rows, saves, search) = try Self.search(query, of: changing)
            #expect(Set(ids).count == ids.count)
            #expect(changing.steady.subtracting(ids) == [] && !changing.steady.isEmpty)
            #expect(rows.allSatisfy { $0.last == .bool(true) })
            #expect(search.snapshots >= 3 && search.longest <= .seconds(1))
            #expect(saves.last > saves.first && saves.note?.contains("--snapshot") == true)
        }
    }

    @Test(arguments: [[SortKey("rank")], [SortKey("name", direction: .descending)], []])
    func `a search that finds nothing holds no snapshot for a second`(order: [SortKey]) throws {
        let changing = try Changing(seed: 3)
        let query = Query(entity: "Item", predicate: try PredicateParser.parse("name = 'none'"), sort: order)
        let (ids, _, saves, search) = try Self.search(query, of: changing)
        #expect(ids.isEmpty && search.snapshots >= 3 && search.longest <= .seconds(1) && saves.note != nil)
    }

    @Test(arguments: orders, [(0, nil), (0, 60), (25, 60), (100, 1_000), (1_000, 10), (3, nil)] as [(Int, Int?)])
    func `a long search gives what a short one does where nobody saves`(
        order: [SortKey], page: (offset: Int, limit: Int?)
    ) throws {
        let changing = try Changing(seed: 8)
        let query = Query(
            entity: "Item", predicate: try PredicateParser.parse("isOpen = true"), sort: order, limit: page.limit,
            offset: page.offset)
        var work = Work()
        let expected = try changing.store.read { snapshot in
            try Planner.plan(query, in: snapshot).rows(in: snapshot, work: &work).map(\.values)
        }
        let (_, rows, saves, search) = try Self.search(query, of: changing, saving: false)
        #expect(rows == expected && saves.note == nil)
        #expect(search.snapshots >= 1 && search.longest <= .seconds(1))
    }

    @Test func `a long search of one save keeps its snapshot`() throws {
        let changing = try Changing(seed: 8)
        let printed = Printed()
        let search = LongSearch {}
        var paced = PacedRows(store: changing.store, query: Query(entity: "Item", sort: [SortKey("name")]))
        (paced.keepsSnapshot, paced.searchInterval, paced.now) = (true, 4, search.now)
        let (_, saves) = try paced.write(to: search) { _ in Collector(printed: printed) }
        #expect(search.snapshots == 0 && printed.rows.count == 200 && saves.note == nil)
    }

    @Test func `a reader that keeps up gets one state, and so does --snapshot`() throws {
        let changing = try Changing(seed: 4)
        let query = Query(entity: "Item", columns: ["id"])
        let (ids, _, saves) = try Self.print(query, of: changing, batch: .max)
        #expect(ids.count == 200 && saves.first == saves.last && saves.note == nil)
    }

    @Test(arguments: orders)
    func `rows that go while the reader waits are told of, though no later row shows it`(order: [SortKey]) throws {
        let changing = try Changing(seed: 6)
        let printed = Printed()
        var isFirst = true
        let reader = SlowReader(batch: 17) {
            if isFirst { try changing.deleteAll() }
            isFirst = false
        }
        let query = Query(entity: "Item", sort: order, columns: ["id"])
        let (_, saves) = try PacedRows(store: changing.store, query: query).write(to: reader) { _ in
            Collector(printed: printed)
        }
        #expect(printed.rows.count == 17)
        #expect(saves.last == saves.first + 1 && saves.note?.contains("--snapshot") == true)
    }

    @Test func `an entity that is changed meanwhile is told, not guessed at`() throws {
        let changing = try Changing(seed: 5)
        let printed = Printed()
        let reader = SlowReader(batch: 17) {
            try? changing.store.apply(
                .addProperty(PropertyDefinition("more", type: .string, isOptional: true), to: "Item"))
        }
        #expect(throws: ArgumentError(.schemaChanged("Item"))) {
            try PacedRows(store: changing.store, query: Query(entity: "Item")).write(to: reader) { _ in
                Collector(printed: printed)
            }
        }
        #expect(printed.rows.count == 17)
    }

    @Test(arguments: [0, 1, 5, 8_192, 20_000])
    func `ids come out as they went in, in memory or not`(count: Int) throws {
        for limit in [0, 3, 10_000, 1 << 20] {
            let queue = RowIDQueue(memoryLimit: limit)
            for number in 0..<count { try queue.append(RowID(number * 3)) }
            var ids: [RowID] = []
            while case let next = try queue.next(1_000), !next.isEmpty { ids += next }
            #expect(ids == (0..<count).map { RowID($0 * 3) })
        }
    }
}
