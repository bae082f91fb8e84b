import LoamStorage
import Testing

@testable import LoamQuery

/// Every form of Core Data's format grammar, with the rows that it finds, or the error that says why it finds none.
@Suite struct FormatFormsTests {
    private static let all: Set<String> = ["Peru", "Chile", "Utopia"]

    /// Asks each format by every plan. A tree that is printed is read as the same tree, and means the same once it has
    /// been checked.
    private func expect(_ forms: [(format: String, names: Set<String>)], of entity: String = "Country") throws {
        try FormStore.read { snapshot, _ in
            for (format, names) in forms {
                do {
                    let tree = try PredicateParser.parse(format)
                    let found = try FormStore.names(of: entity, where: tree, in: snapshot)
                    #expect(found == names, "\(format)")
                    #expect(try PredicateParser.parse(tree.format) == tree, "\(format): \(tree.format)")
                    let checked = try TypeChecker(entity: snapshot.entity(named: entity), schema: snapshot.schema)
                        .check(tree).description
                    let again = try PredicateParser.parse(checked)
                    #expect(try FormStore.names(of: entity, where: again, in: snapshot) == names, "\(checked)")
                } catch {
                    Issue.record("\(format): \(error)")
                }
            }
        }
    }

    @Test func comparisons() throws {
        try expect([
            ("rank = 3", ["Peru"]), ("rank == 3", ["Peru"]), ("rank != 3", ["Chile", "Utopia"]),
            ("rank <> 3", ["Chile", "Utopia"]), ("rank < 3", ["Chile"]), ("rank <= 3", ["Peru", "Chile"]),
            ("rank =< 3", ["Peru", "Chile"]), ("rank > -3", ["Peru", "Chile"]), ("rank >= 3", ["Peru"]),
            ("rank => 3", ["Peru"]), ("3 = rank", ["Peru"]), ("rank = nil", ["Utopia"]), ("rank = NULL", ["Utopia"]),
            ("rank BETWEEN {-2, 2}", ["Chile"]), ("rank between {3, -2}", []),
            ("rank NOT BETWEEN {0, 5}", ["Chile", "Utopia"]),
            ("isNew = YES", ["Peru"]), ("isNew = no", ["Chile", "Utopia"]), ("isNew = 1", ["Peru"]),
            ("TRUEPREDICATE", Self.all), ("falsepredicate", []), ("area == 4.0", ["Chile"]),
            ("area == 15e-1", ["Peru"]),
            ("flags == 0x6", ["Peru"]), ("flags == 0b110 OR flags == 0o1", ["Peru", "Chile"]), ("gold = 2.5", ["Peru"]),
            ("founded < '2002-01-01'", ["Peru"]), ("founded = CAST(10, 'NSDate')", ["Peru"]),
            ("founded > now()", ["Utopia"]), ("founded < now()", ["Peru"]),
        ])
    }

    @Test func logic() throws {
        try expect([
            ("rank = 3 AND isNew = YES", ["Peru"]), ("rank = 3 && isNew = NO", []),
            ("rank = 3 || rank = -2", ["Peru", "Chile"]), ("rank = 3 or rank = nil", ["Peru", "Utopia"]),
            ("NOT rank = 3", ["Chile", "Utopia"]), ("!rank = 3", ["Chile", "Utopia"]), ("NOT (NOT rank = 3)", ["Peru"]),
            ("rank = 3 OR rank = -2 AND isNew = YES", ["Peru"]), ("(rank = 3 OR rank = -2) AND isNew = NO", ["Chile"]),
        ])
    }

