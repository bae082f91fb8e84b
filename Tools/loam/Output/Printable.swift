/// Text from a file made safe for a terminal.
enum Printable {
    /// The text with control characters, line separators and the characters that turn the writing direction escaped as
    /// `\n`, `\t` or `\u{1b}`, and cut to `limit` columns (with `…`) when a limit is given.
    static func escaped(_ text: String, limit: Int? = nil) -> String {
        var result = text
        if text.utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F }) {
            result = ""
            for scalar in text.unicodeScalars {
                if isHarmful(scalar) { result += escape(scalar) } else { result.unicodeScalars.append(scalar) }
            }
        }
        guard let limit, width(of: result) > limit else { return result }
        return cut(result, to: limit)
    }

    /// The text of several lines, each escaped.
    static func escapedLines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { escaped(String($0)) }
            .joined(separator: "\n")
    }

    /// Columns that a terminal gives to the text: two for East Asian wide and emoji, none for combining marks.
    static func width(of text: String) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x7F }) { return text.utf8.count }
        return text.reduce(0) { $0 + width(of: $1) }
    }

    static func width(of character: Character) -> Int {
        character.unicodeScalars.reduce(0) { max($0, width(of: $1)) }
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return scalar.value == 0xAD ? 0 : 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        if scalar.properties.isEmojiPresentation { return 2 }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
            0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }

    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": "\\n"
        case "\t": "\\t"
        case "\r": "\\r"
        default: "\\u{\(String(scalar.value, radix: 16))}"
        }
    }

    private static func cut(_ text: String, to limit: Int) -> String {
        var result = ""
        var used = 0
        for character in text {
            let width = width(of: character)
            guard used + width < limit else { break }
            result.append(character)
            used += width
        }
        return result + "…"
    }
}
