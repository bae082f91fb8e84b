import LoamStorage
import Testing

/// Attributes that become required, optional or wider over rows that are there.
@Suite struct AttributeChangeTests {
    private let temporary: TemporaryStore
    private let store: Store
    private let ids: [RowID]

    init() throws {
        temporary = try TemporaryStore()
        store = try temporary.open()
        let city = EntityDefinition(
            "City",
            properties: [
                PropertyDefinition("name", type: .string, isOptional: true), PropertyDefinition("code", type: .uint8),
                PropertyDefinition("height", type: .float, isOptional: true),
            ],
            indexes: [
                IndexDefinition([.init("name")]),
                IndexDefinition([.init("code", direction: .descending), .init("name")]),
                IndexDefinition([.init("name")], name: "heights", included: ["height"]),
            ])
        try store.apply(.addEntity(city))
        ids = try store.insert(
            [
                ["name": .string("Bern"), "code": .uint(200), "height": .float(0.5)], ["code": .uint(0)],
                ["name": .string("Aarau"), "code": .uint(7)],
            ], into: "City")
    }

    private func indexIDs() throws -> [IndexID] { try store.entity("City").indexes.map(\.id) }

    @Test func aWiderTypeReadsOldRecordsAndRebuildsIndexesUnderNewIDs() throws {
        let (before, record) = (try indexIDs(), try store.record(ids[0], of: "City"))
        try store.apply(.widen("code", to: .int64, in: "City"))
        try store.apply(.widen("height", to: .double, in: "City"))
        #expect(try store.values(ids[0], of: "City") == [.string("Bern"), .int(200), .double(0.5)])
        #expect(try store.values(ids[1], of: "City") == [.null, .int(0), .null])
        #expect(try store.record(ids[0], of: "City") == record)
        let after = try indexIDs()
        #expect(after[0] == before[0] && after[1] > before[1] && after[2] > before[2])
        #expect(try store.entity("City").indexes.allSatisfy { $0.state == .ready })
        let low = try store.insert([["code": .int(-1_000_000)]], into: "City")[0]
        try store.update(ids[2], of: "City", ["height": .double(1e300)])
        #expect(try store.rows(in: "-code,name", of: "City") == [ids[0], ids[2], ids[1], low])
        #expect(try store.check().faults == [])
    }

    /// The entries of a constraint are made in the transaction of the change, so the constraint holds at every moment;
    /// where it cannot, nothing is changed.
    @Test func aConstraintHoldsWhileItIsMadeAnew() throws {
        try store.apply(.addIndex(IndexDefinition([.init("code")], name: "unique code", kind: .unique), to: "City"))
        try store.apply(.addIndex(IndexDefinition([.init("name")], name: "unique name", kind: .unique), to: "City"))
        try store.apply(.widen("code", to: .int64, in: "City"))
        #expect(try store.entity("City").indexes.allSatisfy { $0.state == .ready })
        guard case .uniqueViolation = storageError({ try store.insert([["code": .int(7)]], into: "City") }) else {
            Issue.record("two rows have the same code")
            return
        }
        let before = try store.entity("City")
        let kind = storageError { try store.apply(.makeRequired("name", nilValue: .string("Bern"), in: "City")) }
        #expect(kind == .uniqueViolation(existing: ids[0]))
        #expect(try store.entity("City") == before)
        #expect(try store.check().faults == [])
    }

    @Test func onlyATypeThatHasAllValuesIsWider() throws {
        let types: [ValueType] = [
            .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .float, .double, .bool, .date, .decimal,
            .string,
        ]
        let wider: [ValueType: Set<ValueType>] = [
            .int8: [.int16, .int32, .int64], .int16: [.int32, .int64], .int32: [.int64],
            .uint8: [.uint16, .uint32, .uint64, .int16, .int32, .int64], .uint16: [.uint32, .uint64, .int32, .int64],
            .uint32: [.uint64, .int64], .float: [.double],
        ]
        for type in types {
            for other in types {
                #expect(type.widens(to: other) == (wider[type] ?? []).contains(other), "\(type) \(other)")
            }
        }
        let kind = storageError { try store.apply(.widen("code", to: .int8, in: "City")) }
        #expect(kind == .typeMismatch(expected: "uint8", found: "int8"))
    }

