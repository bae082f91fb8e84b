import Foundation
import LoamStorage
import SeededRandom
import Testing

@testable import Loam

/// A value of any shape that encodes itself, and that the encoder and the decoder must give back.
private indirect enum AnyShape: Codable, Hashable {
    case int(Int)
    case text(String)
    case date(Date)
    case data(Data)
    case nothing
    case list([AnyShape])
    case pairs([String: AnyShape])
    case numbered([Int: AnyShape?])
    case optional(AnyShape?)
    case pair(first: AnyShape, second: Double)

    init(depth: Int, using random: inout some RandomNumberGenerator) {
        let count = Int.random(in: 0...3, using: &random)
        switch Int.random(in: 0..<(depth > 5 ? 5 : 10), using: &random) {
        case 0: self = .int(Int.random(in: .min ... .max, using: &random))
        case 1:
            self = .text(
                ["", "a", "é", "e\u{301}", "\r\n", "long text of some length"].randomElement(using: &random) ?? "")
        case 2: self = .date(Date(timeIntervalSinceReferenceDate: Double.random(in: -1e9...1e9, using: &random)))
        case 3: self = .data(Data((0..<count).map { UInt8($0) }))
        case 4: self = .nothing
        case 5: self = .list((0..<count).map { _ in AnyShape(depth: depth + 1, using: &random) })
        case 6:
            var pairs: [String: AnyShape] = [:]
            for index in 0..<count { pairs["k\(index)"] = AnyShape(depth: depth + 1, using: &random) }
            self = .pairs(pairs)
        case 7:
            var pairs: [Int: AnyShape?] = [:]
            for index in 0..<count {
                pairs[index] =
                    Bool.random(using: &random) ? .some(nil) : .some(AnyShape(depth: depth + 1, using: &random))
            }
            self = .numbered(pairs)
        case 8: self = .optional(Bool.random(using: &random) ? nil : AnyShape(depth: depth + 1, using: &random))
        default:
            self = .pair(
                first: AnyShape(depth: depth + 1, using: &random),
                second: Double.random(in: -1...1, using: &random))
        }
    }
}

@Suite("Random values of any shape come back as they were stored")
struct CodableRandomTests {
    @Test("opaque and nested", arguments: 1...20)
    func anyShape(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let value = AnyShape(depth: 0, using: &random)
            #expect(try roundTrip(value) == value, "seed \(seed)")
        }
    }

    @Test("typed, and alike after another round", arguments: 1...20)
    func typed(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            var value = Samples.Everything()
            value.set = [1]  // of several elements the order is not the set's to keep
            value.int = Int.random(in: .min ... .max, using: &random)
            value.double = Double(bitPattern: random.next())
            if value.double.isNaN { value.double = 0 }
            value.optional = Bool.random(using: &random) ? nil : Int.random(in: 0...9, using: &random)
            value.numbers = (0..<Int.random(in: 0...9, using: &random)).map { $0 % 3 == 0 ? nil : $0 }
            value.shapes = (0..<Int.random(in: 0...4, using: &random)).map {
                $0 % 2 == 0 ? .circle(radius: Double($0)) : .rectangle($0, -$0)
            }
            value.byName = Dictionary(
                uniqueKeysWithValues: (0..<Int.random(in: 0...9, using: &random)).map { ("\($0)", $0) })
            let back = try roundTrip(value)
            #expect(back == value, "seed \(seed)")
            #expect(try ValueEncoder.encode(back) == ValueEncoder.encode(value), "seed \(seed)")
        }
    }
}
