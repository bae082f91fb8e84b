import Foundation
import LoamStorage
import SeededRandom
import Testing

@Suite("Strict decoding of keys")
struct KeyDecodingTests {
    @Test("random and broken bytes throw and never trap; what decodes is what would be written")
    func hostileBytes() throws {
        let seed: UInt64 = .random(in: 0 ... .max)
        print("hostile key bytes: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var accepted = 0
        var shape = try CompositeKeyTests.shape(using: &random)
        for round in 0..<100_000 {
            if round % 20 == 0 { shape = try CompositeKeyTests.shape(using: &random) }
            var bytes = try shape.key(of: CompositeKeyTests.values(shape, using: &random)).bytes
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in .random(in: 0...255, using: &random) }
            case 1: bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
            case 2: bytes.append(contentsOf: RandomValues.bytes(using: &random))
            default:
                let index = Int.random(in: 0..<bytes.count, using: &random)
                bytes[index] =
                    [0, 1, 2, 0xFE, 0xFF, .random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
            }
            _ = try? shape.length(of: bytes.span.bytes)
            _ = try? shape.isInexact(bytes.span.bytes)
            _ = try? shape.leadingLength(of: bytes.span.bytes)
            do {
                let values = try shape.values(of: bytes.span.bytes)
                accepted += 1
                guard values.allSatisfy({ $0 != nil }) else { continue }
                let written = try shape.key(of: values.compactMap { $0 }).bytes
                if written != bytes { Issue.record("\(bytes) reads as \(written), seed \(seed)") }
            } catch {
                if !(error is StorageError) { Issue.record(error) }
            }
        }
        #expect(accepted > 0)
    }

    @Test("each kind of fault is found")
    func faults() throws {
        func fails(
            _ bytes: [UInt8], _ type: ValueType, _ direction: SortDirection = .ascending, isOptional: Bool = true
        ) throws -> Bool {
            let component = try KeyOrderTests.component(
                type, direction, share: type.keyWidth ?? 10, isOptional: isOptional)
            var offset = 0
            do { _ = try component.decode(bytes.span.bytes, at: &offset) } catch let error as StorageError {
                if case .damagedKey = error.kind { return true }
            }
            return false
        }
        #expect(try fails([], .bool))
        #expect(try fails([2, 0], .bool))
        #expect(try fails([1, 2], .bool))
        #expect(try fails([0, 1], .bool), "nil that is not padded with zeros")
        #expect(try fails([0, 0], .bool, isOptional: false))
        #expect(try fails([0xFF, 0xFE], .bool, .descending))
        #expect(try fails([1, 0, 0], .int32))
        #expect(try fails([1, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .double), "-0.0")
        #expect(try fails([1, 0xFF, 0xF8, 0, 0, 0, 0, 0, 1], .double), "another NaN")
        #expect(try fails([1, 0x61], .string), "no end")
        #expect(try fails([1, 0xFF, 0], .string), "bad UTF-8")
        #expect(try fails([1, 1, 0], .data), "incomplete escape")
        #expect(try fails([1, 1, 3, 0], .data), "meaningless escape")
        #expect(try fails([1, 4, 0x40, 1, 0], .decimal), "no digits")
        #expect(try fails([1, 4, 0x40, 2, 2, 0x20, 0], .decimal), "leading zeros")
        #expect(try fails([1, 6, 0], .decimal))
        #expect(try !fails([1] + Array("abcdefgh".utf8) + [0xC3], .string), "a character may be cut")
        #expect(try fails([1] + Array("abcdefg".utf8) + [0xC3, 0x28], .string))
        #expect(try fails([1] + Array("abcdefg".utf8) + [0xFF, 0xFF], .string))
    }
}
