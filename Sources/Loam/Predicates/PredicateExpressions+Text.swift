public import Foundation

extension PredicateExpressions {
    /// `text.localizedStandardContains(other)` in a predicate: whether `other` occurs in it,
    /// whatever the case and diacritics. The empty text occurs in every text, in a predicate as in a fetch.
    public struct LocalizedStandardContains<Root: PredicateExpression, Other: PredicateExpression>: PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        public typealias Output = Bool

        public let root: Root
        public let other: Other

        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            let other = try other.evaluate(bindings)
            return try other.isEmpty || root.evaluate(bindings).localizedStandardContains(other)
        }
    }

    /// `text.localizedStandardStarts(with: prefix)` in a predicate.
    public struct LocalizedStandardStarts<Base: PredicateExpression, Prefix: PredicateExpression>: PredicateExpression
    where Base.Output: StringProtocol, Prefix.Output: StringProtocol {
        public typealias Output = Bool

        public let base: Base
        public let prefix: Prefix

        public init(base: Base, prefix: Prefix) {
            self.base = base
            self.prefix = prefix
        }

        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            try base.evaluate(bindings).localizedStandardStarts(with: prefix.evaluate(bindings))
        }
    }

    /// What the macro writes for `localizedStandardContains(_:)`.
    public static func build_localizedStandardContains<Root, Other>(
        _ root: Root, _ other: Other
    ) -> LocalizedStandardContains<Root, Other> {
        LocalizedStandardContains(root: root, other: other)
    }

    /// What the macro writes for `localizedStandardStarts(with:)`.
    public static func build_localizedStandardStarts<Base, Prefix>(
        _ base: Base, with prefix: Prefix
    ) -> LocalizedStandardStarts<Base, Prefix> {
        LocalizedStandardStarts(base: base, prefix: prefix)
    }
}

extension PredicateExpressions.LocalizedStandardContains: Sendable where Root: Sendable, Other: Sendable {}
extension PredicateExpressions.LocalizedStandardContains: Codable where Root: Codable, Other: Codable {}
extension PredicateExpressions.LocalizedStandardContains: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.LocalizedStandardStarts: Sendable where Base: Sendable, Prefix: Sendable {}
extension PredicateExpressions.LocalizedStandardStarts: Codable where Base: Codable, Prefix: Codable {}
extension PredicateExpressions.LocalizedStandardStarts: StandardPredicateExpression
where Base: StandardPredicateExpression, Prefix: StandardPredicateExpression {}

extension StringProtocol {
    /// Whether the string begins with `prefix`, whatever the case and diacritics: "Örebro" starts with "ore".
    ///
    /// The empty prefix begins every string. In a fetch an index of the folded form answers it.
    public func localizedStandardStarts(with prefix: some StringProtocol) -> Bool {
        prefix.isEmpty
            || range(of: prefix, options: [.anchored, .caseInsensitive, .diacriticInsensitive]) != nil
    }
}
