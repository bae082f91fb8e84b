/// Reads the regular part of ICU's patterns: characters and their escapes, classes (`.`, `\d`, `\p{L}`, `[a-z]` and what
/// else ICU has in brackets), groups, alternatives, `* + ? {m,n}` with or without a lazy `?`, and `^ $ \A \z \Z`.
///
/// Not back-references, look-around, possessive and atomic parts, `\b`, `\R`, `\X`, `\G`, flags within the pattern,
/// comments and `\Q…\E`. What a class holds, ICU is asked; so the parser need only know where it ends.
struct PatternParser {
    private let scalars: [Unicode.Scalar]
    private let ignoresCase: Bool
    private var position = 0
    private var depth = 0
    private var atoms: [ICU.Matcher] = []
    private var atomNumbers: [String: Int] = [:]

    /// What makes a pattern another's business than this parser's.
    private struct Unknown: Error {}

    private static let mostDepth = 200
    private static let mostAtoms = 200

    /// Nil for a pattern with parts that the parser does not know. The pattern must be one that ICU takes.
    static func parse(_ pattern: String, ignoresCase: Bool) -> ParsedPattern? {
        var parser = PatternParser(scalars: Array(pattern.unicodeScalars), ignoresCase: ignoresCase)
        guard let tree = try? parser.alternatives(), parser.peek() == nil else { return nil }
        return ParsedPattern(tree: tree, atoms: parser.atoms, ignoresCase: ignoresCase)
    }

    private init(scalars: [Unicode.Scalar], ignoresCase: Bool) {
        self.scalars = scalars
        self.ignoresCase = ignoresCase
    }

    private mutating func alternatives() throws(Unknown) -> PatternTree {
        var parts = [try sequence()]
        while take("|") { parts.append(try sequence()) }
        return parts.count == 1 ? parts[0] : .alternatives(parts)
    }

    /// ICU folds the characters of a run together, all but one that is repeated.
    private mutating func sequence() throws(Unknown) -> PatternTree {
        var parts: [PatternTree] = []
        var run: [Unicode.Scalar] = []
        while let next = peek(), next != "|", next != ")" {
            guard let literal = try literal() else {
                parts += try folded(run)
                run = []
                parts.append(try repeated(try part()))
                continue
            }
            if isRepetition {
                parts += try folded(run)
                run = []
                parts.append(try repeated(.sequence(try folded([literal]))))
            } else {
                run.append(literal)
            }
        }
        parts += try folded(run)
        return parts.count == 1 ? parts[0] : .sequence(parts)
    }

    private mutating func folded(_ run: [Unicode.Scalar]) throws(Unknown) -> [PatternTree] {
        guard ignoresCase, !run.isEmpty else { return run.map(PatternTree.scalar) }
        let folded = ICU.foldCase(run)
        if folded.count > 1 { return [.folded(folded)] }
        return try run.map { (scalar) throws(Unknown) in
            try atom(scalar.isSyntax ? "\\" + String(scalar) : String(scalar))
        }
    }

    // MARK: Parts of one character

    private mutating func part() throws(Unknown) -> PatternTree {
        switch peek() {
        case "(": return try group()
        case "[": return try brackets()
        case ".":
            position += 1
            return try atom(".")
        case "^":
            position += 1
            return .place(.start)
        case "$":
            position += 1
            return .place(.lineEnd)
        case "\\": return try escape()
        default: throw Unknown()
        }
    }

    private mutating func group() throws(Unknown) -> PatternTree {
        position += 1
        if take("?") {
            if take("<") {
                // A name; what else begins so looks behind.
                guard peek()?.properties.isAlphabetic == true else { throw Unknown() }
                while let next = peek(), next != ">" { position += 1 }
                guard take(">") else { throw Unknown() }
            } else if !take(":") {
                throw Unknown()
            }
        }
        depth += 1
        guard depth <= Self.mostDepth else { throw Unknown() }
        let inner = try alternatives()
        guard take(")") else { throw Unknown() }
        depth -= 1
        return inner
    }

    /// A class with all that stands in it, classes too.
    private mutating func brackets() throws(Unknown) -> PatternTree {
        let start = position
        var open = 0
        repeat {
            guard let next = peek() else { throw Unknown() }
            position += 1
            switch next {
            case "[":
                open += 1
                // A bracket that closes nothing is meant as itself; rare, and easily read wrongly.
                let first = peek() == "^" ? peek(1) : peek()
                if first == "]" { throw Unknown() }
            case "]": open -= 1
            case "\\":
                guard let escaped = peek(), !"QEN".unicodeScalars.contains(escaped) else { throw Unknown() }
                position += 1
                // A class of one character joins the run beside it.
                if ignoresCase, "ux0".unicodeScalars.contains(escaped) { throw Unknown() }
            default: if ignoresCase, !next.isASCII { throw Unknown() }
            }
        } while open > 0
        return try atom(String(String.UnicodeScalarView(scalars[start..<position])))
    }