    @Test func texts() throws {
        try expect([
            ("name BEGINSWITH 'Pe'", ["Peru"]), ("name ENDSWITH 'ru'", ["Peru"]), ("name CONTAINS 'op'", ["Utopia"]),
            ("name beginswith[c] 'p'", ["Peru"]), ("name CONTAINS[cd] 'É'", ["Peru", "Chile"]),
            ("name LIKE 'P*u'", ["Peru"]), ("name LIKE[c] 'c?ile'", ["Chile"]),
            ("name MATCHES '[PU].*'", ["Peru", "Utopia"]),
            ("name ==[c] 'PERU'", ["Peru"]), ("name !=[c] 'PERU'", ["Chile", "Utopia"]), ("name <[c] 'p'", ["Chile"]),
            ("name ==[n] 'Peru'", ["Peru"]), ("name ==[cdnl] 'PÉRU'", ["Peru"]), ("name <[l] 'p'", ["Chile"]),
            ("name BETWEEN[l] {'b', 'q'}", ["Peru", "Chile"]), ("name BEGINSWITH[l] 'Pe'", ["Peru"]),
            ("name IN[c] {'PERU', 'utopia'}", ["Peru", "Utopia"]), ("name NOT LIKE 'P*'", ["Chile", "Utopia"]),
            ("name NOT CONTAINS 'e'", ["Utopia"]), ("code ==[c] 'cl'", ["Chile"]),
            // An empty operand is part of every string, and of no nil.
            ("name BEGINSWITH ''", Self.all), ("code ENDSWITH ''", ["Peru", "Chile"]),
            ("code CONTAINS[cd] ''", ["Peru", "Chile"]),
            // What is no string has no case.
            ("rank ==[c] 3", ["Peru"]), ("rank IN[cd] {3, 4}", ["Peru"]), ("founded <[n] '2002-01-01'", ["Peru"]),
            ("rank BETWEEN[l] {0, 5}", ["Peru"]), ("isNew ==[cd] YES", ["Peru"]), ("3 IN[c] scores", ["Peru"]),
        ])
    }

    @Test func collections() throws {
        try expect([
            ("rank IN {3, 4}", ["Peru"]), ("rank NOT IN {3, 4}", ["Chile", "Utopia"]),
            ("NOT rank IN {3}", ["Chile", "Utopia"]),
            ("rank IN {3, nil}", ["Peru", "Utopia"]), ("rank IN {}", []), ("'er' IN name", ["Peru"]),
            ("name IN 'Peru and Chile'", ["Peru", "Chile"]), ("code IN name", []),
            ("lowercase(name) IN 'peru'", ["Peru"]),
            ("'es' IN languages", ["Peru", "Chile"]), ("languages CONTAINS 'qu'", ["Peru"]),
            ("5 IN scores", ["Peru"]), ("rank IN scores", ["Peru"]), ("scores CONTAINS rank + 2", ["Peru"]),
            ("rank IN {1} UNION {3}", ["Peru"]), ("rank IN {1, 3} INTERSECT {3, -2}", ["Peru"]),
            ("rank IN {-2, 3} MINUS {3}", ["Chile"]), ("rank IN {-2, 3} MINUS scores", ["Chile"]),
            ("'Lima' IN cities.name", ["Peru"]), ("cities.name CONTAINS 'Arica'", ["Chile"]),
            ("'LIMA' IN[c] cities.name", ["Peru"]), ("nil IN cities.population", ["Chile"]),
            ("'port' IN cities.tags", ["Peru", "Chile"]), ("capital IN cities", ["Peru", "Chile"]),
            ("cities CONTAINS capital", ["Peru", "Chile"]), ("'big' IN capital.tags", ["Peru"]),
        ])
    }

    @Test func quantifiers() throws {
        try expect([
            ("ANY cities.population > 5", ["Peru"]), ("SOME cities.population > 5", ["Peru"]),
            ("ALL cities.population > 3", ["Peru", "Utopia"]), ("NONE cities.population > 5", ["Chile", "Utopia"]),
            ("ANY cities.name LIKE 'L*'", ["Peru"]), ("ANY cities.population IN {4}", ["Peru"]),
            ("ANY cities.population BETWEEN {9, 11}", ["Peru"]), ("ANY cities == capital", ["Peru", "Chile"]),
            ("ANY {1, 3} == rank", ["Peru"]), ("ALL {1, 2} < rank", ["Peru"]),
            ("NONE {1, 3} = rank", ["Chile", "Utopia"]),
            ("ANY {rank, area} == 4", ["Chile"]), ("ANY {'x', name} BEGINSWITH 'P'", ["Peru"]), ("ANY {} == rank", []),
            ("ALL {} == rank", Self.all), ("ANY languages == 'qu'", ["Peru"]),
            ("ANY languages BEGINSWITH 'e'", ["Peru", "Chile"]),
            ("ALL languages BEGINSWITH 'e'", ["Chile", "Utopia"]),
            ("NONE languages CONTAINS 'q'", ["Chile", "Utopia"]),
            ("ANY scores > 4", ["Peru"]), ("ANY scores > rank", ["Peru"]),
            ("ALL scores <= rank + 2", ["Peru", "Chile", "Utopia"]),
            ("ANY scores IN {5}", ["Peru"]), ("ANY scores BETWEEN {2, 4}", ["Peru"]),
            ("ANY cities.tags == 'old'", ["Peru"]),
            ("ANY cities.tags BEGINSWITH 'po'", ["Peru", "Chile"]), ("ALL cities.tags == 'port'", ["Chile", "Utopia"]),
            ("NONE cities.tags == 'port'", ["Utopia"]), ("ANY capital.tags LIKE 'b?g'", ["Peru"]),
        ])
    }

