import SeededRandom

/// Patterns of one form each that few patterns have.
extension RandomPattern {
    enum Form: CaseIterable {
        /// `\b` and `\B` under flag w.
        case unicodeWords
        /// Parts that refer to themselves and to one another, repeated in all manners.
        case captives
    }

    mutating func pattern(of form: Form) -> String {
        switch form {
        case .unicodeWords: unicodeWords()
        case .captives: "(" + captive(depth: 4) + ")" + pick(Self.repetitions + [""]) + captive(depth: 2)
        }
    }

    mutating func text(for form: Form) -> String {
        switch form {
        case .unicodeWords: joined(Self.scripts, 0...14)
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
