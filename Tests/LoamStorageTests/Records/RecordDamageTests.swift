import Foundation
import SeededRandom
import Testing

@testable import LoamStorage

/// Memory between two pages that may not be touched: a read beyond either end of the bytes stops the process.
private final class GuardedBytes {
    private let start: UnsafeMutableRawPointer
    private static let page = 4_096
    private static let room = 16 * page

    init() throws {
        let memory = mmap(nil, Self.room + 2 * Self.page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        start = try #require(memory == MAP_FAILED ? nil : memory)
        try #require(mprotect(start + Self.page, Self.room, PROT_READ | PROT_WRITE) == 0)
    }

    deinit { munmap(start, Self.room + 2 * Self.page) }

    /// Calls `body` with a copy that touches the page after it, or the one before it.
    func with(_ bytes: [UInt8], atEnd: Bool, _ body: (UnsafeRawBufferPointer) -> Void) {
        let first = start + Self.page
        let target = atEnd ? first + (Self.room - bytes.count) : first
        bytes.withUnsafeBytes {
            target.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(target), byteCount: $0.count)
        }
        body(UnsafeRawBufferPointer(start: target, count: bytes.count))
    }
}

@Suite("Damaged records throw or give some value, and never trap")
struct RecordDamageTests {
    /// 8 seeds of 12,500 cases each: random bytes, truncations, flips, and false lengths, offsets and counts.
    @Test("Random damage", arguments: 1...8 as ClosedRange<UInt64>)
    func randomDamage(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let memory = try GuardedBytes()
        for _ in 0..<125 {
            let layout = try RecordSamples.layout(using: &random)
            let record = try RecordSamples.record(RecordSamples.values(of: layout, using: &random), layout)
            for _ in 0..<100 {
                let bytes = damaged(record, using: &random)
                let atEnd = Bool.random(using: &random)
                memory.with(bytes, atEnd: atEnd) { useEverything($0.bytes, layout, intact: record) }
            }
        }
    }

    @Test("Every truncation of a record, and of a composite value")
    func truncations() throws {
        var random = SeededGenerator(seed: 77)
        let memory = try GuardedBytes()
        for _ in 0..<10 {
            let layout = try RecordSamples.layout(using: &random)
            let record = try RecordSamples.record(RecordSamples.values(of: layout, using: &random), layout)
            for count in record.indices {
                memory.with(Array(record[..<count]), atEnd: true) { bytes in
                    #expect((try? RecordView(bytes.bytes, layout: layout).values()) == nil)
                    #expect((try? RecordHeader.verifyChecksum(record: bytes.bytes, rowID: 1, entity: 9)) == nil)
                    useEverything(bytes.bytes, layout, intact: record)
                }
            }
        }
    }

    private func damaged(_ record: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
        var bytes = record
        let body = RecordHeader.flagsOffset
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
        case 1:
            // The ids are right, and everything else is noise.
            for index in body..<bytes.count { bytes[index] = UInt8.random(in: 0...255, using: &random) }
        case 2:
            bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        case 3:
            bytes += (0..<Int.random(in: 1...20, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
            fallthrough
        default:
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let index = Int.random(in: body..<bytes.count, using: &random)
                bytes[index] =
                    [0, 1, 0x7F, 0x80, 0xFF, bytes[index] ^ 0x40, bytes[index] &+ 1].randomElement(using: &random) ?? 0
            }
        }
        return bytes
    }

    /// Calls every accessor of every slot, and everything that copies or compares.
    private func useEverything(_ bytes: RawSpan, _ layout: RecordLayout, intact: [UInt8]) {
        _ = try? RecordHeader.read(bytes)
        _ = try? RecordHeader.verifyChecksum(record: bytes, rowID: 1, entity: 9)
        _ = try? RecordView.decodeComposite(bytes)
        _ = try? RecordView.nestedValue(in: bytes, path: ["street", "a"])
        _ = try? RecordView.decode(bytes, as: RecordSamples.types[bytes.byteCount % RecordSamples.types.count])
        do {
            let view = try RecordView(bytes, layout: layout)
            let other = try RecordView(intact.span.bytes, layout: layout)
            for (slot, field) in layout.fields.enumerated() { use(slot, field.type, view, other) }
            use(view, other)
        } catch {
            #expect(error is StorageError)
        }
    }

    /// Calls every accessor that fits the type. Others throw, which is slow: the test library notes where an error came
    /// from.
    private func use(
        _ slot: Int, _ type: ValueType, _ view: borrowing RecordView, _ other: borrowing RecordView
    ) {
        _ = try? view.isNull(slot)
        _ = try? view.isPlain(slot)
        switch type {
        case .bool: _ = try? view.bool(slot)
        case _ where type.isSignedInteger: _ = try? view.int64(slot)
        case _ where type.isUnsignedInteger: _ = try? view.uint64(slot)
        case .float: _ = try? view.float(slot)
        case .double, .date: _ = try? view.double(slot)
        case .array, .dictionary, .structure: _ = try? view.nestedValue(slot, path: ["place", "latitude"])
        default: break
        }
        _ = try? view.fieldBytesEqual(slot, other: other, otherSlot: slot)
        do {
            if case .inline(let content, _) = try view.field(slot) { _ = Checksum.hash64(content) }
            _ = try view.value(slot)
        } catch {
            #expect(error is StorageError)
        }
    }

    private func use(_ view: borrowing RecordView, _ other: borrowing RecordView) {
        var result: [UInt8] = []
        do {
            try view.checkInvariants()
        } catch {
            #expect(error is StorageError)
        }
        var builder = RecordBuilder(view.layout)
        let mask = FieldMask(stride(from: 0, to: view.layout.fields.count, by: 2))
        try? builder.merge(view, masked: mask, of: other, into: &result)
        try? builder.merge(other, masked: mask, of: view, into: &result)
        let changes = mask.slots.compactMap { slot in (try? other.value(slot)).map { (slot: slot, value: $0) } }
        _ = try? builder.merge(view, changes: changes, into: &result)
    }

    @Test("A value that a predicate computes with names its property when it is damaged")
    func namesOfComputedValues() throws {
        let layout = try RecordSamples.layout([(.decimal, false)])
        var record = try RecordSamples.record([.decimal(Decimal(1))], layout)
        let place = try #require(record.indices.dropLast(2).last { Array(record[$0...$0 + 2]) == [0, 0, 1] })
        // The flags of a decimal are below 4.
        record[place] = 0xFF
        let damage = StorageError(.damagedRecord("a decimal is none"), property: "number 100")
        #expect(throws: damage) { _ = try RecordView(record.span.bytes, layout: layout).unboxed(0) }
    }
}
