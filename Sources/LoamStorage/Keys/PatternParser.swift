/// Reads ICU's patterns: characters and their escapes, classes (`.`, `\d`, `\p{L}`, `[a-z]` and what else ICU has in
/// brackets), groups of all kinds, alternatives, repetitions of all kinds, look-arounds, back-references, anchors,
/// flags, comments and `\Q…\E`.
///
/// Not half of a pair of UTF-16 units, as `\uD83D` alone, which no text holds; more than ``PatternAtoms/mostAtoms``
/// classes; and a few ways to write other forms that nobody writes: a class that holds more than 100 closing brackets,
/// `\p{…}` with a backslash in the name, and `\Q` or `\c` in a comment in parentheses. What a class holds, and where
/// it ends, ICU is asked.
struct PatternParser {
    let scalars: [Unicode.Scalar]
    var position = 0
    var flags: Flags
    /// Whether the parser is within `\Q…\E`.
    private var isQuoted = false
    private var depth = 0
    /// The number of groups that were opened so far.
    var groupCount = 0
    var groupNames: [String: Int] = [:]
    var references: Set<Int> = []
    let atoms = PatternAtoms()

    /// What a pattern sets for the parts that follow.
    struct Flags: OptionSet {
        let rawValue: Int

        static let ignoresCase = Flags(rawValue: 1)
        static let dotTakesLines = Flags(rawValue: 2)
        static let multiline = Flags(rawValue: 4)
        static let unixLines = Flags(rawValue: 8)
        static let unicodeWords = Flags(rawValue: 16)
        static let comments = Flags(rawValue: 32)
    }

    /// Thrown where a pattern has a part that this parser does not know: ICU matches the pattern then.
    struct Unknown: Error {}

    private static let mostDepth = 200

    /// Reads a pattern, which must be one that ICU takes; nil where it has parts that the parser does not know.
    static func parse(_ pattern: String, ignoresCase: Bool) -> ParsedPattern? {
        var parser = PatternParser(
            scalars: Array(pattern.unicodeScalars), flags: ignoresCase ? .ignoresCase : [])
        guard let tree = try? parser.alternatives(), parser.peek() == nil else { return nil }
        return ParsedPattern(tree: tree, atoms: parser.atoms, references: parser.references)
    }

    private init(scalars: [Unicode.Scalar], flags: Flags) {
        self.scalars = scalars
        self.flags = flags
    }

    private mutating func alternatives() throws(Unknown) -> PatternTree {
        var parts = [try sequence()]
        while take("|") { parts.append(try sequence()) }
        return parts.count == 1 ? parts[0] : .alternatives(parts)
    }

    /// ICU folds the characters of consecutive literals together, all but one that is repeated.
    private mutating func sequence() throws(Unknown) -> PatternTree {
        var parts: [PatternTree] = []
        var literals: [Unicode.Scalar] = []
        try skipIgnored()
        while let next = peek(), isQuoted || (next != "|" && next != ")") {
            var part = try literal().map(PatternTree.scalar)
            if part == nil {
                parts += try folded(literals)
                literals = []
                part = try self.part()
            }
            try skipIgnored()
            if case .scalar(let literal) = part {
                literals.append(literal)
                guard isRepetition else { continue }
                parts += try folded(literals.dropLast())
                literals = []
                part = .sequence(try folded([literal]))
            }
            if let part { parts.append(try repeated(part)) }
            try skipIgnored()
        }
        parts += try folded(literals)
        return parts.count == 1 ? parts[0] : .sequence(parts)
    }

    private func folded(_ literals: some Collection<Unicode.Scalar>) throws(Unknown) -> [PatternTree] {
        guard flags.contains(.ignoresCase), !literals.isEmpty else { return literals.map(PatternTree.scalar) }
        let folded = ICU.foldCase(Array(literals))
        guard folded.count == 1 else { return [.folded(folded)] }
        return [ICU.isCaseSensitive(folded[0]) ? try atom(String(folded[0])) : .scalar(folded[0])]
    }

    func atom(_ source: String) throws(Unknown) -> PatternTree { .atom(try atomNumber(source)) }

    func atomNumber(_ source: String, dependsOnCase: Bool = true) throws(Unknown) -> Int {
        let ignoresCase = dependsOnCase && flags.contains(.ignoresCase)
        guard let number = atoms.number(of: source, ignoresCase: ignoresCase) else { throw Unknown() }
        return number
    }

    // MARK: Parts

    private mutating func part() throws(Unknown) -> PatternTree {
        switch peek() {
        case "(": return try group()
        case "[": return try characterClass(upTo: "]")
        case ".":
            position += 1
            if flags.contains(.dotTakesLines) { return .anything(try atomNumber(PatternAtoms.any)) }
            return try atom(flags.contains(.unixLines) ? "(?d)." : ".")
        case "^":
            position += 1
            guard flags.contains(.multiline) else { return .condition(.start, holds: true) }
            return .condition(flags.contains(.unixLines) ? .startOfUnixLine : .startOfLine, holds: true)
        case "$":
            position += 1
            let isUnix = flags.contains(.unixLines)
            let isMultiline = flags.contains(.multiline)
            let facts: PatternFacts = isUnix ? .unixLineEnd : .lineEnd
            let ofLines: PatternFacts = isUnix ? .endOfUnixLine : .endOfLine
            return .condition(isMultiline ? ofLines : facts, holds: true)
        case "\\": return try escape()
        default: throw Unknown()
        }
    }

