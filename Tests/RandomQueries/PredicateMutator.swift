import SeededRandom

/// Makes texts of pieces of predicates: most are malformed, and many almost right.
package struct PredicateMutator {
    private var generator: SeededGenerator

    package init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    private static let formats: [[String]] = [
        "id == 5 AND name CONTAINS[cd] 'a'", "NOT (size < 1.5 OR price >= 0.1)", "count * 2 - id / 3 != weight + 1",
        "name LIKE[c] '*a?b*' OR note MATCHES '(a|b)+'", "day BETWEEN {'2001-01-01', '2020-02-29T12:00:00Z'}",
        "SELF IN {1, 2, 3} AND SELF > 2", "id IN {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, nil}",
        "'x' IN tags AND ANY tags == 'y'",
        "address.zip == CAST(7, 'int64') AND address.city BEGINSWITH 'L'", "flag == YES AND key != nil",
        "price == CAST('1.5', 'decimal') OR size == CAST('inf', 'double')", "link == 'https://a.b' AND blob == nil",
        "TRUEPREDICATE AND FALSEPREDICATE", "-id > -(5 + 3) * 2", "small > 300 AND #and == 1 AND #'two words' < 4",
        "SUBQUERY(tags, $x, $x == 'a').@count > 0", "tags.@count > 1 OR NONE id.x == 5", "%K == %@",
        "name ENDSWITH 'ß' AND name BETWEEN {'a', 'z'} AND note IN[c] {'A', 'É'}", "{1, 2} == id AND 0x1F == id",
        "small & 3 | id ^ 1 << 2 == ~id >> 1", "2 ** -id ** 2 > size",
        "TERNARY(id > 3, name, note) BEGINSWITH[cdnl] 'a'",
        "tags[0] == tags[LAST] OR tags[SIZE] > id", "ANY {id, 3} IN {1, 2}",
        "max({id, size}) >= average(tags.@count, 2)",
        "CAST(id, 'double') / 2 == sqrt(size)", "FUNCTION(name, 'length') > 3", "now() > day", "id BETWEEN $range",
        "id NOT IN {1} UNION {2, 3} MINUS {2}", "ANY tags LIKE[c] 'a*'", "length:(name) == modulus(id, 3)",
        "SUBQUERY(tags, $x, $x > name).@max == note", "name == %s AND id == %ld OR size < %lf", "noindex:(id) == $x[0]",
        "startOfDay(day) == '2001-01-01' OR year(day, 'Europe/Berlin') < 2001",
        "tags[0][SIZE] > 2 OR ANY tags[FIRST] == 'x' OR name IN tags[LAST]",
        "SUBQUERY(tags[0], $x, SUBQUERY($x, $y, $y IN $x).@max > 1).@count == tags[0].@sum",
        "month:in:(now(), 'GMT+0130') == round(size)",
        "castObject:toType:(price, 'NSString') == abs(trunc(size))", "ALL tags != 'x' OR NONE tags ==[l] 'y'",
    ].map { words(of: $0) }
    private static let pieces = [
        "99999999999999999999", "18446744073709551615", "9223372036854775807", "-9223372036854775808", "1e400", "1e308",
        "0.0e-9223372036854775808", "0e9223372036854775807", "1e-400", "0.1e-99999999999999999999", "0b",
        "0xFFFFFFFFFFFFFFFFF",
        "1.7976931348623157e308", "99999999999999999999999999999999999999999999", "1e127", "1e-127", "1e-128",
        "CAST(1e300, 'NSDate')", "CAST('nan', 'NSDate')", "CAST(-1e18, 'NSDate')", "CAST('nan', 'decimal')",
        "CAST(1e38, 'float')",
        "CAST(300, 'int8')", "CAST(-1, 'uint64')", "'292277026596-12-04T15:30:08Z'", "'9999-12-31T23:59:60Z'",
        "'-0001-01-01'",
        "'2001-01-01T00:00:00+99:99'", "'\\uD800'", "'\\u0000'", "'a\\", "'", "\"", "(", ")", "{", "}", "[cd]", "[",
        "]", ",", ".",
        "..", "@", "@count", "@sum", "$x", "%", "%@", "%K", "**", "/ 0", "* 18446744073709551615",
        "- 9223372036854775807 - 2",
        "NOT", "NOT NOT", "ANY", "ALL", "NONE", "AND", "OR", "IN", "BETWEEN", "LIKE", "MATCHES '(a+)+$'", "MATCHES '['",
        "nil",
        "SELF", "SUBQUERY(", "CAST(", "-", "--", "+ +", "== == ", "id.id.id", "address.city.zip", "e\u{301}", "\u{0}",
        "TERNARY(", "FUNCTION(", "[0]", "[FIRST]", "[SIZE]", "@max", "&", "|", "^", "~", "<<", ">>", "**", ":=", "$y",
        "%d", "%lf",
        "%%", "UNION", "MINUS", "NOT IN", "sum(", "length(", "CAST({1}, 'array')", "'NSString'", "now()", "** 1e308",
        "<< 9999999999",
        "UTI-EQUALS", "outer(",
        "\u{FEFF}", "🇵🇪",
    ]

    /// - Parameter most: so many changes at most.
    package mutating func next(most: Int = 5) -> String {
        var words = pick(Self.formats)
        for _ in 0..<Int.random(in: 0...most, using: &generator) { mutate(&words) }
        return words.joined()
    }

    private mutating func mutate(_ words: inout [String]) {
        let place = Int.random(in: 0...words.count, using: &generator)
        switch Int.random(in: 0...8, using: &generator) {
        case 0: words.insert(" \(pick(Self.pieces)) ", at: place)
        case 1...3: if place < words.count { words[place] = pick(Self.pieces) }
        case 4: if place < words.count { words.remove(at: place) }
        case 5: words.insert(contentsOf: pick(Self.formats), at: place)
        case 6:
            let end = Int.random(in: place...words.count, using: &generator)
            let part = Array(words[place..<end])
            for _ in 0..<Int.random(in: 1...40, using: &generator) where words.count < 2000 {
                words.insert(contentsOf: part, at: place)
            }
        case 7: words = [" NOT ("] + words + [") OR "] + words
        default:
            if place < words.count, let scalar = words[place].unicodeScalars.randomElement(using: &generator) {
                words[place].unicodeScalars.append(scalar)
            }
        }
    }

    /// The words of letters and digits, and each other character.
    private static func words(of format: String) -> [String] {
        var words: [String] = []
        var joins = false
        for character in format {
            let continues = character.isLetter || character.isNumber
            if joins, continues { words[words.count - 1].append(character) } else { words.append(String(character)) }
            joins = continues
        }
        return words
    }

    private mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
        choices[Int.random(in: 0..<choices.count, using: &generator)]
    }
}
