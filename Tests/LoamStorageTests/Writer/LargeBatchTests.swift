import Foundation
import SeededRandom
import Testing

@testable import LoamStorage

/// Large batches, whose inserts are mostly not decided one by one, leave the same store as where all are.
@Suite struct LargeBatchTests {
    private let sides: [Side]

    /// One of two stores that get the same batches, under the same row ids.
    private final class Side {
        let temporary: TemporaryStore
        let store: Store
        let decidesEachRow: Bool

        init(decidesEachRow: Bool) throws {
            temporary = try TemporaryStore()
            store = try temporary.open()
            self.decidesEachRow = decidesEachRow
            try store.apply(.addEntities(LargeBatchTests.definitions))
        }

        func save(_ batch: WriteBatch) throws -> SaveResult {
            var batch = batch
            batch.decidesEachRow = decidesEachRow
            return try store.save(batch) as SaveResult
        }

        func records(of entity: String) throws -> [RowID: [UInt8]] {
            try store.read { snapshot in
                var records: [RowID: [UInt8]] = [:]
                let entity = try snapshot.entity(named: entity)
                var rows: [RowID] = []
                try snapshot.scanRows(of: entity) { row in
                    rows.append(row.rowID)
                    return true
                }
                for row in rows { records[row] = try snapshot.record(row, of: entity) }
                return records
            }
        }
    }

    private static let definitions = [
        EntityDefinition(
            "Area", properties: [PropertyDefinition("name", type: .string), PropertyDefinition("note", type: .int64)],
            relationships: [RelationshipDefinition("towns", to: "Town", isToMany: true, inverse: "area")],
            indexes: [IndexDefinition([.init("name")], kind: .unique)]),
        EntityDefinition(
            "Town",
            properties: [
                PropertyDefinition("code", type: .string, isOptional: true), PropertyDefinition("number", type: .int64),
                PropertyDefinition("text", type: .string), PropertyDefinition("data", type: .data, isOptional: true),
            ],
            relationships: [
                RelationshipDefinition("area", to: "Area"), RelationshipDefinition("home", to: "Area"),
            ],
            indexes: [
                IndexDefinition([.init("code")], name: "code", kind: .unique),
                IndexDefinition([.init("number", direction: .descending)], name: "number", included: ["code"]),
                IndexDefinition([.init("text"), .init("number")], name: "text"),
                IndexDefinition([.init("area"), .init("number")], name: "area"),
            ]),
    ]

    init() throws {
        sides = [try Side(decidesEachRow: true), try Side(decidesEachRow: false)]
    }

    /// Makes batches that both sides can take.
    private struct Maker {
        var random: SeededGenerator
        var areas: [RowID] = []
        var towns: [RowID] = []
        /// The number of different codes.
        var codes: Int
        let catalog: Catalog
        let area: Entity
        let town: Entity

        init(_ side: Side, seed: UInt64, codes: Int) throws {
            random = SeededGenerator(seed: seed)
            self.codes = codes
            catalog = try side.store.catalog()
            area = try side.store.entity("Area")
            town = try side.store.entity("Town")
        }

        mutating func chance(_ part: Int) -> Bool { Int.random(in: 0..<part, using: &random) == 0 }

        private mutating func townValues(_ targets: [RowID]) -> [String: Value] {
            let long = chance(10) ? String(repeating: "ab", count: 300) : ""
            return [
                "code": chance(10) ? .null : .string("c\(Int.random(in: 0..<codes, using: &random))"),
                "number": .int(Int64.random(in: -50...50, using: &random)),
                "text": .string(long + ["Å", "b", "été"][Int.random(in: 0..<3, using: &random)]),
                "data": chance(20)
                    ? .data(Data(repeating: UInt8.random(in: 0...255, using: &random), count: 6_000)) : .null,
                "area": chance(3) ? .null : targets.randomElement(using: &random).map(Value.uint) ?? .null,
                "home": chance(2) ? .null : targets.randomElement(using: &random).map(Value.uint) ?? .null,
            ]
        }