    @Test func subqueries() throws {
        try expect([
            ("SUBQUERY(cities, $c, $c.population > 5).@count = 1", ["Peru"]),
            ("SUBQUERY(cities, $c, $c.population > 3 AND $c.name != name)[SIZE] = 2", ["Peru"]),
            ("SUBQUERY(cities, $c, $c.population > 3).@sum.population = 14", ["Peru"]),
            ("SUBQUERY(cities, $c, $c.population > 3).@max.population > rank", ["Peru"]),
            ("SUBQUERY(cities, $c, $c.name != 'Lima').@min.name = 'Cusco'", ["Peru"]),
            ("SUBQUERY(cities, $c, 'port' IN $c.tags).@count.population = 1", ["Peru"]),
            ("SUBQUERY(cities, $c, SUBQUERY($c.tags, $t, $t BEGINSWITH 'b').@count > 0).@count = 1", ["Peru"]),
            ("SUBQUERY(scores, $s, $s > 2).@count = 2", ["Peru"]),
            ("SUBQUERY(scores, $s, $s > rank).@max = 5", ["Peru"]),
            ("SUBQUERY(languages, $l, $l = 'es').@count = cities.@count", ["Chile"]),
            ("SUBQUERY(cities, $c, $c.tags.@count = 2).@count = 1", ["Peru"]),
            ("SUBQUERY(cities, $c, $c.tags[0] = 'old').@count = 1", ["Peru"]),
            ("SUBQUERY(cities, $c, TERNARY($c.population > 5, isNew, FALSE) = YES).@count = 1", ["Peru"]),
        ])
    }

    @Test func aggregates() throws {
        try expect([
            ("cities.@count = 2", ["Peru"]), ("cities[SIZE] = 1", ["Chile"]), ("count(cities) = 2", ["Peru"]),
            ("count:(cities.population) = 2", ["Peru"]), ("cities.@sum.population = 14", ["Peru"]),
            ("cities.population.@sum = 14", ["Peru"]), ("sum(cities.population) = 0", ["Chile", "Utopia"]),
            ("sum:(cities.population) > 5", ["Peru"]), ("cities.@avg.population = 7", ["Peru"]),
            ("average(cities.population) = 7", ["Peru"]), ("average:(cities.population) = nil", ["Chile", "Utopia"]),
            ("cities.@max.population = 10", ["Peru"]), ("max(cities.population) = 10", ["Peru"]),
            ("cities.@min.population = 4", ["Peru"]), ("min(cities.name) = 'Cusco'", ["Peru"]),
            ("median(cities.population) = 7", ["Peru"]), ("median(scores) = 3", ["Peru"]),
            ("mode(cities.population) = 4", ["Peru"]),
            ("stddev:(cities.population) = 3", ["Peru"]), ("sum(scores) = 9", ["Peru"]),
            ("max(scores) > rank", ["Peru"]),
            ("scores.@max = 5", ["Peru"]), ("scores.@count = 0", ["Chile"]), ("count(languages) = 2", ["Peru"]),
            ("max({rank, area}) = 4", ["Chile"]), ("max(rank, 5) = 5", Self.all),
            ("sum({1, rank, area}) = 5.5", ["Peru"]),
            ("count({rank, area, code}) = 0", ["Utopia"]), ("min({code, 'b'}) = 'CL'", ["Chile"]),
            ("sum(cities.population) / count(cities) = 7", ["Peru"]),
            ("capital.country.cities.@max.population = 10", ["Peru"]),
        ])
    }

