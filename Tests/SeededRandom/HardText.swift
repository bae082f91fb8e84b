import Foundation

/// Texts of letters that fold to others, to several or to nothing, that are put together with their neighbours, and that
/// stand beside what does.
package enum HardText {
    private static let pieces = [
        "a", "b", "c", "A", "B", "e", "\u{301}", "\u{308}", "é", "É", "ß", "ẞ", "ſ", "s", "S", "ﬁ", "f", "i", "ﬀ", "İ",
        "ı", "\u{307}", "Σ", "σ", "ς", "α", "ι", "ᾳ", "\u{345}", "ᾴ", "ή", "\u{1100}", "\u{1161}", "\u{11A8}", "가",
        "각", "한", "日", "本", "語", "か", "\u{3099}", "が", "😀", "👩", "\u{200D}", "👧", "🇵", "🇪", "\u{1F3FD}", "\r",
        "\n", " ", "-", "\u{0}", "\u{1}", "\u{9C7}", "\u{9BE}", "\u{1025}", "\u{102E}", "Ж", "й", "\u{306}", "ŉ", "ǰ",
        "\u{212B}", "\u{F900}", "豈", "\u{1D165}", "\u{302E}", "x", "y", "z",
    ]

    /// A text of so many pieces.
    package static func text(_ length: Int, _ random: inout SeededGenerator) -> String {
        (0..<length).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }

    /// Some of a text's code points that follow each other, at times in other letters or decomposed; now and then a text
    /// of its own.
    package static func part(of text: String, _ random: inout SeededGenerator) -> String {
        let scalars = Array(text.unicodeScalars)
        guard !scalars.isEmpty, Int.random(in: 0..<8, using: &random) > 0 else { return Self.text(4, &random) }
        let start = Int.random(in: 0..<scalars.count, using: &random)
        let end = Int.random(in: start...min(scalars.count, start + 8), using: &random)
        let part = String(String.UnicodeScalarView(scalars[start..<end]))
        return switch Int.random(in: 0..<6, using: &random) {
        case 0: part.uppercased()
        case 1: part.lowercased()
        case 2: part.decomposedStringWithCanonicalMapping
        case 3: part.folding(options: .diacriticInsensitive, locale: nil)
        default: part
        }
    }
}
