import Foundation
import SeededRandom
import Testing

@testable import LoamStorage

@Suite("Dense records")
struct RecordDenseTests {
    /// The numbers around which the width of a signed integer changes, with zero and the bounds.
    static let signed: [Int64] = {
        var numbers: [Int64] = [0, .min, .max]
        for bit in 0..<63 {
            let power: Int64 = 1 << Int64(bit)
            numbers += [power, -power, power - 1, -power - 1]
        }
        return numbers
    }()

    static let unsigned: [UInt64] = {
        var numbers: [UInt64] = [0, .max]
        for bit in 0..<64 {
            let power: UInt64 = 1 << UInt64(bit)
            numbers += [power, power - 1, power | 1]
        }
        return numbers
    }()

    /// The values of a type that the format treats in ways of their own; nil comes last.
    static func values(of type: ValueType) -> [Value] {
        let strings = ["", "a", "ä", "\r", "e\u{301}", String(repeating: "x", count: 300)]
        switch type {
        case .int8: return signed.filter { Int8(exactly: $0) != nil }.map(Value.int) + [.null]
        case .int16: return signed.filter { Int16(exactly: $0) != nil }.map(Value.int) + [.null]
        case .int32: return signed.filter { Int32(exactly: $0) != nil }.map(Value.int) + [.null]
        case .int64: return signed.map(Value.int) + [.null]
        case .uint8: return unsigned.filter { $0 <= UInt8.max }.map(Value.uint) + [.null]
        case .uint16: return unsigned.filter { $0 <= UInt16.max }.map(Value.uint) + [.null]
        case .uint32: return unsigned.filter { $0 <= UInt32.max }.map(Value.uint) + [.null]
        case .uint64: return unsigned.map(Value.uint) + [.null]
        case .bool: return [.bool(false), .bool(true), .null]
        case .float: return [.float(0), .float(-1.5), .float(.infinity), .null]
        case .double: return [.double(0), .double(-1.5), .double(.greatestFiniteMagnitude), .null]
        case .date: return [.date(.distantPast), .date(.distantFuture), .null]
        case .decimal: return [.decimal(0), .decimal(-12), .decimal(.greatestFiniteMagnitude), .null]
        case .string: return strings.map(Value.string) + [.null]
        case .data: return [.data(Data()), .data(Data([0])), .data(Data(count: 16_384)), .null]
        default:
            var random = SeededGenerator(seed: 4)
            return (0..<4).map { _ in RecordSamples.value(of: type, isOptional: false, using: &random) } + [.null]
        }
    }

    @Test("0 to 20 fields of each kind, each with every value of its own in turn", arguments: RecordSamples.types)
    func fieldsOfAKind(type: ValueType) throws {
        let cases = Self.values(of: type)
        for count in 0...20 {
            let layout = try RecordSamples.layout((0..<count).map { _ in (type, true) })
            for first in cases.indices {
                let values = (0..<count).map { cases[(first + $0 * 7) % cases.count] }
                let record = try RecordSamples.record(values, layout)
                let view = try RecordView(record.span.bytes, layout: layout)
                try view.checkInvariants()
                for slot in 0..<count where try view.value(slot) != values[slot] {
                    Issue.record("\(count) fields from \(first) on: slot \(slot)")
                }
                #expect(record.count == Self.byteCount(values, type), "\(count) fields from \(first) on")
            }
        }
    }

    /// The length of a record by the words of the format, without the writer.
    static func byteCount(_ values: [Value], _ type: ValueType) -> Int {
        let count = values.count
        var bits = count
        if type == .bool || type == .string { bits += count }
        var bytes = 13 + (bits + 7) / 8
        if type.isInteger { bytes += (count + 1) / 2 }
        guard let width = type.fixedWidth else {
            let content = values.reduce(0) { $0 + contentBytes($1, type) }
            for width in [1, 2, 4] where bytes + content + width * count <= 1 << (8 * width) - 1 {
                return bytes + content + width * count
            }
            return -1
        }
        if type == .bool { return bytes }
        guard type.isInteger else { return bytes + width * count }
        for value in values {
            switch value {
            case .int(let number): bytes += Self.integerBytes(number)
            case .uint(let number): bytes += Self.integerBytes(number)
            default: break
            }
        }
        return bytes
    }

