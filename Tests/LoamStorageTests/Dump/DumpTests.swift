import Foundation
import LoamStorage
import Testing

@Suite struct DumpTests {
    static let structure = ValueType.structure([
        .init(name: "street", type: .string), .init(name: "floor", type: .int8, isOptional: true),
    ])

    static let types: [(ValueType, [Value])] = [
        (.bool, [.bool(true), .bool(false)]),
        (.int8, [.int(-128)]), (.int64, [.int(.min), .int(.max), .int(0)]), (.uint64, [.uint(.max)]),
        (.float, [.float(0.1), .float(-0.0), .float(.infinity), .float(.greatestFiniteMagnitude)]),
        (
            .double,
            [
                .double(0.1), .double(-0.0), .double(.nan), .double(-.infinity), .double(.leastNonzeroMagnitude),
                .double(1e100),
            ]
        ),
        (.decimal, [.decimal(Decimal(sign: .minus, exponent: -9, significand: 123_456_789_012_345_678)), .decimal(0)]),
        (.string, [.string(""), .string("a\u{0}\"\n\u{9B}é"), .string("e\u{301}")]),
        (.date, [.date(Date(timeIntervalSinceReferenceDate: 0.1)), .date(Date(timeIntervalSinceReferenceDate: .nan))]),
        (
            .date,
            [.date(Date(timeIntervalSinceReferenceDate: -0.0)), .date(Date(timeIntervalSinceReferenceDate: 1e200))]
        ),
        (.uuid, [.uuid(UUID(uuid: (0, 17, 34, 51, 68, 85, 102, 119, 136, 153, 170, 187, 204, 221, 238, 255)))]),
        (.url, [.url(URL(fileURLWithPath: "/a b/é"))]),
        (.data, [.data(Data()), .data(Data([0, 255, 10]))]),
        (.array(of: .int64, optional: true), [.array([]), .array([.int(1), .null, .int(3)])]),
        (
            .dictionary(key: .string, value: .double, optional: false),
            [.dictionary([.string("b"): .double(2), .string("a\""): .double(.nan)])]
        ),
        (
            .dictionary(key: .int64, value: .string, optional: true),
            [.dictionary([.int(10): .null, .int(9): .string("x")])]
        ),
        (structure, [.structure(["street": .string("x"), "floor": .int(2)]), .structure(["street": .string("")])]),
    ]

