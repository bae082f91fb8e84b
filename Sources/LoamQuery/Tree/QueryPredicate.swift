package import LoamStorage

/// A predicate as it was written, not yet checked against an entity.
package indirect enum QueryPredicate: Hashable, Sendable {
    /// TRUEPREDICATE and FALSEPREDICATE.
    case constant(Bool)
    case comparison(QueryExpression, ComparisonOperator, QueryExpression, StringOptions)
    case text(QueryExpression, TextOperator, QueryExpression, StringOptions)
    /// Both bounds belong to the range.
    case between(QueryExpression, QueryExpression, QueryExpression, StringOptions)
    /// The right side is a list, a value that is an array, or a property that is one.
    case isIn(QueryExpression, QueryExpression, StringOptions)
    case and([QueryPredicate])
    case or([QueryPredicate])
    case not(QueryPredicate)
    /// `ANY cities.population > 5`: a comparison, a text operator, BETWEEN or IN whose left side is a key path through
    /// to-many relationships. The comparison is made for each row at its end.
    case quantified(Quantifier, QueryPredicate)
}

/// For how many of the rows at the end of a key path a comparison has to hold.
package enum Quantifier: String, Hashable, Sendable {
    /// At least one; written SOME as well.
    case any = "ANY"
    /// Every one, and there may be none.
    case all = "ALL"
    case none = "NONE"
}

extension QueryPredicate {
    /// `predicate`, whose key paths begin at a related row, holds for at least one row that `path` leads to.
    package static func any(_ path: [String], predicate: QueryPredicate) -> QueryPredicate {
        .comparison(.count(path, where: predicate), .greater, .number(NumberLiteral(0 as Int64)), .none)
    }

    /// `predicate` holds for at least one element of an array that is taken out of another collection.
    static func any(in array: QueryExpression, predicate: QueryPredicate) -> QueryPredicate {
        let count = QueryExpression.aggregate(.count, of: .elements(array, where: predicate))
        return .comparison(count, .greater, .number(NumberLiteral(0 as Int64)), .none)
    }

    /// `predicate` holds for every row that `path` leads to.
    package static func all(_ path: [String], predicate: QueryPredicate) -> QueryPredicate {
        none(path, predicate: .not(predicate))
    }

    /// `predicate` holds for no row that `path` leads to.
    package static func none(_ path: [String], predicate: QueryPredicate) -> QueryPredicate {
        .comparison(.count(path, where: predicate), .equal, .number(NumberLiteral(0 as Int64)), .none)
    }
}

package enum ComparisonOperator: String, Hashable, Sendable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    /// The operator that says the same with the sides exchanged.
    var mirrored: ComparisonOperator {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }

    /// The operator that holds exactly when this one does not, among values that all have an order.
    var opposite: ComparisonOperator {
        switch self {
        case .equal: .notEqual
        case .notEqual: .equal
        case .less: .greaterOrEqual
        case .lessOrEqual: .greater
        case .greater: .lessOrEqual
        case .greaterOrEqual: .less
        }
    }

    var isOrdering: Bool { self != .equal && self != .notEqual }
}

/// A test of two strings, or of two collections. A raw value is its word in the format grammar, where case does not matter.
package enum TextOperator: String, CaseIterable, Hashable, Sendable {
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case contains = "CONTAINS"
    /// `?` stands for one character, `*` for any number; a backslash takes the next character literally.
    case like = "LIKE"
    /// A regular expression over the whole string.
    case matches = "MATCHES"

    /// Whether it also looks for the elements of a collection in another one, one behind the other.
    var findsRuns: Bool { self != .like && self != .matches }

    /// The operator with this word; nil where there is none.
    init?(word: String) {
        guard let text = Self.words[word.lowercased()] else { return nil }
        self = text
    }

    private static let words = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue.lowercased(), $0) })
}

/// The letters in square brackets behind an operator on strings.
package struct StringOptions: Hashable, Sendable {
    package var ignoresCase: Bool
    package var ignoresDiacritics: Bool
    /// `n`: says that strings are normalized. They are compared as characters anyway, so it changes nothing.
    package var isNormalized: Bool
    /// `l`: without `c` and `d` an ordered comparison follows the localized order. Elsewhere it changes nothing.
    package var isLocalized: Bool

    package static let none = StringOptions()

    package init(
        ignoresCase: Bool = false, ignoresDiacritics: Bool = false, isNormalized: Bool = false,
        isLocalized: Bool = false
    ) {
        self.ignoresCase = ignoresCase
        self.ignoresDiacritics = ignoresDiacritics
        self.isNormalized = isNormalized
        self.isLocalized = isLocalized
    }

    /// The form in which the order of two strings is found under these options.
    var orderForm: StringForm { form == .exact && isLocalized ? .localizedStandard : form }

    /// The form in which two strings are compared under these options.
    package var form: StringForm {
        switch (ignoresCase, ignoresDiacritics) {
        case (false, false): .exact
        case (true, false): .caseFolded
        case (false, true): .diacriticFolded
        case (true, true): .caseAndDiacriticFolded
        }
    }

    /// The options that compare in `form`.
    package init(form: StringForm) {
        self.init(
            ignoresCase: form == .caseFolded || form == .caseAndDiacriticFolded,
            ignoresDiacritics: form == .diacriticFolded || form == .caseAndDiacriticFolded,
            isLocalized: form == .localizedStandard)
    }
}
