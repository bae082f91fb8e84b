/// The words that cannot be names in a format string unless they are written `#word`. Case does not matter.
enum Keyword: String, CaseIterable {
    case and, or, not, `in`, between, like, matches, contains
    case beginsWith = "beginswith"
    case endsWith = "endswith"
    case null, `nil`, `self`, `true`, yes, `false`, no
    case truePredicate = "truepredicate"
    case falsePredicate = "falsepredicate"
    case any, all
    case someOf = "some"
    case noneOf = "none"
    case subquery, function, cast, ternary
    case anyKey = "anykey"
    case union, intersect, minus

    /// Nil when `word` is an ordinary name.
    init?(_ word: String) {
        self.init(rawValue: word.lowercased())
    }
}