    @Test func operators() throws {
        try expect([
            ("rank + 2 = 5", ["Peru"]), ("rank - 2 = 1", ["Peru"]), ("rank * 2 = -4", ["Chile"]),
            ("rank / 2 = 1", ["Peru"]),
            ("-rank = 2", ["Chile"]), ("rank ** 2 = 9", ["Peru"]), ("-rank ** 2 = -4", ["Chile"]),
            ("2 ** rank ** 1 = 8", ["Peru"]),
            ("2 ** -1 = 0.5 AND rank = 3", ["Peru"]), ("flags & 2 = 2", ["Peru"]), ("flags | 1 = 7", ["Peru"]),
            ("flags ^ 7 = 1", ["Peru"]), ("~rank = 1", ["Chile"]), ("flags << 2 = 24", ["Peru"]),
            ("flags >> 1 = 3", ["Peru"]),
            ("flags & 3 | 8 = 10", ["Peru"]), ("rank + 1 << 1 = 8", ["Peru"]), ("rank & -2 = -2", ["Chile"]),
            ("(rank + 1) * 2 = 8", ["Peru"]), ("rank / 0 = nil", Self.all), ("1 << 64 = nil", Self.all),
            ("flags << -1 = 3", ["Peru"]), ("rank >> 64 = -1", ["Chile"]), ("area * gold = 3.75", ["Peru"]),
        ])
    }

    @Test func functions() throws {
        try expect([
            ("add:to:(rank, 2) = 5", ["Peru"]), ("add(rank, 2) = 5", ["Peru"]),
            ("from:subtract:(rank, 2) = 1", ["Peru"]),
            ("multiply:by:(rank, 2) = 6", ["Peru"]), ("divide:by:(area, 2) = 2", ["Chile"]),
            ("modulus:by:(rank, 2) = 1", ["Peru"]),
            ("modulus(rank, 2) = 0", ["Chile"]), ("raise:toPower:(rank, 2) = 9", ["Peru"]),
            ("sqrt:(area) = 2", ["Chile"]),
            ("sqrt(area) = 2", ["Chile"]), ("log:(10 ** rank) = 3", ["Peru"]), ("log(100) = 2 AND rank = 3", ["Peru"]),
            ("ln:(exp:(rank)) = 3", ["Peru"]), ("ln(1) = 0 AND rank = 3", ["Peru"]),
            ("exp(0) = 1 AND rank = 3", ["Peru"]),
            ("floor:(area) = 1", ["Peru"]), ("floor(gold) = 2", ["Peru"]), ("ceiling:(area) = 2", ["Peru"]),
            ("ceiling(-gold) = -2", ["Peru"]), ("abs:(rank) = 2", ["Chile"]), ("abs(-area) = 4", ["Chile"]),
            ("trunc:(-area) = -1", ["Peru"]), ("trunc(gold) = 2", ["Peru"]), ("uppercase:(code) = 'PE'", ["Peru"]),
            ("uppercase(code) = 'PE'", ["Peru"]), ("lowercase:(name) = 'peru'", ["Peru"]),
            ("lowercase(code) = 'cl'", ["Chile"]),
            ("length:(name) = 5", ["Chile"]), ("length(code) = 2", ["Peru", "Chile"]), ("length(name) > 5", ["Utopia"]),
            ("bitwiseAnd:with:(flags, 2) = 2", ["Peru"]), ("bitwiseOr:with:(flags, 1) = 7", ["Peru"]),
            ("bitwiseXor:with:(flags, 7) = 1", ["Peru"]), ("leftshift:by:(flags, 2) = 24", ["Peru"]),
            ("rightshift:by:(flags, 1) = 3", ["Peru"]), ("onesComplement:(rank) = 1", ["Chile"]),
            ("noindex:(name) = 'Peru'", ["Peru"]), ("noindex(rank) > 0", ["Peru"]), ("now() > founded", ["Peru"]),
            ("negate:(rank) = 2", ["Chile"]), ("objectFrom:withIndex:(languages, 1) = 'qu'", ["Peru"]),
            ("FUNCTION(name, 'lowercase:') = 'peru'", ["Peru"]),
            ("FUNCTION(name, 'lowercaseString') = 'peru'", ["Peru"]),
            ("FUNCTION(rank, 'add:to:', 2) = 5", ["Peru"]), ("FUNCTION(scores, 'sum:') = 9", ["Peru"]),
            ("FUNCTION(name, 'length') = 5", ["Chile"]), ("FUNCTION(languages, 'objectAtIndex:', 1) = 'qu'", ["Peru"]),
        ])
    }

