import Foundation
import LoamStorage
import Testing

struct StoredRowTests {
    private let temporary: TemporaryStore
    private let store: Store

    init() throws {
        temporary = try TemporaryStore()
        store = try temporary.open()
        try store.apply(
            .addEntity(
                EntityDefinition(
                    "Thing",
                    properties: [
                        PropertyDefinition("flag", type: .bool, isOptional: true),
                        PropertyDefinition("small", type: .int16, isOptional: true),
                        PropertyDefinition("whole", type: .uint32, isOptional: true),
                        PropertyDefinition("single", type: .float, isOptional: true),
                        PropertyDefinition("number", type: .double, isOptional: true),
                        PropertyDefinition("time", type: .date, isOptional: true),
                        PropertyDefinition("name", type: .string, isOptional: true),
                        PropertyDefinition("link", type: .url, isOptional: true),
                    ])))
    }

    /// Compares every typed accessor with the value that the row gives for the property.
    private func check(_ row: borrowing StoredRow) throws {
        for (position, property) in row.entity.properties.enumerated() {
            let value = try row.value(position)
            switch property.type {
            case .bool: #expect(try row.bool(position).map(Value.bool) ?? .null == value)
            case .int16: #expect(try row.int64(position).map(Value.int) ?? .null == value)
            case .uint32: #expect(try row.uint64(position).map(Value.uint) ?? .null == value)
            case .float: #expect(try row.float(position).map(Value.float) ?? .null == value)
            case .double: #expect(try row.double(position).map(Value.double) ?? .null == value)
            case .date:
                let date = try row.double(position).map { Value.date(Date(timeIntervalSinceReferenceDate: $0)) }
                #expect(date ?? .null == value)
            case .string:
                let text = try row.string(position)
                #expect(text.map(Value.string) ?? .null == value)
                let isSame = try row.text(position) { bytes, _ in bytes.elementsEqual((text ?? "").utf8) }
                #expect(isSame ?? true == !value.isNull)
            case .url: #expect(try row.string(position).flatMap(URL.init).map(Value.url) ?? .null == value)
            default: break
            }
        }
    }

    @Test func typedFieldsReadAsValuesDo() throws {
        let link = try #require(URL(string: "https://example.org/a?b=c"))
        let rows = try store.insert(
            [
                [:],
                [
                    "flag": .bool(true), "small": .int(-7), "whole": .uint(4_000_000_000), "single": .float(1.5),
                    "number": .double(-0.25), "time": .date(Date(timeIntervalSinceReferenceDate: 1e8)),
                    "name": .string("plain"), "link": .url(link),
                ],
                ["name": .string("Grüße\r\n")], ["name": .string("")],
                ["name": .string(String(repeating: "long", count: 10_000))],
            ], into: "Thing")
        // Records of an older layout read the initial values of the properties that it lacks.
        for (name, type, value) in [
            ("newFlag", ValueType.bool, Value.bool(true)), ("newSmall", .int16, .int(3)),
            ("newWhole", .uint32, .uint(9)), ("newSingle", .float, .float(0.5)), ("newNumber", .double, .double(2)),
            ("newTime", .date, .date(Date(timeIntervalSinceReferenceDate: 5))), ("newName", .string, .string("x")),
            ("newLink", .url, .url(link)),
        ] {
            try store.apply(.addProperty(PropertyDefinition(name, type: type, initialValue: value), to: "Thing"))
        }
        let entity = try store.entity("Thing")
        try store.read { snapshot in
            for row in rows {
                #expect(try snapshot.visitRow(row, of: entity) { try check($0) })
            }
            var scanned: [RowID] = []
            try snapshot.scanRows(of: entity) { row in
                try check(row)
                scanned.append(row.rowID)
                return true
            }
            #expect(scanned == rows)
            #expect(try !snapshot.visitRow(.max, of: entity) { _ in Issue.record("there is no such row") })
        }
    }

    @Test func aTypeThatIsNotThePropertysIsRefused() throws {
        let row = try store.insert([["name": .string("a"), "number": .double(1)]], into: "Thing")[0]
        let entity = try store.entity("Thing")
        try store.read { snapshot in
            _ = try snapshot.visitRow(row, of: entity) { row in
                #expect(throws: StorageError.self) { try row.double(6) }
                #expect(throws: StorageError.self) { try row.string(4) }
                #expect(throws: StorageError.self) { try row.int64(4) }
            }
        }
    }
}
