import SeededRandom

/// Patterns of one form each that few patterns have.
extension RandomPattern {
    enum Form: CaseIterable {
        /// `\b` and `\B` under flag w.
        case unicodeWords
        /// Classes with brackets, quotes, white space and comments in them, and those of one character.
        case classes
        /// Characters by their numbers and names, and letters behind a backslash that mean nothing else.
        case escapes
        /// White space, comments and `\Q\E` anywhere in a pattern.
        case spaces
        /// Parts that refer to themselves and to one another, repeated in all manners.
        case captives
    }

    mutating func pattern(of form: Form) -> String {
        switch form {
        case .unicodeWords: unicodeWords()
        case .classes: pick(["", "(?x)", "(?i)", "(?xi)"]) + (0..<int(1...3)).map { _ in characterClass() }.joined()
        case .escapes: (0..<int(1...5)).map { _ in pick(Self.escapes) + pick(["", "", "", "*", "?", "{2}"]) }.joined()
        case .spaces: "(?x)" + spaced(pattern())
        case .captives: "(" + captive(depth: 4) + ")" + pick(Self.repetitions + [""]) + captive(depth: 2)
        }
    }

    mutating func text(for form: Form) -> String {
        switch form {
        case .unicodeWords: joined(Self.scripts, 0...14)
        case .classes: joined(Self.ofClasses, 0...4)
        case .escapes: joined(Self.ofEscapes, 0...4)
        case .spaces: text()
        case .captives: joined(["a", "b", "aa", "ab"], 0...7)
        }
    }

    private mutating func joined(_ pieces: [String], _ count: ClosedRange<Int>) -> String {
        (0..<int(count)).map { _ in pick(pieces) }.joined()
    }

    // MARK: Words

    private static let scripts = [
        "a", "b", "é", "1", "2", ".", ",", "'", "\"", "_", "-", "a", "b", " ", "\n", "\r", "\u{301}", "\u{200D}", "👩",
        "🔬", "🇩", "🇪", "א", "ב", "ア", "カ", "漢", "字", "日", "本", "ไ", "ท", "ย", "ภ", "า", "ษ", "ខ", "្", "ម", "\u{AD}",
        ":", "ー", "ﾀ", "\u{2028}", "😀", "\u{FE0F}", "م", "ر", "한", "국",
    ]

    private mutating func unicodeWords() -> String {
        switch int(0...3) {
        case 0: "(?sw).{\(int(0...10))}\\b.*"
        case 1: "(?sw)(?:.*\\b.)*"
        case 2: "(?sw)(?:(?<=a|\\b[^b])\\B.|[^a]\\b|a)*"
        default: "(?sw)(.)(?:\\b.|\\1|\\B..)*"
        }
    }

    // MARK: Classes

    private static let members = [
        "a", "b", "]", "[", "é", "ß", "ʼ", "n", "\\Q", "\\E", "\\Q]\\E", "\\Qa]b\\E", " ", "#", "\n", "#x\n", "-", "&&",
        "--", "&", "^", "[ab]", "[^a]", "[]b]", "[:alpha:]", ":", "\\]", "\\[", "\\p{L}", "\\u02BC", "\\x{2bc}", "\\d",
        "\\N{MODIFIER LETTER APOSTROPHE}", "日", "\\uD83D\\uDE00", "😀", "ŉ", "s", "a-c", "K", "\u{212A}", "İ", "ǰ", "ﬁ",
    ]
    private static let besideClasses = [
        "a", "n", "ʼ", "\\u02bc", "ß", "s", "]", "\\N{LATIN SMALL LETTER N}", "\\N{MODIFIER LETTER APOSTROPHE}", "i",
        "\\p{L}", "\\p{Lu}", "\\P{Lu}", "\\p{na=MODIFIER LETTER APOSTROPHE}", "\\p{ L }",
    ]
    private static let ofClasses = [
        "a", "b", "]", "[", "é", "É", "ß", "ss", "ʼ", "n", "ŉ", "Q", "E", "\\", " ", "#", "\n", "-", "&", "^", ":", "日",
        "😀", "s", "k", "K", "x", "1", "ʼn", "i", "İ", "'", "J\u{30C}", "fi",
    ]

    private mutating func characterClass() -> String {
        if generator.percent(50) { return pick(Self.besideClasses) + pick(["", "", "", "*", "?"]) }
        let members = (0..<int(0...4)).map { _ in pick(Self.members) }.joined()
        return "[" + pick(["", "^", ""]) + pick(["", "", "]", ""]) + members + "]"
            + pick(["", "", "", "*", "+", "{2}", "*+"])
    }

    // MARK: Escapes and spaces

    private static let escapes = [
        "\\uD83D\\uDE00", "\\x{D83D}\\uDE00", "\\uD83D\\x{DE00}", "\\uD83D\\U0000DE00", "\\x4", "\\x41", "\\x4g",
        "\\xé", "\\cA", "\\cé", "\\c\\", "\\c😀", "\\c", "\\y", "\\E", "\\é", "\\٣", "\\i", "\\T", "\\0", "\\07",
        "\\0777", "\\08", "]", "}", "a", "A", "\\_", "\\ ", "\\日", "\\K", "\\C", "\\1", "(a)", "\\k<n>", "(?<n>b)",
        "\\N{DIGIT ONE}", "\\g", "\\o", "\\x{1F600}", "\\x{0001F600}", "\\e", "\\a", "\\Q]\\E", "\\Q\\", "\\U0001f600",
    ]
    private static let ofEscapes = [
        "😀", "\u{4}", "g", "A", "a", "\u{1}", "\u{9}", "é", "y", "E", "3", "٣", "i", "T", "\u{7}", "?", "7", "]", "}",
        "b",
        "_", " ", "日", "K", "C", "1", "o", "\u{1B}", "\u{1C}", "\0", "\u{3F}", "c", "\\",
    ]

    private mutating func spaced(_ pattern: String) -> String {
        let pieces = [" ", "\n", "#c\n", "\t", "\\Q\\E", "(?#x)", " ", "(?#a#b)\n)"]
        return pattern.map { generator.percent(20) ? pick(pieces) + String($0) : String($0) }.joined()
    }

    // MARK: References

    private static let repetitions = [
        "*?", "+?", "*+", "++", "{0,}?", "{1,}?", "{0,}+", "{1,}+", "{2,}?", "{2,}+", "*", "+", "{0,2}?", "?", "??",
        "?+",
    ]

    private mutating func captive(depth: Int) -> String {
        guard depth > 0 else {
            return pick(["a", "b", "\\1", "\\2", "\\3", "a?", "b?", "", "\\1?", "(?=\\2)", "(?!\\1)", "\\b", "[ab]"])
        }
        let part = captive(depth: depth - 1)
        switch int(0...6) {
        case 0...1: return part + captive(depth: depth - 1)
        case 2: return "(?:" + part + "|" + captive(depth: depth - 1) + ")"
        case 3...4: return "(" + part + ")" + pick(Self.repetitions)
        case 5: return "(" + part + "|" + captive(depth: depth - 1) + ")" + pick(Self.repetitions)
        default: return "(" + part + ")"
        }
    }
}
