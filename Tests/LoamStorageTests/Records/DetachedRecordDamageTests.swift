import SeededRandom
import Testing

@testable import LoamStorage

@Suite("Records copied out of a store")
struct DetachedRecordDamageTests {
    /// Somebody who damages bytes may make their checksum right, so nothing may rely on what a checksum covers.
    @Test(
        "Damage under a right checksum throws a StorageError or gives some value",
        arguments: 1...4 as ClosedRange<UInt64>)
    func damageUnderARightChecksum(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<25 {
            let temporary = try TemporaryStore()
            let store = try temporary.open()
            let types = try RecordSamples.layout(using: &random).fields
            try store.apply(
                .addEntity(
                    EntityDefinition(
                        "Sample",
                        properties: types.enumerated().map {
                            PropertyDefinition("p\($0)", type: $1.type, isOptional: $1.isOptional)
                        })))
            let access = try store.catalog().access(named: "Sample")
            let source = DetachedRecord.Source(access)
            let values = RecordSamples.values(of: access.currentLayout, using: &random)
            let intact = try access.encode(values).bytes
            var copies = 0
            for round in 0..<200 {
                var bytes = round == 0 ? intact : Self.damaged(intact, using: &random)
                try RecordHeader.seal(&bytes, save: 1, rowID: 1, entity: access.entity.id)
                do {
                    let record = try source.copy(bytes, rowID: 1)
                    copies += 1
                    for (position, value) in values.enumerated() {
                        let found = Self.value(of: record, position, access.entity.properties[position].type)
                        if round == 0 { #expect(found == value) }
                    }
                } catch {
                    #expect(round > 0 && error is StorageError, "\(error)")
                }
            }
            #expect(copies > 0)
        }
    }

    @Test("A record of another row, entity or length is refused, whatever its checksum")
    func strangers() throws {
        let temporary = try TemporaryStore()
        let store = try temporary.open()
        for name in ["First", "Second"] {
            try store.apply(
                .addEntity(EntityDefinition(name, properties: [PropertyDefinition("text", type: .string)])))
        }
        let (first, second) = (try store.catalog().access(named: "First"), try store.catalog().access(named: "Second"))
        var bytes = try first.encode([.string("text")]).bytes
        try RecordHeader.seal(&bytes, save: 1, rowID: 7, entity: first.entity.id)
        #expect(try DetachedRecord.Source(first).copy(bytes, rowID: 7).string(0) == "text")
        for (source, row) in [(first, 8 as RowID), (second, 7)] {
            #expect(throws: StorageError(.damagedRecord("its checksum is wrong"), rowID: row)) {
                try DetachedRecord.Source(source).copy(bytes, rowID: row)
            }
        }
        bytes.append(0)
        try RecordHeader.seal(&bytes, save: 1, rowID: 7, entity: first.entity.id)
        #expect(throws: StorageError(.damagedRecord("its length is not that of its fields"))) {
            try DetachedRecord.Source(first).copy(bytes, rowID: 7)
        }
    }

    private static func damaged(_ record: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
        var bytes = record
        // The id of the layout stays, so that most damage reaches the fields.
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let index = Int.random(in: RecordHeader.flagsOffset..<bytes.count, using: &random)
            bytes[index] =
                [0, 1, 0x7F, 0xFF, bytes[index] ^ 0x40, bytes[index] &+ 1].randomElement(using: &random) ?? 0
        }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes.removeLast(Int.random(in: 0...bytes.count - RecordHeader.byteCount, using: &random))
        case 1: bytes += [UInt8](repeating: 0xA5, count: Int.random(in: 1...9, using: &random))
        default: break
        }
        return bytes
    }

    /// Reads a field in every way that its type has; nil where one throws.
    private static func value(of record: DetachedRecord, _ position: Int, _ type: ValueType) -> Value? {
        do {
            switch type {
            case .bool: _ = try record.bool(position)
            case _ where type.isSignedInteger: _ = try record.int64(position)
            case _ where type.isUnsignedInteger: _ = try record.uint64(position)
            case .float: _ = try record.float(position)
            case .double, .date: _ = try record.double(position)
            case .string: _ = try record.string(position)
            default: break
            }
            _ = try record.differs(from: record, at: position)
            return try record.value(position)
        } catch {
            #expect(error is StorageError, "\(error)")
            return nil
        }
    }
}
