import Foundation
import LoamStorage
import Testing

@Suite struct SaveTests {
    private let temporary: TemporaryStore
    private let store: Store

    init() throws {
        temporary = try TemporaryStore()
        store = try temporary.open()
        try store.apply(
            .addEntity(
                EntityDefinition(
                    "Person",
                    properties: [
                        PropertyDefinition("name", type: .string),
                        PropertyDefinition("age", type: .int64, isOptional: true),
                        PropertyDefinition("email", type: .string, isOptional: true),
                    ],
                    indexes: [
                        IndexDefinition([.init("name")]),
                        IndexDefinition([.init("age", direction: .descending), .init("name")]),
                        IndexDefinition([.init("email")], kind: .unique),
                    ])))
    }

    private static func person(_ name: String, _ age: Int64? = nil, email: String? = nil) -> [String: Value] {
        ["name": .string(name), "age": age.map(Value.int) ?? .null, "email": email.map(Value.string) ?? .null]
    }

    @Test func insertedRowsAreReadBack() throws {
        let ids = try store.insert([Self.person("Ada", 36), Self.person("Grace")], into: "Person")
        #expect(try store.values(ids[0], of: "Person") == [.string("Ada"), .int(36), .null])
        #expect(try store.values(ids[1], of: "Person") == [.string("Grace"), .null, .null])
        #expect(try store.rows(in: "name", of: "Person") == ids)
        #expect(try store.check().faults == [])
    }

    @Test func aStoreSurvivesReopening() throws {
        let ids = try store.insert([Self.person("Ada", 36)], into: "Person")
        let again = try Store.open(path: temporary.path)
        #expect(try again.values(ids[0], of: "Person")?.first == .string("Ada"))
    }

    @Test func rowIDsAreNeverUsedTwice() throws {
        var seen: Set<RowID> = []
        for _ in 0..<10_000 { #expect(seen.insert(try store.makeRowID()).inserted) }
        let other = try Store.open(path: temporary.path)
        #expect(try !seen.contains(other.makeRowID()))
    }

    @Test func indexesFollowChangesAndDeletions() throws {
        let ids = try store.insert([Self.person("b", 1), Self.person("a", 2), Self.person("c")], into: "Person")
        #expect(try store.rows(in: "name", of: "Person") == [ids[1], ids[0], ids[2]])
        #expect(try store.rows(in: "-age,name", of: "Person") == [ids[1], ids[0], ids[2]])
        try store.update(ids[2], of: "Person", ["name": .string("A"), "age": .int(9)])
        #expect(try store.rows(in: "name", of: "Person") == [ids[2], ids[1], ids[0]])
        try store.delete(ids[1], of: "Person")
        #expect(try store.rows(in: "-age,name", of: "Person") == [ids[2], ids[0]])
        #expect(try store.check().faults == [])
    }

    @Test func uniqueValuesAreKeptApart() throws {
        let ids = try store.insert(
            [Self.person("a", email: "x"), Self.person("b", email: "y"), Self.person("c")], into: "Person")
        #expect(
            storageError { try store.insert([Self.person("d", email: "x")], into: "Person") }
                == .uniqueViolation(existing: ids[0]))
        #expect(storageError { try store.insert([Self.person("e"), Self.person("f")], into: "Person") } == nil)
        #expect(storageError { try store.update(ids[2], of: "Person", ["email": .string("y")]) } != nil)
        #expect(try store.check().faults == [])
    }

    @Test func rowsOfABatchMaySwapUniqueValues() throws {
        let ids = try store.insert([Self.person("a", email: "x"), Self.person("b", email: "y")], into: "Person")
        let entity = try store.entity("Person")
        var batch = WriteBatch()
        batch.update(ids[0], of: entity.id, base: nil, changes: [entity.properties[2].id: .string("y")])
        batch.update(ids[1], of: entity.id, base: nil, changes: [entity.properties[2].id: .string("x")])
        try store.save(batch)
        #expect(try store.values(ids[0], of: "Person")?[2] == .string("y"))
        #expect(try store.check().faults == [])
    }

