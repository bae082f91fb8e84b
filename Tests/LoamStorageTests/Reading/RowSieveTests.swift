import LMDB
import Testing

@testable import LoamStorage

/// Scans that hand out the rows alone whose number lies within bounds.
@Suite struct RowSieveTests {
    private let temporary: TemporaryStore
    private let store: Store
    private let rows: [RowID]

    init() throws {
        temporary = try TemporaryStore()
        store = try temporary.open()
        try store.apply(
            .addEntity(
                EntityDefinition(
                    "Thing",
                    properties: [
                        PropertyDefinition("size", type: .double, isOptional: true),
                        PropertyDefinition("rank", type: .int16, isOptional: true),
                        PropertyDefinition("name", type: .string, isOptional: true),
                    ])))
        rows = try store.insert(
            [
                ["size": .double(1), "rank": .int(1)], ["size": .double(2), "rank": .int(2)], [:],
                ["size": .double(3), "rank": .int(3)],
            ], into: "Thing")
    }

    /// The rows that are handed out; the others have to be counted.
    private func found(_ sieve: RowSieve, reversed: Bool = false) throws -> [RowID] {
        try store.read { snapshot in
            var found: [RowID] = []
            let keptBack = try snapshot.scanRows(
                of: try snapshot.entity(named: "Thing"), reversed: reversed, passing: sieve
            ) { row in
                found.append(row.rowID)
                return true
            }
            #expect(keptBack + found.count == rows.count)
            return found
        }
    }

    @Test func aRowWithinTheBoundsPasses() throws {
        let sizes = RowSieve(property: 0, bounds: .floating(lower: 2, upper: .infinity))
        #expect(try found(sizes) == [rows[1], rows[3]])
        #expect(try found(sizes, reversed: true) == [rows[3], rows[1]])
        let ranks = RowSieve(property: 1, bounds: .signed(lower: .min, upper: 2))
        #expect(try found(ranks) == [rows[0], rows[1]])
        #expect(sizes.combined(with: ranks) == nil)
        let both = try #require(ranks.combined(with: RowSieve(property: 1, bounds: .signed(lower: 2, upper: 9))))
        #expect(try found(both) == [rows[1]])
    }

    /// Records of an older layout have an initial value for a property that they lack, and keep a number as it was.
    @Test func recordsOfOtherLayoutsAreReadAsTheyAre() throws {
        try store.apply(
            .addProperty(PropertyDefinition("later", type: .double, initialValue: .double(5)), to: "Thing"))
        #expect(try found(RowSieve(property: 3, bounds: .floating(lower: 5, upper: 5))) == rows)
        #expect(try found(RowSieve(property: 3, bounds: .floating(lower: 6, upper: 7))) == [])
        try store.update(rows[1], of: "Thing", ["later": .double(6)])
        #expect(try found(RowSieve(property: 3, bounds: .floating(lower: 6, upper: 7))) == [rows[1]])
        #expect(try found(RowSieve(property: 0, bounds: .floating(lower: 1, upper: 2))) == [rows[0], rows[1]])
    }

    @Test func aPropertyWithoutSuchNumbersIsRefused() throws {
        for bounds in [RowSieve.Bounds.floating(lower: 0, upper: 1), .signed(lower: 0, upper: 1)] {
            #expect(throws: StorageError.self) { try found(RowSieve(property: 2, bounds: bounds)) }
        }
        #expect(throws: (any Error).self) {
            try found(RowSieve(property: 0, bounds: .signed(lower: 0, upper: 1)))
        }
    }

    /// What a sieve would keep back is looked at as what it hands out is.
    @Test func aDamagedRecordIsAnErrorOnEitherSide() throws {
        let records = try store.catalog().access(named: "Thing").records
        var bytes = try #require(try store.record(rows[1], of: "Thing"))
        bytes.removeLast()
        try store.environment.write { try $0.put(bytes.span.bytes, for: rows[1], in: records) }
        for lower in [0.0, 3] {
            #expect(throws: StorageError.self) {
                try found(RowSieve(property: 0, bounds: .floating(lower: lower, upper: 9)))
            }
        }
    }
}
