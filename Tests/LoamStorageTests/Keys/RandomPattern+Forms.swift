import SeededRandom

/// Patterns of one form each that few patterns have.
extension RandomPattern {
    enum Form: CaseIterable {
        /// `\b` and `\B` under flag w.
        case unicodeWords
    }

    mutating func pattern(of form: Form) -> String {
        switch form {
        case .unicodeWords: unicodeWords()
        }
    }

    mutating func text(for form: Form) -> String {
        switch form {
        case .unicodeWords: joined(Self.scripts, 0...14)
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
}
