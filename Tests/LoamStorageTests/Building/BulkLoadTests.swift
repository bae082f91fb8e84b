import Foundation
import LoamStorage
import Testing

@Suite struct BulkLoadTests {
    private let temporary: TemporaryStore
    private let store: Store

    init() throws {
        temporary = try TemporaryStore()
        store = try temporary.open()
    }

    private static let definition = EntityDefinition(
        "Event",
        properties: [
            PropertyDefinition("name", type: .string), PropertyDefinition("time", type: .int64),
            PropertyDefinition("note", type: .string, isOptional: true),
        ],
        indexes: [
            IndexDefinition([.init("name")], included: ["time"]),
            IndexDefinition([.init("time", direction: .descending)]),
            IndexDefinition([.init("note"), .init("time")]),
        ])

    private static func row(_ number: Int) -> [Value] {
        let note = number % 7 == 0 ? Value.string(String(repeating: "n", count: number % 600)) : .null
        return [.string("e\(number * 7919 % 10_007)"), .int(Int64(number % 100)), note]
    }

    @Test func aNewEntityIsLoadedWholly() throws {
        let result = try store.load(.newEntity(Self.definition)) { load in
            for number in 0..<5_000 { try load.append(Self.row(number)) }
        }
        #expect(result.rowCount == 5_000)
        #expect(try store.read { try $0.count(of: $0.entity(named: "Event")) } == 5_000)
        #expect(try store.check().faults == [])
    }

    @Test func sortingInFilesGivesTheSameStore() throws {
        _ = try store.load(.newEntity(Self.definition), sortBudget: 1) { load in
            for number in 0..<20_000 { try load.append(Self.row(number)) }
        }
        #expect(try store.check().faults == [])
    }

    @Test func rowsAreAddedToThoseThatAreThere() throws {
        _ = try store.load(.newEntity(Self.definition)) { load in
            for number in 0..<1_000 { try load.append(Self.row(number)) }
        }
        try store.insert([["name": .string("single"), "time": .int(1)]], into: "Event")
        _ = try store.load(.existingEntity("Event")) { load in
            for number in 1_000..<2_000 { try load.append(Self.row(number)) }
            // The rows of a load under way are not seen.
            #expect(try store.read { try $0.count(of: $0.entity(named: "Event")) } == 1_001)
            try store.insert([["name": .string("meanwhile"), "time": .int(2)]], into: "Event")
        }
        #expect(try store.read { try $0.count(of: $0.entity(named: "Event")) } == 2_002)
        #expect(try store.entity("Event").indexes.map(\.name) == ["name", "-time", "note,time"])
        #expect(try store.check().faults == [])
    }

    @Test func aLoadThatFailsLeavesNothing() throws {
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            _ = try store.load(.newEntity(Self.definition)) { load in
                for number in 0..<100 { try load.append(Self.row(number)) }
                throw Stop()
            }
        }
        #expect(storageError { _ = try store.entity("Event") } == .unknownEntity)
        _ = try store.load(.newEntity(Self.definition)) { try $0.append(Self.row(1)) }
        #expect(throws: Stop.self) {
            _ = try store.load(.existingEntity("Event")) { load in
                for number in 0..<1_000 { try load.append(Self.row(number)) }
                throw Stop()
            }
        }
        #expect(try store.read { try $0.count(of: $0.entity(named: "Event")) } == 1)
        #expect(try store.check().faults == [])
        #expect(try store.info().loads == [])
    }

    @Test func duplicatesOfAUniqueIndexStopTheLoad() throws {
        var definition = Self.definition
        definition.indexes.append(IndexDefinition([.init("note")], kind: .unique))
        #expect(
            storageError {
                _ = try store.load(.newEntity(definition)) { load in
                    for number in 0..<3 { try load.append([.string("a\(number)"), .int(1), .null]) }
                    for _ in 0..<2 { try load.append([.string("a"), .int(1), .string("same")]) }
                }
            } != nil)
        _ = try store.load(.newEntity(definition)) { load in
            for number in 0..<3 { try load.append([.string("a\(number)"), .int(1), .null]) }
            try load.append([.string("a"), .int(1), .string("same")])
        }
        #expect(
            storageError {
                _ = try store.load(.existingEntity("Event")) { load in
                    try load.append([.string("b"), .int(1), .string("same")])
                }
            } != nil)
        #expect(try store.check().faults == [])
        #expect(try store.read { try $0.count(of: $0.entity(named: "Event")) } == 4)
    }

    @Test func moreRowsThanAnnouncedAreTaken() throws {
        _ = try store.load(.newEntity(Self.definition), rowCount: 10) { load in
            for number in 0..<100 { try load.append(Self.row(number)) }
        }
        _ = try store.load(.existingEntity("Event"), rowCount: 10) { load in
            for number in 0..<100 { try load.append(Self.row(number)) }
            #expect(try store.read { try $0.count(of: $0.entity(named: "Event")) } == 100)
        }
        #expect(try store.read { try $0.count(of: $0.entity(named: "Event")) } == 200)
        #expect(try store.check().faults == [])
    }

    @Test func anIndexIsNotAddedDuringALoad() throws {
        _ = try store.load(.newEntity(Self.definition)) { try $0.append(Self.row(1)) }
        _ = try store.load(.existingEntity("Event")) { load in
            try load.append(Self.row(2))
            let index = IndexDefinition([.init("time"), .init("name")])
            #expect(storageError { try store.apply(.addIndex(index, to: "Event")) } == .loadInProgress)
        }
        #expect(try store.check().faults == [])
    }
}
