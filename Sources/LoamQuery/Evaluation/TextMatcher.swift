import Foundation
import LoamStorage

/// A text operator with its constant right side, prepared once.
///
/// Strings match as characters, after both sides were brought into the same form; so two strings that Swift calls equal
/// always match alike. A MATCHES pattern is an ICU regular expression over the whole string.
package struct TextMatcher: @unchecked Sendable {
    private enum Kind {
        case equal(StringPattern)
        case pattern(TextOperator, StringPattern)
        case like(LikePattern)
        /// Immutable and safe to share: NSRegularExpression is documented as such.
        case regular(NSRegularExpression)
    }

    private let kind: Kind
    private let form: StringForm

    /// - Throws: ``QueryError`` for a malformed regular expression.
    init(_ text: TextOperator, _ operand: String, form: StringForm) throws(QueryError) {
        self.form = form
        switch text {
        case .beginsWith, .endsWith, .contains: kind = .pattern(text, StringPattern(operand, form: form))
        case .like: kind = .like(LikePattern(operand, form: form))
        case .matches: kind = .regular(try Self.expression(operand, form: form))
        }
    }

    /// Equality, which follows the keys: canonical equivalence, in the form.
    init(equalTo operand: String, form: StringForm) {
        self.form = form
        kind = .equal(StringPattern(operand, form: form))
    }

    func matches(_ string: String) -> Bool {
        switch kind {
        case .equal(let pattern): pattern.equals(string)
        case .pattern(.beginsWith, let pattern): pattern.isPrefix(of: string)
        case .pattern(.endsWith, let pattern): pattern.isSuffix(of: string)
        case .pattern(_, let pattern): pattern.isContained(in: string)
        case .like(let pattern): pattern.matches(string.inForm(form))
        case .regular(let expression): Self.matches(expression, string.inForm(expressionForm))
        }
    }

    /// The same on the bytes of a string in a record. `isPlain` says that every byte is a character.
    func matches(_ bytes: UnsafeRawBufferPointer, isPlain: Bool) throws -> Bool {
        switch kind {
        case .equal(let pattern): return try pattern.equals(bytes, isPlain: isPlain)
        case .pattern(.beginsWith, let pattern): return try pattern.isPrefix(of: bytes, isPlain: isPlain)
        case .pattern(.endsWith, let pattern): return try pattern.isSuffix(of: bytes, isPlain: isPlain)
        case .pattern(_, let pattern): return try pattern.isContained(in: bytes, isPlain: isPlain)
        default:
            guard let string = String(validating: bytes, as: UTF8.self) else {
                throw StorageError(.damagedRecord("a string is not UTF-8"))
            }
            return matches(string)
        }
    }

    /// The expression folds case itself; only diacritics are taken away beforehand.
    private var expressionForm: StringForm {
        form == .diacriticFolded || form == .caseAndDiacriticFolded ? .diacriticFolded : .exact
    }

    private static func expression(_ pattern: String, form: StringForm) throws(QueryError) -> NSRegularExpression {
        let ignoresCase = form == .caseFolded || form == .caseAndDiacriticFolded
        let ignoresMarks = form == .diacriticFolded || form == .caseAndDiacriticFolded
        let text = pattern.inForm(ignoresMarks ? .diacriticFolded : .exact)
        let options: NSRegularExpression.Options = ignoresCase ? .caseInsensitive : []
        // The pattern alone first: an unbalanced parenthesis must not close the group around it. The line break ends
        // a comment in the pattern.
        // (The empty pattern, which matches the empty string, is refused by ICU itself.)
        guard text.isEmpty || (try? NSRegularExpression(pattern: text, options: options)) != nil,
            let whole = (try? NSRegularExpression(pattern: "\\A(?:\(text))\\z", options: options))
                ?? (try? NSRegularExpression(pattern: "\\A(?:\(text)\n)\\z", options: options))
        else { throw QueryError(.invalidPattern, part: Value.quoted(pattern)) }
        return whole
    }

    private static func matches(_ expression: NSRegularExpression, _ string: String) -> Bool {
        expression.firstMatch(in: string, range: NSRange(location: 0, length: string.utf16.count)) != nil
    }
}

/// A LIKE pattern: `?` for one character, `*` for any number, a backslash before a character that means itself.
struct LikePattern {
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