    private static func integerBytes(_ number: Int64) -> Int {
        let sign: Int64 = number < 0 ? -1 : 0
        return number == 0 ? 0 : (1...8).first { number >> Int64(8 * $0 - 1) == sign } ?? 8
    }

    private static func integerBytes(_ number: UInt64) -> Int {
        (0...8).first { $0 == 8 || number >> UInt64(8 * $0) == 0 } ?? 8
    }

    private static func contentBytes(_ value: Value, _ type: ValueType) -> Int {
        switch value {
        case .null: 0
        case .string(let text): text.utf8.count
        case .data(let data): data.count
        default: encodedBytes(value, type)
        }
    }

    private static func encodedBytes(_ value: Value, _ type: ValueType) -> Int {
        guard let layout = try? RecordSamples.layout([(type, false)]),
            let record = try? RecordSamples.record([value], layout)
        else { return -1 }
        return record.count - 13 - (record[2] == 0 ? 1 : 2)
    }

    @Test("Strings of 64 KiB lie outside, plain or not, beside all other kinds")
    func longStrings() throws {
        let layout = try RecordSamples.layout([(.int64, true), (.string, true), (.string, true), (.uint16, false)])
        for text in ["x", "é"].map({ String(repeating: $0, count: 65_536) }) {
            var builder = RecordBuilder(layout)
            var record: [UInt8] = []
            let long = try builder.encode([.int(-300), .string(text), .string("y"), .uint(9)], into: &record)
            #expect(long.map(\.slot) == [1])
            let view = try RecordView(record.span.bytes, layout: layout)
            try view.checkInvariants()
            #expect(try view.int64(0) == -300)
            #expect(try view.isPlain(1) == (text.utf8.count == 65_536))
            #expect(try view.externalByteCount(1) == text.utf8.count)
            #expect(try view.value(2) == .string("y"))
            #expect(try view.uint64(3) == 9)
        }
    }

    @Test("An integer's place is the sum of the widths before it, over any number of words of them")
    func manyIntegers() throws {
        var random = SeededGenerator(seed: 9)
        for count in [15, 16, 17, 31, 32, 33, 47, 48, 49, 200] {
            let layout = try RecordSamples.layout((0..<count).map { ($0 % 3 == 0 ? .uint64 : .int64, $0 % 2 == 0) })
            for _ in 0..<50 {
                let values = (0..<count).map { slot -> Value in
                    let number = random.next() >> UInt64.random(in: 0..<64, using: &random)
                    return slot % 3 == 0 ? .uint(number) : .int(Int64(bitPattern: number))
                }
                let record = try RecordSamples.record(values, layout)
                #expect(try RecordSamples.values(record, layout) == values)
            }
        }
    }

    @Test("More bytes than an integer needs, and widths beyond its type, are damage")
    func widths() throws {
        let layout = try RecordSamples.layout([(.int16, true), (.string, false)])
        var record = try RecordSamples.record([.int(5), .string("\0text")], layout)
        func isDamaged(_ change: (inout [UInt8]) -> Void) -> Bool {
            var bytes = record
            change(&bytes)
            do {
                let view = try RecordView(bytes.span.bytes, layout: layout)
                try view.checkInvariants()
                _ = try view.int64(0)
                return false
            } catch {
                return true
            }
        }
        #expect(!isDamaged { _ in })
        // Behind the header: bits, widths, the end of the string, the integer, the string.
        #expect(isDamaged { $0[14] = 2 })
        #expect(isDamaged { $0[14] = 3 })
        #expect(isDamaged { $0[14] = 15 })
        #expect(isDamaged { $0[14] = 0x11 })
        #expect(isDamaged { $0[13] |= 1 })
        #expect(isDamaged { $0[13] ^= 2 })
        #expect(isDamaged { $0[13] |= 4 })
        #expect(isDamaged { $0[15] += 1 })
        #expect(isDamaged { $0[2] = 1 })
        #expect(isDamaged { $0[2] = 3 })
        #expect(isDamaged { $0[2] = 4 })
        #expect(isDamaged { $0[2] = 8 })
        record = try RecordSamples.record([.null, .string("text")], layout)
        #expect(isDamaged { $0[13] &= ~1 } == false, "zero has no bytes either")
    }
}
