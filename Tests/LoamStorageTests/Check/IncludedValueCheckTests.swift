import Testing

@testable import LoamStorage

/// Included values that a scan would take for the record's.
@Suite struct IncludedValueCheckTests {
    private let temporary: TemporaryStore
    private let store: Store

    init() throws {
        temporary = try TemporaryStore()
        store = try temporary.open()
        let item = EntityDefinition(
            "Item",
            properties: [PropertyDefinition("name", .string), PropertyDefinition("note", .string, isOptional: true)],
            indexes: [IndexDefinition([.init("name")], included: ["note"])])
        try store.apply(.addEntity(item))
    }

    @Test func aValueThatTheIndexHoldsForNilIsAFault() throws {
        let row = try store.insert([["name": .string("a"), "note": .string("b")]], into: "Item")[0]
        try store.run(
            WriterJob { transaction, state in
                let access = try state.catalog.access(named: "Item")
                let image = try #require(try RowImage.read(row, of: access, in: transaction))
                let entry = try access.indexes[0].entry(of: image)
                var emptied = entry
                emptied.included = [nil]
                try IndexWriter.apply(
                    [IndexChange(.remove, entry), IndexChange(.insert, emptied)], shape: access.indexes[0].blockShape,
                    in: &transaction, databases: state.databases.blocks)
            })
        #expect(try store.check().faults.map(\.rowID) == [row])
    }

    @Test func aValueTooLongForTheIndexIsNone() throws {
        let note = String(repeating: "n", count: 1_000)
        try store.insert([["name": .string("a"), "note": .string(note)], ["name": .string("b")]], into: "Item")
        #expect(try store.check().faults == [])
    }
}
