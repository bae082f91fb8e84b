import LoamStorage

/// A LIKE pattern: `?` for one character, `*` for any number, a backslash before a character that means itself.
///
/// Text and pattern are compared in their form, as by the other operators: under the option c, ß is ss. A `?` stands
/// for one character of the text as it was written or as it is in the form, so `Stra?e` and `Stra??e` both match
/// Straße. Characters are equal where their bytes in the form are, as in keys.
///
/// A text is matched where its bytes lie. Memory is taken from the heap for a text with letters from outside Latin, of
/// which a `?` asks for the folding of each; and as ``StringForms`` says.
struct LikePattern: Sendable {
    enum Element: Hashable {
        case character(Character)
        case anyCharacter
        case anyString
    }

    /// An element as it is matched: a character by its bytes.
    private struct Step {
        enum Kind: UInt8 {
            case character, anyCharacter, anyString
        }

        var kind: Kind
        var bytes = 0..<0
        /// The byte of a character that is ASCII; else none that a plain text has.
        var plain: UInt8 = 0xFF
    }

    let elements: [Element]
    private let steps: [Step]
    /// The bytes of all characters.
    private let bytes: [UInt8]
    private let form: StringForm
    private let countsCharacters: Bool

    init(_ pattern: String, form: StringForm) {
        elements = Self.elements(of: pattern, form: form)
        self.form = form
        countsCharacters = elements.contains(.anyCharacter)
        var steps: [Step] = []
        var bytes: [UInt8] = []
        for element in elements {
            switch element {
            case .anyCharacter: steps.append(Step(kind: .anyCharacter))
            case .anyString: steps.append(Step(kind: .anyString))
            case .character(let character):
                let start = bytes.count
                bytes += String(character).utf8
                let isPlain = bytes.count == start + 1
                steps.append(
                    Step(kind: .character, bytes: start..<bytes.count, plain: isPlain ? bytes[start] : 0xFF))
            }
        }
        self.steps = steps
        self.bytes = bytes
    }

    /// The characters before the first wildcard, not yet folded; nil for a pattern that begins with one.
    static func literalPrefix(of pattern: String) -> String? {
        var prefix = ""
        for element in elements(of: pattern, form: nil) {
            guard case .character(let character) = element else { break }
            prefix.append(character)
        }
        return prefix.isEmpty ? nil : prefix
    }

    /// What stands between wildcards, not yet folded.
    static func literals(of pattern: String) -> [String] {
        elements(of: pattern, form: nil)
            .split { if case .character = $0 { false } else { true } }
            .map { literal in
                String(literal.compactMap { if case .character(let character) = $0 { character } else { nil } })
            }
    }

    /// Folding may change how many characters there are, so what lies between two wildcards is
    /// folded on its own.
    private static func elements(of pattern: String, form: StringForm?) -> [Element] {
        var elements: [Element] = []
        var literal = ""
        var isEscaped = false
        func endLiteral() {
            elements += (form.map { literal.inForm($0) } ?? literal).map(Element.character)
            literal = ""
        }
        for character in pattern {
            if isEscaped {
                literal.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "?" || character == "*" {
                endLiteral()
                elements.append(character == "?" ? .anyCharacter : .anyString)
            } else {
                literal.append(character)
            }
        }
        if isEscaped { literal.append("\\") }
        endLiteral()
        return elements
    }

    /// Cost: the product of both lengths at worst: a `*` that fails takes one more character. The text is folded as a
    /// whole, twice where a `?` asks for the folding of each of its characters.
    func matches(_ string: String) -> Bool {
        if countsCharacters, let characters = Self.foldedApart(string, form: form) { return matches(characters) }
        return StringForms.withBytes(of: string, form: form) { matches(inForm: $0) }
    }

    /// The same for a string's UTF-8 bytes, as a record holds them; `isPlain` says that they are ASCII without CR.
    ///
    /// - Throws: `StorageError.damagedRecord` when the bytes are not UTF-8.
    func matches(_ text: UnsafeRawBufferPointer, isPlain: Bool) throws -> Bool {
        if countsCharacters, form != .exact, !isPlain, try !StringForms.keepsCharacters(text, form: form),
            let characters = Self.foldedApart(String(decoding: text, as: UTF8.self), form: form)
        {
            return matches(characters)
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
    /// Each character of a text in a form; nil where each is one.
    static func foldedApart(_ string: String, form: StringForm) -> [[Character]]? {
        guard form != .exact, !string.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let characters = string.inForm(.exact)
        guard string.utf8.count <= mostSeparated,
            let separator = separators.first(where: { !characters.unicodeScalars.contains($0) })
        else {
            let folded = characters.map { Array(String($0).inForm(form)) }
            return folded.allSatisfy { $0.count == 1 } ? nil : folded
        }
        var separated = String.UnicodeScalarView()
        for character in characters {
            separated.append(contentsOf: character.unicodeScalars)
            separated.append(separator)
        }
        let folded = String(separated).inForm(form).unicodeScalars.split(
            separator: separator, omittingEmptySubsequences: false
        ).dropLast()
        // Most are one scalar, which needs no look at its neighbours.
        guard folded.contains(where: { !$0.isOneScalar && Substring($0).count != 1 }) else { return nil }
        return folded.map { Array(Substring($0)) }
    }

    /// Control characters: nothing folds, composes or is reordered across one. A text that has them all is folded one
    /// character at a time, as is one that the separators might make longer than texts that forms are made of.
    private static let separators: [Unicode.Scalar] = ["\u{1}", "\u{2}", "\u{1E}"]
    private static let mostSeparated = 16 << 20

    /// Whether the text matches. The states are the positions in the pattern; all that the text so far leads to are
    /// followed at once.
    private func matches(_ characters: [[Character]]) -> Bool {
        var states = [Bool](repeating: false, count: elements.count + 1)
        states[0] = true
        passAnyStrings(&states)
        for folded in characters {
            let start = states
            for character in folded { states = advanced(states, over: character) }
            // As one character, as it was written.
            for state in elements.indices where start[state] && elements[state] == .anyCharacter {
                states[state + 1] = true
            }
            passAnyStrings(&states)
        }
        return states[elements.count]
    }

    private func advanced(_ states: [Bool], over character: Character) -> [Bool] {
        var next = [Bool](repeating: false, count: states.count)
        for state in elements.indices where states[state] {
            if elements[state] == .anyString { next[state] = true }
            if elements[state].accepts(character) { next[state + 1] = true }
        }
        passAnyStrings(&next)
        return next
    }

    /// A `*` may stand for no character.
    private func passAnyStrings(_ states: inout [Bool]) {
        for state in elements.indices where states[state] && elements[state] == .anyString { states[state + 1] = true }
    }
}

extension LikePattern.Element {
    fileprivate func accepts(_ character: Character) -> Bool {
        switch self {
        case .character(let expected): expected == character
        case .anyCharacter: true
        case .anyString: false
        }
    }
}

extension Substring.UnicodeScalarView {
    fileprivate var isOneScalar: Bool { !isEmpty && index(after: startIndex) == endIndex }
}
