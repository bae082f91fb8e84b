import LoamStorage

/// A LIKE pattern: `?` for one character, `*` for any number, a backslash before a character that means itself.
struct LikePattern: Sendable {
    enum Element: Hashable {
        case character(Character)
        case anyCharacter
        case anyRun
    }

    let elements: [Element]

    init(_ pattern: String, form: StringForm) {
        elements = Self.elements(of: pattern, form: form)
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

    /// Folding may change how many characters there are, so each run of literal ones is folded on its own.
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
                elements.append(character == "?" ? .anyCharacter : .anyRun)
            } else {
                literal.append(character)
            }
        }
        if isEscaped { literal.append("\\") }
        endLiteral()
        return elements
    }

    /// Cost: the product of both lengths at worst: a run that fails grows by one character.
    func matches(_ string: String) -> Bool {
        let characters = Array(string)
        var (position, element) = (0, 0)
        var retry: (position: Int, element: Int)?
        while position < characters.count {
            if element < elements.count, elements[element] == .anyRun {
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
        return elements[element...].allSatisfy { $0 == .anyRun }
    }
}

extension LikePattern.Element {
    fileprivate func accepts(_ character: Character) -> Bool {
        switch self {
        case .character(let expected): expected == character
        case .anyCharacter: true
        case .anyRun: false
        }
    }
}

extension String {
    /// The text in a form, normalized as in its key.
    func inForm(_ form: StringForm) -> String {
        StringForms.withBytes(of: self, form: form) { String(decoding: $0, as: UTF8.self) }
    }
}
