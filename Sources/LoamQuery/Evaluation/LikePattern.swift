import LoamStorage

/// A LIKE pattern: `?` for one character, `*` for any number, a backslash before a character that means itself.
///
/// Text and pattern are compared in their form, as by the other operators: under the option c, ß is ss. A `?` stands
/// for one character of the text as it was written or as it is in the form, so `Stra?e` and `Stra??e` both match
/// Straße.
struct LikePattern: Sendable {
    enum Element: Hashable {
        case character(Character)
        case anyCharacter
        case anyString
    }

    let elements: [Element]
    private let form: StringForm
    private let countsCharacters: Bool

    init(_ pattern: String, form: StringForm) {
        elements = Self.elements(of: pattern, form: form)
        self.form = form
        countsCharacters = elements.contains(.anyCharacter)
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
        return matches(Array(string.inForm(form)))
    }

    private func matches(_ characters: [Character]) -> Bool {
        var (position, element) = (0, 0)
        var retry: (position: Int, element: Int)?
        while position < characters.count {
            if element < elements.count, elements[element] == .anyString {
                retry = (position, element)
                element += 1
            } else if element < elements.count, elements[element].accepts(characters[position]) {
                position += 1
                element += 1
            } else if let last = retry {
                retry = (last.position + 1, last.element)
                (position, element) = (last.position + 1, last.element + 1)
            } else {
                return false
            }
        }
        return elements[element...].allSatisfy { $0 == .anyString }
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
