/// What begins at which row, where related rows are counted inside a predicate.
extension QueryExpression {
    /// Stands before a name that is a variable.
    static let variableMark = "\u{0}"

    /// The expression as it is written so many counts further in.
    func outside(_ levels: Int) -> QueryExpression {
        levels > 0 ? .outer(outside(levels - 1)) : self
    }

    var withoutOuter: QueryExpression {
        if case .outer(let expression) = self { expression.withoutOuter } else { self }
    }

    var outerLevels: Int {
        if case .outer(let expression) = self { expression.outerLevels + 1 } else { 0 }
    }

    /// The expression with a variable before each key path that begins at a related row, for printing.
    ///
    /// - Parameter variables: of the counts around the expression, outermost first.
    func named(_ variables: ArraySlice<String>) -> QueryExpression {
        func prefixed(_ names: [String]) -> [String] {
            variables.last.map { [Self.variableMark + $0] + names } ?? names
        }
        switch self {
        case .keyPath(let names): return .keyPath(prefixed(names))
        case .identifier: return variables.isEmpty ? .identifier : .keyPath(prefixed([]))
        case .count(let names, let predicate):
            return .count(prefixed(names), where: predicate?.named(variables + [variable]))
        case .outer(let expression) where !variables.isEmpty: return expression.named(variables.dropLast())
        case .constant, .number, .call, .list, .outer: return mapChildren { $0.named(variables) }
        }
    }

    /// The variable of a count: another one than those of the counts inside its predicate.
    var variable: String {
        countHeight <= 1 ? "$x" : "$x\(countHeight - 1)"
    }

    /// How many counts with predicates lie inside each other.
    var countHeight: Int {
        if case .count(_, let predicate?) = self { return predicate.countHeight + 1 }
        var height = 0
        forEachChild { height = max(height, $0.countHeight) }
        return height
    }
}

extension QueryPredicate {
    func named(_ variables: ArraySlice<String>) -> QueryPredicate {
        mapped { $0.named(variables) }
    }

    /// How many counts with predicates lie inside each other.
    var countHeight: Int {
        var height = 0
        forEachChild(
            predicate: { height = max(height, $0.countHeight) }, expression: { height = max(height, $0.countHeight) })
        return height
    }

    /// The left side of what compares; nil for the others.
    var left: QueryExpression? {
        switch self {
        case .comparison(let left, _, _, _), .text(let left, _, _, _), .between(let left, _, _, _),
            .isIn(let left, _, _):
            left
        case .constant, .and, .or, .not, .quantified: nil
        }
    }
}
