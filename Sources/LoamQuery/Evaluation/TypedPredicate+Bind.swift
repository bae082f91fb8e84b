import LoamStorage

/// Predicates inside a count may read the row around it: for each such row its values take their places.
extension TypedPredicate {
    func bound<Row: RowValues & ~Escapable>(
        to row: borrowing Row, _ related: (any RelatedRows)?
    ) throws -> TypedPredicate {
        guard readsOuter else { return self }
        var outer: Set<TypedExpression> = []
        collectOuter(depth: 1, into: &outer)
        var values: [TypedExpression: Value] = [:]
        for expression in outer { values[expression] = try expression.value(in: row, related) }
        return bound(depth: 1, values)
    }

    fileprivate func collectOuter(depth: Int, into outer: inout Set<TypedExpression>) {
        let isInside =
            switch self {
            case .exists, .existsElement: true
            default: false
            }
        forEachChild(
            predicate: { $0.collectOuter(depth: isInside ? depth + 1 : depth, into: &outer) },
            expression: { $0.collectOuter(depth: depth, into: &outer) })
    }

    fileprivate func bound(depth: Int, _ values: [TypedExpression: Value]) -> TypedPredicate {
        mapped({ $0.bound(depth: depth, values) }, { $0.bound(depth: depth + 1, values) })
    }
}

extension TypedExpression {
    fileprivate func collectOuter(depth: Int, into outer: inout Set<TypedExpression>) {
        switch self {
        case .outer(let expression) where depth == 1: outer.insert(expression)
        case .outer(let expression): expression.collectOuter(depth: depth - 1, into: &outer)
        case .count(_, let predicate): predicate?.collectOuter(depth: depth + 1, into: &outer)
        case .conditional(let predicate, let first, let second):
            predicate.collectOuter(depth: depth, into: &outer)
            first.collectOuter(depth: depth, into: &outer)
            second.collectOuter(depth: depth, into: &outer)
        case .aggregate(let aggregate):
            switch aggregate.collection {
            case .list(let values): for value in values { value.collectOuter(depth: depth, into: &outer) }
            case .rows(_, let predicate, _, let from):
                from?.collectOuter(depth: depth, into: &outer)
                predicate.collectOuter(depth: depth + 1, into: &outer)
            case .elements(let array, let predicate):
                array.collectOuter(depth: depth, into: &outer)
                predicate.collectOuter(depth: depth + 1, into: &outer)
            }
        case .constant, .property, .identifier, .call, .related, .reference:
            forEachChild { $0.collectOuter(depth: depth, into: &outer) }
        }
    }

    fileprivate func bound(depth: Int, _ values: [TypedExpression: Value]) -> TypedExpression {
        guard case .outer(let expression) = self else { return self }
        if depth == 1 { return values[expression].map(TypedExpression.constant) ?? self }
        let bound = expression.mapped(
            { $0.bound(depth: depth - 1, values) }, { $0.bound(depth: depth, values) })
        return bound.constant == nil ? .outer(bound) : bound
    }
}