    @Test func choicesAndConversions() throws {
        try expect([
            ("TERNARY(rank > 0, 'big', 'small') = 'big'", ["Peru"]),
            ("TERNARY(isNew = YES, rank, area) = 4", ["Chile"]),
            ("TERNARY(rank = nil, 0, rank) = 0", ["Utopia"]),
            ("TERNARY(ANY cities.population > 5, 1, 2) = 1", ["Peru"]),
            ("TERNARY(rank > 0, rank, area) + 1 > 4", ["Chile"]),
            ("CAST(rank, 'double') / 2 = 1.5", ["Peru"]), ("CAST(area, 'int64') = 1", ["Peru"]),
            ("CAST(rank, 'string') = '-2'", ["Chile"]), ("CAST(rank, 'NSString') BEGINSWITH '3'", ["Peru"]),
            ("CAST(founded, 'NSNumber') = 10", ["Peru"]), ("CAST(rank, 'NSDate') < '2001-01-01'", ["Chile"]),
            ("CAST(now(), 'double') > 700000000 AND rank = 3", ["Peru"]),
            ("CAST(gold, 'NSDecimalNumber') = 2.5", ["Peru"]),
            ("CAST(name, 'int64') = nil", Self.all), ("CAST(CAST(rank, 'string'), 'int64') = 3", ["Peru"]),
            ("castObject:toType:(rank, 'NSString') = '3'", ["Peru"]), ("CAST(isNew, 'int64') = 1", ["Peru"]),
            ("CAST('3', 'string') = CAST(rank, 'string')", ["Peru"]), ("double(rank) / 2 = 1.5", ["Peru"]),
        ])
    }

    @Test func subscripts() throws {
        try expect([
            ("languages[0] = 'es'", ["Peru", "Chile"]), ("languages[1] = 'qu'", ["Peru"]),
            ("languages[5] = nil", Self.all),
            ("languages[-1] = nil", Self.all), ("languages[FIRST] = 'es'", ["Peru", "Chile"]),
            ("languages[last] = 'qu'", ["Peru"]),
            ("languages[SIZE] = 1", ["Chile"]), ("scores[1] > 4", ["Peru"]), ("scores[#first] = 5", ["Peru"]),
            ("scores[first] = 1", ["Peru"]), ("facts['north'] = 7", ["Peru"]), ("facts['south'] = nil", Self.all),
            ("capital.tags[0] = 'port'", ["Peru", "Chile"]), ("scores[scores[SIZE] - 1] = 3", ["Peru"]),
            ("first = 1", ["Peru"]),
        ])
    }

    @Test func pathsAndNames() throws {
        try expect([
            ("SELF.rank = 3", ["Peru"]), ("#rank = 3", ["Peru"]), ("capital.country.name = 'Peru'", ["Peru"]),
            ("capital.population > 5", ["Peru"]), ("capital = nil", ["Utopia"]),
        ])
        try expect(
            [("country.name = 'Peru'", ["Lima", "Cusco"]), ("SELF = country.capital", ["Lima", "Arica"])], of: "City")
    }

