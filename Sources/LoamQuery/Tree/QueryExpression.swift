package import LoamStorage

/// An expression as it was written, not yet checked against an entity.
///
/// Both the format grammar and other front ends build this tree; ``TypeChecker`` turns it into a ``TypedExpression``.
package indirect enum QueryExpression: Hashable, Sendable {
    /// A typed value: a string or word in the format, or an argument.
    case constant(Value)
    /// A number as it was written; it takes the type of what stands beside it.
    case number(NumberLiteral)
    /// A property, a member inside a structured property, or a to-one relationship (the target's row id): names,
    /// outermost first. The path may lead through to-one relationships; where one of them is nil, so is the value.
    case keyPath([String])
    /// The row's identifier: `SELF`.
    case identifier
    /// A function of values, with as many arguments as it takes: also what is written as an operator.
    case call(Function, [QueryExpression])
    /// `{a, b, c}`: only on the right of IN and BETWEEN.
    case list([QueryExpression])
    /// How many rows a to-many relationship leads to, or how many of them the predicate holds for: `cities.@count`,
    /// `SUBQUERY(cities, $x, …).@count`. The key paths of the predicate begin at the related row.
    case count([String], where: QueryPredicate?)
    /// What is made of the values of a collection: `sum(cities.population)`.
    case aggregate(Aggregate, of: QueryCollection)
    /// The first expression where the predicate holds, else the second.
    case conditional(QueryPredicate, QueryExpression, QueryExpression)
    /// Inside the predicate of a count: an expression of the row whose related rows are counted.
    case outer(QueryExpression)
    /// `$name`: a value that is given later, by ``QueryPredicate/substituting(_:)``.
    case variable(String)
}

/// What an aggregate is made of. Nil is none of its values.
package indirect enum QueryCollection: Hashable, Sendable {
    /// The values that a key path leads to: of an attribute behind a to-many relationship, or the elements of an array.
    case path([String])
    case list([QueryExpression])
    /// The values of an expression at those rows (or elements) that a path leads to and a predicate holds for. Key paths
    /// of both begin at the related row; the value has no ``QueryExpression/outer(_:)``.
    case rows([String], where: QueryPredicate, value: QueryExpression)
    /// The elements of an array that is taken out of another collection, as `lists['a']` is, or that is an element itself:
    /// all, or those that a predicate holds for, or the members of them that names lead to. The predicate's key paths begin
    /// at the element; the row around it is the one at which the whole stands, whatever row the array is of.
    case elements(QueryExpression, where: QueryPredicate?, members: [String] = [])
}

/// What is made of several values.
///
/// Of no values the count is 0 and so is the sum; all others are nil. A sum that leaves its type is nil. The mode is
/// the least of the values that come most often.
package enum Aggregate: String, Hashable, Sendable, CaseIterable {
    case count, sum, average, min, max, median, mode
    /// Of all values, not of a sample.
    case deviation = "stddev"
    /// The first and the last element that a subquery finds, which may be nil itself: written in brackets behind it, and of
    /// nothing else.
    case first, last

    /// The aggregate that the format grammar calls so: `average`, and behind an @ also `avg`.
    package init?(named name: String) {
        self.init(rawValue: name == "avg" ? "average" : name.hasSuffix(":") ? String(name.dropLast()) : name)
        guard !isEnd else { return nil }
    }

    /// Those that have a name in the format grammar.
    package static let named = allCases.filter { !$0.isEnd }

    /// Whether it is one of the values, by its place.
    package var isEnd: Bool { self == .first || self == .last }
}

/// A number as text, so that it can become any numeric type without passing through another one.
package struct NumberLiteral: Hashable, Sendable {
    /// Decimal digits with an optional sign, fraction and exponent.
    package let text: String
    /// Whether it was written without fraction and exponent.
    package let isInteger: Bool

    /// Reads a number; nil when `text` is none in that form.
    package init?(_ text: String) {
        guard let double = Double(text), double.isFinite, text.utf8.allSatisfy({ Self.characters.contains($0) }) else {
            return nil
        }
        self.text = text.hasPrefix("+") ? String(text.dropFirst()) : text
        isInteger = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2B }
    }

    package init(_ value: Int64) {
        text = String(value)
        isInteger = true
    }

    package init(_ value: UInt64) {
        text = String(value)
        isInteger = true
    }

    var negated: NumberLiteral {
        NumberLiteral(text: text.hasPrefix("-") ? String(text.dropFirst()) : "-" + text, isInteger: isInteger)
    }

    private static let characters = Set("0123456789+-.eE".utf8)

    private init(text: String, isInteger: Bool) {
        self.text = text
        self.isInteger = isInteger
    }
}
