public import Foundation

extension PredicateExpressions {
    /// `text.localizedStandardContains(other)` in a predicate: whether `other` occurs in it,
    /// whatever the case and diacritics. The empty text occurs in every text, in a predicate as in a fetch.
    public struct _LocalizedStandardContains<Root: PredicateExpression, Other: PredicateExpression>: PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        /// What the node gives.
        public typealias Output = Bool

        /// The string that is searched.
        public let root: Root
        /// The string that is looked for.
        public let other: Other

        /// Makes the node.
        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        /// Compares the strings, in memory.
        ///
        /// - Throws: what the operands throw.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            let other = try other.evaluate(bindings)
            return try other.isEmpty || root.evaluate(bindings).localizedStandardContains(other)
        }
    }

    /// What `text.localizedStandardStarts(with: prefix)` is in a predicate.
    public struct _LocalizedStandardStarts<Base: PredicateExpression, Prefix: PredicateExpression>: PredicateExpression
    where Base.Output: StringProtocol, Prefix.Output: StringProtocol {
        /// What the node gives.
        public typealias Output = Bool

        /// The string that is tested.
        public let base: Base
        /// What it is to begin with.
        public let prefix: Prefix

        /// Makes the node.
        public init(base: Base, prefix: Prefix) {
            self.base = base
            self.prefix = prefix
        }

        /// Compares the strings, in memory.
        ///
        /// - Throws: what the operands throw.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            try base.evaluate(bindings).localizedStandardStarts(with: prefix.evaluate(bindings))
        }
    }

    /// `text.contains(character)` for a captured character, which is looked for as a string: a predicate holds
    /// `Codable` values only.
    @_disfavoredOverload
    public static func build_contains<Root>(
        _ text: Root, _ character: Value<Character>
    ) -> CollectionContainsCollection<Root, Value<String>> where Root.Output: StringProtocol {
        build_contains(text, Value(String(character.value)))
    }

    /// What the macro writes for `localizedStandardContains(_:)`.
    public static func build_localizedStandardContains<Root, Other>(
        _ root: Root, _ other: Other
    ) -> _LocalizedStandardContains<Root, Other> {
        _LocalizedStandardContains(root: root, other: other)
    }

    /// What the macro writes for `localizedStandardStarts(with:)`.
    public static func build_localizedStandardStarts<Base, Prefix>(
        _ base: Base, with prefix: Prefix
    ) -> _LocalizedStandardStarts<Base, Prefix> {
        _LocalizedStandardStarts(base: base, prefix: prefix)
    }
}

extension PredicateExpressions._LocalizedStandardContains: Sendable where Root: Sendable, Other: Sendable {}
extension PredicateExpressions._LocalizedStandardContains: Codable where Root: Codable, Other: Codable {}
extension PredicateExpressions._LocalizedStandardContains: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions._LocalizedStandardStarts: Sendable where Base: Sendable, Prefix: Sendable {}
extension PredicateExpressions._LocalizedStandardStarts: Codable where Base: Codable, Prefix: Codable {}
extension PredicateExpressions._LocalizedStandardStarts: StandardPredicateExpression
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
