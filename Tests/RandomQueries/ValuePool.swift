package import Foundation
package import LoamStorage
package import SeededRandom

/// Small pools of values with what is hard about each type, so that random rows and random constants often meet.
package enum ValuePool {
    package static let strings: [String] = [
        "", "a", "A", "ab", "abc", "ABC", "b", "é", "e\u{301}", "E\u{301}", "É", "école", "e\u{301}cole", "ECOLE",
        "Straße", "STRASSE",
        "straße", "ﬁn", "fin", "İstanbul", "istanbul", "\u{212B}ngström", "Ångström", "a\u{0}b", "a\u{1}", "a\r\nb",
        "a\nb", "z", "日本", "가", "\u{1100}\u{1161}",
        "🇵🇪", "👩‍👩‍👧", "a*b", "a?b", "a\\b", "it's", "\u{1F1E6}", "cafe", "cafe\u{20DD}", String(repeating: "x", count: 120),
        String(repeating: "long ", count: 100) + "a", String(repeating: "long ", count: 100) + "b",
        String(repeating: "long ", count: 100), String(repeating: "é", count: 300) + "1",
        String(repeating: "é", count: 300) + "2",
        String(repeating: "e\u{301}", count: 300) + "1", String(repeating: "y", count: 600),
    ]
    /// Strings that are too long for a record and are kept in chunks of their own.
    package static let hugeStrings = [
        String(repeating: "w", count: 20_000), "u" + String(repeating: "ü", count: 9_000),
    ]
    package static let doubles: [Double] = [
        0, -0.0, 1, -1, 1.5, 2, 5, .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
        .leastNonzeroMagnitude,
        0.1, 1e300, 9_007_199_254_740_992, 9_007_199_254_740_994, 127, -128, 1e19, 18_446_744_073_709_551_616,
    ]
    package static let integers: [Int64] = [
        0, 1, -1, 2, 3, 5, 127, -128, 128, .max, .min, .max - 1, 9_007_199_254_740_993, 1000,
    ]
    package static let unsigned: [UInt64] = [
        0, 1, 2, 3, 5, 255, .max, .max - 1, UInt64(Int64.max) + 1, 9_007_199_254_740_993,
    ]
    package static let decimals: [Decimal] = [
        "0", "1", "1.5", "-1", "0.1", "100", "1e30", "-1e-30", "9007199254740993", "12345678901234567890.123456789",
        "2", "5",
    ].compactMap { Decimal(string: $0) }

    package static func value(of type: ValueType, _ generator: inout SeededGenerator) -> Value {
        switch type {
        case .bool: .bool(.random(using: &generator))
        case .int8: .int(pick([0, 1, 2, 3, 5, -1, 127, -128], &generator))
        case .int32: .int(pick([0, 1, 2, 3, 5, -1, Int64(Int32.max)], &generator))
        case .float:
            .float(pick([0, -0.0, 1, 1.5, 0.1, .nan, .infinity, -.infinity, .greatestFiniteMagnitude, 5], &generator))
        case .double: .double(pick(doubles, &generator))
        case .decimal: .decimal(pick(decimals, &generator))
        case .string: .string(pick(strings, &generator))
        case .date:
            .date(Date(timeIntervalSinceReferenceDate: pick([0, 1, 0.25, 86400, -1, 1e9, .nan, -0.0], &generator)))
        case .uuid:
            .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, pick([0, 1, 127, 255], &generator))))
        case .url:
            URL(
                string: pick(
                    ["https://a.b/c", "https://a.b/d", "https://é.b", "x:" + String(repeating: "p", count: 600)],
                    &generator)
            ).map(Value.url) ?? .null
        case .data:
            .data(Data(pick([[], [0], [0, 0], [1], [1, 2], [255], Array(repeating: 7, count: 700)], &generator)))
        case .array:
            .array((0..<Int.random(in: 0...3, using: &generator)).map { _ in .string(pick(strings, &generator)) })
        case .structure(let members):
            .structure(
                Dictionary(
                    uniqueKeysWithValues: members.compactMap { member in
                        let isAbsent = member.isOptional && Bool.random(using: &generator)
                        return isAbsent ? nil : (member.name, value(of: member.type, &generator))
                    }))
        case _ where type.isUnsignedInteger: .uint(pick(unsigned, &generator))
        default: .int(pick(integers, &generator))
        }
    }

    package static func pick<Element>(_ values: [Element], _ generator: inout SeededGenerator) -> Element {
        values[Int.random(in: 0..<values.count, using: &generator)]
    }
}
