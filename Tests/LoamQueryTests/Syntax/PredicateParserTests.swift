import LoamStorage
import Testing

@testable import LoamQuery

@Suite struct PredicateParserTests {
    private func number(_ text: String) throws -> QueryExpression {
        .number(try #require(NumberLiteral(text)))
    }

    @Test(arguments: [
        ("a == 1", "a == 1"), ("a = 1", "a == 1"), ("a != 1", "a != 1"), ("a <> 1", "a != 1"), ("a < 1", "a < 1"),
        ("a <= 1", "a <= 1"), ("a =< 1", "a <= 1"), ("a > 1", "a > 1"), ("a >= 1", "a >= 1"), ("a => 1", "a >= 1"),
        ("a=1&&b=2||c=3", "(a == 1 AND b == 2) OR c == 3"),
        ("a == 1 and (b == 2 or c == 3)", "a == 1 AND (b == 2 OR c == 3)"),
        ("not a == 1 And !b == 2", "NOT a == 1 AND NOT b == 2"),
        ("NOT (a == 1 AND b == 2)", "NOT (a == 1 AND b == 2)"),
        ("a between {1, 2}", "a BETWEEN {1, 2}"), ("a IN {1, 'x', nil, b}", "a IN {1, 'x', nil, b}"),
        ("a IN {}", "a IN {}"),
        ("n beginswith[cd] \"x\"", "n BEGINSWITH[cd] 'x'"), ("n ENDSWITH[c] 'x'", "n ENDSWITH[c] 'x'"),
        ("n ==[d] 'x'", "n ==[d] 'x'"), ("n LIKE 'a?b*'", "n LIKE 'a?b*'"),
        ("n MATCHES '\\\\d+'", "n MATCHES '\\\\d+'"),
        ("n MATCHES '\\d+'", "n MATCHES '\\\\d+'"), ("a.b.c == nil", "a.b.c == nil"), ("SELF.a == NULL", "a == nil"),
        ("SELF IN {1, 2}", "SELF IN {1, 2}"), ("f == YES OR f == no", "f == TRUE OR f == FALSE"),
        ("TRUEPREDICATE", "TRUEPREDICATE"), ("falsepredicate OR a == 1", "FALSEPREDICATE OR a == 1"),
        ("a + b * 2 == -c", "a + b * 2 == -c"), ("(a + b) * 2 - (c - d) > 1", "(a + b) * 2 - (c - d) > 1"),
        ("a - b - c == a - (b - c)", "a - b - c == a - (b - c)"), ("5 < a", "5 < a"), ("a == -5", "a == -5"),
        ("a - -5 == - -5", "a - -5 == 5"), ("-(-a) == 1", "-(-a) == 1"), ("a == 0x1F", "a == 31"),
        ("a == 1.5e-3", "a == 1.5e-3"), ("a == .5", "a == 0.5"),
        ("#and == 1 AND #'two words' == 2", "#and == 1 AND #'two words' == 2"), ("a.#in == 1", "a.#in == 1"),
        ("a.in == 1", "a.#in == 1"),
        ("n == 'it\\'s' OR n == \"\\u00e9\\n\"", "n == 'it\\'s' OR n == 'é\\n'"),
        ("n == '\\ud83d\\uDE00 \\u12'", "n == '😀 \\\\u12'"), ("((a)) == ((1))", "a == 1"),
        ("((a == 1))", "a == 1"), ("été == 1", "été == 1"), ("a == CAST(5, 'NSDate')", "a == '2001-01-01T00:00:05Z'"),
        ("a == CAST('nan', 'double')", "a == CAST('nan', 'double')"), ("'x' IN n", "'x' IN n"),
    ])
    func predicatesReadAndPrintThemselves(format: String, printed: String) throws {
        let predicate = try PredicateParser.parse(format)
        #expect(predicate.description == printed)
        #expect(try PredicateParser.parse(printed).description == printed)
    }

    @Test func aPrintedPredicateParsesToTheSameTree() throws {
        for format in ["NOT (a == 1 OR NOT b < 2.50) AND c BETWEEN {-1, d * (e + 1)}", "a IN {'\\\\', '\\'', '\t'}"] {
            let predicate = try PredicateParser.parse(format)
            #expect(try PredicateParser.parse(predicate.description) == predicate)
        }
    }

    @Test func argumentsStandForValuesAndKeyPaths() throws {
        let predicate = try PredicateParser.parse(
            "%K == %@ AND a IN %@ AND b BETWEEN %@",
            arguments: [.string("x.y"), .string("it's %@"), .array([.int(1), .null]), .array([.int(1), .int(2)])])
        #expect(predicate.description == "x.y == 'it\\'s %@' AND a IN {1, nil} AND b BETWEEN {1, 2}")
        #expect(try PredicateParser.parse("a == '%@'").description == "a == '%@'")
    }

    @Test(arguments: [
        ("any a.b > 5", "ANY a.b > 5"), ("SOME a.b IN {1}", "ANY a.b IN {1}"), ("NOT ALL a.b == c", "NOT ALL a.b == c"),
        ("none a BEGINSWITH[c] 'x'", "NONE a BEGINSWITH[c] 'x'"), ("a.b.@count + 1 > c", "a.b.@count + 1 > c"),
        (
            "subquery(a, $p, $p.b > 5 and $p != c).@count > 0",
            "SUBQUERY(a, $x, $x.b > 5 AND $x != c).@count > 0"
        ),
        (
            "SUBQUERY(a, $p, SUBQUERY($p.b, $q, $q.c == $p.c AND d == $q).@count == 1).@count < $p.c",
            nil
        ),
        (
            "SUBQUERY(a, $p, SUBQUERY($p.b, $q, $q.c == $p.c AND d == $q AND ANY $q.e < 1).@count == e.@count).@count < 2",
            "SUBQUERY(a, $x1, SUBQUERY($x1.b, $x, $x.c == $x1.c AND d == $x AND ANY $x.e < 1).@count == e.@count).@count < 2"
        ),
        (
            "SUBQUERY(a, $p, SUBQUERY(b, $q, $q == c).@count == 0).@count == 0",
            "SUBQUERY(a, $x1, SUBQUERY(b, $x, $x == c).@count == 0).@count == 0"
        ),
    ])
    func relatedRowsAreCountedAndQuantified(format: String, expected: String?) throws {
        guard let expected else {
            #expect(throws: QueryError.self) { try PredicateParser.parse(format) }
            return
        }
        let predicate = try PredicateParser.parse(format)
        #expect(predicate.description == expected)
        #expect(try PredicateParser.parse(expected) == predicate)
    }

    @Test(arguments: [
        ("lowercase:(a) == 'x'", "lowercase(a) == 'x'"), ("lowercase(a.b) == lowercase('X')", nil),
        ("modulus:by:(a, 2) == 0", nil), ("modulus : by : (a + 1, -(b)) == 0", "modulus:by:(a + 1, -b) == 0"),
        ("add:to:(1, a) > 2", "1 + a > 2"), ("multiply:by:(add:to:(a, b), c) > 2", "(a + b) * c > 2"),
        ("from:subtract:(a, from:subtract:(b, c)) > 2", "a - (b - c) > 2"), ("negate:(a) > 2", "-a > 2"),
        ("divide:by:(a, divide:by:(b, c)) > 2", "a / (b / c) > 2"), ("-modulus:by:(a, b) * 2 < 5", nil),
        ("lowercase IN {lowercase(lowercase), 'b'}", nil), ("#lowercase == 'x'", "lowercase == 'x'"),
        ("SUBQUERY(a, $x, lowercase($x.b) == lowercase(c)).@count > 0", nil),
    ])
    func functionsAreCalled(format: String, expected: String?) throws {
        let predicate = try PredicateParser.parse(format)
        #expect(predicate.description == expected ?? format)
        #expect(try PredicateParser.parse(predicate.description) == predicate)
    }

    @Test(arguments: TextOperator.allCases)
    func wordsOfTextOperatorsAreNoNames(text: TextOperator) throws {
        for word in [text.rawValue, text.rawValue.lowercased()] {
            let error = #expect(throws: QueryError.self) { try PredicateParser.parse("\(word) == 1") }
            #expect(error?.position == 0 && error?.part == word)
            let predicate = try PredicateParser.parse("#\(word) \(word)[c] 'x'")
            #expect(predicate.description == "#\(word) \(text.rawValue)[c] 'x'")
            #expect(try PredicateParser.parse(predicate.description) == predicate)
        }
    }

    @Test func aFunctionTakesItsArguments() {
        for (format, expected) in [
            ("lowercase() == 'x'", "1 argument of lowercase:"), ("lowercase(a, b) == 'x'", "1 argument of lowercase:"),
            ("modulus:by:(a) == 0", "2 arguments of modulus:by:"), ("modulus:by:(a b) == 0", "','"),
            ("lowercase(a == 1) == 'x'", "','"),
        ] {
            let error = #expect(throws: QueryError.self) { try PredicateParser.parse(format) }
            #expect(error?.kind == .syntax(expected: expected), "\(format)")
        }
    }

    @Test func theNameOfSwiftLeadsToThatOfTheGrammar() {
        let error = #expect(throws: QueryError.self) { try PredicateParser.parse("lowercased(a) == 'x'") }
        #expect(error?.kind == .unsupported("the function lowercased, which is lowercase here"))
    }

    @Test(arguments: [
        ("", 0), ("a", 0), ("a ==", 4), ("a == 1 AND", 10), ("a == 1 b == 2", 7), ("a == 'x", 5), ("(a == 1", 7),
        ("a BETWEEN 5", 10), ("a BETWEEN {1}", 10), ("a == 1 == 2", 7), ("a == ~", 6), ("a == 12x", 5), ("a == 0xZ", 5),
        ("a == (b == 1)", 5), ("a IN {1, }", 9), ("a CONTAINS[x] 'b'", 11), ("a == %d", 5), ("and == 1", 0),
        ("a. == 1", 3),
        ("NOT a", 4), ("a == 1e999", 5), ("a == #", 5), ("a == 'b\\uD800'", 7), ("a == 'b\\uDC00\\uD800'", 7),
        ("a == '\\ud83d\\u0061'", 6), ("a == \"\\ud83d\\u12\"", 6), ("#'b\\udfff' == 1", 3), ("a == '\\uD83D", 6),
    ])
    func errorsSayWhere(format: String, position: Int) {
        let error = #expect(throws: QueryError.self) { try PredicateParser.parse(format) }
        #expect(error?.position == position)
    }

    @Test(arguments: [
        "ANY ANY a.b == 1", "@sum == 1", "SUBQUERY(a, $p, SUBQUERY(b, $q, $q == $p.b).@count == $p).@sum == $p.b",
        "FUNCTION(a, 'b') == 1", "modulus:by(a, 2) == 1", "a.b(c) == 1", "a == ANY b",
    ])
    func whatCannotRunIsRefusedByName(format: String) {
        let error = #expect(throws: QueryError.self) { try PredicateParser.parse(format) }
        guard case .unsupported = error?.kind else {
            Issue.record("\(format): \(String(describing: error))")
            return
        }
        #expect(error?.part != nil)
    }

    @Test func argumentsMustFit() {
        let missing = #expect(throws: QueryError.self) {
            try PredicateParser.parse("a == %@ AND b == %@", arguments: [.int(1)])
        }
        #expect(missing?.kind == .argumentCount(expected: 2, found: 1))
        let spare = #expect(throws: QueryError.self) { try PredicateParser.parse("a == 1", arguments: [.int(1)]) }
        #expect(spare?.kind == .argumentCount(expected: 0, found: 1))
        let keyPath = #expect(throws: QueryError.self) { try PredicateParser.parse("%K == 1", arguments: [.int(1)]) }
        #expect(keyPath?.kind == .argumentType(expected: "a string for %K"))
    }

    @Test func depthIsLimited() {
        for (open, close) in [("(", ")"), ("lowercase(", ")"), ("NOT ", ""), ("- ", ""), ("{", "}")] {
            let nested = String(repeating: open, count: 20_000) + "a == 1" + String(repeating: close, count: 20_000)
            #expect(throws: QueryError.self) { try PredicateParser.parse(nested) }
        }
        let sum = "a == " + Array(repeating: "1", count: 20_000).joined(separator: " + ")
        #expect(throws: QueryError.self) { try PredicateParser.parse(sum) }
        let long = Array(repeating: "a == 1", count: 10_000).joined(separator: " OR ")
        #expect(throws: Never.self) { try PredicateParser.parse(long) }
    }
}
