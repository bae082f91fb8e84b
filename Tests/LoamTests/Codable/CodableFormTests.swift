import Foundation
import LoamStorage
import Testing

@testable import Loam

@Suite("The stored type of a Codable type is found without an instance")
struct CodableFormTests {
    private func type<T: Codable>(_ type: T.Type) -> ValueType? {
        let form = CodableStorage.form(of: type)
        return form.isOpaque ? nil : form.type
    }

    private let place = ValueType.structure([
        .init(name: "latitude", type: .double), .init(name: "longitude", type: .double),
    ])

    @Test("structures, by the names of their keys")
    func structures() {
        #expect(type(Samples.Place.self) == place)
        #expect(
            type(Samples.Address.self)
                == .structure([
                    .init(name: "street", type: .string), .init(name: "town", type: .string, isOptional: true),
                    .init(name: "place", type: place, isOptional: true),
                    .init(name: "tags", type: .array(of: .string, optional: false)),
                ]))
        #expect(
            type(Samples.Bird.self)
                == .structure([
                    .init(name: "wings", type: .int64),
                    .init(name: "super", type: .structure([.init(name: "legs", type: .int64)])),
                ]))
    }

    @Test("collections")
    func collections() {
        #expect(type([Int?].self) == .array(of: .int64, optional: true))
        #expect(type(Set<UInt8>.self) == .array(of: .uint8, optional: false))
        #expect(type([String: Double?].self) == .dictionary(key: .string, value: .double, optional: true))
        #expect(
            type([Int: [Date]].self)
                == .dictionary(key: .int64, value: .array(of: .date, optional: false), optional: false))
        #expect(
            type([Samples.Colour: Samples.Place].self)
                == .dictionary(key: .string, value: place, optional: false))
        #expect(type(Range<Int32>.self) == .array(of: .int32, optional: false))
    }

    @Test("enums with raw values, option sets and wrappers")
    func rawValues() {
        #expect(type(Samples.Colour.self) == .string)
        #expect(type(Samples.Level.self) == .int16)
        #expect(type(Samples.Rights.self) == .uint8)
        #expect(type(Samples.Name.self) == .string)
        #expect(type(Samples.Level??.self) == .int16)
        #expect(CodableStorage.form(of: Optional<Samples.Level>.self).isOptional)
    }

    @Test("enums with payloads, one optional member per case")
    func payloads() {
        let label = ValueType.structure([
            .init(name: "text", type: .string), .init(name: "colour", type: .string, isOptional: true),
        ])
        #expect(
            type(Samples.Shape.self)
                == .structure([
                    .init(name: "point", type: .structure([]), isOptional: true),
                    .init(
                        name: "circle", type: .structure([.init(name: "radius", type: .double)]), isOptional: true),
                    .init(
                        name: "rectangle",
                        type: .structure([.init(name: "_0", type: .int64), .init(name: "_1", type: .int64)]),
                        isOptional: true),
                    .init(
                        name: "named",
                        type: .structure([
                            .init(name: "name", type: .string), .init(name: "_1", type: place, isOptional: true),
                        ]), isOptional: true),
                    .init(
                        name: "labelled", type: .structure([.init(name: "_0", type: label)]), isOptional: true),
                ]))
        #expect(
            type(Samples.Lone.self)
                == .structure([
                    .init(name: "only", type: .structure([.init(name: "_0", type: .int64)]), isOptional: true)
                ]))
    }

    @Test("what cannot be probed is data as a whole")
    func opaque() {
        #expect(type(Samples.Tree.self) == nil)
        #expect(type(Samples.Folder.self) == nil)
        #expect(type(Samples.Email.self) == nil)
        #expect(type(Samples.Person.self) == nil)
        #expect(type([Samples.Tagged].self) == nil)
        #expect(type(Samples.Mixed.self) == nil)
        #expect(type([Int?: Int].self) == nil)
        #expect(CodableStorage.form(of: Optional<Samples.Email>.self).isOptional)
        #expect(CodableStorage.form(of: Samples.Tree.self).type == .data)
    }

    @Test("default values are stored in the same form")
    func defaults() throws {
        let email = Samples.Email(text: "a@b")
        #expect(try AttributeStorage.initialValue(email, of: Samples.Email.self) == CodableStorage.value(of: email))
        #expect(AttributeStorage.initialValue(Samples.Level.high, of: Samples.Level.self) == .int(30))
        #expect(AttributeStorage.initialValue(nil, of: Samples.Level.self) == .int(10))
        #expect(AttributeStorage.initialValue(nil, of: Optional<Samples.Email>.self) == .null)
        #expect(AttributeStorage.initialValue([1: "a"], of: [Int: String].self) == .dictionary([.int(1): .string("a")]))
    }

    @Test("cases made by number are the cases of the enum")
    func cases() {
        #expect(EnumCases.all(Samples.Colour.self) == Samples.Colour.allCases)
        #expect(EnumCases.all(Samples.Plain.self) == [.one, .two, .three])
        #expect(EnumCases.all(Samples.Shape.self) == nil)
        #expect(EnumCases.all(Int.self) == nil)
        #expect(EnumCases.all(Bool?.self) == nil)
        #expect(EnumCases(Never.self)?.isEmpty == true)
        #expect(EnumCases(Samples.Shape.self)?.withPayload == 4)
    }
}
