import Foundation
import SeededRandom
import Testing

@testable import LoamStorage

@Suite("Setting a reference or a position in a record's bytes")
struct RecordPatchTests {
    @Test("Gives the bytes that writing the value gives", arguments: 1...10 as ClosedRange<UInt64>)
    func randomRecords(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<60 {
            let types = try RecordSamples.layout(using: &random).fields.map { ($0.type, isOptional: $0.isOptional) }
            let layout = try RecordSamples.layout(
                (types + [(.uint64, true), (.int64, true), (.uint64, false)]).shuffled(using: &random))
            var values = RecordSamples.values(of: layout, using: &random)
            var record = try RecordSamples.record(values, layout)
            for _ in 0..<10 {
                let slots = layout.fields.indices.filter { [.uint64, .int64].contains(layout.fields[$0].type) }
                let slot = try #require(slots.randomElement(using: &random))
                values[slot] = RecordSamples.value(
                    of: layout.fields[slot].type, isOptional: layout.fields[slot].isOptional, using: &random)
                try layout.setInteger(bits(values[slot]), at: slot, in: &record)
                try RecordHeader.seal(&record, save: 1, rowID: 1, entity: layout.entity)
                #expect(try record == RecordSamples.record(values, layout))
            }
        }
    }

    @Test("Widens and narrows the offset table where the record's length asks for it")
    func offsetTable() throws {
        let layout = try RecordSamples.layout([
            (.uint64, true), (.data, false), (.data, false), (.data, false), (.data, false), (.data, false),
        ])
        for total in Array(215...245) + Array(65_495...65_535) {
            let lengths = (0..<5).map { min(16_384, max(0, total - $0 * 16_384)) }
            let data = lengths.map { Value.data(Data(count: $0)) }
            var record = try RecordSamples.record([.null] + data, layout, save: 77)
            for bits: UInt64? in [1 << 60, 3, nil, .max, 0, 1 << 15, nil] {
                try layout.setInteger(bits, at: 0, in: &record)
                #expect(RecordHeader.save(of: record.span.bytes) == 77)
                try RecordHeader.seal(&record, save: 1, rowID: 1, entity: layout.entity)
                #expect(try record == RecordSamples.record([bits.map(Value.uint) ?? .null] + data, layout))
                try RecordHeader.seal(&record, save: 77, rowID: 1, entity: layout.entity)
            }
        }
    }

    @Test("Refuses nil where the field may not be, other fields and other layouts, and leaves the bytes alone")
    func errors() throws {
        let layout = try RecordSamples.layout([(.uint64, false), (.int32, true)])
        let other = try RecordSamples.layout([(.uint64, false), (.int32, true)], id: 8)
        let intact = try RecordSamples.record([.uint(1), .int(2)], layout)
        var record = intact
        #expect(throws: StorageError(.missingValue, property: "number 100")) {
            try layout.setInteger(nil, at: 0, in: &record)
        }
        for slot in [1, 2, -1] {
            #expect(throws: StorageError.self) { try layout.setInteger(1, at: slot, in: &record) }
        }
        #expect(throws: StorageError(.damagedRecord("it is of another layout"))) {
            try other.setInteger(1, at: 0, in: &record)
        }
        #expect(record == intact)
    }

    private func bits(_ value: Value) -> UInt64? {
        switch value {
        case .uint(let number): number
        case .int(let number): UInt64(bitPattern: number)
        default: nil
        }
    }
}
