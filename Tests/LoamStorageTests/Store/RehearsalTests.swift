import LoamStorage
import Testing

@Suite("A save that is rehearsed")
struct RehearsalTests {
    private let temporary: TemporaryStore
    private let store: Store
    private let row: RowID

    init() throws {
        temporary = try TemporaryStore()
        store = try temporary.open()
        try store.apply(
            .addEntity(
                EntityDefinition(
                    "Person",
                    properties: [PropertyDefinition("name", type: .string), PropertyDefinition("age", type: .int64)],
                    indexes: [IndexDefinition([.init("name")], kind: .unique)])))
        row = try store.insert([["name": .string("Ada"), "age": .int(36)]], into: "Person")[0]
    }

    private func insertion(of name: String) throws -> WriteBatch {
        let catalog = try store.catalog()
        let entity = try #require(catalog.schema.entity(named: "Person"))
        var batch = WriteBatch(author: "test")
        batch.insert(
            try catalog.encode(["name": .string(name), "age": .int(1)], as: "Person"), into: entity.id,
            rowID: try store.makeRowID())
        return batch
    }

    @Test("leaves the store as it was, to the transaction's number, and can be made")
    func noTrace() throws {
        let batch = try insertion(of: "Grace")
        let before = try store.info()
        let reader = store.changes.reader(after: before.lastSave)
        for _ in 0..<3 { try store.rehearse(batch) }
        #expect(try store.info().lastTransaction == before.lastTransaction)
        #expect(reader.take().isEmpty)
        #expect(try store.save(batch).save == before.lastSave + 1)
        #expect(try store.rows(in: "name", of: "Person") == [row, row + 1])
        #expect(try store.check().faults == [])
    }

    @Test("throws what the save would throw")
    func refusal() throws {
        let batch = try insertion(of: "Ada")
        let before = try store.info().lastTransaction
        #expect(storageError { try store.rehearse(batch) } == .uniqueViolation(existing: row))
        #expect(storageError { try store.save(batch) } == .uniqueViolation(existing: row))
        #expect(try store.info().lastTransaction == before)
        let reading = try temporary.open { $0.isReadOnly = true }
        #expect(storageError { try reading.rehearse(batch) } == .readOnlyStore)
        let within = storageError { try store.read { _ in try store.rehearse(batch) } }
        #expect(within == .saveInsideRead)
    }
}
