import Foundation
import LoamStorage
import RandomQueries
import SeededRandom
import Testing

@testable import LoamQuery

@Suite struct TypeCheckerTests {
    private let checker = TypeChecker(entity: SampleEntity.entity)

    private func check(_ format: String, _ arguments: [Value] = []) throws -> TypedPredicate {
        try checker.check(PredicateParser.parse(format, arguments: arguments))
    }

    /// The constant on the right of a comparison.
    private func constant(_ format: String, _ arguments: [Value] = []) throws -> Value? {
        guard case .comparison(_, _, let right, _) = try check(format, arguments) else { return nil }
        return right.constant
    }

    @Test func literalsTakeTheTypeOfTheirNeighbour() throws {
        #expect(try constant("size == 1") == .double(1))
        #expect(try constant("weight == 0.1") == .float(0.1))
        #expect(try constant("price == 0.1") == .decimal(Decimal(string: "0.1") ?? 0))
        #expect(try constant("price == '0.1'") == .decimal(Decimal(string: "0.1") ?? 0))
        #expect(try constant("count == 18446744073709551615") == .uint(.max))
        #expect(try constant("count == -1") == .int(-1))
        #expect(try constant("id < 5.5") == .double(5.5))
        #expect(try constant("flag == 1") == .bool(true))
        #expect(try constant("SELF == 5") == .uint(5))
        #expect(try constant("price == 0.1 + 0.2") == .decimal(Decimal(string: "0.3") ?? 0))
        #expect(try constant("size == 2 * 3.5") == .double(7))
        #expect(try constant("address.zip == 5") == .int(5))
    }

    @Test func stringsBesideDatesAreISO8601() throws {
        for (text, seconds) in [
            ("2001-01-01", 0.0), ("2001-01-02T00:00:00Z", 86400), ("2001-01-01T01:00:00.5Z", 3600.5),
            ("2001-01-01 01:00:00+01:00", 0), ("2000-12-31T23:59:59", -1), ("2013-01-01T10:00", 378_727_200),
        ] {
            #expect(try constant("day == '\(text)'") == .date(Date(timeIntervalSinceReferenceDate: seconds)))
        }
        for text in ["2001-13-01", "2001-02-29", "yesterday", "2001-1-1", "2001-01-01T25:00", "2001-01-01T10:00:00X"] {
            let error = #expect(throws: QueryError.self) { try check("day == '\(text)'") }
            #expect(error?.kind == .invalidLiteral(type: "date"))
        }
    }

    @Test func datesPrintAsTheyRead() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<2000 {
            let seconds = Double.random(in: -6e10...2e11, using: &generator)
            for value in [seconds, seconds.rounded(), (seconds * 1000).rounded() / 1000] {
                let date = Date(timeIntervalSinceReferenceDate: value)
                guard let text = ISO8601.text(of: date) else { continue }
                #expect(ISO8601.date(text)?.seconds == value)
            }
        }
    }

    @Test(arguments: [
        "name == 5", "id == 'x'", "size == '1.5'", "flag == 2", "flag < TRUE", "flag == 'YES'", "name < 5", "day == 5",
        "id CONTAINS '5'", "id == name", "name + 1 == 2", "address == 'x'", "tags == address", "tags < nil",
        "key == 'no uuid'", "price == 'abc'", "5 IN id", "name BETWEEN {1, 2}", "id IN {1, 'x'}", "blob == 'abc'",
        "day + 1 > day", "'x' + 1 == 2", "tags CONTAINS 5", "address CONTAINS 'x'", "name LIKE 5",
    ])
    func whatDoesNotFitIsRefused(format: String) {
        let error = #expect(throws: QueryError.self) { try check(format) }
        #expect(error?.part != nil)
    }

    @Test func unknownPathsAreRefused() {
        for format in ["nope == 1", "address.nope == 1", "name.length == 1", "tags.count == 1"] {
            let error = #expect(throws: QueryError.self) { try check(format) }
            #expect(error?.kind == .unknownProperty(entity: "Sample"))
        }
    }

    @Test func badPatternsAreRefused() {
        for pattern in ["(", "a)(b", "[", "*"] {
            let error = #expect(throws: QueryError.self) { try check("name MATCHES '\(pattern)'") }
            #expect(error?.kind == .invalidPattern)
        }
        let error = #expect(throws: QueryError.self) { try check("name MATCHES note") }
        #expect(error?.part == "name MATCHES note")
    }

    @Test(arguments: [
        "size == 0.1", "weight == 0.1", "price > 0.1", "id == size * 1.1", "price * 1.1 > 2", "count - 5 > id",
        "day < '2013-05-01T10:00:00.250Z'", "key == 'E621E1F8-C36C-495A-93FC-0C247A3E6E5F'", "flag == TRUE",
        "name IN[c] {'a', note, nil}", "'x' IN tags", "SELF BETWEEN {1, 5}", "id == 5.5", "#and == 1", "address == nil",
        "size == CAST('nan', 'double')", "price != CAST('nan', 'decimal')",
        "NOT (id == 1 OR size IN {1, 2.5}) AND TRUEPREDICATE", "-id == 5",
    ])
    func aCheckedPredicatePrintsWhatChecksToTheSame(format: String) throws {
        let predicate = try check(format)
        #expect(try check(predicate.description) == predicate)
    }

    @Test func typedArgumentsPrintSoThatTheyKeepTheirMeaning() throws {
        for (format, argument) in [
            ("price == %@", Value.double(0.1)), ("weight == %@", .double(0.1)),
            ("size == %@", .decimal(Decimal(string: "0.1") ?? 0)),
            ("id == %@", .double(5)), ("day == %@", .date(Date(timeIntervalSinceReferenceDate: 1e-9))),
            ("count == %@", .int(5)),
            ("blob == %@", .data(Data([1, 2]))), ("key == %@", .uuid(UUID())),
            ("day == %@", .date(Date(timeIntervalSinceReferenceDate: 1e300))),
        ] {
            let predicate = try check(format, [argument])
            let again = try check(predicate.description)
            for value in [argument, .null] {
                let row = SampleEntity.row([
                    "price": value, "weight": value, "size": value, "id": value, "count": value, "day": value,
                    "blob": value, "key": value,
                ])
                #expect(
                    try predicate.holds(rowID: 1, values: row) == again.holds(rowID: 1, values: row), "\(predicate)")
            }
        }
    }
}
