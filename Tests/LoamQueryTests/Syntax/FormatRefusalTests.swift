import LoamStorage
import Testing

@testable import LoamQuery

/// What of Core Data's format grammar is refused, and what the error says.
@Suite struct FormatRefusalTests {
    @Test func argumentsThatDoNotFitAreRefused() {
        let forms: [(String, Value, String)] = [
            ("a = %d", .double(1.5), "a whole number for %d"), ("a = %ld", .string("x"), "a whole number for %ld"),
            ("a = %f", .string("x"), "a number for %f"), ("a = %s", .int(1), "a string for %s"),
            ("a = %c", .string("xy"), "a string of one character for %c"), ("%K = 1", .int(1), "a string for %K"),
        ]
        for (format, argument, expected) in forms {
            let error = #expect(throws: QueryError.self) { try PredicateParser.parse(format, arguments: [argument]) }
            #expect(error?.kind == .argumentType(expected: expected), "\(format)")
            #expect(error?.position != nil)
        }
        for format in ["a = %", "a = %%", "a = %y", "a = %5d"] {
            let error = #expect(throws: QueryError.self) { try PredicateParser.parse(format, arguments: [.int(1)]) }
            #expect(error?.position == 4, "\(format)")
        }
    }

    @Test func whatHasNoAnswerIsRefused() throws {
        let forms: [(String, String)] = [
            ("random() > rank", "random"), ("randomn:(5) > rank", "randomn"),
            ("distanceToLocation:fromLocation:(a, b) < 5", "distance"),
            ("ANYKEY = 'x'", "ANYKEY"), ("name UTI-CONFORMS-TO 'public.text'", "UTI"), ("name UTI-EQUALS 'x'", "UTI"),
            ("$x := 5 = rank", "assignment"),
            ("cities.@distinctUnionOfObjects.name.@count = 1", "@distinctUnionOfObjects"),
            ("languages[SIZE].@count = 1", "number"),
            ("$x.name = 1", "$x"), ("rank = ANY scores", "ANY"),
            ("CAST(rank, 'NSColor') = 1", "CAST"), ("name ==[q] 'x'", "'q'"),
        ]
        for (format, word) in forms {
            let error = #expect(throws: QueryError.self) { try PredicateParser.parse(format) }
            guard case .unsupported(let what)? = error?.kind else {
                Issue.record("\(format): \(String(describing: error))")
                continue
            }
            #expect(what.contains(word), "\(format): \(what)")
        }
        try FormStore.read { snapshot, _ in
            for format in [
                "sum(name) = 1", "sum(cities) = 1", "cities.name = 'x'", "sum(cities.name) = 1", "max(isNew) = YES",
                "sum(rank) = nil",
                "cities[0] = nil", "name[0] = 'P'", "languages['x'] = 'y'", "facts[0] = 1", "rank & area = 1",
                "~area = 1",
                "length(rank) = 1", "TERNARY(rank > 0, rank, name) = 1", "ANY name = 'x'",
                "CAST(founded, 'string') = 'x'", "SELF[0] = 1",
                "max({rank, name}) = 1", "TERNARY(rank > 0, cities, cities) = nil", "uppercase(languages) = 'x'",
                "rank[FIRST] = 1", "languages[0].x = 1", "facts['north'].x = 1", "languages[0].@count = 1",
                "languages[0][SIZE] = 1", "ANY languages[0] = 'x'",
                "facts['north'].@max = 1", "1 IN scores[0]", "SUBQUERY(rank, $x, $x = 1).@count = 1",
                "languages BEGINSWITH 'es'", "languages ENDSWITH scores",
                "SUBQUERY(-rank, $x, $x = 1).@count = 1", "max(name) = 'P'", "name.@count = 1",
                "SELF.@count = 1", "ANY first(scores) = 1",
            ] {
                let tree = try PredicateParser.parse(format)
                let error = #expect(throws: QueryError.self, "\(format)") {
                    try FormStore.names(of: "Country", where: tree, in: snapshot)
                }
                guard case .typeMismatch? = error?.kind else {
                    Issue.record("\(format): \(String(describing: error))")
                    continue
                }
            }
        }
    }

    @Test(arguments: [
        ("nmae = 'x'", "name"), ("capital.nmae = 'x'", "capital.name"), ("Rank = 3", "rank"),
        ("ANY citis.name = 'x'", "cities.name"),
        ("cities.@sum.poplation > 1", "population"), ("quite_another = 1", nil),
        ("SUBQUERY(cities, $c, $c.nam = 'x').@count > 0", "name"),
    ])
    func anUnknownPathSuggestsTheNearest(format: String, suggestion: String?) throws {
        try FormStore.read { snapshot, _ in
            let error = #expect(throws: QueryError.self) {
                try FormStore.names(of: "Country", where: PredicateParser.parse(format), in: snapshot)
            }
            #expect(error?.suggestion == suggestion, "\(String(describing: error))")
        }
    }

    @Test(arguments: [
        ("lenght(a) = 1", "length"), ("uppercas:(a) = 'x'", "uppercase"), ("a.@summ.b = 1", "@sum"),
        ("CAST(a, 'doubel') = 1", "double"),
    ])
    func anUnknownFunctionSuggestsTheNearest(format: String, suggestion: String) {
        let error = #expect(throws: QueryError.self) { try PredicateParser.parse(format) }
        #expect(error?.suggestion == suggestion)
        #expect(error?.description.contains("Did you mean \(suggestion)?") == true)
    }
}
