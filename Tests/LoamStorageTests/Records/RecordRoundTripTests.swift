import Foundation
import SeededRandom
import Testing

@testable import LoamStorage

@Suite("Records give their values back")
struct RecordRoundTripTests {
    @Test("Random values over random layouts", arguments: 1...20 as ClosedRange<UInt64>)
    func randomRecords(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let layout = try RecordSamples.layout(using: &random)
            let values = RecordSamples.values(of: layout, using: &random)
            let record = try RecordSamples.record(values, layout, save: 7, rowID: 12)
            let view = try RecordView(record.span.bytes, layout: layout)
            #expect(try view.values() == values)
            try view.checkInvariants()
            try RecordHeader.verifyChecksum(record: record.span.bytes, rowID: 12, entity: layout.entity)
            #expect(try view.header.save == 7)
            #expect(view.save == 7)
            let hasLongValues = view.hasLongValues
            #expect(!hasLongValues)
            #expect(try RecordSamples.record(values, layout, save: 7, rowID: 12) == record, "bytes are deterministic")
        }
    }

    @Test("Every type, as a value and as nil", arguments: RecordSamples.types)
    func everyType(type: ValueType) throws {
        var random = SeededGenerator(seed: 5)
        let layout = try RecordSamples.layout([(.bool, true), (type, true), (.string, true)])
        for value in [RecordSamples.value(of: type, isOptional: false, using: &random), .null] {
            let record = try RecordSamples.record([.bool(true), value, .string("end")], layout)
            let view = try RecordView(record.span.bytes, layout: layout)
            #expect(try view.isNull(1) == value.isNull)
            #expect(try view.values() == [.bool(true), value, .string("end")])
            let empty = try RecordSamples.record([.null, value, .null], layout)
            let emptyView = try RecordView(empty.span.bytes, layout: layout)
            #expect(try emptyView.values() == [.null, value, .null])
        }
    }

    @Test("Bounds of numbers, special floats and dates keep their bits")
    func extremes() throws {
        let cases: [(ValueType, [Value])] = [
            (.int8, [.int(-128), .int(127)]), (.int16, [.int(-32_768), .int(32_767)]),
            (.int32, [.int(Int64(Int32.min)), .int(Int64(Int32.max))]), (.int64, [.int(.min), .int(.max)]),
            (.uint8, [.uint(255)]), (.uint16, [.uint(65_535)]), (.uint32, [.uint(UInt64(UInt32.max))]),
            (.uint64, [.uint(.max)]), (.date, [.date(.distantPast), .date(.distantFuture)]),
            (.string, [.string(""), .string("\0"), .string("e\u{301}"), .string("\r\n")]), (.data, [.data(Data())]),
        ]
        for (type, values) in cases {
            let layout = try RecordSamples.layout([(type, false)])
            for value in values {
                let record = try RecordSamples.record([value], layout)
                #expect(try RecordSamples.value(record, layout, 0) == value)
            }
        }
        let layout = try RecordSamples.layout([(.double, false), (.float, false)])
        for bits: UInt64 in [0x8000_0000_0000_0000, 0x7FF8_0000_0000_1234, 0x7FF0_0000_0000_0000, 1] {
            let float = Float(bitPattern: UInt32(truncatingIfNeeded: bits >> 32 | bits & 0xFFFF))
            let record = try RecordSamples.record([.double(Double(bitPattern: bits)), .float(float)], layout)
            let view = try RecordView(record.span.bytes, layout: layout)
            #expect(try view.double(0).bitPattern == bits)
            #expect(try view.float(1).bitPattern == float.bitPattern)
        }
    }

    @Test("Decimals are exact, whatever their length and exponent")
    func decimals() throws {
        var random = SeededGenerator(seed: 3)
        var samples: [Decimal] = [0, 1, -1, 70, .nan, .greatestFiniteMagnitude, .leastFiniteMagnitude, .pi]
        samples += [.leastNonzeroMagnitude, Decimal(UInt64.max), Decimal(UInt64.max) + 1, Decimal(1) / 3]
        samples += ["1.00", "-0.000", "340282366920938463463374607431768211455e127"].compactMap { Decimal(string: $0) }
        samples += (0..<500).map { _ in RecordSamples.decimal(using: &random) }
        let layout = try RecordSamples.layout([(.decimal, false)])
        for sample in samples {
            let record = try RecordSamples.record([.decimal(sample)], layout)
            guard case .decimal(let value) = try RecordSamples.value(record, layout, 0) else {
                Issue.record("not a decimal")
                continue
            }
            #expect(value == sample)
            #expect(value.description == sample.description)
        }
    }

    @Test("A record's bytes are those of the format")
    func bytesOfTheFormat() throws {
        let layout = try RecordSamples.layout(
            [
                (.int16, false), (.string, true), (.bool, true), (.decimal, false), (.string, false), (.float, true),
                (.uint32, true), (.bool, false), (.int64, false),
            ], id: 0x0102, entity: 5)
        let values: [Value] = [
            .int(-2), .string("hi"), .null, .decimal(-1), .string("ü"), .float(1), .uint(0x1_0203), .bool(true),
            .int(0),
        ]
        var builder = RecordBuilder(layout)
        var record: [UInt8] = []
        try builder.encode(values, into: &record)
        #expect(
            record == [
                2, 1, 0,  // layout, flags: entries of 1 byte, nothing external
                0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  // save and checksum, not sealed
                0b0110_0010,  // nil: the second of four; Bools: no, yes; plain: yes, no
                0x31, 0x00,  // widths: 1, 3, 0
                0, 0, 0x80, 0x3F,  // 1 as a Float
                29, 32, 34,  // ends
                0xFE, 0x03, 0x02, 0x01,  // -2, 0x10203
                0x68, 0x69, 1, 0, 1, 0xC3, 0xBC,  // hi, -1, ü
            ])
        try RecordHeader.seal(&record, save: 0x0A0B_0C0D_0E0F, rowID: 77, entity: 5)
        #expect(Array(record[3..<9]) == [0x0F, 0x0E, 0x0D, 0x0C, 0x0B, 0x0A])
        let header = try RecordHeader.read(record.span.bytes)
        let seed = Checksum.combine(Checksum.combine(77, word: 0x0B0C_0D0E_0F00_0102), word: 0x0A << 32 | 5)
        let sum = record.withUnsafeBytes { Checksum.hash64(UnsafeRawBufferPointer(rebasing: $0[13...]), seed: seed) }
        #expect(header.checksum == UInt32(truncatingIfNeeded: sum))
        #expect(header.layout == 0x0102)
        #expect(header.save == 0x0A0B_0C0D_0E0F)
    }

    @Test("Entries of the offset table have the fewest bytes that hold the record's length")
    func offsetTable() throws {
        let layout = try RecordSamples.layout([(.data, false), (.data, false)])
        let head = RecordHeader.byteCount
        for (bytes, shift) in [(253 - 13, 0), (254 - 13, 1), (16_384, 1)] {
            let record = try RecordSamples.record([.data(Data(count: bytes)), .data(Data())], layout)
            #expect(record.count == head + (2 << shift) + bytes)
            #expect(record[2] == UInt8(shift))
        }
        let five = try RecordSamples.layout((0..<5).map { _ in (.data, false) })
        let long = try RecordSamples.record((0..<5).map { _ in .data(Data(count: 16_384)) }, five)
        #expect(long[2] == 2)
        #expect(long.count == head + 5 * 4 + 5 * 16_384)
        let view = try RecordView(long.span.bytes, layout: five)
        try view.checkInvariants()
    }

    @Test("Fields hand out their bytes")
    func fields() throws {
        let layout = try RecordSamples.layout([
            (.int32, true), (.string, true), (.string, true), (.data, true), (.bool, true), (.uint8, true),
            (.double, true),
        ])
        let record = try RecordSamples.record(
            [.int(258), .string("plain"), .string("cr\r"), .null, .bool(true), .uint(200), .double(1)], layout)
        let view = try RecordView(record.span.bytes, layout: layout)
        func description(_ slot: Int) throws -> String {
            switch try view.field(slot) {
            case .null: "null"
            case .bool(let value): "bool \(value)"
            case .signed(let value): "signed \(value)"
            case .unsigned(let value): "unsigned \(value)"
            case .wide(let bytes): "wide \(bytes.withUnsafeBytes { Array($0) })"
            case .inline(let bytes, let isPlain):
                "\(isPlain ? "plain" : "inline") \(bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })"
            case .external: "external"
            }
        }
        #expect(try description(0) == "signed 258")
        #expect(try description(1) == "plain plain")
        #expect(try description(2) == "inline cr\r")
        #expect(try description(3) == "null")
        #expect(try description(4) == "bool true")
        #expect(try description(5) == "unsigned 200")
        #expect(try description(6) == "wide [0, 0, 0, 0, 0, 0, 240, 63]")
    }

    @Test("A layout finds the slot of a property, and refuses what no record can hold")
    func layouts() throws {
        let layout = try RecordSamples.layout([(.bool, false), (.string, true)])
        #expect(layout.slot(of: 100) == 0)
        #expect(layout.slot(of: 101) == 1)
        #expect(layout.slot(of: 102) == nil)
        let field = RecordLayout.Field(property: 1, type: .bool, isOptional: false)
        let data = try JSONEncoder().encode(layout.description)
        #expect(try JSONDecoder().decode(RecordLayout.Description.self, from: data) == layout.description)
        #expect(throws: StorageError(.invalidSchema("a property occurs twice"))) {
            try RecordLayout(.init(id: 1, entity: 1, fields: [field, field]))
        }
        let twice = ValueType.structure([.init(name: "a", type: .bool), .init(name: "a", type: .bool)])
        #expect(throws: StorageError.self) { try RecordSamples.layout([(twice, false)]) }
        let deep = (0...64).reduce(ValueType.bool) { type, _ in .array(of: type, optional: false) }
        #expect(throws: StorageError.self) { try RecordSamples.layout([(deep, false)]) }
        let empty = try RecordSamples.layout([])
        let record = try RecordSamples.record([], empty)
        #expect(record.count == RecordHeader.byteCount)
        #expect(try RecordSamples.values(record, empty) == [])
    }
}