    @Test func argumentsTakeThePlacesOfPlaceholders() throws {
        try FormStore.read { snapshot, ids in
            let forms: [(String, [Value], Set<String>)] = [
                ("%K = %@", [.string("rank"), .int(3)], ["Peru"]), ("rank = %d", [.int(3)], ["Peru"]),
                ("rank = %i OR rank = %ld OR rank = %lld", [.int(3), .int(-2), .int(9)], ["Peru", "Chile"]),
                ("flags = %u OR flags = %lu OR flags = %x", [.uint(6), .uint(1), .uint(7)], ["Peru", "Chile"]),
                ("area = %f", [.double(1.5)], ["Peru"]),
                ("area = %lf OR area = %g", [.double(1.5), .double(4)], ["Peru", "Chile"]),
                ("name = %s", [.string("Peru")], ["Peru"]), ("name BEGINSWITH %c", [.string("P")], ["Peru"]),
                ("rank IN %@", [.array([.int(3), .null])], ["Peru", "Utopia"]),
                ("rank BETWEEN %@", [.array([.int(0), .int(5)])], ["Peru"]),
                ("ANY %@ = rank", [.array([.int(3)])], ["Peru"]), ("%K.population > 5", [.string("capital")], ["Peru"]),
                ("ANY %K > 5", [.string("cities.population")], ["Peru"]),
                ("%K[1] = 'qu'", [.string("languages")], ["Peru"]),
                ("%K.%K > 5", [.string("capital"), .string("population")], ["Peru"]),
                ("capital.%K > 5", [.string("population")], ["Peru"]),
                ("SELF.%K = 3", [.string("rank")], ["Peru"]), ("%K.@count = 2", [.string("cities")], ["Peru"]),
                ("%K = 2", [.string("cities.@count")], ["Peru"]),
                ("cities.@sum.%K = 14", [.string("population")], ["Peru"]),
                ("%K = 14", [.string("cities.@sum.population")], ["Peru"]),
                ("SUBQUERY(cities, $c, $c.%K > 5).@count = 1", [.string("population")], ["Peru"]),
                (
                    "SUBQUERY(cities, $c, $c.%K.%K = 3).@max.%K = 10",
                    [.string("country"), .string("rank"), .string("population")], ["Peru"]
                ),
                ("SELF = %@", [.uint(ids["Chile"] ?? 0)], ["Chile"]),
                ("ANY cities = %@", [.uint(ids["Lima"] ?? 0)], ["Peru"]),
                ("cities CONTAINS %@", [.uint(ids["Lima"] ?? 0)], ["Peru"]),
                ("%@ IN cities", [.uint(ids["Lima"] ?? 0)], ["Peru"]),
                ("name = '%@' OR name = %@", [.string("Peru")], ["Peru"]),
                ("max(%@) = rank", [.array([.int(1), .int(3)])], ["Peru"]),
            ]
            for (format, arguments, names) in forms {
                do {
                    let tree = try PredicateParser.parse(format, arguments: arguments)
                    #expect(try FormStore.names(of: "Country", where: tree, in: snapshot) == names, "\(format)")
                    #expect(try PredicateParser.parse(tree.format) == tree, "\(tree.format)")
                } catch {
                    Issue.record("\(format): \(error)")
                }
            }
        }
    }

    @Test func subqueriesMayStandInParenthesesAndBehindQuantifiers() throws {
        try expect([
            ("(SUBQUERY(cities, $c, $c.population > 1)).@count = 2", ["Peru"]),
            ("(SUBQUERY(cities, $c, $c.population > 1))[SIZE] = 2", ["Peru"]),
            ("(SUBQUERY(cities, $c, $c.population > 1)).@max.population = 10", ["Peru"]),
            ("(SUBQUERY(cities, $c, $c.population > 1).@count = 2)", ["Peru"]),
            ("((SUBQUERY(cities, $c, ($c.population > 1))).@count = 2)", ["Peru"]),
            ("ANY SUBQUERY(cities, $c, $c.population > 5)", ["Peru"]),
            ("NONE SUBQUERY(cities, $c, $c.population > 5)", ["Chile", "Utopia"]),
            ("ANY SUBQUERY(cities, $c, $c.population > 1).name = 'Cusco'", ["Peru"]),
            ("ANY SUBQUERY(cities, $c, $c.name != 'Lima').population > rank", ["Peru"]),
            ("ALL SUBQUERY(cities, $c, $c.population != nil).population > rank", Self.all),
            ("ALL SUBQUERY(cities, $c, $c.population != nil).population > 4", ["Chile", "Utopia"]),
            ("NONE SUBQUERY(cities, $c, TRUEPREDICATE).name BEGINSWITH 'A'", ["Peru", "Utopia"]),
            ("ANY SUBQUERY(cities, $c, TRUEPREDICATE).name NOT IN {'Lima', 'Cusco'}", ["Chile"]),
            ("ANY SUBQUERY(cities, $c, TRUEPREDICATE) = capital", ["Peru", "Chile"]),
            ("SUBQUERY(cities, $c, ANY SUBQUERY($c.country.cities, $d, $d.population > 5)).@count = 2", ["Peru"]),
        ])
        for format in [
            "ALL SUBQUERY(cities, $c, $c.population > 5)", "ANY SUBQUERY(cities, $c, TRUEPREDICATE).name",
            "(SUBQUERY(cities, $c, TRUEPREDICATE)) = 1", "ANY SUBQUERY(cities, $c, TRUEPREDICATE).@count = 1",
        ] {
            #expect(throws: QueryError.self, "\(format)") { try PredicateParser.parse(format) }
        }
    }

