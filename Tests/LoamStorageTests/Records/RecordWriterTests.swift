import Foundation
import SeededRandom
import Testing

@testable import LoamStorage

@Suite("The record writer")
struct RecordWriterTests {
    @Test(
        "Fields set in any order and more than once give the bytes of the last values",
        arguments: 1...20 as ClosedRange<UInt64>)
    func anyOrder(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var writer = RecordWriter(capacity: 1)
        for _ in 0..<50 {
            let layout = try RecordSamples.layout(using: &random)
            let values = RecordSamples.values(of: layout, using: &random)
            writer.begin(layout)
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                let slot = layout.fields.indices.randomElement(using: &random) ?? 0
                let type = layout.fields[slot].type
                try writer.set(value: RecordSamples.value(of: type, isOptional: true, using: &random), at: slot)
            }
            for slot in layout.fields.indices.shuffled(using: &random) { try writer.set(value: values[slot], at: slot) }
            let record = try writer.finish(save: 5, rowID: 6).withUnsafeBytes { Array($0) }
            #expect(try record == RecordSamples.record(values, layout, save: 5, rowID: 6))
        }
    }

    @Test("Typed appends are what the builder writes")
    func typedAppends() throws {
        let types: [ValueType] = [
            .int8, .uint32, .double, .date, .float, .bool, .uuid, .string, .url, .data, .decimal, .string,
        ]
        let layout = try RecordSamples.layout(types.map { ($0, true) })
        let id = UUID()
        var writer = RecordWriter()
        writer.begin(layout)
        try writer.set(int: -4, at: 0)
        try writer.set(uint: 1 << 31, at: 1)
        try writer.set(double: 0.5, at: 2)
        try writer.set(double: 12, at: 3)
        try writer.set(float: 0.25, at: 4)
        try writer.set(bool: true, at: 5)
        try writer.set(uuid: id, at: 6)
        try Array("täxt".utf8).withUnsafeBytes { try writer.set(utf8: $0, at: 7) }
        try writer.set(string: "https://example.org", at: 8)
        try [1, 2, 3].withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
            try writer.set(data: UnsafeRawBufferPointer(rebasing: bytes[..<3]), at: 9)
        }
        try writer.set(decimal: Decimal(12) / 10, at: 10)
        let record = try writer.finish(save: 1, rowID: 1).withUnsafeBytes { Array($0) }
        let view = try RecordView(record.span.bytes, layout: layout)
        try view.checkInvariants()
        let url = try #require(URL(string: "https://example.org"))
        #expect(
            try view.values() == [
                .int(-4), .uint(1 << 31), .double(0.5), .date(Date(timeIntervalSinceReferenceDate: 12)), .float(0.25),
                .bool(true), .uuid(id), .string("täxt"), .url(url), .data(Data([1, 0, 0])), .decimal(Decimal(12) / 10),
                .null,
            ])
    }

    @Test("Wrong types, slots and UTF-8 throw, and a required field must be set")
    func errors() throws {
        let layout = try RecordSamples.layout([(.int8, false), (.string, false)])
        var writer = RecordWriter()
        var errors: [StorageError.Kind] = []
        func note(_ body: (inout RecordWriter) throws -> Void) {
            do { try body(&writer) } catch { if let error = error as? StorageError { errors.append(error.kind) } }
        }
        note { try $0.set(int: 1, at: 0) }
        writer.begin(layout)
        note { try $0.set(int: 128, at: 0) }
        note { try $0.set(bool: true, at: 0) }
        note { try $0.set(string: "a", at: 2) }
        note { writer in try [UInt8]([0xFF]).withUnsafeBytes { try writer.set(utf8: $0, at: 1) } }
        note { try $0.set(int: 1, at: 0) }
        note { _ = try $0.finish(save: 1, rowID: 1) }
        #expect(
            errors == [
                .unknownProperty, .typeMismatch(expected: "int8", found: "an integer out of its range"),
                .typeMismatch(expected: "int8", found: "bool"), .unknownProperty,
                .typeMismatch(expected: "string", found: "bytes that are not UTF-8"), .missingValue,
            ])
    }

    @Test("Plain is ASCII without CR, at every length and place")
    func plainText() {
        for length in 0..<40 {
            var bytes = [UInt8](repeating: 0x7F, count: length)
            #expect(bytes.withUnsafeBytes(PlainText.isPlain))
            for index in bytes.indices {
                for byte: UInt8 in [0x0D, 0x80, 0x8D, 0xFF] {
                    bytes[index] = byte
                    #expect(!bytes.withUnsafeBytes(PlainText.isPlain))
                }
                for byte: UInt8 in [0x00, 0x0C, 0x0E, 0x0A] {
                    bytes[index] = byte
                    #expect(bytes.withUnsafeBytes(PlainText.isPlain))
                }
                bytes[index] = 0x0E
            }
        }
    }
}
