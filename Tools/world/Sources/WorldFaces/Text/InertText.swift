extension String {
    /// The text with everything that steers a terminal or turns the direction of writing replaced by U+FFFD: control
    /// characters, line and paragraph separators, and the signs that embed, override or isolate a direction.
    ///
    /// What is left moves no cursor, changes no colour and stays on its line. O(length).
    public var inert: String {
        guard unicodeScalars.contains(where: \.isSteering) else { return self }
        var scalars = String.UnicodeScalarView()
        for scalar in unicodeScalars { scalars.append(scalar.isSteering ? "\u{FFFD}" : scalar) }
        return String(scalars)
    }

    /// The text as HTML shows it, within an element or between double quotes: `&`, `<`, `>`, `"`, `'` are references.
    public var escapedForHTML: String {
        var escaped = ""
        escaped.reserveCapacity(utf8.count)
        for character in unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\0": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}

extension Unicode.Scalar {
    fileprivate var isSteering: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0: true
        case 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0x061C: true
        case 0xFFF9...0xFFFB: true
        default: false
        }
    }
}
