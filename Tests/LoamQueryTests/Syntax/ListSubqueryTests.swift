import LoamStorage
import Testing

@testable import LoamQuery

@Suite("Subqueries over lists and over the elements of variables")
struct ListSubqueryTests {
    @Test(
        "a list may stand in a subquery, and be given later",
        arguments: [
            ("SUBQUERY($list, $x, $x > 3)[SIZE] == 1", ["Peru", "Chile", "Utopia"]),
            ("SUBQUERY($list, $x, $x > rank).@count == 1", ["Peru"]),
            ("SUBQUERY($list, $x, $x < 5).@max == rank", ["Peru"]),
            ("SUBQUERY($list, $x, $x IN scores).@count > 1", ["Peru"]),
            ("SUBQUERY({1, rank, 9}, $x, $x > 2).@sum == 12", ["Peru"]),
            ("SUBQUERY($list, $x, SUBQUERY({2, rank}, $y, $y > $x AND $y == rank).@count == 1).@count == 1", ["Peru"]),
            ("SUBQUERY(scores, $s, SUBQUERY($list, $x, $x == $s AND $x <= rank).@count == 1).@count == 2", ["Peru"]),
            ("ANY SUBQUERY($list, $x, $x > 2) == rank", ["Peru"]),
        ])
    func answers(format: String, names: [String]) throws {
        let tree = try PredicateParser.parse(format)
        #expect(try PredicateParser.parse(tree.format) == tree, "\(tree.format)")
        let list = QueryExpression.constant(.array([.int(1), .int(3), .int(7)]))
        let given = tree.substituting(["list": list])
        #expect(try PredicateParser.parse(given.format) == given, "\(given.format)")
        try FormStore.read { snapshot, _ in
            let found = try FormStore.names(of: "Country", where: given, in: snapshot)
            #expect(found == Set(names), "\(format)")
        }
    }

    @Test("characters, first and last elements, and what lies one behind the other are read in the format language")
    func parts() throws {
        try FormStore.read { snapshot, _ in
            for (format, names) in [
                ("name[FIRST] == 'P'", ["Peru"]), ("last(code) == 'L'", ["Chile"]),
                ("SUBQUERY(name, $c, $c == 'e')[SIZE] == 1", ["Peru", "Chile"]),
                ("SUBQUERY(name, $c, $c < 'i')[LAST] == 'e'", ["Peru", "Chile"]),
                ("SUBQUERY(uppercase(name), $c, $c == 'E').@count == 1", ["Peru", "Chile"]),
                ("SUBQUERY(languages[0], $x, $x = 's').@count = 1", ["Peru", "Chile"]),
                ("first(TERNARY(rank > 0, name, code)) == 'C'", ["Chile"]),
                ("SUBQUERY(scores, $s, $s > 2)[FIRST] == 5", ["Peru"]),
                ("languages BEGINSWITH {'es'}", ["Peru", "Chile"]),
                ("languages ENDSWITH[c] {'QU'}", ["Peru"]), ("scores CONTAINS {5, 3}", ["Peru"]),
                ("scores CONTAINS {}", ["Peru", "Chile"]), ("{1, 5, 3, 9} BEGINSWITH scores", ["Peru", "Chile"]),
                ("scores CONTAINS scores AND NOT scores CONTAINS {5, 1}", ["Peru", "Chile"]),
                ("ANY cities.tags CONTAINS 'port'", ["Peru", "Chile"]),
            ] as [(String, Set<String>)] {
                let tree = try PredicateParser.parse(format)
                #expect(try PredicateParser.parse(tree.format) == tree, "\(tree.format)")
                let found = try FormStore.names(of: "Country", where: tree, in: snapshot)
                #expect(found == names, "\(format)")
            }
        }
    }

    @Test("a subquery over a property sees the variable of the one around it")
    func variablesAround() throws {
        try FormStore.read { snapshot, _ in
            for (format, names) in [
                ("SUBQUERY(cities, $c, SUBQUERY(scores, $s, $s > $c.population).@count == 1).@count == 1", ["Peru"]),
                ("SUBQUERY(scores, $s, SUBQUERY(languages, $l, length($l) < $s)[SIZE] == 2).@max == 5", ["Peru"]),
                ("SUBQUERY(scores, $s, SUBQUERY(scores, $t, $t > $s).@sum > 5).@count == 1", ["Peru"]),
                ("ANY SUBQUERY(scores, $s, SUBQUERY(name, $c, $c == 'e' AND $s == 5).@count == 1) == 5", ["Peru"]),
                // This one sees nothing between: its predicate begins at the country.
                ("SUBQUERY(scores, $s, SUBQUERY(cities, $c, $c.population > rank).@count == 2).@count == 3", ["Peru"]),
                (
                    "SUBQUERY(cities, $c, SUBQUERY(scores, $s, SUBQUERY(languages, $c, $c == 'es').@count == 1).@count == 3)"
                        + ".@count == 2", ["Peru"]
                ),
            ] as [(String, Set<String>)] {
                let tree = try PredicateParser.parse(format)
                #expect(try PredicateParser.parse(tree.format) == tree, "\(tree.format)")
                let found = try FormStore.names(of: "Country", where: tree, in: snapshot)
                #expect(found == names, "\(format)")
            }
            // Rows of a relationship of the row further out see the element between.
            let related = "SUBQUERY(scores, $s, SUBQUERY(cities, $c, $c.population > $s).@count > 0).@count > 0"
            let tree = try PredicateParser.parse(related)
            #expect(try FormStore.names(of: "Country", where: tree, in: snapshot) == ["Peru"])
            #expect(try PredicateParser.parse(tree.format) == tree)
        }
    }

    @Test("a variable without a value, and a property of a list's element, are refused by name") func refusals() throws
    {
        try FormStore.read { snapshot, _ in
            for format in [
                "SUBQUERY($list, $x, $x > 3).@count == 1", "SUBQUERY({1, 2}, $x, $x.name == 'a').@count == 1",
                "languages[0].@sum.x = 1", "languages.@max.x = 1", "SUBQUERY({1, 2}, $x, $x > 1).@max.name == 1",
            ] {
                #expect(throws: QueryError.self, "\(format)") {
                    try FormStore.names(of: "Country", where: PredicateParser.parse(format), in: snapshot)
                }
            }
        }
    }
}
