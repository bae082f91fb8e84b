import Foundation
import Testing

@testable import LoamQuery
@testable import LoamStorage

/// Bytes that no writer leaves in an array, a dictionary or a structure: a test of the row throws, as decoding the field
/// does, and does not take them for nil.
@Suite struct DamagedCompositeTests {
    private static let definition = EntityDefinition(
        "Basket",
        properties: [
            .init("home", type: home, isOptional: true),
            .init("tags", type: .array(of: .string, optional: true), isOptional: true),
            .init("grid", type: .array(of: .array(of: .int64, optional: true), optional: true), isOptional: true),
            .init("facts", type: .dictionary(key: .string, value: .int64, optional: true), isOptional: true),
        ])
    private static let home = ValueType.structure([
        .init(name: "city", type: .string), .init(name: "size", type: .int64, isOptional: true),
        .init(name: "tags", type: .array(of: .string, optional: false), isOptional: true),
        .init(name: "place", type: .structure([.init(name: "floor", type: .int64)]), isOptional: true),
    ])
    private static let values: [Value] = [
        .structure([
            "city": .string("Rome"), "size": .int(4), "tags": .array([.string("old")]),
            "place": .structure(["floor": .int(3)]),
        ]),
        .array([.string("a")]), .array([.array([.int(1)])]), .dictionary([.string("a"): .int(1)]),
    ]

    /// Hands a row to the closure whose bytes were changed where these stand in its record, once.
    private func withRow(
        replacing old: [UInt8], with new: [UInt8], _ body: (borrowing StoredRow, Entity) throws -> Void
    ) throws {
        var options = StoreOptions()
        options.isInMemory = true
        let store = try Store.open(path: "", options: options)
        try store.apply(.addEntity(Self.definition))
        let entity = try store.read { try $0.entity(named: "Basket") }
        var batch = WriteBatch(author: "test")
        let rowID = try store.makeRowID()
        batch.insert(try store.catalog().encode(Self.values, as: entity.id), into: entity.id, rowID: rowID)
        try store.save(batch)
        try store.read { snapshot in
            var bytes = try #require(try snapshot.record(rowID, of: entity))
            let places = bytes.indices.dropLast(old.count - 1).filter { bytes[$0...].starts(with: old) }
            let place = try #require(places.count == 1 ? places.first : nil, "\(places) in \(bytes)")
            bytes.replaceSubrange(place..<place + old.count, with: new)
            _ = try snapshot.withRow(rowID, of: entity) { row in
                let view = try RecordView(bytes.span.bytes, layout: row.view.layout)
                try body(StoredRow(rowID: rowID, view: view, frame: row.frame), entity)
            }
        }
    }

    /// Where a field or a member begins, what stands there instead, and what reads it. Whether a field is nil its bit
    /// says, and the bytes are not looked at.
    private static let damages: [(old: [UInt8], new: [UInt8], formats: [String])] = [
        // The tags of whole fields: structures, arrays and dictionaries in the place of each other, and nil.
        (
            [0x32, 0x31], [0x31, 0x31],
            ["home.city == nil", "home.city == 'x'", "home.size > 1", "home.tags[SIZE] == nil"]
        ),
        (
            [0x32, 0x31], [0x00, 0x31],
            ["home.city == nil", "home.place.floor == nil", "'a' IN home.tags"]
        ),
        (
            [0x30, 0x04, 0x01, 0x21, 0x01, 0x61], [0x32, 0x04, 0x01, 0x21, 0x01, 0x61],
            [
                "tags[0] == nil", "tags[FIRST] == nil", "tags[LAST] == nil", "tags[SIZE] == nil", "'a' IN tags",
                "ANY tags BEGINSWITH 'a'", "max(tags) == nil",
            ]
        ),
        (
            [0x31, 0x06, 0x01, 0x21, 0x01, 0x61], [0x30, 0x06, 0x01, 0x21, 0x01, 0x61],
            ["facts['a'] == nil", "facts[tags[0]] == nil"]
        ),
        // Members of another type than theirs, and one that is nil and all the same there.
        (
            [0x21, 0x04, 0x52], [0x24, 0x04, 0x52],
            ["home.city == nil", "home.city BEGINSWITH 'R'", "length(home.city) > 1"]
        ),
        ([0x08, 0x04], [0x0C, 0x04], ["home.size == nil", "home.size > 1", "home.size + 1 > 1"]),
        ([0x08, 0x04], [0x01, 0x01], ["home.size == nil", "home.size < 1", "home.size IN {1, 2}"]),
        ([0x32, 0x09], [0x31, 0x09], ["home.place == nil"]),
        ([0x32, 0x09], [0x30, 0x09], ["home.place.floor == nil", "home.place.floor > 1"]),
        ([0x32, 0x09], [0x24, 0x09], ["home.place.floor == nil", "home.place.floor > 1"]),
        // An element that is no array.
        (
            [0x30, 0x03, 0x01, 0x08, 0x01], [0x24, 0x03, 0x01, 0x08, 0x01],
            ["last(grid[0]) == nil", "first(grid[0]) > 0"]
        ),
    ]

    @Test func aTestOfARowThrows() throws {
        for (old, new, formats) in Self.damages {
            try withRow(replacing: old, with: new) { row, entity in
                for format in formats {
                    let predicate = try TypeChecker(entity: entity).check(PredicateParser.parse(format))
                    let program = try FilterProgram(Filter(predicate))
                    let error = storageError { _ = try program.matches(row) }
                    #expect(error?.isDamage == true, "\(format): \(String(describing: error))")
                }
            }
        }
    }

    /// What the compiled filter refuses, and says of it, are what decoding the field does.
    @Test func aFieldOfAnotherKindIsRefusedAsItIsWhereItIsDecoded() throws {
        try withRow(replacing: [0x32, 0x31], with: [0x31, 0x31]) { row, entity in
            let expected = StorageError(
                .damagedRecord("a composite value is of another kind than its field"), entity: "Basket",
                property: "home")
            #expect(storageError { _ = try row.value(0) } == expected)
            #expect(storageError { _ = try row.unboxed(0) } == expected)
            #expect(storageError { _ = try row.unboxed(0, path: ["city"], of: .string) } == expected)
            #expect(storageError { _ = try row.nestedValue(0, path: ["city"], of: .string) } == expected)
            #expect(storageError { _ = try row.array(0, path: ["tags"]) { _ in true } } == expected)
        }
    }

    /// What is whole is read, and is not nil.
    @Test func whatIsNotDamagedIsRead() throws {
        try withRow(replacing: [0x32, 0x31], with: [0x32, 0x31]) { row, entity in
            for format in Self.damages.flatMap(\.formats) where format.hasSuffix("== nil") {
                let predicate = try TypeChecker(entity: entity).check(PredicateParser.parse(format))
                #expect(try !FilterProgram(Filter(predicate)).matches(row), "\(format)")
            }
        }
    }

    private func storageError(_ body: () throws -> Void) -> StorageError? {
        do {
            try body()
            return nil
        } catch {
            return error as? StorageError
        }
    }
}

extension StorageError {
    fileprivate var isDamage: Bool {
        switch kind {
        case .damagedRecord, .typeMismatch: true
        default: false
        }
    }
}
