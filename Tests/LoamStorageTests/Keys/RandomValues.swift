import Foundation
import LoamStorage
import SeededRandom

let orderedTypes: [ValueType] = [
    .bool, .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .float, .double, .decimal, .string, .date,
    .uuid, .url, .data,
]

/// Values at the edges of their types: extremes, near neighbours, duplicates, every special number.
enum RandomValues {
    static func value(_ type: ValueType, using random: inout SeededGenerator) -> Value {
        switch type {
        case .bool: .bool(.random(using: &random))
        case .int8: .int(Int64(integer(Int8.self, using: &random)))
        case .int16: .int(Int64(integer(Int16.self, using: &random)))
        case .int32: .int(Int64(integer(Int32.self, using: &random)))
        case .int64: .int(integer(Int64.self, using: &random))
        case .uint8: .uint(UInt64(integer(UInt8.self, using: &random)))
        case .uint16: .uint(UInt64(integer(UInt16.self, using: &random)))
        case .uint32: .uint(UInt64(integer(UInt32.self, using: &random)))
        case .uint64: .uint(integer(UInt64.self, using: &random))
        case .float: .float(Float(double(using: &random)))
        case .double: .double(double(using: &random))
        case .date: .date(Date(timeIntervalSinceReferenceDate: double(using: &random)))
        case .decimal: .decimal(decimal(using: &random))
        case .string: .string(string(using: &random))
        case .uuid: .uuid(uuid(using: &random))
        case .url: .url(url(using: &random))
        case .data: .data(Data(bytes(using: &random)))
        case .array, .dictionary, .structure: .null
        }
    }

    static func integer<I: FixedWidthInteger>(_ type: I.Type, using random: inout SeededGenerator) -> I {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: [I.min, I.min + 1, 0, 1, I.max - 1, I.max].randomElement(using: &random) ?? 0
        case 1: I(truncatingIfNeeded: Int.random(in: -3...3, using: &random))
        default: I.random(in: .min ... .max, using: &random)
        }
    }

    static func double(using random: inout SeededGenerator) -> Double {
        let special: [Double] = [
            0, -0.0, 1, -1, .infinity, -.infinity, .nan, -.nan, .signalingNaN, .leastNonzeroMagnitude,
            -.leastNonzeroMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 9_007_199_254_740_992, 0.1,
        ]
        return switch Int.random(in: 0..<4, using: &random) {
        case 0: special.randomElement(using: &random) ?? 0
        case 1: Double(Int.random(in: -20...20, using: &random)) / 4
        default: Double(bitPattern: .random(in: 0 ... .max, using: &random))
        }
    }

    static func decimal(using random: inout SeededGenerator) -> Decimal {
        let special: [Decimal] = [
            0, 1, -1, .nan, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
            -.leastNonzeroMagnitude,
        ]
        if Int.random(in: 0..<4, using: &random) == 0 { return special.randomElement(using: &random) ?? 0 }
        let wide = Bool.random(using: &random)
        let digits = (0..<Int.random(in: 1...(wide ? 38 : 3), using: &random)).map { _ in
            "\(Int.random(in: 0...9, using: &random))"
        }
        let sign = Bool.random(using: &random) ? "-" : ""
        let exponent = Int.random(in: wide ? -90...80 : -3...3, using: &random)
        return Decimal(string: "\(sign)\(digits.joined())e\(exponent)") ?? 0
    }

    private static let letters = [
        "a", "b", "A", "B", "z", "0", "9", "10", "\0", "\u{1}", "\u{2}", "\r", "\n", "\r\n", " ", "é", "e\u{301}",
        "É", "\u{301}", "\u{323}", "ß", "ſ", "İ", "ı", "\u{212A}", "K", "ø", "ñ", "한", "日", "ﬁ", "Ω", "\u{2126}",
        "\u{1112}\u{1161}\u{11AB}", "👩\u{200D}👩\u{200D}👧", "🇫🇷", "α\u{345}", "ᾳ", "\u{10FFFF}", "\u{E000}",
        "\u{378}",
    ]

    static func string(using random: inout SeededGenerator) -> String {
        let long = Int.random(in: 0..<8, using: &random) == 0 ? String(repeating: "p", count: 500) : ""
        return long
            + (0..<Int.random(in: 0...6, using: &random)).map { _ in letters.randomElement(using: &random) ?? "" }
            .joined()
    }

    static func bytes(using random: inout SeededGenerator) -> [UInt8] {
        let count = Int.random(in: 0..<8, using: &random) == 0 ? 500 : Int.random(in: 0...5, using: &random)
        return (0..<count).map { _ in
            Bool.random(using: &random) ? .random(in: 0...2, using: &random) : .random(in: 0...255, using: &random)
        }
    }

    static func uuid(using random: inout SeededGenerator) -> UUID {
        var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        bytes.0 = .random(in: 0...3, using: &random)
        bytes.15 = .random(in: 0...255, using: &random)
        return UUID(uuid: bytes)
    }

    static func url(using random: inout SeededGenerator) -> URL {
        let path = (0..<Int.random(in: 0...4, using: &random)).map { _ in
            ["a", "b", "/", "%20", "x"].randomElement(using: &random) ?? ""
        }
        return URL(string: "https://example.com/" + path.joined()) ?? URL(filePath: "/")
    }
}

/// The order of two values of one type as keys have it, computed without keys; nil comes first.
func keyOrder(_ left: Value, _ right: Value, form: StringForm = .exact) -> Int {
    func order<T: Comparable>(_ left: T, _ right: T) -> Int { left < right ? -1 : left > right ? 1 : 0 }
    func numbers(_ left: Double, _ right: Double) -> Int {
        left.isNaN || right.isNaN ? order(left.isNaN ? 1 : 0, right.isNaN ? 1 : 0) : order(left, right)
    }
    func bytes(_ left: [UInt8], _ right: [UInt8]) -> Int {
        left.lexicographicallyPrecedes(right) ? -1 : right.lexicographicallyPrecedes(left) ? 1 : 0
    }
    switch (left, right) {
    case (.null, .null): return 0
    case (.null, _): return -1
    case (_, .null): return 1
    case (.bool(let left), .bool(let right)): return order(left ? 1 : 0, right ? 1 : 0)
    case (.int(let left), .int(let right)): return order(left, right)
    case (.uint(let left), .uint(let right)): return order(left, right)
    case (.float(let left), .float(let right)): return numbers(Double(left), Double(right))
    case (.double(let left), .double(let right)): return numbers(left, right)
    case (.date(let left), .date(let right)): return numbers(left.seconds, right.seconds)
    case (.decimal(let left), .decimal(let right)):
        return left.isNaN || right.isNaN ? order(left.isNaN ? 1 : 0, right.isNaN ? 1 : 0) : order(left, right)
    case (.string(let left), .string(let right)):
        return bytes(StringForms.bytes(of: left, form: form), StringForms.bytes(of: right, form: form))
    case (.url(let left), .url(let right)):
        return bytes(Array(left.absoluteString.utf8), Array(right.absoluteString.utf8))
    case (.data(let left), .data(let right)): return bytes(Array(left), Array(right))
    case (.uuid(let left), .uuid(let right)):
        return withUnsafeBytes(of: left.uuid) { left in
            withUnsafeBytes(of: right.uuid) { right in bytes(Array(left), Array(right)) }
        }
    default: return 0
    }
}
