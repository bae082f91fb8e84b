extension Character {
    /// How many columns of a terminal the character takes: 0, 1 or 2.
    ///
    /// Wide are the ranges that Unicode's East Asian Width calls wide or full, and emoji; marks without a base and
    /// characters that only format take none.
    public var displayWidth: Int {
        guard let first = unicodeScalars.first else { return 0 }
        if unicodeScalars.contains("\u{FE0F}") || first.properties.isEmojiPresentation { return 2 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: return first.isWide ? 2 : 1
        }
    }
}

extension StringProtocol {
    /// How many columns of a terminal the text takes. O(length).
    public var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }

    /// The text within a number of columns: cut with an ellipsis, or filled with spaces.
    public func fitted(to columns: Int) -> String {
        let width = displayWidth
        if width <= columns { return String(self) + String(repeating: " ", count: columns - width) }
        guard columns > 0 else { return "" }
        var (cut, used) = ("", 0)
        for character in self {
            if used + character.displayWidth > columns - 1 { break }
            cut.append(character)
            used += character.displayWidth
        }
        return cut + "…" + String(repeating: " ", count: columns - 1 - used)
    }
}

extension Unicode.Scalar {
    /// The blocks of Unicode's EastAsianWidth.txt that are W or F throughout, outside of emoji.
    fileprivate var isWide: Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF: true
        case 0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F: true
        case 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1F1E6...0x1F1FF, 0x20000...0x3FFFD: true
        default: false
        }
    }
}