    /// `\d` and the like, `\p{…}` and places.
    private mutating func escape() throws(Unknown) -> PatternTree {
        guard let letter = peek(1) else { throw Unknown() }
        position += 2
        switch letter {
        case "d", "D", "w", "W", "s", "S", "h", "H", "v", "V": return try atom("\\" + String(letter))
        case "p", "P":
            guard take("{") else { throw Unknown() }
            let start = position
            while let next = peek(), next != "}" { position += 1 }
            guard take("}") else { throw Unknown() }
            let name = String(String.UnicodeScalarView(scalars[start..<position - 1]))
            return try atom("\\\(letter){\(name)}")
        case "A": return .place(.start)
        case "z": return .place(.end)
        case "Z": return .place(.lineEnd)
        default: throw Unknown()
        }
    }

    private mutating func atom(_ source: String) throws(Unknown) -> PatternTree {
        if let known = atomNumbers[source] { return .atom(known) }
        // Each costs a matcher of ICU's.
        guard atoms.count < Self.mostAtoms else { throw Unknown() }
        guard let matcher = ICU.Matcher(Array(source.utf16), ignoresCase: ignoresCase) else { throw Unknown() }
        atoms.append(matcher)
        atomNumbers[source] = atoms.count - 1
        return .atom(atoms.count - 1)
    }

    // MARK: Literals

    /// The next character where it stands for itself, or as an escape that stands for one; nil for anything else.
    private mutating func literal() throws(Unknown) -> Unicode.Scalar? {
        guard let next = peek() else { return nil }
        if next == "\\" {
            guard let escaped = peek(1) else { throw Unknown() }
            guard let value = Self.controls[escaped] ?? (escaped.isSyntax || !escaped.isName ? escaped : nil) else {
                return try number(escaped)
            }
            position += 2
            return value
        }
        if "([.^$".unicodeScalars.contains(next) { return nil }
        if next.isSyntax { throw Unknown() }
        position += 1
        return next
    }

    private static let controls: [Unicode.Scalar: Unicode.Scalar] = [
        "t": "\t", "n": "\n", "r": "\r", "f": "\u{C}", "a": "\u{7}", "e": "\u{1B}",
    ]

    /// `\uhhhh`, `\xhh` and `\x{h…}`; nil for other escapes.
    private mutating func number(_ letter: Unicode.Scalar) throws(Unknown) -> Unicode.Scalar? {
        let digits: ArraySlice<Unicode.Scalar>
        let end: Int
        switch letter {
        case "u": (digits, end) = (scalars.dropFirst(position + 2).prefix(4), position + 6)
        case "x" where peek(2) == "{":
            digits = scalars.dropFirst(position + 3).prefix { $0 != "}" }
            end = digits.endIndex + 1
        case "x": (digits, end) = (scalars.dropFirst(position + 2).prefix(2), position + 4)
        default: return nil
        }
        let text = String(String.UnicodeScalarView(digits))
        guard end <= scalars.count, text.unicodeScalars.allSatisfy(\.properties.isASCIIHexDigit),
            let value = UInt32(text, radix: 16).flatMap(Unicode.Scalar.init)
        else { throw Unknown() }
        position = end
        return value
    }

    // MARK: Repetitions

    private var isRepetition: Bool { peek().map("*+?{".unicodeScalars.contains) ?? false }

    /// Whether a match takes as much as it can or as little makes no difference to whether a whole text matches.
    private mutating func repeated(_ part: PatternTree) throws(Unknown) -> PatternTree {
        guard isRepetition else { return part }
        let (least, most): (Int, Int?)
        switch peek() {
        case "*": (least, most) = (0, nil)
        case "+": (least, most) = (1, nil)
        case "?": (least, most) = (0, 1)
        default:
            let text = scalars[(position + 1)...].prefix { $0 != "}" }
            let bounds = text.split(separator: ",", omittingEmptySubsequences: false).map {
                String(String.UnicodeScalarView($0))
            }
            guard bounds.count <= 2, let first = Int(bounds[0]) else { throw Unknown() }
            let second = bounds.last.flatMap { Int($0) }
            guard second != nil || bounds.last == "" else { throw Unknown() }
            (least, most) = (first, second)
            position += text.count + 1
        }
        position += 1
        _ = take("?")
        // Possessive, or malformed.
        if isRepetition { throw Unknown() }
        return .repeated(part, least, most)
    }

    private func peek(_ offset: Int = 0) -> Unicode.Scalar? {
        position + offset < scalars.count ? scalars[position + offset] : nil
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek() == scalar else { return false }
        position += 1
        return true
    }
}

extension Unicode.Scalar {
    /// Whether it means something else than itself somewhere in a pattern.
    fileprivate var isSyntax: Bool { "\\^$.|?*+()[]{}".unicodeScalars.contains(self) }
    /// Whether a backslash before it may make it mean something else.
    fileprivate var isName: Bool { properties.isAlphabetic || properties.numericType != nil }
}
