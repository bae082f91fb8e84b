import Foundation

/// Types as models have them for attributes, each hard in a way of its own.
enum Samples {
    struct Place: Codable, Hashable {
        var latitude: Double
        var longitude: Double
    }

    struct Address: Codable, Hashable {
        enum CodingKeys: String, CodingKey {
            case street
            case city = "town"
            case place, tags
        }

        var street: String
        var city: String?
        var place: Place?
        var tags: [String]
    }

    enum Colour: String, Codable, CaseIterable { case red, green, blue }

    /// An enum that is not `CaseIterable` and has no raw value of zero.
    enum Level: Int16, Codable { case low = 10, middle = 20, high = 30 }

    enum Shape: Codable, Hashable {
        case point
        case circle(radius: Double)
        case rectangle(Int, Int)
        case named(name: String, Place?)
        indirect case labelled(Label)

        struct Label: Codable, Hashable {
            var text: String
            var colour: Colour?
        }
    }

    enum Plain: Codable, Hashable { case one, two, three }

    enum Lone: Codable, Hashable { case only(Int) }

    struct Rights: OptionSet, Codable, Hashable {
        var rawValue: UInt8
        static let read = Rights(rawValue: 1)
        static let write = Rights(rawValue: 2)
    }

    /// A structure that encodes as a single value.
    struct Name: Codable, Hashable, RawRepresentable { var rawValue: String }

    struct Everything: Codable, Hashable {
        var bool = false
        var int8 = Int8.min
        var int16 = Int16.max
        var int32 = Int32.min
        var int64 = Int64.min
        var int = Int.max
        var uint8 = UInt8.max
        var uint16 = UInt16.max
        var uint32 = UInt32.max
        var uint64 = UInt64.max
        var uint = UInt.max
        var float: Float = 1.5
        var double = -0.1
        var decimal = Decimal(string: "12345678901234567890.0123456789") ?? 0
        var string = "é\u{0}👩‍👩‍👧\r\n"
        var date = Date(timeIntervalSinceReferenceDate: 123_456_789.000_1)
        var uuid = UUID()
        var url = URL(string: "https://example.org/a?b=c#d")
        var data = Data([0, 1, 255])
        var optional: Int?
        var twice: Int??
        var colour = Colour.green
        var level = Level.high
        var rights: Rights = [.read, .write]
        var name = Name(rawValue: "n")
        var shape = Shape.point
        var plain: Plain? = .two
        var lone = Lone.only(3)
        var address = Address(street: "s", city: nil, place: .init(latitude: 1, longitude: 2), tags: ["a"])
        var numbers: [Int?] = [1, nil, 3]
        var grid: [[Double]] = [[1], [], [2, 3]]
        var set: Set<Int> = [1, 2]
        var shapes: [Shape] = [.circle(radius: 2), .point]
        var byName: [String: Int] = ["a": 1]
        var byNumber: [Int: String?] = [-1: "x", 2: nil]
        var byIdentifier: [UUID: Place] = [UUID(): .init(latitude: 0, longitude: 0)]
        var byColour: [Colour: [Date]] = [.red: [Date(timeIntervalSinceReferenceDate: 0)]]
        var range = 1..<5
    }

    // MARK: Types that cannot be probed

    indirect enum Tree: Codable, Hashable {
        case leaf(Int)
        case node(left: Tree, right: Tree)
    }

    struct Folder: Codable, Hashable {
        var name: String
        var folders: [Folder] = []
    }

    struct Email: Codable, Hashable {
        struct NotAnAddress: Error {}

        var text: String

        init(text: String) { self.text = text }

        init(from decoder: any Decoder) throws {
            text = try decoder.singleValueContainer().decode(String.self)
            guard text.contains("@") else { throw NotAnAddress() }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }
    }

    struct Person: Codable, Hashable {
        var name: String
        var email: Email?
    }

    /// An enum that reads one of two members, as its kind says.
    enum Tagged: Codable, Hashable {
        enum Keys: String, CodingKey { case kind, number, text }

        case number(Int)
        case text(String)

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            self =
                try container.decode(Int.self, forKey: .kind) == 0
                ? .number(container.decode(Int.self, forKey: .number))
                : .text(container.decode(String.self, forKey: .text))
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            switch self {
            case .number(let number):
                try container.encode(0, forKey: .kind)
                try container.encode(number, forKey: .number)
            case .text(let text):
                try container.encode(1, forKey: .kind)
                try container.encode(text, forKey: .text)
            }
        }
    }

    /// A structure that writes elements of two types into one array.
    struct Mixed: Codable, Hashable {
        var number: Int
        var text: String

        init(number: Int, text: String) {
            self.number = number
            self.text = text
        }

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            number = try container.decode(Int.self)
            text = try container.decode(String.self)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try container.encode(number)
            try container.encode(text)
        }
    }

    class Animal: Codable {
        var legs: Int
        init(legs: Int) { self.legs = legs }
    }

    final class Bird: Animal {
        enum Keys: CodingKey { case wings }

        var wings: Int

        init(wings: Int) {
            self.wings = wings
            super.init(legs: 2)
        }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            wings = try container.decode(Int.self, forKey: .wings)
            try super.init(from: container.superDecoder())
        }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(wings, forKey: .wings)
            try super.encode(to: container.superEncoder())
        }
    }
}