    static func dump(_ header: DumpHeader, _ rows: [DumpRow]) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var writer = try DumpWriter(header) { bytes += $0 }
        for row in rows { try writer.append(row.rowID, entity: row.entity, values: row.values) }
        try writer.finish()
        return bytes
    }

    static func load(_ bytes: [UInt8]) throws -> (DumpHeader, [DumpRow]) {
        var reader = try DumpReader(ByteSource(bytes: bytes))
        var rows: [DumpRow] = []
        while let row = try reader.next() { rows.append(row) }
        return (reader.header, rows)
    }

    static func everyType() throws -> (DumpHeader, [DumpRow]) {
        let properties = types.enumerated().map { position, type in
            Property(id: UInt32(position + 7), name: "p\(position)\"", type: type.0, isOptional: true)
        }
        var entity = Entity(id: 3, name: "Éntity", properties: properties)
        let definition = IndexDefinition(
            [.init(names: [properties[2].name], direction: .descending)], name: "i", kind: .unique,
            included: [properties[0].name])
        entity.indexes = [try Index(id: 4, definition, of: entity)]
        var rows: [DumpRow] = []
        for round in 0..<6 {
            let values = types.map { round < $0.1.count ? $0.1[round] : .null }
            rows.append(DumpRow(entity: 1, rowID: UInt64(round) * 1_000_000_007 + 1, values: values))
        }
        let empty = Entity(id: 1, name: "Empty", properties: [])
        return (
            DumpHeader(entities: [
                DumpEntity(empty, rows: 0, lastRow: 0),
                DumpEntity(entity, rows: rows.count, lastRow: rows.last?.rowID ?? 0),
            ]), rows
        )
    }

    @Test func `every type reads back and gives the same bytes again`() throws {
        let (header, rows) = try Self.everyType()
        let bytes = try Self.dump(header, rows)
        let (again, read) = try Self.load(bytes)
        #expect(again == header)
        #expect(read.map(\.rowID) == rows.map(\.rowID))
        #expect(read.map(\.values) == rows.map(\.values))
        #expect(try Self.dump(again, read) == bytes)
    }

    @Test func `the dump reads well`() throws {
        let type = ValueType.dictionary(key: .int64, value: .string, optional: false)
        let entity = Entity(
            id: 1, name: "City",
            properties: [
                Property(id: 1, name: "name", type: .string, isOptional: false),
                Property(id: 2, name: "seen", type: .date, isOptional: true),
                Property(id: 3, name: "codes", type: type, isOptional: true),
            ])
        let row = DumpRow(
            entity: 0, rowID: 17,
            values: [
                .string("Reykjavík"), .date(Date(timeIntervalSinceReferenceDate: 1.5)),
                .dictionary([.int(1): .string("a")]),
            ])
        let header = DumpHeader(entities: [DumpEntity(entity, rows: 1, lastRow: 17)])
        let text = String(decoding: try Self.dump(header, [row]), as: UTF8.self)
        #expect(
            text == #"""
                {"loam":"dump","format":2,"entities":[{"indexes":[],"lastRow":17,"name":"City","properties":[{"name":"name","optional":false,"type":"string"},{"name":"seen","optional":true,"type":"date"},{"name":"codes","optional":true,"type":{"dictionary":"string","key":"int64"}}],"rows":1}]}
                {"entity":"City","row":17,"values":{"name":"Reykjavík","seen":"2001-01-01T00:00:01.5Z","codes":[[1,"a"]]}}

                """#)
    }

    @Test func `a dump that lost its end, or any line of it, is refused`() throws {
        let (header, rows) = try Self.everyType()
        let lines = try Self.dump(header, rows).split(separator: 0x0A)
        for missing in lines.indices {
            var rest = lines
            rest.remove(at: missing)
            #expect(throws: StorageError.self) { try Self.load(Array(rest.joined(separator: [0x0A]))) }
        }
    }

    @Test func `no flipped byte traps the reader`() throws {
        let (header, rows) = try Self.everyType()
        let bytes = try Self.dump(header, rows)
        for position in bytes.indices {
            var damaged = bytes
            damaged[position] ^= [1, 2, 0x20, 0x80][position % 4]
            _ = try? Self.load(damaged)
        }
    }

    @Test(arguments: [
        #"{"entity":"Other","row":1,"values":{}}"#, #"{"entity":"E","values":{}}"#, #"{"entity":"E","row":1}"#,
        #"{"entity":"E","row":1,"values":{"n":"x"}}"#, #"{"entity":"E","row":1,"values":{"n":300}}"#,
        #"{"entity":"E","row":1,"values":{"n":1,"n":2}}"#, #"{"entity":"E","row":1,"values":{"m":1}}"#,
        #"{"entity":"E","row":1,"values":{}}"#, #"{"entity":"E","row":-1,"values":{"n":1}}"#, "nonsense",
        #"{"entity":"E","row":1,"values":{"n":1.5}}"#,
    ])
    func `a row that does not fit the header is refused with its line`(line: String) throws {
        let entity = Entity(
            id: 1, name: "E", properties: [Property(id: 1, name: "n", type: .int8, isOptional: false)])
        let header = try Self.dump(DumpHeader(entities: [DumpEntity(entity, rows: 0, lastRow: 1)]), [])
        let text = String(decoding: header, as: UTF8.self).replacingOccurrences(of: "\"rows\":0", with: "\"rows\":1")
        let error = #expect(throws: StorageError.self) { try Self.load(Array((text + line + "\n").utf8)) }
        guard case .invalidDump(line: 2, _) = error?.kind else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a newer dump and a file that is none are told apart`() {
        let newer = #expect(throws: StorageError.self) {
            try Self.load(Array(#"{"loam":"dump","format":3,"things":[]}"#.utf8))
        }
        #expect(newer?.kind == .newerDump(format: 3, supported: 2))
        for text in ["", "a,b\n1,2\n", "{}", #"{"loam":"dump","format":1}"#] {
            #expect(throws: StorageError.self) { try Self.load(Array(text.utf8)) }
        }
    }
}
