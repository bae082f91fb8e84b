import Foundation
import Testing

@testable import LoamStorage

@Suite("Records give their values back")
struct RecordRoundTripTests {
    @Test("Random values over random layouts", arguments: 1...20 as ClosedRange<UInt64>)
    func randomRecords(seed: UInt64) throws {
        var random = Seeded(seed: seed)
        for _ in 0..<50 {
            let layout = try RecordSamples.layout(using: &random)
            let values = RecordSamples.values(of: layout, using: &random)
            let record = try RecordSamples.record(values, layout, save: 7, rowID: 12)
            let view = try RecordView(record.span.bytes, layout: layout)
            #expect(try view.values() == values)
            try view.checkInvariants()
            try RecordHeader.verifyChecksum(record: record.span.bytes, rowID: 12)
            #expect(try view.header.save == 7)
        }
    }
}
