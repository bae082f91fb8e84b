import Foundation
import Testing

@testable import Loam

@Suite("Every attribute type has a value to read where no row is")
struct ZeroValueTests {
    @Test("scalars, optionals and collections")
    func plain() {
        #expect(ZeroValue.make(Int.self) == 0)
        #expect(ZeroValue.make(Bool.self) == false)
        #expect(ZeroValue.make(String.self) == "")
        #expect(ZeroValue.make(Date.self) == Date(timeIntervalSinceReferenceDate: 0))
        #expect(ZeroValue.make(Decimal.self) == 0)
        #expect(ZeroValue.make(URL.self) != nil)
        #expect(ZeroValue.make(Int?.self) == .some(nil))
        #expect(ZeroValue.make(Samples.Email?.self) == .some(nil))
        #expect(ZeroValue.make([Samples.Email].self) == [])
        #expect(ZeroValue.make([Int: Samples.Email].self) == [:])
        #expect(ZeroValue.make(Set<String>.self) == [])
        #expect(ZeroValue.of(String.self) as? String == "")
        #expect(ZeroValue.of(Never.self) == nil)
    }

    @Test("enums")
    func enums() {
        #expect(ZeroValue.make(Samples.Colour.self) == .red)
        #expect(ZeroValue.make(Samples.Level.self) == .low)
        #expect(ZeroValue.make(Samples.Plain.self) == .one)
        #expect(ZeroValue.make(Samples.Lone.self) == .only(0))
        #expect(ZeroValue.make(Samples.Shape.self) == .point)
        #expect(ZeroValue.make(Samples.Tree.self) == .leaf(0))
        #expect(ZeroValue.make(Samples.Rights.self) == [])
        #expect(ZeroValue.make(Never.self) == nil)
    }

    @Test("structures and classes")
    func structures() {
        #expect(ZeroValue.make(Samples.Place.self) == .init(latitude: 0, longitude: 0))
        #expect(ZeroValue.make(Samples.Address.self) == .init(street: "", city: nil, place: nil, tags: []))
        #expect(ZeroValue.make(Samples.Folder.self) == .init(name: ""))
        #expect(ZeroValue.make(Samples.Person.self) == .init(name: "", email: nil))
        #expect(ZeroValue.make(Samples.Bird.self)?.wings == 0)
        let everything = ZeroValue.make(Samples.Everything.self)
        #expect(everything?.numbers == [])
        #expect(everything?.colour == .red)
        #expect(everything?.range == 0..<0)
        #expect(everything?.optional == nil)
    }

    @Test("a type that refuses zero values has none")
    func refused() {
        #expect(ZeroValue.make(Samples.Email.self) == nil)
        final class Closed {}
        #expect(ZeroValue.make(Closed.self) == nil)
    }
}