    @Test func wordsThatCallNothingAreNames() throws {
        for word in ["function", "union", "minus", "intersect", "ternary", "cast", "subquery", "Union"] {
            let name = QueryExpression.keyPath([word])
            #expect(
                try PredicateParser.parse("\(word) = 1")
                    == .comparison(name, .equal, .number(NumberLiteral(1 as Int64)), .none))
            #expect(try PredicateParser.parse("a IN \(word)") == .isIn(.keyPath(["a"]), name, .none))
            #expect(try PredicateParser.parse("\(word).b = 1") == PredicateParser.parse("#\(word).b = 1"))
            let tree = try PredicateParser.parse("\(word) IN minus UNION \(word)")
            #expect(try PredicateParser.parse(tree.format) == tree)
        }
    }

    @Test func castsToNarrowTypesGiveNilWhereTheValueDoesNotFit() throws {
        try expect([
            ("CAST(rank * 50, 'int8') = nil", ["Peru", "Utopia"]),
            ("CAST(rank, 'int8') = 3", ["Peru"]), ("CAST(rank, 'uint8') = nil", ["Chile", "Utopia"]),
            ("CAST(area, 'int16') = 1", ["Peru"]), ("CAST(code, 'uint32') = nil", Self.all),
        ])
        for format in ["a = CAST(300, 'int8')", "a = CAST(-1, 'uint16')", "a = CAST(1e10, 'int32')"] {
            #expect(throws: QueryError.self, "\(format)") { try PredicateParser.parse(format) }
        }
    }

    @Test func arraysAreComparedWithLists() throws {
        try expect([
            ("languages = {'es', 'qu'}", ["Peru"]), ("{'es'} = languages", ["Chile"]),
            ("languages != {'es'}", ["Peru", "Utopia"]), ("scores = {}", ["Chile"]), ("scores = {1, 5.0, 3}", ["Peru"]),
            ("scores = nil", ["Utopia"]), ("languages IN {{'es'}, {'qu'}}", ["Chile"]),
            ("facts = CAST({{'north', CAST(7, 'int64')}}, 'dictionary')", ["Peru"]),
            ("NOT languages = {'es'}", ["Peru", "Utopia"]), ("languages = languages", Self.all),
            ("SUBQUERY(cities, $c, $c.tags = {'port'}).@count = 1", ["Chile"]),
            ("capital.tags = {'port'}", ["Chile"]),
        ])
    }

    @Test func variablesAreGivenValues() throws {
        try FormStore.read { snapshot, _ in
            let forms: [(String, [String: Value], Set<String>)] = [
                ("rank = $rank", ["rank": .int(3)], ["Peru"]),
                ("name BEGINSWITH[c] $text", ["text": .string("p")], ["Peru"]),
                ("rank IN $ranks", ["ranks": .array([.int(3), .int(-2)])], ["Peru", "Chile"]),
                ("rank BETWEEN $range", ["range": .array([.int(0), .int(5)])], ["Peru"]),
                (
                    "SUBQUERY(cities, $x, $x.population > $least).@count = 1", ["least": .int(5), "x": .int(0)],
                    ["Peru"]
                ),
                ("SUBQUERY(cities, $c, $c.population > $x).@count = 1", ["x": .int(5)], ["Peru"]),
                ("TERNARY(rank > $x, 1, 2) = 1", ["x": .int(0), "y": .int(0)], ["Peru"]),
                ("languages[$n] = 'qu'", ["n": .int(1)], ["Peru"]), ("ANY scores > $x", ["x": .int(4)], ["Peru"]),
                ("max({$x, rank}) = 3", ["x": .int(1)], ["Peru"]),
                ("rank = $list.@max", ["list": .array([.int(1), .int(3)])], ["Peru"]),
                ("rank + 5 = $list[SIZE]", ["list": .array([.int(1), .int(3), .int(0)])], ["Chile"]),
                ("rank = $lists[1].@sum", ["lists": .array([.null, .array([.int(1), .int(2)])])], ["Peru"]),
                ("rank = $lists[0].@sum", ["lists": .array([.null])], ["Utopia"]),
            ]
            for (format, values, names) in forms {
                let template = try PredicateParser.parse(format)
                #expect(try PredicateParser.parse(template.format) == template, "\(template.format)")
                let unbound = #expect(throws: QueryError.self) {
                    try FormStore.names(of: "Country", where: template, in: snapshot)
                }
                #expect(unbound?.part?.hasPrefix("$") == true, "\(format): \(String(describing: unbound))")
                let tree = template.substituting(values.mapValues(QueryExpression.constant))
                #expect(tree.variables.isEmpty)
                #expect(try FormStore.names(of: "Country", where: tree, in: snapshot) == names, "\(format)")
            }
        }
    }
}
