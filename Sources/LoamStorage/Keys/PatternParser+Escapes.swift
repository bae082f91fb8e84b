// What begins with a backslash, and what begins with a parenthesis and a question mark.

extension PatternParser {
    // MARK: Characters

    private static let controls: [Unicode.Scalar: Unicode.Scalar] = [
        "t": "\t", "n": "\n", "r": "\r", "f": "\u{C}", "a": "\u{7}", "e": "\u{1B}",
    ]
    /// What stands for something else than one character behind a backslash.
    private static let others = Set("ABbdDGhHkpPQRSsvVwWXZz123456789".unicodeScalars)

    /// The character that an escape stands for; nil for an escape that stands for something else. A backslash before
    /// any other character means that character.
    mutating func escapedLiteral() throws(Unknown) -> Unicode.Scalar? {
        guard let escaped = peek(1) else { throw Unknown() }
        if Self.others.contains(escaped) { return nil }
        position += 2
        switch escaped {
        case "u", "U", "x": return try character(try number(escaped))
        case "0": return try octalNumber()
        case "N": return try namedCharacter()
        case "c":
            guard let letter = peek() else { return escaped }
            position += 1
            return Unicode.Scalar(letter.value & 0x1F)
        default: return Self.controls[escaped] ?? escaped
        }
    }

    /// The character of a number. Two numbers in a row, if they are the halves of a pair, are one character.
    private mutating func character(_ number: UInt32) throws(Unknown) -> Unicode.Scalar {
        if let scalar = Unicode.Scalar(number) { return scalar }
        guard (0xD800..<0xDC00).contains(number), peek() == "\\", let letter = peek(1),
            "uUx".unicodeScalars.contains(letter)
        else { throw Unknown() }
        position += 2
        let second = try self.number(letter)
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x1_0000 + (number & 0x3FF) << 10 + second & 0x3FF)
        else { throw Unknown() }
        return scalar
    }

    /// Reads the digits behind `\u`, `\U` or `\x`.
    private mutating func number(_ letter: Unicode.Scalar) throws(Unknown) -> UInt32 {
        let isBraced = letter == "x" && take("{")
        let most = letter == "u" ? 4 : letter == "U" || isBraced ? 8 : 2
        let digits = scalars[position...].prefix(most).prefix(while: \.properties.isASCIIHexDigit)
        guard letter == "x" || digits.count == most,
            let value = UInt32(String(String.UnicodeScalarView(digits)), radix: 16)
        else { throw Unknown() }
        position += digits.count
        guard !isBraced || take("}") else { throw Unknown() }
        return value
    }

    private mutating func namedCharacter() throws(Unknown) -> Unicode.Scalar {
        skipSpace()
        let name = try name(from: "{", to: "}")
        guard let scalar = ICU.character(named: name) else { throw Unknown() }
        return scalar
    }

    /// Reads an octal number of up to three digits, or of two where three would come to more than 255.
    private mutating func octalNumber() throws(Unknown) -> Unicode.Scalar {
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
            skipSpace()
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
        var name = String.UnicodeScalarView()
        while true {
            skipSpace()
            guard let next = peek(), next != "\\" else { throw Unknown() }
            position += 1
            if next == last { return String(name) }
            name.append(next)
        }
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
        skipSpace()
        guard take("?") else {
            groupCount += 1
            return .capturing(groupCount)
        }
        skipSpace(comments: false)
        if take(":") { return .plain }
        if take(">") { return .atomic }
        if take("=") { return .look(PatternLook(isBehind: false, isNegative: false)) }
        if take("!") { return .look(PatternLook(isBehind: false, isNegative: true)) }
        guard peek() == "<" else { return try setFlags() ? .plain : nil }
        let start = position
        position += 1
        skipSpace()
        if take("=") { return .look(PatternLook(isBehind: true, isNegative: false)) }
        if take("!") { return .look(PatternLook(isBehind: true, isNegative: true)) }
        position = start
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
            case "u": break
            default:
                guard let flag = Self.flags[letter] else { throw Unknown() }
                if isSetting { new.insert(flag) } else { new.remove(flag) }
            }
            skipSpace()
        }
        throw Unknown()
    }

    private static let flags: [Unicode.Scalar: Flags] = [
        "i": .ignoresCase, "s": .dotTakesLines, "m": .multiline, "d": .unixLines, "w": .unicodeWords, "x": .comments,
    ]
}
