import Foundation
import LoamStorage
import Testing

@testable import Loam

/// Encodes a value, writes it as a record does, reads it back, and decodes it.
func roundTrip<T: Codable>(_ value: T) throws -> T {
    let form = CodableStorage.form(of: T.self)
    let stored = try CodableStorage.value(of: value)
    let bytes = try CompositeCodec.encode(stored, as: form.type)
    return try CodableStorage.read(T.self, stored: bytes.withUnsafeBytes { try CompositeCodec.decode($0.bytes) })
}

@Suite("Codable values come back as they were stored")
struct CodableRoundTripTests {
    @Test("a structure with a member of every kind")
    func everything() throws {
        #expect(!CodableStorage.form(of: Samples.Everything.self).isOpaque)
        var value = Samples.Everything()
        #expect(try roundTrip(value) == value)
        value.optional = 5
        value.twice = 6
        value.plain = nil
        value.url = nil
        value.shape = .named(name: "x", nil)
        value.set = []
        value.byNumber = [:]
        #expect(try roundTrip(value) == value)
        #expect(try roundTrip([value, value]) == [value, value])
        #expect(try roundTrip(["a": value]) == ["a": value])
        #expect(try roundTrip(Samples.Everything?.none) == nil)
        #expect(try roundTrip(Samples.Everything?.some(value)) == value)
    }

    @Test(
        "every case of an enum with payloads",
        arguments: [
            Samples.Shape.point, .circle(radius: .infinity), .rectangle(1, -2), .named(name: "", nil),
            .named(name: "n", .init(latitude: 1, longitude: 2)), .labelled(.init(text: "t", colour: .blue)),
        ])
    func payloads(_ shape: Samples.Shape) throws {
        #expect(try roundTrip(shape) == shape)
        #expect(try roundTrip([shape]) == [shape])
    }

    @Test("an enum's payload is stored as one member per case")
    func nesting() throws {
        #expect(
            try ValueEncoder.encode(Samples.Shape.circle(radius: 2))
                == .structure(["circle": .structure(["radius": .double(2)])]))
        #expect(
            try ValueEncoder.encode(Samples.Shape.rectangle(1, 2))
                == .structure(["rectangle": .structure(["_0": .int(1), "_1": .int(2)])]))
        #expect(try ValueEncoder.encode(Samples.Plain.two) == .structure(["two": .structure([:])]))
    }

    @Test("values with a case of their own do not pass through their own Codable")
    func scalars() throws {
        let date = Date(timeIntervalSinceReferenceDate: 1)
        let uuid = UUID()
        #expect(try ValueEncoder.encode([date]) == .array([.date(date)]))
        #expect(try ValueEncoder.encode(["a": uuid]) == .dictionary([.string("a"): .uuid(uuid)]))
        #expect(try ValueEncoder.encode([Decimal(1)]) == .array([.decimal(1)]))
        #expect(try ValueEncoder.encode(Data([1])) == .data(Data([1])))
        #expect(try ValueEncoder.encode([1: 2.5]) == .dictionary([.int(1): .double(2.5)]))
        #expect(try ValueEncoder.encode([UInt8(1)]) == .array([.uint(1)]))
        #expect(try ValueEncoder.encode(Samples.Level.high) == .int(30))
        #expect(try ValueEncoder.encode(Samples.Name(rawValue: "n")) == .string("n"))
    }

    @Test("nil members are left out, and nested optionals are one")
    func optionals() throws {
        let address = Samples.Address(street: "s", city: nil, place: nil, tags: [])
        #expect(try ValueEncoder.encode(address) == .structure(["street": .string("s"), "tags": .array([])]))
        #expect(try roundTrip(Int??.some(.some(3))) == 3)
        #expect(try ValueEncoder.encode(Int??.some(.none)) == .null)
        #expect(try ValueDecoder.decode(Int??.self, from: .null) == Int??.none)
        #expect(try roundTrip([Int?.none, 1]) == [nil, 1])
    }

    @Test("types that cannot be probed")
    func opaque() throws {
        let tree = Samples.Tree.node(left: .leaf(1), right: .node(left: .leaf(2), right: .leaf(3)))
        let folder = Samples.Folder(name: "a", folders: [.init(name: "b"), .init(name: "c")])
        let person = Samples.Person(name: "n", email: .init(text: "a@b"))
        #expect(try roundTrip(tree) == tree)
        #expect(try roundTrip(folder) == folder)
        #expect(try roundTrip(person) == person)
        #expect(try roundTrip(person.email) == person.email)
        #expect(try roundTrip(Samples.Email?.none) == nil)
        #expect(try roundTrip([Samples.Tagged.number(1), .text("x")]) == [.number(1), .text("x")])
        #expect(try roundTrip(Samples.Mixed(number: 1, text: "t")) == .init(number: 1, text: "t"))
        #expect(try roundTrip([Int?.none: 1, 2: 3]) == [nil: 1, 2: 3])
    }

    @Test("a class and its superclass")
    func superclass() throws {
        let bird = try roundTrip(Samples.Bird(wings: 3))
        #expect(bird.wings == 3)
        #expect(bird.legs == 2)
        #expect(!CodableStorage.form(of: Samples.Bird.self).isOpaque)
    }

    @Test("Foundation's own structures")
    func foundation() throws {
        var components = DateComponents()
        components.year = 2020
        #expect(try roundTrip(components) == components)
        #expect(try roundTrip(IndexSet(3..<7)) == IndexSet(3..<7))
        #expect(try roundTrip(Locale(identifier: "de_CH")) == Locale(identifier: "de_CH"))
        #expect(try roundTrip(1...3) == 1...3)
        let length = Measurement(value: 2, unit: UnitLength.meters)
        #expect(try roundTrip(length) == length)
    }

    @Test("values nested too deeply are refused")
    func depth() throws {
        var folder = Samples.Folder(name: "innermost")
        for _ in 0..<31 { folder = .init(name: "f", folders: [folder]) }
        #expect(try roundTrip(folder) == folder)
        for _ in 0..<500 { folder = .init(name: "f", folders: [folder]) }
        #expect(throws: EncodingError.self) { try CodableStorage.value(of: folder) }
        var value = Value.structure(["name": .string("innermost"), "folders": .array([])])
        for _ in 0..<500 { value = .structure(["name": .string("f"), "folders": .array([value])]) }
        #expect(throws: DecodingError.self) { try ValueDecoder.decode(Samples.Folder.self, from: value) }
    }

    @Test("two keys that are stored alike are refused")
    func keys() {
        #expect(throws: EncodingError.self) { try ValueEncoder.encode([Double.nan: 1, -Double.nan: 2]) }
    }
}
