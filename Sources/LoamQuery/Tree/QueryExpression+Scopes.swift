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
        case .constant, .number: return self
        case .keyPath(let names): return .keyPath(prefixed(names))
        case .identifier: return variables.isEmpty ? .identifier : .keyPath(prefixed([]))
        case .arithmetic(let left, let operation, let right):
            return .arithmetic(left.named(variables), operation, right.named(variables))
        case .negation(let operand): return .negation(operand.named(variables))
        case .list(let elements): return .list(elements.map { $0.named(variables) })
        case .count(let names, let predicate):
            return .count(prefixed(names), where: predicate?.named(variables + [variable]))
        case .outer(let expression):
            return variables.isEmpty ? .outer(expression.named([])) : expression.named(variables.dropLast())
        }
    }

    /// The variable of a count: another one than those of the counts inside its predicate.
    var variable: String {
        countHeight <= 1 ? "$x" : "$x\(countHeight - 1)"
    }

    /// How many counts with predicates lie inside each other.
    var countHeight: Int {
        switch self {
        case .constant, .number, .keyPath, .identifier, .count(_, nil): 0
        case .arithmetic(let left, _, let right): max(left.countHeight, right.countHeight)
        case .negation(let operand), .outer(let operand): operand.countHeight
        case .list(let elements): elements.map(\.countHeight).max() ?? 0
        case .count(_, let predicate?): predicate.countHeight + 1
        }
    }
}

extension QueryPredicate {
    func named(_ variables: ArraySlice<String>) -> QueryPredicate {
        mapped { $0.named(variables) }
    }

    /// The predicate with each of its expressions replaced.
    func mapped(_ body: (QueryExpression) -> QueryExpression) -> QueryPredicate {
        switch self {
        case .constant: self
        case .comparison(let left, let comparison, let right, let options):
            .comparison(body(left), comparison, body(right), options)
        case .text(let left, let text, let right, let options): .text(body(left), text, body(right), options)
        case .between(let value, let lower, let upper, let options):
            .between(body(value), body(lower), body(upper), options)
        case .isIn(let value, let list, let options): .isIn(body(value), body(list), options)
        case .and(let parts): .and(parts.map { $0.mapped(body) })
        case .or(let parts): .or(parts.map { $0.mapped(body) })
        case .not(let part): .not(part.mapped(body))
        case .quantified(let quantifier, let part): .quantified(quantifier, part.mapped(body))
        }
    }

    /// How many counts with predicates lie inside each other.
    var countHeight: Int {
        var height = 0
        _ = mapped {
            height = max(height, $0.countHeight)
            return $0
        }
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
