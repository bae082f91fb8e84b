import Foundation
import LoamStorage
import RandomQueries
import Testing

@testable import LoamQuery

@Suite struct MeaningTests {
    private func holds(_ format: String, _ row: [String: Value], _ arguments: [Value] = []) throws -> Bool {
        let predicate = try TypeChecker(entity: SampleEntity.entity).check(
            PredicateParser.parse(format, arguments: arguments))
        return try predicate.holds(rowID: 7, values: SampleEntity.row(row))
    }

    @Test func nilEqualsOnlyNil() throws {
        for format in [
            "size != 5", "NOT size == 5", "size == nil", "nil == size", "NOT size < 5", "NOT size >= 5",
            "size IN {nil}", "size IN {1, nil}",
            "NOT size IN {1}", "NOT note BEGINSWITH 'x'", "NOT size BETWEEN {1, 2}", "size + 1 == nil", "size + 1 != 5",
            "size == price",
            "address.city == nil", "address == nil", "NOT note CONTAINS nil",
        ] { #expect(try holds(format, [:]), "\(format)") }
        for format in [
            "size == 5", "size < 5", "size <= nil", "size >= nil", "size BETWEEN {nil, nil}", "size IN {1}",
            "size IN {}", "note CONTAINS ''",
            "note LIKE '*'", "note MATCHES '.*'", "'x' IN tags", "nil IN tags", "size != nil", "note BEGINSWITH note",
            "NOT size IN {nil}",
        ] { #expect(try !holds(format, [:]), "\(format)") }
    }

    @Test func notANumberEqualsNothing() throws {
        let row: [String: Value] = ["size": .double(.nan)]
        for format in [
            "size != 5", "size != size", "NOT size == size", "NOT size < 5", "NOT size >= 5", "NOT size IN {1}",
            "size != CAST('nan','double')",
        ] {
            #expect(try holds(format, row), "\(format)")
        }
        for format in [
            "size == size", "size == CAST('nan','double')", "size < 5", "size > 5", "size IN {CAST('nan','double')}",
            "size BETWEEN {CAST('-inf','double'), CAST('inf','double')}", "size == nil",
        ] {
            #expect(try !holds(format, row), "\(format)")
        }
    }

    @Test func numbersCompareExactly() throws {
        let big: [String: Value] = [
            "id": .int(9_007_199_254_740_993), "size": .double(9_007_199_254_740_992), "count": .uint(.max),
        ]
        #expect(try holds("id > size AND id != size AND NOT id == size AND size < id", big))
        #expect(
            try holds(
                "count > id AND count > 18446744073709551614 AND count > -1 AND count < 18446744073709551616", big))
        #expect(try holds("id == %@", ["id": .int(5)], [.double(5)]))
        #expect(
            try holds(
                "price != %@ AND price < %@", ["price": .decimal(Decimal(string: "0.1") ?? 0)],
                [.double(0.1), .double(0.1)]))
        #expect(
            try holds(
                "price == 0.1 AND weight == 0.1 AND size == 0.1",
                ["price": .decimal(Decimal(string: "0.10") ?? 0), "weight": .float(0.1), "size": .double(0.1)]))
        #expect(try holds("weight != size", ["weight": .float(0.1), "size": .double(0.1)]))
        #expect(try holds("id < %@ AND id > %@", ["id": .int(.max)], [.double(.infinity), .double(-.infinity)]))
        #expect(try holds("id < 1e19 AND id > -1e19 AND id < 9223372036854775808", ["id": .int(.max)]))
        #expect(
            try holds(
                "price > size AND price < id",
                ["price": .decimal(Decimal(string: "-1.5") ?? 0), "size": .double(-1.75), "id": .int(-1)]))
        #expect(try holds("size == 0", ["size": .double(-0.0)]))
    }

    @Test func arithmetic() throws {
        #expect(try holds("id + 2 * 3 == 10 AND (id + 2) * 3 == 18 AND id / 3 == 1 AND -id == -4", ["id": .int(4)]))
        #expect(try holds("size / 0 == %@", ["size": .double(1)], [.double(.infinity)]))
        #expect(try holds("count - 5 == -2", ["count": .uint(3)]))
        #expect(try holds("price * 3 == 0.3", ["price": .decimal(Decimal(string: "0.1") ?? 0)]))
    }

    @Test func stringsCompareAsSwiftDoes() throws {
        let row: [String: Value] = ["name": .string("Cafe\u{301} Straße"), "note": .string("Café Straße")]
        for format in [
            "name == note", "name BEGINSWITH 'Café'", "NOT name BEGINSWITH 'Cafe'", "name BEGINSWITH[cd] 'CAFE'",
            "name CONTAINS[c] 'STRASSE'",
            "name ==[cd] 'cafe strasse'", "NOT name ==[c] 'cafe strasse'", "name ENDSWITH 'ße'",
            "name ENDSWITH[c] 'SSE'", "name LIKE 'Caf? *'",
            "name LIKE[cd] 'CAFE*'", "name MATCHES 'Caf. .*'", "NOT name MATCHES 'Caf.'", "name MATCHES[cd] 'cafe .*'",
            "'é S' IN name",
            "name IN[cd] {'x', 'CAFE STRASSE'}", "name BETWEEN {'Caf', 'D'}", "name CONTAINS ''",
        ] { #expect(try holds(format, row), "\(format)") }
        #expect(try holds("name BEGINSWITH 'a\\n' OR NOT name CONTAINS '\\n'", ["name": .string("a\r\nb")]))
    }

    @Test(arguments: [
        ("a*", "abc", true), ("a*", "bc", false), ("*c", "abc", true), ("a?c", "abc", true), ("a?c", "ac", false),
        ("a\\\\*c", "a*c", true),
        ("a\\*c", "abc", false), ("*", "", true), ("?", "", false), ("**a**", "bab", true), ("*ab*ab", "abxab", true),
        ("", "", true), ("a*b*c", "aXbXbc", true),
        ("?", "e\u{301}", true), ("a\\\\", "a\\", true),
    ])
    func like(pattern: String, text: String, expected: Bool) throws {
        #expect(try holds("name LIKE '\(pattern)'", ["name": .string(text)]) == expected)
    }

    @Test func arraysHoldElements() throws {
        let row: [String: Value] = ["tags": .array([.string("a"), .null])]
        #expect(
            try holds("'a' IN tags AND tags CONTAINS 'a' AND nil IN tags AND 'A' IN[c] tags AND NOT 'b' IN tags", row))
        #expect(try holds("SELF == 7 AND SELF IN {1, 7} AND SELF > 6.5 AND SELF != 8", [:]))
        #expect(
            try holds("address.city == 'x' AND address.zip == nil", ["address": .structure(["city": .string("x")])]))
    }
}
