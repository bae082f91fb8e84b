import LoamStorage
import Synchronization

/// A text operator, a comparison or a membership with its constant right side, prepared once.
///
/// Strings match as characters, after both sides were brought into the same form; so two strings that Swift calls equal
/// always match alike. A MATCHES pattern is an ICU regular expression over the whole string: under the option c it is
/// ICU that ignores case, letter by letter where the pattern has a class or a repetition. A class, so that testing a
/// row copies one reference; nothing in it changes.
package final class TextMatcher: Sendable {
    private enum Kind {
        case equal, beginsWith, endsWith, contains
        case like(LikePattern)
        case matches(RegularExpression)
        case ordered(ComparisonOperator, StringOrder)
        case oneOf(StringSet)
    }

    private let kind: Kind
    private let form: StringForm
    /// The right side as it was written.
    private let operand: String
    /// The operand of the kinds without one of their own; else empty.
    private let pattern: StringPattern

    /// - Throws: ``QueryError`` for a malformed regular expression.
    convenience init(_ text: TextOperator, operand: String, form: StringForm) throws(QueryError) {
        let kind: Kind =
            switch text {
            case .beginsWith: .beginsWith
            case .endsWith: .endsWith
            case .contains: .contains
            case .like: .like(LikePattern(operand, form: form))
            case .matches: .matches(try Self.compiled(operand, form: form))
            }
        self.init(kind: kind, operand: operand, form: form)
    }

    /// Tests for equality as the keys of indexes have it: canonical equivalence, after both sides were brought into the
    /// form.
    convenience init(equalTo operand: String, form: StringForm) {
        self.init(kind: .equal, operand: operand, form: form)
    }

    /// A comparison, which follows the keys as well.
    convenience init(_ comparison: ComparisonOperator, operand: String, form: StringForm) {
        switch comparison {
        case .equal: self.init(equalTo: operand, form: form)
        default: self.init(kind: .ordered(comparison, StringOrder(operand, form: form)), operand: operand, form: form)
        }
    }

    /// Equality with one of several strings.
    convenience init(oneOf strings: StringSet) {
        self.init(kind: .oneOf(strings), operand: "", form: .exact)
    }

    private init(kind: Kind, operand: String, form: StringForm) {
        self.kind = kind
        self.form = form
        self.operand = operand
        switch kind {
        case .like, .matches, .ordered, .oneOf: pattern = StringPattern("", form: .exact)
        default: pattern = StringPattern(operand, form: form)
        }
    }

    /// The compiled pattern of MATCHES; nil for other operators.
    var expression: RegularExpression? {
        if case .matches(let expression) = kind { expression } else { nil }
    }

    /// - Throws: ``QueryError`` for a regular expression that takes too much work.
    func matches(_ string: String) throws -> Bool {
        switch kind {
        case .equal: pattern.equals(string)
        case .beginsWith: pattern.isPrefix(of: string)
        case .endsWith: pattern.isSuffix(of: string)
        case .contains: pattern.isContained(in: string)
        case .like(let like): like.matches(string)
        case .ordered(let comparison, let order): Self.satisfies(order.compare(string), comparison: comparison)
        case .oneOf(let strings): strings.contains(string)
        case .matches(let expression): try matches(expression, string: string.inForm(form.ofExpressions))
        }
    }

    /// The same on the bytes of a string in a record. `isPlain` says that every byte is a character.
    func matches(_ bytes: UnsafeRawBufferPointer, isPlain: Bool) throws -> Bool {
        switch kind {
        case .equal: return try pattern.equals(bytes, isPlain: isPlain)
        case .beginsWith: return try pattern.isPrefix(of: bytes, isPlain: isPlain)
        case .endsWith: return try pattern.isSuffix(of: bytes, isPlain: isPlain)
        case .contains: return try pattern.isContained(in: bytes, isPlain: isPlain)
        case .ordered(let comparison, let order):
            return Self.satisfies(try order.compare(bytes, isPlain: isPlain), comparison: comparison)
        case .oneOf(let strings): return try strings.contains(bytes, isPlain: isPlain)
        case .like(let like): return try like.matches(bytes, isPlain: isPlain)
        case .matches(let expression):
            return try StringForms.withBytes(bytes, isPlain: isPlain, form: form.ofExpressions) { text in
                do {
                    return try expression.matches(text)
                } catch {
                    throw costlyPattern
                }
            }
        }
    }

    private var costlyPattern: QueryError { QueryError(.costlyPattern, part: "MATCHES " + Value.quoted(operand)) }

    private static func satisfies(_ order: Int, comparison: ComparisonOperator) -> Bool {
        ValueOrder.of(order, 0).satisfies(comparison)
    }

    private func matches(_ expression: RegularExpression, string: String) throws(QueryError) -> Bool {
        do {
            return try expression.matches(string)
        } catch {
            throw costlyPattern
        }
    }
}

// MARK: Regular expressions

extension TextMatcher {
    private struct Source: Hashable {
        var pattern: String
        var ignoresCase: Bool
    }

    /// What was compiled last: a query meets its pattern when it is checked, when it is planned, and on every row whose
    /// test is not compiled. At most ``expressionLimit``, each with few idle matchers: about 64 MiB at the very most,
    /// and a few KiB for each class in the patterns.
    private static let expressions = Mutex<[Source: RegularExpression]>([:])
    private static let expressionLimit = 16

    private static func compiled(_ pattern: String, form: StringForm) throws(QueryError) -> RegularExpression {
        let ignoresCase = form == .caseFolded || form == .caseAndDiacriticFolded
        let source = Source(pattern: pattern.inForm(form.ofExpressions), ignoresCase: ignoresCase)
        if let known = expressions.withLock({ $0[source] }) { return known }
        guard let made = try? RegularExpression(source.pattern, ignoresCase: ignoresCase) else {
            throw QueryError(.invalidPattern, part: Value.quoted(pattern))
        }
        expressions.withLock {
            if $0.count >= expressionLimit { $0.removeAll() }
            $0[source] = made
        }
        return made
    }
}

extension StringForm {
    /// The expression folds case itself; only diacritics are taken away beforehand.
    fileprivate var ofExpressions: StringForm {
        self == .diacriticFolded || self == .caseAndDiacriticFolded ? .diacriticFolded : .exact
    }
}