        mutating func batch(rowIDs: () throws -> RowID, size: Int, changes: Bool, deletes: Bool) throws -> WriteBatch {
            var batch = WriteBatch(author: "test")
            let upserts = !chance(8)
            var newAreas: [RowID] = []
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let row = try rowIDs()
                let name = "area \(Int.random(in: 0..<40, using: &random))"
                batch.insert(
                    try catalog.encode(["name": .string(name), "note": .int(Int64(row))], as: "Area"), into: area.id,
                    rowID: row, upserts: upserts)
                newAreas.append(row)
            }
            let placing = chance(2)
            var placed: [RowID] = []
            for _ in 0..<size {
                let row = try rowIDs()
                batch.insert(
                    try catalog.encode(townValues(areas + newAreas), as: "Town"), into: town.id, rowID: row,
                    upserts: upserts)
                if placing, !chance(3) { placed.append(row) }
            }
            for row in placed.shuffled(using: &random) {
                batch.place(row, of: town.id, in: town.relationships[0].id, place: .append)
            }
            if changes { change(&batch) }
            if deletes, let area = areas.randomElement(using: &random) { batch.delete(area, of: self.area.id) }
            return batch
        }

        private mutating func change(_ batch: inout WriteBatch) {
            var rest = Set(towns)
            for _ in 0..<20 {
                guard let row = rest.sorted().randomElement(using: &random) else { return }
                rest.remove(row)
                if chance(5) {
                    batch.delete(row, of: town.id)
                    continue
                }
                var changes: [PropertyID: Value] = [:]
                for (name, value) in townValues(areas) where chance(2) {
                    guard let position = town.position(of: name) else { continue }
                    changes[town.properties[position].id] = value
                }
                batch.update(row, of: town.id, base: nil, changes: changes)
            }
        }
    }

    private func expectSame(_ name: String) throws {
        #expect(try sides[0].records(of: name) == sides[1].records(of: name))
        for index in try sides[0].store.entity(name).indexes {
            #expect(try sides[0].store.rows(in: index.name, of: name) == sides[1].store.rows(in: index.name, of: name))
        }
    }

    @Test(arguments: [(1, 100_000), (2, 100_000), (3, 4_000), (4, 1_000), (5, 300), (6, 100_000)])
    func newRowsThatMeetNothingAreSavedAsAllOthers(seed: UInt64, codes: Int) throws {
        var maker = try Maker(sides[0], seed: seed, codes: codes)
        var saved = 0
        for step in 0..<12 {
            // Both stores give out the same row ids.
            var ids: [RowID] = []
            let batch = try maker.batch(
                rowIDs: {
                    let id = try sides[0].store.makeRowID()
                    #expect(try sides[1].store.makeRowID() == id)
                    ids.append(id)
                    return id
                }, size: step % 5 == 0 ? 20 : Int.random(in: 70...400, using: &maker.random),
                changes: maker.chance(3), deletes: maker.chance(8))
            let results = sides.map { side in Result { try side.save(batch) } }
            switch (results[0], results[1]) {
            case (.success(let slow), .success(let fast)):
                saved += 1
                #expect(slow.mapping == fast.mapping && slow.save == fast.save)
                let rows = [slow, fast].map { $0.rows.sorted { $0.rowID < $1.rowID } }
                #expect(rows[0].map(\.new) == rows[1].map(\.new))
                #expect(rows[0].map(\.old) == rows[1].map(\.old))
                #expect(rows[0].map(\.changed) == rows[1].map(\.changed))
            case (.failure, .failure): break
            default: Issue.record("only one of both failed: \(results.map { "\($0)".prefix(200) })")
            }
            maker.areas = try sides[0].records(of: "Area").keys.sorted()
            maker.towns = try sides[0].records(of: "Town").keys.sorted()
            try expectSame("Area")
            try expectSame("Town")
        }
        #expect(saved > 2)
        for side in sides { #expect(try side.store.check().faults == []) }
        let histories = try sides.map { side in
            try side.store.read {
                try HistoryReader.entries(in: $0, after: 0).map { $0.rows.sorted { $0.rowID < $1.rowID } }
            }
        }
        #expect(histories[0] == histories[1])
    }

    /// Saves the same batches on both sides; the closure gets the side's store.
    private func saveOnBoth(_ makeBatch: (Store) throws -> WriteBatch) throws {
        for side in sides { _ = try side.save(makeBatch(side.store)) }
        try expectSame("Area")
        try expectSame("Town")
        for side in sides { #expect(try side.store.check().faults == []) }
    }

    private func insert(
        _ values: [String: Value], _ entity: String, _ store: Store, _ batch: inout WriteBatch
    ) throws
        -> RowID
    {
        let row = try store.makeRowID()
        let record = try store.catalog().encode(values, as: entity)
        batch.insert(record, into: try store.entity(entity).id, rowID: row, upserts: true)
        return row
    }

    @Test func aTargetThatIsStoredAfterAllIsFoundBehindARowThatStaysAsItWas() throws {
        var stored: (area: RowID, town: RowID) = (0, 0)
        try saveOnBoth { store in
            var batch = WriteBatch()
            stored.area = try insert(["name": .string("p"), "note": .int(1)], "Area", store, &batch)
            stored.town = try insert(
                ["code": .string("u"), "number": .int(0), "text": .string(""), "home": .uint(stored.area)], "Town",
                store, &batch)
            return batch
        }
        try saveOnBoth { store in
            let town = try store.entity("Town")
            let home = try #require(town.position(of: "home"))
            var batch = WriteBatch()
            let area = try insert(["name": .string("p"), "note": .int(2)], "Area", store, &batch)
            batch.update(stored.town, of: town.id, base: nil, changes: [town.properties[home].id: .uint(area)])
            for number in 0..<100 {
                _ = try insert(
                    ["code": .string("\(number)"), "number": .int(1), "text": .string(""), "home": .uint(area)], "Town",
                    store, &batch)
            }
            return batch
        }
        #expect(try sides[1].store.values(stored.area, of: "Area")?[1] == .int(2))
    }

    @Test func aStoredRowAmongManyAppendedOnesStandsWhereItWasPut() throws {
        var area: RowID = 0
        try saveOnBoth { store in
            var batch = WriteBatch()
            area = try insert(["name": .string("p"), "note": .int(1)], "Area", store, &batch)
            _ = try insert(
                ["code": .string("c50"), "number": .int(0), "text": .string(""), "area": .uint(area)], "Town", store,
                &batch)
            return batch
        }
        try saveOnBoth { store in
            let town = try store.entity("Town")
            let relationship = try #require(town.relationships.first { $0.name == "area" })
            var batch = WriteBatch()
            var rows: [RowID] = []
            for number in 0..<100 {
                rows.append(
                    try insert(
                        ["code": .string("c\(number)"), "number": .int(1), "text": .string(""), "area": .uint(area)],
                        "Town", store, &batch))
            }
            for row in rows { batch.place(row, of: town.id, in: relationship.id, place: .append) }
            return batch
        }
        let codes = try sides.map { side in
            try side.store.read { snapshot in
                let (entity, town) = (try snapshot.entity(named: "Area"), try snapshot.entity(named: "Town"))
                let towns = try #require(entity.relationships.first)
                return try snapshot.relatedRowIDs(of: area, towns, in: entity).map {
                    try snapshot.values($0, of: town)?.first
                }
            }
        }
        #expect(codes[0] == codes[1])
        #expect(codes[1].firstIndex(of: .string("c50")) == 50)
    }

    // MARK: Conflicts and refusals

    private static let item = EntityDefinition(
        "Item", properties: [PropertyDefinition("key", type: .string), PropertyDefinition("number", type: .int64)],
        indexes: [
            IndexDefinition([.init("key")], name: "key", kind: .unique),
            IndexDefinition([.init("number")], name: "number"),
        ])

    private func items(_ keys: [String], in store: Store, upserts: Bool) throws -> (WriteBatch, [RowID]) {
        let (catalog, entity) = (try store.catalog(), try store.entity("Item"))
        var batch = WriteBatch()
        var ids: [RowID] = []
        for (number, key) in keys.enumerated() {
            ids.append(try store.makeRowID())
            batch.insert(
                try catalog.encode(["key": .string(key), "number": .int(Int64(number % 7))], as: "Item"),
                into: entity.id, rowID: ids[number], upserts: upserts)
        }
        return (batch, ids)
    }

    private func itemStore(_ change: (inout StoreOptions) -> Void = { _ in }) throws -> (TemporaryStore, Store) {
        let temporary = try TemporaryStore()
        let store = try temporary.open(change)
        try store.apply(.addEntity(Self.item))
        return (temporary, store)
    }

    @Test func aConflictAmongManyNewRowsNamesBothRowsAndSavesNone() throws {
        let (temporary, store) = try itemStore()
        defer { _ = temporary }
        let (batch, ids) = try items((0..<500).map { $0 == 400 ? "k3" : "k\($0)" }, in: store, upserts: false)
        do {
            try store.save(batch)
            Issue.record("two rows have the same key")
        } catch let error as StorageError {
            guard case .uniqueViolation(let existing) = error.kind else { throw error }
            #expect(error.entity == "Item" && error.index == "key")
            #expect(Set([existing, error.rowID]) == [ids[3], ids[400]])
        }
        #expect(try store.rows(in: "number", of: "Item") == [])
    }

    @Test func ofNewRowsWithTheSameKeyTheFirstTakesTheValuesOfTheLast() throws {
        let (temporary, store) = try itemStore()
        defer { _ = temporary }
        let (batch, ids) = try items((0..<500).map { "k\($0 % 250)" }, in: store, upserts: true)
        let result = try store.save(batch) as SaveResult
        #expect(result.mapping == Dictionary(uniqueKeysWithValues: (0..<250).map { (ids[$0 + 250], ids[$0]) }))
        #expect(result.rows.count == 250)
        #expect(try store.values(ids[2], of: "Item") == [.string("k2"), .int(Int64(252 % 7))])
        let (again, _) = try items((0..<300).map { "k\($0)" }, in: store, upserts: true)
        #expect(try (store.save(again) as SaveResult).mapping.count == 250)
        #expect(try store.values(ids[2], of: "Item") == [.string("k2"), .int(2)])
        #expect(try store.check().faults == [])
    }

    @Test func aRowIDThatABatchNamesTwiceIsRefused() throws {
        let (temporary, store) = try itemStore()
        defer { _ = temporary }
        var (batch, ids) = try items((0..<200).map { "k\($0)" }, in: store, upserts: true)
        batch.delete(ids[7], of: try store.entity("Item").id)
        #expect(storageError { try store.save(batch) } == .inconsistent("a batch names a row twice"))
        let (other, _) = try items((0..<200).map { "k\($0)" }, in: store, upserts: true)
        try store.save(other)
        #expect(storageError { try store.save(other) } == .rowExists)
    }

    @Test func aMapThatIsTooSmallForManyNewRowsGrowsOrNothingIsSaved() throws {
        let (growing, large) = try itemStore { $0.mapSize = 1 << 20 }
        defer { _ = growing }
        let keys = (0..<20_000).map { "a key of some length \($0)" }
        try large.save(try items(keys, in: large, upserts: true).0)
        #expect(try large.rows(in: "key", of: "Item").count == keys.count)
        #expect(try large.check().faults == [])
        let (limited, small) = try itemStore { ($0.mapSize, $0.maximumMapSize) = (1 << 20, 1 << 20) }
        defer { _ = limited }
        #expect(throws: (any Error).self) { try small.save(try items(keys, in: small, upserts: true).0) }
        #expect(try small.rows(in: "key", of: "Item") == [])
        try small.save(try items(Array(keys.prefix(100)), in: small, upserts: true).0)
        #expect(try small.rows(in: "key", of: "Item").count == 100)
        #expect(try small.check().faults == [])
    }
}
