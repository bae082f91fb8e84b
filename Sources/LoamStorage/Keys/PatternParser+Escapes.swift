// What begins with a backslash, and what begins with a parenthesis and a question mark.

extension PatternParser {
    // MARK: Characters

    private static let controls: [Unicode.Scalar: Unicode.Scalar] = [
        "t": "\t", "n": "\n", "r": "\r", "f": "\u{C}", "a": "\u{7}", "e": "\u{1B}",
    ]

    /// The character that an escape stands for; nil for an escape that stands for something else.
    mutating func escapedLiteral() throws(Unknown) -> Unicode.Scalar? {
        guard let escaped = peek(1) else { throw Unknown() }
        if let value = Self.controls[escaped] ?? (escaped.isName ? nil : escaped) {
            position += 2
            return value
        }
        switch escaped {
        case "u": return try number(of: 4, from: position + 2)
        case "U": return try number(of: 8, from: position + 2)
        case "x" where peek(2) == "{":
            let count = scalars[(position + 3)...].prefix { $0 != "}" }.count
            let value = try number(of: count, from: position + 3)
            guard take("}") else { throw Unknown() }
            return value
        case "x": return try number(of: 2, from: position + 2)
        case "0": return try octalNumber()
        case "c":
            guard let letter = peek(2), letter.isASCII else { throw Unknown() }
            position += 3
            return Unicode.Scalar(letter.value & 0x1F)
        default: return nil
        }
    }

    private mutating func number(of count: Int, from start: Int) throws(Unknown) -> Unicode.Scalar {
        let digits = scalars.dropFirst(start).prefix(count)
        let text = String(String.UnicodeScalarView(digits))
        guard digits.count == count, text.unicodeScalars.allSatisfy(\.properties.isASCIIHexDigit),
            let value = UInt32(text, radix: 16).flatMap(Unicode.Scalar.init)
        else { throw Unknown() }
        position = start + count
        return value
    }

    /// Reads an octal number of up to three digits, or of two where three would come to more than 255.
    private mutating func octalNumber() throws(Unknown) -> Unicode.Scalar {
        position += 2
        var value: UInt32 = 0
        for _ in 0..<3 {
            guard let digit = peek(), ("0"..."7").contains(digit) else { break }
            let next = value << 3 + (digit.value - 0x30)
            guard next <= 255 else { break }
            value = next
            position += 1
        }
        guard let scalar = Unicode.Scalar(value) else { throw Unknown() }
        return scalar
    }

    // MARK: Others

    /// Reads `\d` and the like, `\p{…}`, anchors, and references.
    mutating func escape() throws(Unknown) -> PatternTree {
        guard let letter = peek(1) else { throw Unknown() }
        position += 2
        switch letter {
        case "d", "D", "w", "W", "s", "S", "h", "H", "v", "V": return try atom("\\" + String(letter))
        case "p", "P":
            position -= 2
            return try characterClass(upTo: "}")
        case "N":
            // A character by its name belongs to the literals beside it.
            if flags.contains(.ignoresCase) { throw Unknown() }
            return try atom("\\N{\(try name(from: "{", to: "}"))}")
        case "A", "G": return .condition(.start, holds: true)
        case "z": return .condition(.end, holds: true)
        case "Z": return .condition(.lineEnd, holds: true)
        case "b", "B":
            if flags.contains(.unicodeWords) { return .condition(.unicodeWordBoundary, holds: letter == "b") }
            _ = try atomNumber(PatternAtoms.word, dependsOnCase: false)
            _ = try atomNumber(PatternAtoms.mark, dependsOnCase: false)
            return .condition(.wordBoundary, holds: letter == "b")
        case "R": return .lineBreak(try atomNumber("\\v"))
        case "X": return try grapheme()
        case "k":
            guard let number = groupNames[try name(from: "<", to: ">")] else { throw Unknown() }
            return reference(to: number)
        case "1"..."9": return reference(to: referenceNumber(letter))
        default: throw Unknown()
        }
    }

    private func grapheme() throws(Unknown) -> PatternTree {
        let any = try atom(PatternAtoms.any)
        let more = PatternTree.sequence([.condition(.graphemeBoundary, holds: false), any])
        let rest = PatternTree.repeated(more, PatternCount(least: 0, most: nil))
        return .sequence([any, rest, .condition(.graphemeBoundary, holds: true)])
    }

    private mutating func name(from first: Unicode.Scalar, to last: Unicode.Scalar) throws(Unknown) -> String {
        guard take(first) else { throw Unknown() }
        let start = position
        while let next = peek(), next != last { position += 1 }
        guard take(last) else { throw Unknown() }
        return String(String.UnicodeScalarView(scalars[start..<position - 1]))
    }

    /// Reads the number of a reference. As in ICU, a further digit belongs to it while the number so far is less than
    /// the number of groups that were opened.
    private mutating func referenceNumber(_ first: Unicode.Scalar) -> Int {
        var number = Int(first.value) - 0x30
        while number < groupCount, let digit = peek(), ("0"..."9").contains(digit) {
            number = number * 10 + Int(digit.value) - 0x30
            position += 1
        }
        return number
    }

    private mutating func reference(to number: Int) -> PatternTree {
        references.insert(number)
        return .reference(number, ignoresCase: flags.contains(.ignoresCase))
    }

    // MARK: Groups

    enum GroupKind {
        case plain
        case capturing(Int)
        case atomic
        case look(PatternLook)

        func tree(_ inner: PatternTree) -> PatternTree {
            switch self {
            case .plain: inner
            case .capturing(let number): .group(number, inner)
            case .atomic: .atomic(inner)
            case .look(let look): .look(inner, look)
            }
        }
    }

    /// Reads what stands behind an opening parenthesis; nil for flags that the parenthesis ends with.
    mutating func groupKind() throws(Unknown) -> GroupKind? {
        guard take("?") else {
            groupCount += 1
            return .capturing(groupCount)
        }
        if take(":") { return .plain }
        if take(">") { return .atomic }
        if take("=") { return .look(PatternLook(isBehind: false, isNegative: false)) }
        if take("!") { return .look(PatternLook(isBehind: false, isNegative: true)) }
        guard peek() == "<" else { return try setFlags() ? .plain : nil }
        if peek(1) == "=" || peek(1) == "!" {
            position += 2
            return .look(PatternLook(isBehind: true, isNegative: peek(-1) == "!"))
        }
        groupCount += 1
        groupNames[try name(from: "<", to: ">")] = groupCount
        return .capturing(groupCount)
    }

    /// Reads flags and sets them. Returns whether they are followed by a group that they are for.
    private mutating func setFlags() throws(Unknown) -> Bool {
        var isSetting = true
        var new = flags
        while let letter = peek() {
            position += 1
            switch letter {
            case "-": isSetting = false
            case ")", ":":
                flags = new
                return letter == ":"
            case "u": continue
            default:
                guard let flag = Self.flags[letter] else { throw Unknown() }
                if isSetting { new.insert(flag) } else { new.remove(flag) }
            }
        }
        throw Unknown()
    }

    private static let flags: [Unicode.Scalar: Flags] = [
        "i": .ignoresCase, "s": .dotTakesLines, "m": .multiline, "d": .unixLines, "w": .unicodeWords, "x": .comments,
    ]
}

extension Unicode.Scalar {
    /// Whether the character may mean something else with a backslash before it.
    fileprivate var isName: Bool { properties.isAlphabetic || properties.numericType != nil }
}