    @Test func longValuesThatShareTheirBeginningAreUniqueAsAWhole() throws {
        let stem = String(repeating: "x", count: 600)
        let ids = try store.insert(
            [Self.person("a", email: stem + "1"), Self.person("b", email: stem + "2")], into: "Person")
        #expect(
            storageError { try store.insert([Self.person("c", email: stem + "2")], into: "Person") }
                == .uniqueViolation(existing: ids[1]))
        #expect(try store.check().faults == [])
    }

    @Test func canonicallyEquivalentStringsAreTheSameUniqueValue() throws {
        let ids = try store.insert([Self.person("a", email: "caf\u{E9}")], into: "Person")
        #expect(
            storageError { try store.insert([Self.person("b", email: "cafe\u{301}")], into: "Person") }
                == .uniqueViolation(existing: ids[0]))
    }

    @Test func aFailedBatchLeavesNothingBehind() throws {
        let before = try store.read { try $0.lastSave() }
        let batch = [Self.person("a", email: "x"), Self.person("b", email: "x")]
        #expect(storageError { try store.insert(batch, into: "Person") } != nil)
        #expect(try store.rows(in: "name", of: "Person") == [])
        #expect(try store.read { try $0.lastSave() } == before)
    }

    @Test func valuesOfAWrongTypeAreRefused() throws {
        let catalog = try store.catalog()
        #expect(throws: StorageError.self) { try catalog.encode(["name": .int(1)], as: "Person") }
        #expect(throws: StorageError.self) { try catalog.encode(["age": .int(1)], as: "Person") }
        #expect(throws: StorageError.self) { try catalog.encode(["nom": .string("a")], as: "Person") }
    }

    // MARK: Merging

    @Test func propertyByPropertyKeepsOthersFields() throws {
        let id = try store.insert([Self.person("a", 1)], into: "Person")[0]
        let base = try store.record(id, of: "Person")
        try store.update(id, of: "Person", base: base, ["age": .int(2)])
        try store.update(id, of: "Person", base: base, ["name": .string("b")])
        #expect(try store.values(id, of: "Person") == [.string("b"), .int(2), .null])
    }

    @Test func storeWinsKeepsTheStoredValueInConflict() throws {
        let id = try store.insert([Self.person("a", 1)], into: "Person")[0]
        let base = try store.record(id, of: "Person")
        try store.update(id, of: "Person", base: base, ["age": .int(2)])
        try store.update(
            id, of: "Person", base: base, policy: .storeWins, ["age": .int(3), "name": .string("b")])
        #expect(try store.values(id, of: "Person") == [.string("b"), .int(2), .null])
    }

    @Test func theErrorPolicyNamesTheFieldsInConflict() throws {
        let id = try store.insert([Self.person("a", 1)], into: "Person")[0]
        let base = try store.record(id, of: "Person")
        try store.update(id, of: "Person", base: base, ["age": .int(2)])
        #expect(
            storageError { try store.update(id, of: "Person", base: base, policy: .error, ["age": .int(3)]) }
                == .conflict(fields: ["age"]))
        // Equal values conflict, too: both may have counted from 1 to 2.
        #expect(
            storageError { try store.update(id, of: "Person", base: base, policy: .error, ["age": .int(2)]) }
                == .conflict(fields: ["age"]))
        // A change of another field is no conflict.
        try store.update(id, of: "Person", base: base, policy: .error, ["name": .string("b")])
        #expect(try store.values(id, of: "Person") == [.string("b"), .int(2), .null])
    }

    @Test func changesOfADeletedRowFollowThePolicy() throws {
        let id = try store.insert([Self.person("a", 1)], into: "Person")[0]
        let base = try store.record(id, of: "Person")
        try store.delete(id, of: "Person")
        try store.delete(id, of: "Person")
        #expect(
            storageError { try store.update(id, of: "Person", base: base, policy: .error, ["age": .int(3)]) }
                == .rowMissing)
        for policy in [MergePolicy.propertyByProperty, .storeWins] {
            try store.update(id, of: "Person", base: base, policy: policy, ["age": .int(3)])
            #expect(try store.values(id, of: "Person") == nil)
        }
        try store.update(id, of: "Person", base: base, policy: .memoryWins, ["age": .int(3)])
        #expect(try store.values(id, of: "Person") == [.string("a"), .int(3), .null])
        #expect(try store.check().faults == [])
    }

    @Test func savingInsideAReadIsRefused() throws {
        let entity = try store.entity("Person")
        #expect(
            storageError {
                try store.read { _ in
                    var batch = WriteBatch()
                    batch.delete(1, of: entity.id)
                    try store.save(batch)
                }
            } == .saveInsideRead)
    }

    @Test func savesThatWaitTogetherFailAlone() async throws {
        let ids = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<64 {
                group.addTask { [store] in
                    let row = Self.person("p\(number)", Int64(number), email: "e\(number % 32)")
                    let id = try store.makeRowID()
                    var batch = WriteBatch()
                    batch.insert(
                        try store.catalog().encode(row, as: "Person"), into: try store.entity("Person").id, rowID: id)
                    do {
                        try await store.save(batch)
                        return true
                    } catch {
                        return false
                    }
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(ids == 32)
        #expect(try store.rows(in: "name", of: "Person").count == 32)
        #expect(try store.check().faults == [])
    }

    @Test func longValuesLieOutsideTheRecord() throws {
        let long = String(repeating: "loam", count: 700_000)
        let id = try store.insert([Self.person(long, 1)], into: "Person")[0]
        #expect(try store.values(id, of: "Person")?[0] == .string(long))
        #expect(try #require(try store.record(id, of: "Person")).count < 1_000)
        try store.update(id, of: "Person", ["age": .int(2)])
        #expect(try store.values(id, of: "Person")?[0] == .string(long))
        #expect(try store.check().longValues == 3)
        try store.update(id, of: "Person", ["name": .string("short")])
        #expect(try store.check().longValues == 0)
        #expect(try store.check().faults == [])
    }
}
