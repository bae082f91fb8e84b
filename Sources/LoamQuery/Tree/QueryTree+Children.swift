// What lies directly inside what, in the trees as they were written. A pass names the cases that it treats in a way of
// its own, and leaves the others to these.

extension QueryExpression {
    /// Calls `body` with each expression directly inside.
    ///
    /// The predicate of a count is none of them: its key paths begin at another row. Nor is that of a conditional.
    func forEachChild<Failure>(_ body: (QueryExpression) throws(Failure) -> Void) throws(Failure) {
        switch self {
        case .constant, .number, .keyPath, .identifier, .count, .variable, .aggregate(_, .path), .aggregate(_, .rows):
            break
        case .call(_, let children), .list(let children), .aggregate(_, .list(let children)):
            for child in children { try body(child) }
        case .conditional(_, let first, let second):
            try body(first)
            try body(second)
        case .outer(let child), .aggregate(_, .elements(let child, _, _)): try body(child)
        }
    }

    /// The number of expressions in it, itself among them, up to a billion. A conditional counts twice, since its condition
    /// is mostly about what it gives.
    package var partCount: Int {
        var count = 1
        forEachChild { count += $0.partCount }
        if case .conditional = self { count *= 2 }
        return min(count, 1_000_000_000)
    }

    /// The expression with what lies directly inside replaced: expressions of the same row, the condition of a
    /// conditional, and predicates over related rows.
    func mapScopes(
        same: (QueryExpression) -> QueryExpression, condition: (QueryPredicate) -> QueryPredicate,
        inner: (QueryPredicate) -> QueryPredicate
    ) -> QueryExpression {
        switch self {
        case .constant, .number, .keyPath, .identifier, .variable, .count(_, nil), .aggregate(_, .path): self
        case .call(let function, let arguments): .call(function, arguments.map(same))
        case .list(let elements): .list(elements.map(same))
        case .outer(let child): .outer(same(child))
        case .conditional(let predicate, let first, let second):
            .conditional(condition(predicate), same(first), same(second))
        case .aggregate(let aggregate, .list(let elements)): .aggregate(aggregate, of: .list(elements.map(same)))
        case .aggregate(let aggregate, .rows(let names, let predicate, let value)):
            .aggregate(aggregate, of: .rows(names, where: inner(predicate), value: value))
        case .aggregate(let aggregate, .elements(let array, let predicate, let members)):
            .aggregate(aggregate, of: .elements(same(array), where: predicate.map(inner), members: members))
        case .count(let names, let predicate?): .count(names, where: inner(predicate))
        }
    }
}

extension QueryPredicate {
    /// Calls `predicate` with each predicate directly inside, and `expression` with each expression directly inside,
    /// from left to right.
    func forEachChild<Failure>(
        predicate: (QueryPredicate) throws(Failure) -> Void, expression: (QueryExpression) throws(Failure) -> Void
    ) throws(Failure) {
        switch self {
        case .constant: break
        case .comparison(let left, _, let right, _), .text(let left, _, let right, _), .isIn(let left, let right, _):
            try expression(left)
            try expression(right)
        case .between(let value, let lower, let upper, _):
            try expression(value)
            try expression(lower)
            try expression(upper)
        case .and(let parts), .or(let parts): for part in parts { try predicate(part) }
        case .not(let part), .quantified(_, let part): try predicate(part)
        }
    }

    /// The predicate with what lies directly inside replaced.
    func mapChildren(
        predicate: (QueryPredicate) -> QueryPredicate, expression: (QueryExpression) -> QueryExpression
    ) -> QueryPredicate {
        switch self {
        case .constant: self
        case .comparison(let left, let comparison, let right, let options):
            .comparison(expression(left), comparison, expression(right), options)
        case .text(let left, let text, let right, let options):
            .text(expression(left), text, expression(right), options)
        case .between(let value, let lower, let upper, let options):
            .between(expression(value), expression(lower), expression(upper), options)
        case .isIn(let value, let list, let options): .isIn(expression(value), expression(list), options)
        case .and(let parts): .and(parts.map(predicate))
        case .or(let parts): .or(parts.map(predicate))
        case .not(let part): .not(predicate(part))
        case .quantified(let quantifier, let part): .quantified(quantifier, predicate(part))
        }
    }

    /// The predicate with each of its expressions replaced.
    func mapped(_ body: (QueryExpression) -> QueryExpression) -> QueryPredicate {
        mapChildren(predicate: { $0.mapped(body) }, expression: body)
    }
}
