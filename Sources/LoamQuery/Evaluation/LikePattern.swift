import LoamStorage

/// A LIKE pattern: `?` for one character, `*` for any number, a backslash before a character that means itself.
///
/// Text and pattern are compared in their form, as by the other operators: under the option c, ß is ss. A `?` stands
/// for one character of the text as it was written or as it is in the form, so `Stra?e` and `Stra??e` both match
/// Straße. Characters are equal where their bytes in the form are, as in keys.
///
/// A text is matched where its bytes lie, and nothing is taken from the heap but what ``StringForms`` says.
struct LikePattern: Sendable {
    /// An element of the pattern: a character by its bytes.
    private struct Step {
        enum Kind: UInt8 {
            case character, anyCharacter, anyString
        }

        var kind: Kind
        var bytes = 0..<0
        /// The byte of a character that is ASCII; else none that a plain text has.
        var plain: UInt8 = 0xFF
    }

    let form: StringForm
    private var steps: [Step] = []
    /// The bytes of all characters.
    private var bytes: [UInt8] = []
    private var countsCharacters = false
    /// The characters since the last wildcard, while a pattern is read.
    private var literal: [UInt8] = []

    init(_ pattern: String, form: StringForm) {
        self.form = form
        var pattern = pattern
        pattern.withUTF8 { read(UnsafeRawBufferPointer($0)) }
    }

    /// An empty pattern, which ``replace(with:)`` makes another one.
    init(form: StringForm) { self.form = form }

    /// Makes it the pattern in a string's UTF-8 bytes, in the memory of the one before.
    ///
    /// - Throws: `StorageError.damagedRecord` when the bytes are not UTF-8.
    mutating func replace(with pattern: UnboxedValue) throws {
        guard pattern.isPlain || StringForms.isUTF8(pattern.text) else {
            throw StorageError(.damagedRecord("a string is not UTF-8"))
        }
        read(pattern.text)
    }

    /// The characters before the first wildcard, not yet folded; nil for a pattern that begins with one.
    static func literalPrefix(of pattern: String) -> String? {
        var prefix = ""
        var isEscaped = false
        for character in pattern {
            if !isEscaped, character == "?" || character == "*" { break }
            isEscaped = !isEscaped && character == "\\"
            if !isEscaped { prefix.append(character) }
        }
        if isEscaped { prefix.append("\\") }
        return prefix.isEmpty ? nil : prefix
    }

