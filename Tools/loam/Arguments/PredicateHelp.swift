import LoamQuery
import LoamStorage

/// What `loam query --help` says of predicates.
enum PredicateHelp {
    /// Predicates with what they ask for, over the cities of the samples: a test runs them all.
    static let examples: [(predicate: String, meaning: String)] = [
        ("country_iso = \"JP\"", "equal; != or <> for unequal"),
        ("population >= 1e6 AND NOT latitude < 0", "AND, OR, NOT, or &&, ||, !"),
        ("population BETWEEN {1000, 2000}", "both bounds included"),
        ("country_iso IN {\"SE\", \"NO\"}", "one of several"),
        ("admin1_code = nil", "without a value"),
        ("name BEGINSWITH \"San \"", "also ENDSWITH, CONTAINS"),
        ("name CONTAINS[cd] \"zurich\"", "[c]: any case, [d]: any diacritics"),
        ("name LIKE \"M?laga*\"", "? is one character, * any number"),
        ("name MATCHES \"(Ost|West).*\"", "the whole text, by regular expression"),
        ("latitude + 10 > (longitude - 5) * 2", "+ - * / and parentheses"),
        ("modulus:by:(population, 2) = 1", "the remainder of a division"),
        ("lowercase(name) BEGINSWITH \"são \"", "in small letters"),
        ("length(name) > 20 OR sqrt(population) > 3000", "other functions"),
        ("year(now(), \"Asia/Tokyo\") >= 2025", "parts of a date, in a time zone or, without one, in UTC"),
        ("TERNARY(latitude > 0, population, 0) > 1e6", "the first value where it holds, else the second"),
        ("CAST(population, 'string') ENDSWITH \"000\"", "in another type; nil where it does not fit"),
        ("SELF = 17", "the row with this id"),
    ]

    static var text: String {
        """
        The predicate is a condition on a row in Core Data's format:

        \(lines)

        Text stands in "double" or 'single' quotes; a backslash before a quote or a backslash makes it a character. Words \
        such as AND are keywords in any case; a property of such a name is written #and. A date is compared with text in \
        ISO 8601, as in founded < "1900-01-01" or founded < now(). Nil equals only nil: no ordered comparison holds for it. \
        Every text begins with, ends with and contains "", a nil does not. Arithmetic that overflows or divides by zero \
        gives no value. The options [n] and [l] are read too: texts are normalized anyway, and [l] puts <, > and BETWEEN in \
        the localized order. Options of what is no text have no effect.

        Operators, from the weakest: |  ^  &  << >>  + -  * /  ** and signs: - ~. The functions, with one colon for each \
        argument or without any: \(functions). A list, an array or what a relationship leads to is made one value by \
        \(aggregates), as in max({latitude, longitude}).

        Dots lead into nested values and along relationships, as in country.code. Where a relationship has many rows: ANY \
        cities.population > 1e6, ALL or NONE likewise, cities.@count > 3, SUBQUERY(cities, $c, $c.population > 1e6).@count \
        > 3, cities.@sum.population, "Oslo" IN cities.name. An array is asked by ANY, IN, tags[0], tags[FIRST], tags[LAST] and \
        tags[SIZE]. Values that look like others are told apart by CAST('1.5', 'decimal'), with the name of a type.
        """
    }

    private static var functions: String {
        let called = Function.allCases.map(\.entry).filter { $0.notation == .call && $0.takesOneValue }
        let others = ["now()", "modulus:by:(a, b)", "FUNCTION(a, \"name:\")"]
        return (called.map { $0.calledName + "()" } + others).joined(separator: ", ")
    }

    private static var aggregates: String {
        Aggregate.allCases.map { $0.rawValue + "()" }.joined(separator: ", ")
    }

    private static var lines: String {
        let width = examples.map(\.predicate.count).max() ?? 0
        return examples.map { predicate, meaning in
            "  " + predicate + String(repeating: " ", count: width - predicate.count) + "  " + meaning
        }.joined(separator: "\n")
    }
}
