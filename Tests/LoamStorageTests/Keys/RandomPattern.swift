import SeededRandom

/// Makes patterns of all that an automaton knows, and short texts of what they are about.
struct RandomPattern {
    private var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
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
        "\\p{Ll}", "[A-Z]",
    ]
    private static let places = ["^", "$", "\\A", "\\z", "\\Z"]

    mutating func pattern(depth: Int = 4) -> String {
        guard depth > 0 else { return leaf() }
        switch int(0...9) {
        case 0...2: return pattern(depth: depth - 1) + pattern(depth: depth - 1)
        case 3...4:
            let parts = (0..<int(2...3)).map { _ in pattern(depth: depth - 1) }
            return "(" + (generator.percent(50) ? "?:" : generator.percent(20) ? "?<n\(int(0...1_000_000_000))>" : "")
                + parts.joined(separator: "|") + ")"
        case 5...7: return "(" + (generator.percent(50) ? "?:" : "") + pattern(depth: depth - 1) + ")" + repetition()
        case 8: return pick(Self.literals) + repetition() + pattern(depth: depth - 1)
        default: return leaf()
        }
    }

    private mutating func leaf() -> String {
        switch int(0...12) {
        case 0: return ""
        case 1: return pick(Self.places)
        case 2...5: return pick(Self.classes) + (generator.percent(40) ? repetition() : "")
        default: return pick(Self.literals) + (generator.percent(40) ? repetition() : "")
        }
    }

    private mutating func repetition() -> String {
        pick(["*", "+", "?", "{2}", "{0,2}", "{1,}", "{1,3}", "{0}", "{3}"]) + (generator.percent(20) ? "?" : "")
    }

    mutating func text() -> String {
        (0..<int(0...8)).map { _ in pick(Self.characters) }.joined()
    }
    private mutating func int(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }
    private mutating func pick(_ values: [String]) -> String { values[int(0...values.count - 1)] }
}