    /// What stands between wildcards, not yet folded.
    static func literals(of pattern: String) -> [String] {
        var (literals, literal) = ([String](), "")
        var isEscaped = false
        for character in pattern {
            if isEscaped {
                literal.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "?" || character == "*" {
                literals.append(literal)
                literal = ""
            } else {
                literal.append(character)
            }
        }
        literals.append(isEscaped ? literal + "\\" : literal)
        return literals.filter { !$0.isEmpty }
    }

    /// Folding may change how many characters there are, so what lies between two wildcards is folded on its own.
    private mutating func read(_ pattern: UnsafeRawBufferPointer) {
        steps.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
        countsCharacters = false
        var isEscaped = false
        CharacterBytes.forEach(in: pattern) { character in
            let single = character.count == 1 ? character[0] : 0xFF
            if isEscaped {
                literal.append(contentsOf: character)
                isEscaped = false
            } else if single == UInt8(ascii: "\\") {
                isEscaped = true
            } else if single == UInt8(ascii: "?") || single == UInt8(ascii: "*") {
                endLiteral()
                let isOne = single == UInt8(ascii: "?")
                steps.append(Step(kind: isOne ? .anyCharacter : .anyString))
                if isOne { countsCharacters = true }
            } else {
                literal.append(contentsOf: character)
            }
            return true
        }
        if isEscaped { literal.append(UInt8(ascii: "\\")) }
        endLiteral()
    }

    private mutating func endLiteral() {
        guard !literal.isEmpty else { return }
        var literal: [UInt8] = []
        swap(&literal, &self.literal)
        literal.withUnsafeBytes { literal in
            StringForms.withBytes(ofValid: literal, form: form) { folded in
                CharacterBytes.forEach(in: folded) { character in
                    let start = bytes.count
                    bytes.append(contentsOf: character)
                    steps.append(
                        Step(
                            kind: .character, bytes: start..<bytes.count,
                            plain: character.count == 1 ? character[0] : 0xFF))
                    return true
                }
            }
        }
        literal.removeAll(keepingCapacity: true)
        swap(&literal, &self.literal)
    }

    /// Cost: the product of both lengths at worst: a `*` that fails takes one more character. The text is folded as a
    /// whole, up to three times where a `?` asks for the folding of each of its characters.
    func matches(_ string: String) -> Bool {
        var string = string
        return string.withUTF8 { text in
            let text = UnsafeRawBufferPointer(text)
            if countsCharacters, let isMatch = matchesApart(text) { return isMatch }
            return StringForms.withBytes(ofValid: text, form: form) { matches(inForm: $0) }
        }
    }

    /// The same for a string's UTF-8 bytes, as a record holds them; `isPlain` says that they are ASCII without CR.
    ///
    /// - Throws: `StorageError.damagedRecord` when the bytes are not UTF-8.
    func matches(_ text: UnsafeRawBufferPointer, isPlain: Bool) throws -> Bool {
        if countsCharacters, form != .exact, !isPlain, try !StringForms.keepsCharacters(text, form: form) {
            guard StringForms.isUTF8(text) else { throw StorageError(.damagedRecord("a string is not UTF-8")) }
            if let isMatch = matchesApart(text) { return isMatch }
        }
        return try StringForms.withBytes(text, isPlain: isPlain, form: form) { text in
            isPlain ? matches(plain: text) : matches(inForm: text)
        }
    }

    private func matches(inForm text: UnsafeRawBufferPointer) -> Bool {
        if StringForms.isPlain(text) { return matches(plain: text) }
        return text.withMemoryRebound(to: UInt8.self) { bytes in
            // The form of a text is valid UTF-8, but for collation keys, which LIKE has none of.
            var characters = UTF8Span(unchecked: bytes.span).makeCharacterIterator()
            return matches(text) { position in
                if characters.currentCodeUnitOffset != position { characters.reset(toUnchecked: position) }
                _ = characters.skipForward()
                return max(characters.currentCodeUnitOffset, position + 1)
            } accepts: { step, character in
                accepts(step, UnsafeRawBufferPointer(rebasing: text[character]))
            }
        }
    }

    /// The same where every byte is a character.
    private func matches(plain text: UnsafeRawBufferPointer) -> Bool {
        matches(text) {
            $0 + 1
        } accepts: { step, character in
            step.plain == text[character.lowerBound]
        }
    }

    private func accepts(_ step: Step, _ character: UnsafeRawBufferPointer) -> Bool {
        guard step.bytes.count == character.count else { return false }
        return bytes.withUnsafeBytes {
            StringForms.compare(UnsafeRawBufferPointer(rebasing: $0[step.bytes]), character)
        }
            == 0
    }

    /// - Parameters:
    ///   - end: of the character that begins at an offset.
    ///   - accepts: whether a step's character is the one in a range of the text.
    @inline(__always)
    private func matches(
        _ text: UnsafeRawBufferPointer, _ end: (Int) -> Int, accepts: (Step, Range<Int>) -> Bool
    ) -> Bool {
        steps.withUnsafeBufferPointer { steps in
            var (position, step) = (0, 0)
            var retry: (position: Int, step: Int)?
            while position < text.count {
                if step < steps.count, steps[step].kind == .anyString {
                    retry = (position, step)
                    step += 1
                    continue
                }
                let next = end(position)
                if step < steps.count, steps[step].kind == .anyCharacter || accepts(steps[step], position..<next) {
                    position = next
                    step += 1
                } else if let last = retry {
                    let start = end(last.position)
                    retry = (start, last.step)
                    (position, step) = (start, last.step + 1)
                } else {
                    return false
                }
            }
            while step < steps.count, steps[step].kind == .anyString { step += 1 }
            return step == steps.count
        }
    }
}

// MARK: Characters that fold to another number of them

extension LikePattern {
    /// Whether a text matches of which a character folds to none or to several; nil where each folds to one.
    ///
    /// The states are the positions in the pattern; all that the text so far leads to are followed at once.
    private func matchesApart(_ text: UnsafeRawBufferPointer) -> Bool? {
        guard form != .exact, !StringForms.isASCII(text) else { return nil }
        return StringForms.withBytes(ofValid: text, form: .exact) { text in
            let isEachOne = FoldedCharacters.forEach(of: text, form: form) { CharacterBytes.isOne($0) }
            if isEachOne { return nil }
            let count = steps.count + 1
            return withUnsafeTemporaryAllocation(of: Bool.self, capacity: 3 * count) { room in
                room.initialize(repeating: false)
                var states = UnsafeMutableBufferPointer(rebasing: room[..<count])
                var next = UnsafeMutableBufferPointer(rebasing: room[count..<2 * count])
                let before = UnsafeMutableBufferPointer(rebasing: room[(2 * count)...])
                states[0] = true
                passAnyStrings(states)
                _ = FoldedCharacters.forEach(of: text, form: form) { folded in
                    for state in before.indices { before[state] = states[state] }
                    CharacterBytes.forEach(in: folded) { character in
                        advance(states, over: character, to: next)
                        swap(&states, &next)
                        return true
                    }
                    // As one character, as it was written.
                    for state in steps.indices where before[state] && steps[state].kind == .anyCharacter {
                        states[state + 1] = true
                    }
                    passAnyStrings(states)
                    return true
                }
                return states[steps.count]
            }
        }
    }

    private func advance(
        _ states: UnsafeMutableBufferPointer<Bool>, over character: UnsafeRawBufferPointer,
        to next: UnsafeMutableBufferPointer<Bool>
    ) {
        for state in next.indices { next[state] = false }
        for state in steps.indices where states[state] {
            switch steps[state].kind {
            case .anyString: next[state] = true
            case .anyCharacter: next[state + 1] = true
            case .character: if accepts(steps[state], character) { next[state + 1] = true }
            }
        }
        passAnyStrings(next)
    }

    /// A `*` may stand for no character.
    private func passAnyStrings(_ states: UnsafeMutableBufferPointer<Bool>) {
        for state in steps.indices where states[state] && steps[state].kind == .anyString { states[state + 1] = true }
    }
}
