import Foundation
import SeededRandom
import Testing

@testable import LoamStorage

@Suite("Composite values")
struct CompositeTests {
    private static let person = ValueType.structure([
        .init(name: "name", type: .string), .init(name: "address", type: RecordSamples.address, isOptional: true),
        .init(name: "scores", type: .dictionary(key: .string, value: .int32, optional: true)),
        .init(name: "tags", type: .array(of: .string, optional: false)),
    ])

    private static let value = Value.structure([
        "name": .string("Zoë"),
        "address": .structure([
            "street": .string("Long Street"),
            "place": .structure(["latitude": .double(52.5), "longitude": .double(13.4)]),
        ]),
        "scores": .dictionary([.string("chess"): .int(1_900), .string("go"): .null]),
        "tags": .array([.string("a"), .string("b")]),
    ])

    private func withView(_ value: Value, _ type: ValueType, _ body: (borrowing RecordView) throws -> Void) throws {
        let layout = try RecordSamples.layout([(.string, true), (type, true)])
        let record = try RecordSamples.record([.string("before"), value], layout)
        try body(RecordView(record.span.bytes, layout: layout))
    }

    @Test("A path leads to a nested member without the rest")
    func paths() throws {
        try withView(Self.value, Self.person) { view in
            #expect(try view.nestedValue(1, path: []) == Self.value)
            #expect(try view.nestedValue(1, path: ["name"]) == .string("Zoë"))
            #expect(try view.nestedValue(1, path: ["address", "place", "longitude"]) == .double(13.4))
            #expect(
                try view.nestedValue(1, path: ["address", "place"])
                    == .structure(["latitude": .double(52.5), "longitude": .double(13.4)]))
            #expect(try view.nestedValue(1, path: ["address", "city"]) == .null)
            #expect(try view.nestedValue(1, path: ["nothing", "at", "all"]) == .null)
            #expect(try view.nestedValue(1, path: ["scores", "chess"]) == .int(1_900))
            #expect(try view.nestedValue(1, path: ["scores", "go"]) == .null)
            #expect(try view.nestedValue(1, path: ["tags"]) == .array([.string("a"), .string("b")]))
            for path in [["name", "first"], ["tags", "0"]] {
                do {
                    _ = try view.nestedValue(1, path: path)
                    Issue.record("a path through a scalar was followed")
                } catch let error as StorageError {
                    guard case .typeMismatch = error.kind else { throw error }
                }
            }
        }
        try withView(.null, Self.person) { view in
            let city = try view.nestedValue(1, path: ["address", "city"])
            #expect(city == .null)
        }
    }

    @Test("Their bytes are those of the format")
    func bytes() throws {
        var encoder = CompositeEncoder()
        let type = ValueType.structure([
            .init(name: "b", type: .array(of: .int64, optional: true)), .init(name: "a", type: .string),
            .init(name: "c", type: .bool, isOptional: true),
        ])
        try encoder.encode(.structure(["b": .array([.int(300), .null]), "a": .string("x"), "c": .null]), as: type)
        #expect(
            encoder.bytes == [
                0x32, 15, 2,  // structure, 15 bytes, 2 members
                1, 0x61, 0x21, 1, 0x78,  // a: plain "x"
                1, 0x62, 0x30, 5, 2, 0x09, 0x2C, 0x01, 0x00,  // b: array, 5 bytes, 2 elements, int16 300, nil
            ])
        try encoder.encode(
            .dictionary([.string("é"): .uint(1), .string("z"): .uint(70_000)]),
            as: .dictionary(key: .string, value: .uint32, optional: false))
        #expect(
            encoder.bytes == [
                0x31, 15, 2, 0x21, 1, 0x7A, 0x0E, 0x70, 0x11, 0x01, 0x00, 0x22, 2, 0xC3, 0xA9, 0x0C, 1,
            ])
        try encoder.encode(.array([.data(Data(repeating: 9, count: 300))]), as: .array(of: .data, optional: false))
        #expect(encoder.bytes.prefix(8) == [0x30, 0xB0, 0x02, 1, 0x24, 0xAC, 0x02, 9])
    }

    @Test("Dictionaries and structures have the same bytes however they were made")
    func order() throws {
        var random = SeededGenerator(seed: 8)
        let type = ValueType.dictionary(key: .string, value: .int64, optional: false)
        let pairs = (0..<100).map { (Value.string("key \($0)"), Value.int(Int64($0))) }
        var results = Set<[UInt8]>()
        for _ in 0..<10 {
            var encoder = CompositeEncoder()
            var dictionary = [Value: Value](minimumCapacity: Int.random(in: 0...1_000, using: &random))
            for (key, value) in pairs.shuffled(using: &random) { dictionary[key] = value }
            try encoder.encode(.dictionary(dictionary), as: type)
            results.insert(encoder.bytes)
        }
        #expect(results.count == 1)
    }

    @Test("One number as two keys is refused")
    func sameKeyTwice() {
        var encoder = CompositeEncoder()
        let type = ValueType.dictionary(key: .int64, value: .bool, optional: false)
        #expect(throws: StorageError(.typeMismatch(expected: "different keys", found: "one key twice"))) {
            try encoder.encode(.dictionary([.int(1): .bool(true), .uint(1): .bool(false)]), as: type)
        }
    }

    @Test("64 containers inside each other are written and read, 65 are not")
    func depth() throws {
        func nested(_ depth: Int) -> (Value, ValueType) {
            (0..<depth).reduce((.bool(true), .bool)) { inner, _ in
                (.array([inner.0]), .array(of: inner.1, optional: false))
            }
        }
        var encoder = CompositeEncoder()
        let (value, type) = nested(64)
        try encoder.encode(value, as: type)
        #expect(try RecordSamples.decoded(encoder.bytes) == value)
        let wrapped = [0x30, UInt8(encoder.bytes.count + 1 & 0x7F | 0x80), UInt8((encoder.bytes.count + 1) >> 7), 1]
        let tooDeep =
            (encoder.bytes.count + 1 < 128 ? [0x30, UInt8(encoder.bytes.count + 1), 1] : wrapped) + encoder.bytes
        #expect(throws: StorageError(.damagedRecord("values are nested too deeply"))) {
            try RecordSamples.decoded(tooDeep)
        }
        let (deeper, deeperType) = nested(65)
        #expect(throws: StorageError(.valueTooDeep(limit: 64))) { try encoder.encode(deeper, as: deeperType) }
    }

    @Test(
        "Bytes that no writer makes are refused",
        arguments: [
            [], [0x30], [0x30, 1], [0x30, 1, 0, 0], [0x30, 0], [0x30, 2, 1, 0x05], [0x30, 1, 0xFF],
            [0x30, 0x81, 0x00, 0], [0x30, 0x80, 0x80, 0x80, 0x80, 0x80, 1], [0x30, 3, 2, 1, 2, 1],
            [0x30, 4, 1, 0x09, 1, 0], [0x30, 4, 1, 0x22, 1, 0x61], [0x30, 4, 1, 0x21, 1, 0x0D],
            [0x30, 4, 1, 0x22, 1, 0xFF], [0x30, 4, 1, 0x20, 1, 0], [0x30, 5, 1, 0x20, 2, 0, 1],
            [0x32, 7, 2, 1, 0x62, 1, 1, 0x61, 1], [0x32, 7, 2, 1, 0x61, 1, 1, 0x61, 1], [0x32, 4, 1, 1, 0x61, 0],
            [0x31, 5, 2, 0x08, 1, 1, 0x08], [0x31, 7, 2, 0x08, 2, 1, 0x08, 1, 1], [0x7F], [0x02, 0x02],
        ] as [[UInt8]])
    func strictness(bytes: [UInt8]) {
        #expect(throws: StorageError.self) { try RecordSamples.decoded(bytes) }
    }
}
