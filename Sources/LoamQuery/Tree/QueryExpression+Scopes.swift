/// What begins at which row, where related rows are counted inside a predicate.
extension QueryExpression {
    /// Stands before a name that is a variable.
    static let variableMark = "\u{0}"

    /// The expression as it is written so many counts further in. What reads the row is marked where it does, so that
    /// there is one way to write it; what is the same everywhere stays.
    package func outside(_ levels: Int) -> QueryExpression {
        guard levels > 0 else { return self }
        switch self {
        case .constant, .number, .variable: return self
        case .keyPath, .identifier, .count, .aggregate(_, .path), .aggregate(_, .rows), .outer:
            return .outer(outside(levels - 1))
        case .call, .list, .aggregate(_, .list), .conditional:
            return mapScopes(
                same: { $0.outside(levels) }, condition: { $0.mapped { $0.outside(levels) } }, inner: { $0 })
        case .aggregate(_, .elements):
            return mapScopes(
                same: { $0.outside(levels) }, condition: { $0 }, inner: { $0.outside(levels, beyond: 1) })
        }
    }

    /// The same where so many counts lie around it that come along: what reads their rows stays.
    fileprivate func outside(_ levels: Int, beyond depth: Int) -> QueryExpression {
        guard depth > 0 else { return outside(levels) }
        if case .outer(let expression) = self { return .outer(expression.outside(levels, beyond: depth - 1)) }
        return mapScopes(
            same: { $0.outside(levels, beyond: depth) }, condition: { $0.outside(levels, beyond: depth) },
            inner: { $0.outside(levels, beyond: depth + 1) })
    }

    var withoutOuter: QueryExpression {
        if case .outer(let expression) = self { expression.withoutOuter } else { self }
    }

    var outerLevels: Int {
        if case .outer(let expression) = self { expression.outerLevels + 1 } else { 0 }
    }

    /// The collection with variables before its key paths.
    private func named(_ collection: QueryCollection, _ variables: ArraySlice<String>) -> QueryCollection {
        let prefix = variables.last.map { [Self.variableMark + $0] } ?? []
        switch collection {
        case .path(let names): return .path(prefix + names)
        case .list(let elements): return .list(elements.map { $0.named(variables) })
        case .rows(let names, let predicate, let value):
            return .rows(prefix + names, where: predicate.named(variables + [variable]), value: value)
        case .elements(let array, let predicate, let members):
            return .elements(array.named(variables), where: predicate?.named(variables + [variable]), members: members)
        }
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
        case .aggregate(let aggregate, let collection): return .aggregate(aggregate, of: named(collection, variables))
        case .constant, .number, .variable, .call, .list, .outer, .conditional:
            return mapScopes(
                same: { $0.named(variables) }, condition: { $0.named(variables) }, inner: { $0 })
        }
    }

    /// The variable of a count: another one than those of the counts inside its predicate.
    var variable: String {
        countHeight <= 1 ? "$x" : "$x\(countHeight - 1)"
    }

    /// How many counts with predicates lie inside each other.
    var countHeight: Int {
        var height = 0
        switch self {
        case .count(_, let predicate?), .aggregate(_, .rows(_, let predicate, _)): return predicate.countHeight + 1
        case .aggregate(_, .elements(_, let predicate?, _)): height = predicate.countHeight + 1
        case .conditional(let predicate, _, _): height = predicate.countHeight
        default: break
        }
        forEachChild { height = max(height, $0.countHeight) }
        return height
    }
}

extension QueryPredicate {
    /// The predicate as it is written so many counts further in.
    ///
    /// - Parameter depth: so many counts lie around it that come along: what reads their rows stays.
    package func outside(_ levels: Int, beyond depth: Int = 0) -> QueryPredicate {
        mapped { $0.outside(levels, beyond: depth) }
    }

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
