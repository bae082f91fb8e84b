import Foundation
import LMDB
import Testing

@testable import LoamStorage

/// Long values in the changes that leave them behind, and damaged records in a save.
@Suite struct LongValueSaveTests {
    private let temporary: TemporaryStore
    private let store: Store
    private let row: RowID

    init() throws {
        temporary = try TemporaryStore()
        store = try temporary.open()
        let note = EntityDefinition(
            "Note",
            properties: [
                PropertyDefinition("stars", type: .int64), PropertyDefinition("text", type: .string, isOptional: true),
            ])
        try store.apply(.addEntity(note))
        let text = String(repeating: "long", count: 500_000)
        row = try store.insert([["stars": .int(1), "text": .string(text)]], into: "Note")[0]
    }

    /// Changes the stored record without the store's knowledge.
    private func damage(_ change: (inout [UInt8]) throws -> Void) throws {
        let records = try store.catalog().access(named: "Note").records
        var bytes = try #require(try store.record(row, of: "Note"))
        try change(&bytes)
        try store.environment.write { try $0.put(bytes.span.bytes, for: row, in: records) }
    }

    @Test func theLongValueOfARemovedPropertyGoesWithTheNextChangeOfItsRow() throws {
        try store.apply(.removeProperty("text", from: "Note"))
        #expect(try store.check().faults == [])
        #expect(try store.check().longValues == 2)
        try store.update(row, of: "Note", ["stars": .int(2)])
        #expect(try store.check().faults == [])
        #expect(try store.check().longValues == 0)
    }

    @Test func theLongValueOfARemovedPropertyGoesWithItsRow() throws {
        try store.apply(.removeProperty("text", from: "Note"))
        try store.delete(row, of: "Note")
        #expect(try store.check().faults == [])
        #expect(try store.check().longValues == 0)
    }

    @Test func aDeletedRowWhoseLongValueIsGoneIsNotWrittenAgainWithoutIt() throws {
        let base = try store.record(row, of: "Note")
        try store.delete(row, of: "Note")
        let kind = storageError {
            try store.update(row, of: "Note", base: base, policy: .memoryWins, ["stars": .int(2)])
        }
        #expect(kind == .rowMissing)
        try store.update(
            row, of: "Note", base: base, policy: .memoryWins, ["stars": .int(2), "text": .string("again")])
        #expect(try store.values(row, of: "Note") == [.int(2), .string("again")])
    }

    @Test func aDamagedRecordIsNotGivenANewChecksum() throws {
        // The damaged byte is the integer, before the 16 bytes that are kept of the long value.
        try damage { $0[$0.count - 17] ^= 0x40 }
        #expect(!(try store.check().isClean))
        let kind = storageError { try store.update(row, of: "Note", ["text": .string("new")]) }
        guard case .damagedRecord = kind else {
            Issue.record("the damage was sealed: \(String(describing: kind))")
            return
        }
    }

    @Test func anImpossibleLengthOfALongValueIsAFaultNotATrap() throws {
        try damage { bytes in
            let length = withUnsafeBytes(of: UInt64(Int.max).littleEndian) { Array($0) }
            bytes.replaceSubrange(bytes.count - 16..<bytes.count - 8, with: length)
            try RecordHeader.seal(&bytes, save: 1, rowID: row, entity: store.entity("Note").id)
        }
        #expect(try store.check().faults.contains { $0.rowID == row })
    }
}