    private mutating func group() throws(Unknown) -> PatternTree {
        position += 1
        let outer = flags
        guard let kind = try groupKind() else { return .sequence([]) }
        depth += 1
        guard depth <= Self.mostDepth else { throw Unknown() }
        let inner = try alternatives()
        guard !isQuoted, take(")") else { throw Unknown() }
        depth -= 1
        flags = outer
        return kind.tree(inner)
    }

    // MARK: Repetitions

    private var isRepetition: Bool { !isQuoted && (peek().map("*+?{".unicodeScalars.contains) ?? false) }

    private mutating func repeated(_ part: PatternTree) throws(Unknown) -> PatternTree {
        guard isRepetition else { return part }
        var count = PatternCount(least: 0, most: nil)
        switch peek() {
        case "*": break
        case "+": count.least = 1
        case "?": count.most = 1
        default: count = try interval()
        }
        position += 1
        skipSpace()
        if take("?") { count.manner = .lazy } else if take("+") { count.manner = .possessive }
        try skipIgnored()
        if isRepetition { throw Unknown() }
        return .repeated(part, count)
    }

    /// Reads `{m,n}`, up to the closing brace.
    private mutating func interval() throws(Unknown) -> PatternCount {
        var bounds = [""]
        repeat {
            position += 1
            skipSpace()
            switch peek() {
            case ",": bounds.append("")
            case let digit? where ("0"..."9").contains(digit): bounds[bounds.count - 1].unicodeScalars.append(digit)
            case "}": break
            default: throw Unknown()
            }
        } while peek() != "}"
        guard bounds.count <= 2, let first = Int(bounds[0]) else { throw Unknown() }
        let second = bounds.last.flatMap { Int($0) }
        guard second != nil || bounds.last == "" else { throw Unknown() }
        return PatternCount(least: first, most: second, isInterval: true)
    }

    // MARK: Characters

    /// Passes over what matches nothing: `(?#…)`, the bounds of `\Q…\E`, and under flag x white space and comments.
    mutating func skipIgnored() throws(Unknown) {
        while true {
            if isQuoted {
                guard peek() == "\\", peek(1) == "E" else { return }
                position += 2
                isQuoted = false
                continue
            }
            skipSpace()
            if peek() == "\\", peek(1) == "Q" {
                position += 2
                isQuoted = true
            } else if try !takeComment() {
                return
            }
        }
    }

    /// Passes over `(?#…)`.
    private mutating func takeComment() throws(Unknown) -> Bool {
        let start = position
        guard take("("), takeBehindSpace("?"), takeBehindSpace("#", comments: false) else {
            position = start
            return false
        }
        while true {
            skipSpace()
            guard let next = peek() else { throw Unknown() }
            position += 1
            if next == ")" { return true }
            // What these take may be the parenthesis.
            if next == "\\", peek() == "Q" || peek() == "c" { throw Unknown() }
        }
    }

    private mutating func takeBehindSpace(_ scalar: Unicode.Scalar, comments: Bool = true) -> Bool {
        skipSpace(comments: comments)
        return take(scalar)
    }

    /// Passes over `\Q\E`, and under flag x over white space and comments.
    ///
    /// - Parameter comments: false behind `(?`, where `#` does not begin one.
    mutating func skipSpace(comments: Bool = true) {
        guard !isQuoted else { return }
        let isSpaced = flags.contains(.comments)
        while let next = peek() {
            if next == "\\", peek(1) == "Q", peek(2) == "\\", peek(3) == "E" {
                position += 4
            } else if isSpaced, next.properties.isPatternWhitespace {
                position += 1
            } else if isSpaced, comments, next == "#" {
                while let next = peek(), !"\n\r\u{85}\u{2028}".unicodeScalars.contains(next) { position += 1 }
            } else {
                return
            }
        }
    }

    /// The next character where it stands for itself, or as an escape that stands for one; nil for anything else.
    private mutating func literal() throws(Unknown) -> Unicode.Scalar? {
        guard let next = peek() else { return nil }
        if isQuoted {
            position += 1
            return next
        }
        if next == "\\" { return try escapedLiteral() }
        if "([.^$".unicodeScalars.contains(next) { return nil }
        if "*+?{}|)".unicodeScalars.contains(next) { throw Unknown() }
        position += 1
        return next
    }

    func peek(_ offset: Int = 0) -> Unicode.Scalar? {
        position + offset < scalars.count ? scalars[position + offset] : nil
    }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek() == scalar else { return false }
        position += 1
        return true
    }
}
