import Foundation
import Testing

@testable import LoamStorage

@Suite("Long values")
struct LongValueTests {
    @Test("Above 16 KiB a value is handed out and the record keeps length and hash")
    func threshold() throws {
        let layout = try RecordSamples.layout([
            (.string, false), (.data, true), (.array(of: .int64, optional: false), true),
        ])
        let short = String(repeating: "s", count: 16_384)
        let text = String(repeating: "t", count: 16_385)
        let array = Value.array((0..<5_000).map { .int($0 << 40) })
        var builder = RecordBuilder(layout)
        var record: [UInt8] = []
        #expect(try builder.encode([.string(short), .null, .null], into: &record).isEmpty)
        let shortHasLongValues = try RecordView(record.span.bytes, layout: layout).hasLongValues
        #expect(!shortHasLongValues)

        let long = try builder.encode([.string(text), .data(Data([1])), array], into: &record)
        #expect(long.map(\.slot) == [0, 2])
        #expect(long[0].bytes == Array(text.utf8))
        let view = try RecordView(record.span.bytes, layout: layout)
        try view.checkInvariants()
        let hasLongValues = view.hasLongValues
        #expect(hasLongValues)
        #expect(try view.isPlain(0))
        #expect(try view.value(1) == .data(Data([1])))
        for value in long {
            guard case .external(let length, let hash) = try view.field(value.slot) else {
                Issue.record("not external")
                continue
            }
            #expect(length == value.bytes.count)
            #expect(hash == value.hash)
            #expect(throws: StorageError(.longValueNotLoaded, property: "number \(100 + value.slot)")) {
                try RecordSamples.value(record, layout, value.slot)
            }
        }
        #expect(try decode(long[0].bytes, as: .string) == .string(text))
        #expect(try decode(long[1].bytes, as: layout.fields[2].type) == array)
        #expect(throws: StorageError.self) { try decode(long[1].bytes, as: .int64) }
    }

    private func decode(_ bytes: [UInt8], as type: ValueType) throws -> Value {
        try RecordView.decode(bytes.span.bytes, as: type)
    }

    @Test("A merge keeps those that do not change and hands out those that do")
    func merging() throws {
        let layout = try RecordSamples.layout([(.data, true), (.string, true), (.data, true)])
        let first = Value.data(Data(repeating: 1, count: 20_000))
        let second = Value.data(Data(repeating: 2, count: 30_000))
        var builder = RecordBuilder(layout)
        var old: [UInt8] = []
        try builder.encode([first, .string("x"), first], into: &old)
        let view = try RecordView(old.span.bytes, layout: layout)
        for (changes, longSlots) in [
            ([(0, second)], [0]), ([(1, Value.string("longer"))], []), ([(2, .null), (0, second), (0, .null)], []),
            ([(0, second), (2, second)], [0, 2]),
        ] as [([(Int, Value)], [Int])] {
            var expectedValues = [first, .string("x"), first]
            for (slot, value) in changes { expectedValues[slot] = value }
            var merged: [UInt8] = []
            let long = try builder.merge(view, changes: changes.map { (slot: $0.0, value: $0.1) }, into: &merged)
            var expected: [UInt8] = []
            try builder.encode(expectedValues, into: &expected)
            #expect(merged == expected)
            #expect(long.map(\.slot) == longSlots)
            let result = try RecordView(merged.span.bytes, layout: layout)
            #expect(try result.fieldBytesEqual(0, other: view, otherSlot: 0) == (expectedValues[0] == first))
            let hasLongValues = result.hasLongValues
            #expect(hasLongValues == expectedValues.contains { $0 == first || $0 == second })
        }
    }
}
