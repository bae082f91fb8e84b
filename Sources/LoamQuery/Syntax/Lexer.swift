/// Cuts a format string into tokens.
struct Lexer {
    /// Longest first, so that the first that fits is meant.
    static let signs = [
        "==", "=<", "=>", "!=", "<>", "<=", ">=", "<<", ">>", "&&", "||", "**", ":=",
        "=", "<", ">", "!", "(", ")", "{", "}", "[", "]", ",", ".", "+", "-", "*", "/", ":", "&", "|", "^", "~",
    ]

    private static let signScalars = signs.map { (sign: $0, scalars: Array($0.unicodeScalars)) }

    private let scalars: [Unicode.Scalar]
    private var position = 0

    /// All tokens of `format`, the last one being the end.
    ///
    /// - Throws: ``QueryError`` at a character that begins no token, and at a string that does not end.
    static func tokens(of format: String) throws(QueryError) -> [Token] {
        var lexer = Lexer(scalars: Array(format.unicodeScalars))
        var tokens: [Token] = []
        while true {
            let token = try lexer.next()
            tokens.append(token)
            if token.kind == .end { return tokens }
        }
    }

    private init(scalars: [Unicode.Scalar]) {
        self.scalars = scalars
    }

    private mutating func next() throws(QueryError) -> Token {
        while let scalar = peek(), scalar.isSpace { position += 1 }
        let start = position
        let kind = try nextKind()
        return Token(kind: kind, position: start, source: text(from: start))
    }

    private mutating func nextKind() throws(QueryError) -> Token.Kind {
        guard let scalar = peek() else { return .end }
        switch scalar {
        case "'", "\"": return .string(try string(closedBy: scalar))
        case "%": return try placeholder()
        case "#", "$", "@": return try marked(by: scalar)
        default: break
        }
        if scalar.isDigit || (scalar == "." && peek(1)?.isDigit == true) { return .number(try number()) }
        if scalar.beginsName { return .word(name()) }
        for (sign, scalars) in Self.signScalars where scalar == scalars[0] && matches(scalars) {
            position += scalars.count
            return .sign(sign)
        }
        throw QueryError(.syntax(expected: "a name, a value or an operator"), part: String(scalar), position: position)
    }

    /// A percent sign, the length of a printf conversion, and the letter that says what the argument is.
    private mutating func placeholder() throws(QueryError) -> Token.Kind {
        let start = position
        position += 1
        while let letter = peek(), Self.lengths.contains(letter) { position += 1 }
        let letter = peek()
        position += letter == nil ? 0 : 1
        switch letter {
        case "@": return .placeholder(.value)
        case "K": return .placeholder(.keyPath)
        case "d", "D", "i", "u", "U", "x", "X", "o", "O": return .placeholder(.integer)
        case "f", "F", "e", "E", "g", "G", "a", "A": return .placeholder(.number)
        case "s", "S": return .placeholder(.text)
        case "c", "C": return .placeholder(.character)
        default:
            throw QueryError(
                .syntax(expected: "a placeholder: %@, %K, or one of printf such as %d, %lu, %f or %s"),
                part: text(from: start), position: start)
        }
    }

    private static let lengths: Set<Unicode.Scalar> = ["h", "l", "q", "L", "z", "t", "j"]

    /// `#name` is never a keyword, and `#'any text'` names what is no word: a column with a space.
    private mutating func marked(by mark: Unicode.Scalar) throws(QueryError) -> Token.Kind {
        let start = position
        position += 1
        if mark == "#", let quote = peek(), quote == "'" || quote == "\"" {
            let name = try string(closedBy: quote)
            guard !name.contains("\u{0}") else {
                throw QueryError(.syntax(expected: "a name without NUL"), part: String(mark), position: start)
            }
            return .escapedWord(name)
        }
        guard peek()?.beginsName == true else {
            throw QueryError(.syntax(expected: "a name after \(mark)"), part: String(mark), position: start)
        }
        let name = name()
        switch mark {
        case "#": return .escapedWord(name)
        case "$": return .variable(name)
        default: return .collectionOperator(name)
        }
    }

    private mutating func name() -> String {
        let start = position
        while let scalar = peek(), scalar.continuesName { position += 1 }
        return text(from: start)
    }

    /// A backslash before a quote, a backslash, n, t, r or uXXXX stands for that character. Two uXXXX stand for one
    /// character that UTF-16 writes as two. Before anything else the backslash stays, so that patterns need not double
    /// it.
    private mutating func string(closedBy quote: Unicode.Scalar) throws(QueryError) -> String {
        let start = position
        position += 1
        var result = String.UnicodeScalarView()
        while let scalar = peek() {
            position += 1
            if scalar == quote { return String(result) }
            if scalar == "\\" { try appendEscape(to: &result) } else { result.append(scalar) }
        }
        throw QueryError(.syntax(expected: "the closing quote"), part: text(from: start), position: start)
    }

