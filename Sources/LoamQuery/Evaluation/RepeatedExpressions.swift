import LoamStorage

/// The expressions of one row that a filter computes in several places, such as a `let` that is used twice: a program
/// computes them once for a row.
struct RepeatedExpressions {
    /// The place of each among the values that a program keeps.
    private(set) var places: [TypedExpression: Int] = [:]
    private var found: [TypedExpression] = []

    /// A program has a bit for each value that it keeps.
    private static let mostKept = 64
    /// Filters with more computed parts than these are not searched: each part is looked at as often as it is deep.
    private static let mostFound = 512

    /// - Parameters:
    ///   - filter: nil for a program that computes a value alone.
    ///   - value: what the program computes behind the filter.
    init(in filter: Filter?, then value: TypedExpression? = nil) {
        if let filter { find(in: filter) }
        if let value { find(in: value) }
        guard found.count > 1, found.count <= Self.mostFound else { return }
        var counts: [TypedExpression: Int] = [:]
        for expression in found { counts[expression, default: 0] += 1 }
        for expression in found where counts[expression, default: 0] > 1 && places.count < Self.mostKept {
            if places[expression] == nil { places[expression] = places.count }
        }
        found = []
    }

    private mutating func find(in filter: Filter) {
        switch filter {
        case .all(let parts), .any(let parts): for part in parts { find(in: part) }
        case .not(let part): find(in: part)
        case .comparison(let left, _, let right, _), .texts(let left, _, let right, _):
            find(in: left)
            find(in: right)
        case .between(let value, let lower, let upper, _):
            // The value is computed once for both bounds.
            for part in [value, lower, upper] { find(in: part) }
        case .computedText(let value, _), .isOne(let value, _), .hasElement(_, let value, _): find(in: value)
        case .isAny(let value, let elements, _):
            find(in: value)
            if !elements.areConstants { for element in elements { find(in: element) } }
        case .existsElement(let array, _): find(in: array)
        // Tests of fields compute nothing; what is about other rows, or not compiled, has programs of its own.
        case .constant, .isNull, .signed, .unsigned, .floating, .text, .identifier, .exists, .remembered, .general:
            break
        }
    }

    private mutating func find(in expression: TypedExpression) {
        guard found.count <= Self.mostFound else { return }
        if expression.isWorthKeeping { found.append(expression) }
        switch expression {
        case .related, .outer: break
        case .conditional(let predicate, let first, let second):
            find(in: predicate)
            find(in: first)
            find(in: second)
        case .aggregate(let aggregate):
            switch aggregate.collection {
            case .list(let values): for value in values { find(in: value) }
            case .elements(let array, _): find(in: array)
            case .rows: break
            }
        case .call(_, let arguments): for argument in arguments.all { find(in: argument) }
        case .constant, .property, .identifier, .reference, .count: break
        }
    }

    /// What the condition of a conditional computes of the same row.
    private mutating func find(in predicate: TypedPredicate) {
        if case .exists = predicate { return }
        var (predicates, expressions): ([TypedPredicate], [TypedExpression]) = ([], [])
        if case .existsElement(let array, _) = predicate {
            expressions = [array]
        } else {
            predicate.forEachChild(predicate: { predicates.append($0) }, expression: { expressions.append($0) })
        }
        for predicate in predicates { find(in: predicate) }
        for expression in expressions { find(in: expression) }
    }
}

extension TypedExpression {
    /// Whether computing it is more than a look at the row.
    fileprivate var isWorthKeeping: Bool {
        switch self {
        case .call, .related, .count, .aggregate, .conditional: true
        case .constant, .property, .identifier, .reference, .outer: false
        }
    }
}
