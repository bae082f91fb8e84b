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

    @Test("a structure that refuses zero values has one that is made of its members")
    func refusedByStructures() {
        #expect(ZeroValue.make(Refusing.Code.self) == nil)
        let code = ZeroValue.makeAny(Refusing.Code.self)
        #expect(code?.text == "")
        #expect(code?.numbers == [])
        #expect(code?.flag == false)
        #expect(code?.note == nil)
        #expect(code?.email.text == "")
        #expect(code?.names == [:])
        #expect(
            ZeroValue.makeAny(Refusing.Contact.self)
                == .email(ZeroValue.makeAny(Samples.Email.self) ?? .init(text: "-")))
        #expect(ZeroValue.makeAny(Refusing.Box<Samples.Email>.self)?.value.text == "")
        #expect(ZeroValue.makeAny(Int.self) == 0)
        #expect(ZeroValue.makeAny(Samples.Person.self) == .init(name: "", email: nil))
    }

    @Test("an enum that refuses zero values has one of its cases")
    func refusedByEnums() {
        #expect(ZeroValue.make(Refusing.Part.self) == nil)
        #expect(ZeroValue.makeAny(Refusing.Part.self) == .text(""))
        #expect(ZeroValue.makeAny(Refusing.Choice.self) == .some(.unknown))
        #expect(ZeroValue.makeAny(Refusing.Pair.self) == .pair("", 0))
        #expect(ZeroValue.makeAny(Refusing.Either<Refusing.Ticket, [Int]>.self) == .right([]))
        #expect(ZeroValue.makeAny(Refusing.Either<Refusing.Part, Int>.self) == .left(.text("")))
        #expect(ZeroValue.makeAny(Refusing.Either<Refusing.Ticket, Refusing.Ticket>.self) == nil)
        #expect(ZeroValue.makeAny(Refusing.Chain.self) == nil)
        #expect(ZeroValue.makeAny(Refusing.Box<Refusing.Part>.self)?.value == .text(""))
    }

    @Test("a character that is made of nothing can be used")
    func characters() {
        #expect(ZeroValue.makeAny(Refusing.Initial.self)?.letter.isWhitespace == true)
        #expect(ZeroValue.makeAny(Refusing.Initial.self)?.letter.unicodeScalars.count == 1)
    }

    @Test("where there is no value, there is none")
    func refusedByAll() {
        #expect(ZeroValue.makeAny(Never.self) == nil)
        #expect(ZeroValue.makeAny(Refusing.Ticket.self) == nil)
        #expect(ZeroValue.makeAny(Refusing.Box<Refusing.Ticket>.self) == nil)
    }

    @Test("a row that never was reads as empty members or defaults, whatever its types refuse")
    func neverARow() throws {
        let container = try memoryContainer(Guarded.self)
        let context = ModelContext(container)
        let guarded = Guarded()
        context.insert(guarded)
        try context.save()
        let id = guarded.persistentModelID
        context.delete(guarded)
        try context.save()
        let late = try #require(ModelContext(container).model(for: id) as? Guarded)
        #expect(late.email.text == "")
        #expect(late.other.text == "a@b")
        #expect(late.contact == .email(late.email))
        #expect(late.missing == nil)
        #expect(late.ticket.number == 1)
    }

    @Test("a property without any value to give is refused when the container opens")
    func refusedProperty() throws {
        #expect(throws: SwiftDataError.loadIssueModelContainer) { try memoryContainer(Unreadable.self) }
    }

    @Test("a type that refuses zero values has none")
    func refused() {
        #expect(ZeroValue.make(Samples.Email.self) == nil)
        final class Closed {}
        #expect(ZeroValue.make(Closed.self) == nil)
    }
}

/// Types that refuse zero values.
private enum Refusing {
    struct Refused: Error {}

    struct Code: Codable {
        var flag: Bool
        var text: String
        var numbers: [Int]
        var note: String?
        var email: Samples.Email
        var names: [String: Int]

        init(from decoder: any Decoder) throws { throw Refused() }
    }

    struct Initial: Codable {
        var letter: Character

        init(from decoder: any Decoder) throws { throw Refused() }
        func encode(to encoder: any Encoder) throws {}
    }

    enum Part: Codable, Hashable {
        case text(String)
        case image([Int])

        init(from decoder: any Decoder) throws { throw Refused() }
        func encode(to encoder: any Encoder) throws {}
    }

    enum Choice: Codable, Hashable {
        case text(String)
        case unknown
        case last

        init(from decoder: any Decoder) throws { throw Refused() }
        func encode(to encoder: any Encoder) throws {}
    }

    enum Pair: Codable, Hashable {
        case pair(String, Int8)

        init(from decoder: any Decoder) throws { throw Refused() }
        func encode(to encoder: any Encoder) throws {}
    }

    enum Either<Left: Codable & Hashable, Right: Codable & Hashable>: Codable, Hashable {
        case left(Left)
        case right(Right)

        init(from decoder: any Decoder) throws { throw Refused() }
        func encode(to encoder: any Encoder) throws {}
    }

    indirect enum Chain: Codable, Hashable {
        case link(String, Chain)
        case end(String)

        init(from decoder: any Decoder) throws { throw Refused() }
        func encode(to encoder: any Encoder) throws {}
    }

    enum Contact: Codable, Hashable {
        case email(Samples.Email)
        case other(Samples.Email, Int)
    }

    struct Box<Value: Codable>: Codable {
        var count: Int8
        var value: Value

        init(from decoder: any Decoder) throws { throw Refused() }
    }

    final class Ticket: Codable, Hashable {
        let number: Int

        init(_ number: Int) { self.number = number }

        init(from decoder: any Decoder) throws {
            number = try decoder.singleValueContainer().decode(Int.self)
            if number == 0 { throw Refused() }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(number)
        }

        static func == (left: Ticket, right: Ticket) -> Bool { left.number == right.number }
        func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }
}

@Model private final class Guarded {
    var email: Samples.Email
    var other = Samples.Email(text: "a@b")
    var contact: Refusing.Contact
    var missing: Refusing.Ticket?
    var ticket = Refusing.Ticket(1)

    init() {
        email = Samples.Email(text: "x@y")
        contact = .other(Samples.Email(text: "x@y"), 1)
    }
}

@Model private final class Unreadable {
    var ticket: Refusing.Ticket

    init(_ ticket: Refusing.Ticket) { self.ticket = ticket }
}
