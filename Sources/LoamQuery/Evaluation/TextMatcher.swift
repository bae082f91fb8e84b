import Foundation
import LoamStorage

/// A text operator with its constant right side, prepared once.
///
/// Strings match as characters, after both sides were brought into the same form; so two strings that Swift calls equal
/// always match alike. A MATCHES pattern is an ICU regular expression over the whole string. A class, so that testing a
/// row copies one reference; nothing in it changes, and `NSRegularExpression` may be used from any thread.
package final class TextMatcher: @unchecked Sendable {
    private enum Kind {
        case equal, beginsWith, endsWith, contains, like, matches
    }

    private let kind: Kind
    private let form: StringForm
    /// The operand of all but LIKE and MATCHES, where it is empty.
    private let pattern: StringPattern
    private let like: LikePattern
    private let expression: NSRegularExpression?

    /// - Throws: ``QueryError`` for a malformed regular expression.
    convenience init(_ text: TextOperator, _ operand: String, form: StringForm) throws(QueryError) {
        switch text {
        case .beginsWith: self.init(.beginsWith, form, pattern: operand)
        case .endsWith: self.init(.endsWith, form, pattern: operand)
        case .contains: self.init(.contains, form, pattern: operand)
        case .like: self.init(.like, form, like: LikePattern(operand, form: form))
        case .matches: self.init(.matches, form, expression: try Self.expression(operand, form: form))
        }
    }

    /// Equality, which follows the keys: canonical equivalence, in the form.
    convenience init(equalTo operand: String, form: StringForm) {
        self.init(.equal, form, pattern: operand)
    }

    private init(
        _ kind: Kind, _ form: StringForm, pattern: String = "", like: LikePattern = LikePattern("", form: .exact),
        expression: NSRegularExpression? = nil
    ) {
        self.kind = kind
        self.form = form
        self.pattern = StringPattern(pattern, form: form)
        self.like = like
        self.expression = expression
    }

    func matches(_ string: String) -> Bool {
        switch kind {
        case .equal: pattern.equals(string)
        case .beginsWith: pattern.isPrefix(of: string)
        case .endsWith: pattern.isSuffix(of: string)
        case .contains: pattern.isContained(in: string)
        case .like: like.matches(string.inForm(form))
        case .matches: expression.map { Self.matches($0, string.inForm(expressionForm)) } ?? false
        }
    }

    /// The same on the bytes of a string in a record. `isPlain` says that every byte is a character.
    func matches(_ bytes: UnsafeRawBufferPointer, isPlain: Bool) throws -> Bool {
        switch kind {
        case .equal: return try pattern.equals(bytes, isPlain: isPlain)
        case .beginsWith: return try pattern.isPrefix(of: bytes, isPlain: isPlain)
        case .endsWith: return try pattern.isSuffix(of: bytes, isPlain: isPlain)
        case .contains: return try pattern.isContained(in: bytes, isPlain: isPlain)
        case .like, .matches:
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