    private mutating func appendEscape(to result: inout String.UnicodeScalarView) throws(QueryError) {
        let escaped = peek()
        position += escaped == nil ? 0 : 1
        switch escaped {
        case "\\", "'", "\"": result.append(contentsOf: [escaped].compactMap { $0 })
        case "n": result.append("\n")
        case "t": result.append("\t")
        case "r": result.append("\r")
        case "u":
            if let unit = utf16Unit() {
                result.append(try scalar(unit))
            } else {
                result.append(contentsOf: ["\\", "u"])
            }
        default: result.append(contentsOf: ["\\", escaped].compactMap { $0 })
        }
    }

    /// The character of a code unit of UTF-16 and, where that is the first half of a pair, of the escape behind it.
    /// Throws ``QueryError`` for half a pair, which is no character.
    private mutating func scalar(_ unit: UInt16) throws(QueryError) -> Unicode.Scalar {
        if let scalar = Unicode.Scalar(unit) { return scalar }
        let start = position - 6
        if UTF16.isLeadSurrogate(unit), matches("\\u") {
            position += 2
            if let second = utf16Unit(), UTF16.isTrailSurrogate(second) {
                return UTF16.decode(UTF16.EncodedScalar([unit, second]))
            }
        }
        throw QueryError(
            .syntax(expected: "an escape of a whole character, as \\u00e9 or \\ud83d\\ude00"),
            part: String(String.UnicodeScalarView(scalars[start..<start + 6])), position: start)
    }

    /// Reads four hexadecimal digits; nil, and nothing is read, where they do not come next.
    private mutating func utf16Unit() -> UInt16? {
        guard position + 4 <= scalars.count else { return nil }
        let digits = String(String.UnicodeScalarView(scalars[position..<position + 4]))
        guard digits.utf8.allSatisfy({ $0.isHexDigit }), let unit = UInt16(digits, radix: 16) else { return nil }
        position += 4
        return unit
    }

    private mutating func number() throws(QueryError) -> NumberLiteral {
        let start = position
        for (mark, radix) in [("0x", 16), ("0X", 16), ("0o", 8), ("0b", 2)] where peek() == "0" && matches(mark) {
            position += 2
            let digits = name()
            guard let value = UInt64(digits, radix: radix) else { throw invalidNumber(from: start) }
            return NumberLiteral(value)
        }
        skipDigits()
        if peek() == ".", peek(1)?.isDigit == true {
            position += 1
            skipDigits()
        }
        skipExponent()
        let digits = text(from: start)
        guard peek()?.continuesName != true, let literal = NumberLiteral(digits.hasPrefix(".") ? "0" + digits : digits)
        else { throw invalidNumber(from: start) }
        return literal
    }

    private mutating func skipDigits() {
        while peek()?.isDigit == true { position += 1 }
    }

    private mutating func skipExponent() {
        guard peek() == "e" || peek() == "E" else { return }
        let sign = peek(1) == "+" || peek(1) == "-" ? 1 : 0
        guard peek(1 + sign)?.isDigit == true else { return }
        position += 1 + sign
        skipDigits()
    }

    private mutating func invalidNumber(from start: Int) -> QueryError {
        while peek()?.continuesName == true { position += 1 }
        return QueryError(.syntax(expected: "a number"), part: text(from: start), position: start)
    }

    private func peek(_ offset: Int = 0) -> Unicode.Scalar? {
        position + offset < scalars.count ? scalars[position + offset] : nil
    }

    private func matches(_ sign: String) -> Bool {
        scalars[position...].starts(with: sign.unicodeScalars)
    }

    private func matches(_ sign: [Unicode.Scalar]) -> Bool {
        sign.indices.allSatisfy { peek($0) == sign[$0] }
    }

    private func text(from start: Int) -> String {
        let part = scalars[start..<position]
        guard part.allSatisfy(\.isASCII) else { return String(String.UnicodeScalarView(part)) }
        return String(unsafeUninitializedCapacity: part.count) { buffer in
            for (place, scalar) in part.enumerated() { buffer[place] = UInt8(truncatingIfNeeded: scalar.value) }
            return part.count
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
    // Most predicates are ASCII, and a look into Unicode's tables takes far longer than these comparisons.

    fileprivate var isSpace: Bool {
        isASCII ? self == " " || (0x09...0x0D).contains(value) : properties.isWhitespace
    }
    fileprivate var beginsName: Bool {
        isASCII ? self == "_" || (0x61...0x7A).contains(value | 0x20) : properties.isAlphabetic
    }
    fileprivate var continuesName: Bool {
        if isASCII { return beginsName || isDigit }
        return beginsName || properties.generalCategory == .nonspacingMark
            || properties.generalCategory == .spacingMark
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool {
        (0x30...0x39).contains(self) || (0x41...0x46).contains(self) || (0x61...0x66).contains(self)
    }
}
