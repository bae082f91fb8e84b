import Testing

@testable import LoamStorage

/// The check compares included values, which a scan takes for those of the record.
@Suite struct IncludedValueCheckTests {
    private let temporary: TemporaryStore
    private let store: Store

    init() throws {
        temporary = try TemporaryStore()
        store = try temporary.open()
        let item = EntityDefinition(
            "Item",
            properties: [
                PropertyDefinition("name", type: .string), PropertyDefinition("note", type: .string, isOptional: true),
            ],
            indexes: [IndexDefinition([.init("name")], included: ["note"])])
        try store.apply(.addEntity(item))
    }

    @Test(arguments: [1, 1_000, 65_535, 100_000])
    func aValueThatTheIndexHoldsForNilIsAFault(length: Int) throws {
        let note = String(repeating: "b", count: length)
        let row = try store.insert([["name": .string("a"), "note": .string(note)]], into: "Item")[0]
        try store.run(
            WriterJob { transaction, state in
                let access = try state.catalog.access(named: "Item")
                let image = try #require(try RowImage.read(row, of: access, in: transaction))
                let entry = try access.indexes[0].entry(of: image)
                var emptied = entry
                emptied.included = [nil]
                try IndexWriter.apply(
                    [IndexChange(.remove, entry: entry), IndexChange(.insert, entry: emptied)],
                    shape: access.indexes[0].blockShape,
                    in: &transaction, databases: state.databases.blocks)
            })
        #expect(try store.check().faults.map(\.rowID) == [row])
    }

    @Test(arguments: [192, 193, 1_000, 65_532, 65_535, 100_000])
    func aValueTooLongForTheIndexIsNoNil(length: Int) throws {
        let note = String(repeating: "n", count: length)
        try store.insert([["name": .string("a"), "note": .string(note)], ["name": .string("b")]], into: "Item")
        try requireStates()
        try store.apply(.rebuildIndex("name", of: "Item"))
        try requireStates()
        // A load leaves the value out in the same way.
        let copy = EntityDefinition(
            "Copy",
            properties: [
                PropertyDefinition("name", type: .string), PropertyDefinition("note", type: .string, isOptional: true),
            ],
            indexes: [IndexDefinition([.init("name")], included: ["note"])])
        _ = try store.load(.newEntity(copy)) { load in
            try load.append([.string("a"), .string(note)])
            try load.append([.string("b"), .null])
        }
        try requireStates(of: "Copy")
    }

    /// Requires that the first row's note is left out and the second row's is nil.
    private func requireStates(of name: String = "Item") throws {
        var states: [IncludedState] = []
        try store.read { snapshot in
            let index = try snapshot.entity(named: name).indexes[0]
            try snapshot.scanIndex(index, range: .all, reversed: false) { batch in
                for position in 0..<batch.count { states.append(try batch.includedState(0, at: position)) }
                return true
            }
        }
        #expect(states == [.leftOut, .null])
        #expect(try store.check().faults == [])
    }
}
