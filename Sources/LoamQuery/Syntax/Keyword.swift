/// The words that cannot be names in a format string unless they are written `#word`, beside those of ``TextOperator``.
/// Case does not matter.
enum Keyword: String, CaseIterable {
    case and, or, not, `in`, between
    case null, `nil`, `self`, `true`, yes, `false`, no
    case truePredicate = "truepredicate"
    case falsePredicate = "falsepredicate"
    case any, all
    case someOf = "some"
    case noneOf = "none"
    case subquery, function, cast, ternary
    case anyKey = "anykey"
    case union, intersect, minus

    /// The keyword that a word is; nil when `word` is an ordinary name, or that of a text operator.
    init?(_ word: String) {
        self.init(rawValue: word.lowercased())
    }

    /// Whether `word` cannot be a name.
    static func reserves(_ word: String) -> Bool { Keyword(word) != nil || TextOperator(word: word) != nil }
}
