import SeededRandom

/// Makes patterns, and short texts that they may match.
struct RandomPattern {
    var generator: SeededGenerator
    /// Whether patterns have look-arounds, anchors of all kinds, flags, back-references, atomic and possessive parts;
    /// without them any text can be matched in one pass.
    private let isRich: Bool
    /// The number of groups that were opened.
    private var groupCount = 0
    private var isBehind = false

    init(seed: UInt64, isRich: Bool = false) {
        generator = SeededGenerator(seed: seed)
        self.isRich = isRich
    }

    private static let characters = [
        "a", "b", "A", "s", "S", "ß", "ſ", "k", "K", "\u{212A}", "f", "i", "ﬁ", "é", "\u{301}", "日", "😀", "\n", "\r",
        "\u{85}", "\u{2028}", "İ", "ı", "ς", "Σ", "1", "-", " ", "ŉ", "n", "\u{2BC}", "ǆ", "ǅ",
    ]
    private static let literals = [
        "a", "b", "s", "ss", "S", "ß", "k", "fi", "ﬁ", "é", "日", "😀", "\\n", "\\r", "\\.", "\\u0061", "\\x{1F600}",
        "\\xDF", "1", "-", " ", "i", "İ", "n", "ʼ", "Σ", "ǆ", "\\-", "\\t", "\\\\", "x",
    ]
    private static let classes = [
        ".", "\\d", "\\w", "\\W", "\\s", "\\S", "\\D", "[a-c]", "[^a]", "[ab]", "[^\\n]", "\\p{L}", "\\P{Lu}",
        "\\p{Lu}", "[[:alpha:]&&[^b]]", "[\\w-]", "[s]", "[1]", "[a-zé]", "\\h", "\\v", "[k]", "[\\u00df]", "[^ß]",
        "[é-ö]", "[ßé]", "[^éa]",
        "\\p{Ll}", "[A-Z]",
    ]
    private static let anchors = ["^", "$", "\\A", "\\z", "\\Z"]
    private static let richAnchors = [
        "\\b", "\\B", "\\b", "\\B", "\\G", "(?m)^", "(?m)$", "(?dm:^)", "(?dm:$)", "(?d:$)",
    ]
    private static let richParts = [
        "\\R", "\\X", "(?s).", "(?s:.)", "(?d).", "(?i)s", "(?i:ß)", "(?i:[a-k])", "(?-i)", "(?#it)", "\\Qa.\\E",
        "\\cJ",
        "(?x) a b #c\n", "\\07", "(?s:.*)", "(?s:.{2})", "(?u)", "(?w)", "\\U00000061", "\\N{LATIN SMALL LETTER A}",
        "(?w)\\b", "(?w:\\B)", "[]a]", "[^]\\Qa]\\E]", "(?i:[ŉ])", "]",
    ]

    mutating func pattern(depth: Int = 4) -> String {
        guard depth > 0 else { return leaf() }
        if isRich, generator.percent(25) { return richPart(depth: depth - 1) }
        switch int(0...9) {
        case 0...2: return pattern(depth: depth - 1) + pattern(depth: depth - 1)
        case 3...4:
            let start = opened()
            return start + (0..<int(2...3)).map { _ in pattern(depth: depth - 1) }.joined(separator: "|") + ")"
        case 5...7: return opened() + pattern(depth: depth - 1) + ")" + repetition()
        case 8: return pick(Self.literals) + repetition() + pattern(depth: depth - 1)
        default: return leaf()
        }
    }

    private mutating func opened() -> String {
        if generator.percent(50) { return "(?:" }
        groupCount += 1
        return generator.percent(20) ? "(?<n\(groupCount)>" : "("
    }

    private mutating func richPart(depth: Int) -> String {
        switch int(0...9) {
        case 0...1: return pick(["(?=", "(?!"]) + pattern(depth: depth) + ")" + pattern(depth: depth)
        case 2...3:
            // The part of a look-behind has a bounded length, as ICU wants it.
            let outer = isBehind
            isBehind = true
            defer { isBehind = outer }
            return pattern(depth: depth) + pick(["(?<=", "(?<!"]) + pattern(depth: min(depth, 2)) + ")"
        case 4: return "(?>" + pattern(depth: depth) + ")" + repetition()
        case 5...6:
            guard groupCount > 0 else { return pick(Self.richAnchors) }
            let group = int(1...groupCount)
            return pattern(depth: depth) + "\\\(group)" + (generator.percent(30) ? repetition() : "(?:)")
        case 7: return pick(Self.richParts)
        default: return pick(Self.richAnchors)
        }
    }

    private mutating func leaf() -> String {
        if isRich, generator.percent(8) { return pick(Self.richAnchors + Self.richParts) }
        switch int(0...12) {
        case 0: return ""
        case 1: return pick(Self.anchors)
        case 2...5: return pick(Self.classes) + (generator.percent(40) ? repetition() : "")
        default: return pick(Self.literals) + (generator.percent(40) ? repetition() : "")
        }
    }

    private mutating func repetition() -> String {
        if isBehind { return pick(["?", "{2}", "{0,2}", "{1,3}", "{0}", "{3}"]) }
        let manner = generator.percent(20) ? "?" : isRich && generator.percent(15) ? "+" : ""
        return pick(["*", "+", "?", "{2}", "{0,2}", "{1,}", "{1,3}", "{0}", "{3}"]) + manner
    }

    mutating func text() -> String {
        (0..<int(0...8)).map { _ in pick(Self.characters) }.joined()
    }
    mutating func int(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }
    mutating func pick(_ values: [String]) -> String { values[int(0...values.count - 1)] }

    /// Makes a string of characters that mean something to a pattern, in any order: most are malformed.
    mutating func garbage() -> String {
        let pieces = [
            "(", ")", "(?", "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?>", "[", "]", "[^", "{", "}", "{2}", "{1,", "*",
            "+", "?",
            "|", "\\", "^", "$", ".", "a", "b", "-", "&&", ":", "<", ">", "=", "!", "#", " ", "1", "\\1", "\\b", "\\R",
            "\\X",
            "\\Q", "\\E", "(?i)", "(?x)", "(?s)", "(?m)", "(?d)", "(?-i:", "\\x{", "\\u", "\\0", "\\c", "\\N{", "\\p{L",
            "ß", "é",
            "😀", "\\k<n>", "(?<n>", "(?#", "\n", "\\U0001F600", "99999999", ",",
        ]
        return (0..<int(1...12)).map { _ in pick(pieces) }.joined()
    }
}