    @Test func nilOfAPropertyMadeRequiredReadsItsValueForEver() throws {
        try store.apply(.makeRequired("name", nilValue: .string("Z"), in: "City"))
        #expect(try store.values(ids[1], of: "City")?.first == .string("Z"))
        #expect(try store.rows(in: "name", of: "City") == [ids[2], ids[0], ids[1]])
        #expect(storageError { try store.update(ids[0], of: "City", ["name": .null]) } == .missingValue)
        try store.apply(.makeOptional("name", in: "City"))
        let new = try store.insert([["code": .uint(1)]], into: "City")[0]
        #expect(try store.values(new, of: "City")?.first == .null)
        #expect(try store.values(ids[1], of: "City")?.first == .string("Z"))
        try store.apply(.makeRequired("name", nilValue: .string("Y"), in: "City"))
        #expect(try store.values(new, of: "City")?.first == .string("Y"))
        #expect(try store.values(ids[1], of: "City")?.first == .string("Z"))
        try store.update(ids[1], of: "City", ["code": .uint(2)])
        #expect(try store.values(ids[1], of: "City")?.first == .string("Z"))
        #expect(try store.rows(in: "name", of: "City") == [ids[2], ids[0], new, ids[1]])
        #expect(try store.check().faults == [])
    }

    @Test func aPropertyWithoutAValueForNilIsRequiredOnlyWhereNoRowHasNil() throws {
        #expect(storageError { try store.apply(.makeRequired("name", in: "City")) } == .rowWithoutValue)
        #expect(try store.entity("City").properties[0].isOptional)
        let before = try indexIDs()
        try store.update(ids[1], of: "City", ["name": .string("Chur")])
        try store.apply(.makeRequired("name", in: "City"))
        #expect(try indexIDs() == before)
        #expect(try store.values(ids[0], of: "City")?.first == .string("Bern"))
        try store.apply(.makeOptional("name", in: "City"))
        #expect(try store.check().faults == [])
    }

    @Test func aRowWithNilThatWasMadeBeforeIsNotAddedAfterwards() throws {
        let entity = try store.entity("City")
        for upserts in [false, true] {
            var batch = WriteBatch(author: "test")
            let record = try store.catalog().encode(["code": .uint(9)], as: "City")
            batch.insert(record, into: entity.id, rowID: try store.makeRowID(), upserts: upserts)
            let whole = try store.catalog().encode(["name": .string("Olten"), "code": .uint(9)], as: "City")
            try store.apply(.makeRequired("name", nilValue: .string("Z"), in: "City"))
            #expect(storageError { try store.save(batch) } == .missingValue)
            batch = WriteBatch(author: "test")
            batch.insert(whole, into: entity.id, rowID: try store.makeRowID(), upserts: upserts)
            try store.save(batch)
            try store.apply(.makeOptional("name", in: "City"))
        }
        #expect(try store.check().faults == [])
    }

    @Test func defaultsOfANarrowerTypeAreKept() throws {
        try store.apply(
            .addProperty(PropertyDefinition("rank", type: .uint16, initialValue: .uint(65_535)), to: "City"))
        try store.apply(.addProperty(PropertyDefinition("width", type: .float, isOptional: true), to: "City"))
        try store.apply(.makeRequired("width", nilValue: .float(0.25), in: "City"))
        try store.apply(.widen("rank", to: .int32, in: "City"))
        try store.apply(.widen("width", to: .double, in: "City"))
        #expect(try store.values(ids[0], of: "City")?.suffix(2) == [.int(65_535), .double(0.25)])
        try store.update(ids[0], of: "City", ["code": .uint(1)])
        #expect(try store.values(ids[0], of: "City")?.suffix(2) == [.int(65_535), .double(0.25)])
        #expect(try store.check().faults == [])
    }

    @Test func severalChangesOfOneOpeningRebuildAnIndexOnce() throws {
        try store.changeSchema { draft in
            try draft.apply(.widen("code", to: .uint16, in: "City"))
            try draft.apply(.widen("code", to: .int64, in: "City"))
            try draft.apply(.makeRequired("name", nilValue: .string(""), in: "City"))
            try draft.apply(.addIndex(IndexDefinition([.init("height")]), to: "City"))
            try draft.apply(.widen("height", to: .double, in: "City"))
        }
        let indexes = try store.entity("City").indexes
        #expect(indexes.allSatisfy { $0.state == .ready })
        #expect(try store.values(ids[1], of: "City") == [.string(""), .int(0), .null])
        #expect(try store.rows(in: "-code,name", of: "City") == [ids[0], ids[2], ids[1]])
        #expect(try store.check().faults == [])
    }
}
