import Foundation
import LoamStorage
import SeededRandom
import Testing

@testable import Loam

@Suite("Stored values of another shape throw")
struct CodableDamageTests {
    @Test("errors name the path, and never come from a trap")
    func errors() throws {
        let stored = Value.array([.structure(["latitude": .double(1), "longitude": .string("x")])])
        do {
            _ = try ValueDecoder.decode([Samples.Place].self, from: stored)
            Issue.record("it was decoded")
        } catch DecodingError.typeMismatch(_, let context) {
            #expect(context.codingPath.map(\.stringValue) == ["Index 0", "longitude"])
        }
        #expect(throws: DecodingError.self) { try ValueDecoder.decode(Samples.Place.self, from: .structure([:])) }
        #expect(throws: DecodingError.self) { try ValueDecoder.decode(Samples.Colour.self, from: .string("pink")) }
        #expect(throws: DecodingError.self) { try ValueDecoder.decode(Samples.Shape.self, from: .structure([:])) }
        #expect(throws: DecodingError.self) { try ValueDecoder.decode(Range<Int>.self, from: .array([.int(1)])) }
        #expect(throws: DecodingError.self) { try ValueDecoder.decode(String.self, from: .null) }
    }

    @Test("integers are checked against the type's range, whatever sign they are stored with")
    func integers() throws {
        #expect(try ValueDecoder.decode(UInt8.self, from: .int(255)) == 255)
        #expect(try ValueDecoder.decode(Int64.self, from: .uint(5)) == 5)
        #expect(throws: DecodingError.self) { try ValueDecoder.decode(UInt8.self, from: .int(256)) }
        #expect(throws: DecodingError.self) { try ValueDecoder.decode(UInt8.self, from: .int(-1)) }
        #expect(throws: DecodingError.self) { try ValueDecoder.decode(Int.self, from: .uint(.max)) }
        #expect(throws: DecodingError.self) { try ValueDecoder.decode(Int.self, from: .double(1)) }
        #expect(throws: DecodingError.self) { try ValueDecoder.decode(Double.self, from: .int(1)) }
        #expect(throws: DecodingError.self) { try ValueDecoder.decode(Double.self, from: .float(1)) }
        #expect(throws: DecodingError.self) { try ValueDecoder.decode(Bool.self, from: .int(1)) }
    }

    @Test("opaque values whose bytes are damaged throw")
    func opaque() throws {
        let stored = try CodableStorage.value(of: Samples.Folder(name: "a", folders: [.init(name: "b")]))
        guard case .data(let bytes) = stored else {
            Issue.record("it is not opaque")
            return
        }
        for length in 0..<bytes.count {
            #expect(throws: (any Error).self) {
                try CodableStorage.read(Samples.Folder.self, stored: .data(bytes.prefix(length)))
            }
        }
        #expect(throws: DecodingError.self) { try CodableStorage.read(Samples.Folder.self, stored: .string("")) }
    }

    @Test("values with random parts exchanged are decoded or throw", arguments: 1...20)
    func exchanged(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var refused = 0
        for _ in 0..<200 {
            var stored = try ValueEncoder.encode(Samples.Everything())
            for _ in 0..<Int.random(in: 1...3, using: &random) { stored = Self.damaged(stored, &random) }
            do {
                let value = try ValueDecoder.decode(Samples.Everything.self, from: stored)
                #expect(try roundTrip(value) == value)
            } catch is DecodingError {
                refused += 1
            }
        }
        #expect(refused > 0)
    }

    /// The value with one random part replaced, removed or doubled.
    private static func damaged(_ value: Value, _ random: inout SeededGenerator) -> Value {
        if Int.random(in: 0..<6, using: &random) == 0 { return replacement(&random) }
        switch value {
        case .structure(var members):
            guard let name = members.keys.sorted().randomElement(using: &random), let member = members[name] else {
                return replacement(&random)
            }
            members[name] = Bool.random(using: &random) ? damaged(member, &random) : nil
            return .structure(members)
        case .array(var elements):
            guard let index = elements.indices.randomElement(using: &random) else { return .array([.null]) }
            elements[index] = damaged(elements[index], &random)
            return .array(Bool.random(using: &random) ? elements : elements + elements)
        case .dictionary(var pairs):
            pairs[replacement(&random)] = replacement(&random)
            return .dictionary(pairs)
        default: return replacement(&random)
        }
    }

    private static func replacement(_ random: inout SeededGenerator) -> Value {
        let choices: [Value] = [
            .null, .bool(true), .int(.min), .int(3), .uint(.max), .float(1), .double(-0.0), .decimal(7), .string(""),
            .string("green"), .date(Date(timeIntervalSinceReferenceDate: .infinity)), .data(Data()), .array([]),
            .array([.int(2), .int(1)]), .dictionary([:]), .structure([:]),
            .structure(["circle": .structure([:]), "point": .structure([:])]),
        ]
        return choices.randomElement(using: &random) ?? .null
    }
}
