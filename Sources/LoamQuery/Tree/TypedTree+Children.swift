// What lies directly inside what, in the trees with types. A pass names the cases that it treats in a way of its own,
// and leaves the others to these.

extension TypedExpression {
    /// Calls `body` with each expression directly inside, whichever row it is of: that of `related` is of the row at
    /// the end, that of `outer` of the row around. The predicate of a count or a conditional is none of them, nor is
    /// what aggregates read of other rows and of elements.
    func forEachChild(_ body: (TypedExpression) -> Void) {
        switch self {
        case .constant, .property, .identifier, .reference, .count: break
        case .aggregate(let aggregate): if case .list(let values) = aggregate.collection { values.forEach(body) }
        case .conditional(_, let first, let second):
            body(first)
            body(second)
        case .call(_, let arguments): for argument in arguments.all { body(argument) }
        case .related(_, let child), .outer(let child): body(child)
        }
    }

    /// The expression with each part that ends a branch replaced, and with each predicate. A call that this leaves with
    /// constants alone is computed.
    func mapped(
        _ body: (TypedExpression) throws -> TypedExpression, _ predicates: (TypedPredicate) throws -> TypedPredicate
    ) rethrows -> TypedExpression {
        switch self {
        case .call(let function, let arguments):
            TypedExpression.call(function, try arguments.map { try $0.mapped(body, predicates) }).computed
        case .conditional(let predicate, let first, let second):
            TypedExpression.conditional(
                try predicate.mapped(body, predicates), try first.mapped(body, predicates),
                try second.mapped(body, predicates))
        case .aggregate(let aggregate):
            TypedExpression.aggregate(try aggregate.mapped(body, predicates))
        case .count(let hops, let predicate?): try body(.count(hops, predicates(predicate)))
        case .constant, .property, .identifier, .related, .reference, .count(_, nil), .outer: try body(self)
        }
    }
}

extension TypedAggregate {
    fileprivate func mapped(
        _ body: (TypedExpression) throws -> TypedExpression, _ predicates: (TypedPredicate) throws -> TypedPredicate
    ) rethrows -> TypedAggregate {
        let collection: TypedCollection =
            switch self.collection {
            case .list(let values): .list(try values.map { try $0.mapped(body, predicates) })
            case .rows(let hops, let predicate, let value, let from):
                .rows(hops, try predicates(predicate), value: value, from: try from?.mapped(body, predicates))
            case .elements(let array, let predicate):
                .elements(try array.mapped(body, predicates), try predicates(predicate))
            }
        return TypedAggregate(self, of: collection)
    }
}

extension TypedPredicate {
    /// Calls `predicate` with each predicate directly inside, and `expression` with each expression directly inside,
    /// from left to right.
    ///
    /// The predicate of `exists` is among them, though it is of another row, and that of `existsElement`. The elements of a list of constants are
    /// not: there may be many of them, and they read nothing.
    func forEachChild(predicate: (TypedPredicate) -> Void, expression: (TypedExpression) -> Void) {
        switch self {
        case .constant: break
        case .comparison(let left, _, let right, _), .text(let left, _, let right, _):
            expression(left)
            expression(right)
        case .between(let value, let lower, let upper, _): for part in [value, lower, upper] { expression(part) }
        case .isIn(let value, let elements, _):
            expression(value)
            guard !elements.areConstants else { break }
            for element in elements { expression(element) }
        case .hasElement(_, let element, _): expression(element)
        case .exists(_, let inner): predicate(inner)
        case .existsElement(let array, let inner):
            expression(array)
            predicate(inner)
        case .and(let parts), .or(let parts): for part in parts { predicate(part) }
        case .not(let part): predicate(part)
        }
    }

    /// The predicate with what lies directly inside replaced; see ``forEachChild(predicate:expression:)``.
    func mapChildren(
        predicate: (TypedPredicate) throws -> TypedPredicate, expression: (TypedExpression) throws -> TypedExpression
    ) rethrows -> TypedPredicate {
        switch self {
        case .constant: self
        case .comparison(let left, let comparison, let right, let form):
            .comparison(try expression(left), comparison, try expression(right), form)
        case .text(let left, let text, let right, let form):
            .text(try expression(left), text, try expression(right), form)
        case .between(let value, let lower, let upper, let form):
            .between(try expression(value), try expression(lower), try expression(upper), form)
        case .isIn(let value, let elements, let form):
            .isIn(try expression(value), try elements.replacing(expression), form)
        case .hasElement(let path, let element, let form): .hasElement(path, try expression(element), form)
        case .exists(let hops, let inner): .exists(hops, try predicate(inner))
        case .existsElement(let array, let inner): .existsElement(try expression(array), try predicate(inner))
        case .and(let parts): .and(try parts.map(predicate))
        case .or(let parts): .or(try parts.map(predicate))
        case .not(let part): .not(try predicate(part))
        }
    }

    /// The predicate with its expressions replaced; those of predicates about other rows are not among them.
    func mapped(
        _ body: (TypedExpression) throws -> TypedExpression, _ predicates: (TypedPredicate) throws -> TypedPredicate
    ) rethrows -> TypedPredicate {
        if case .exists(let hops, let inner) = self { return .exists(hops, try predicates(inner)) }
        if case .existsElement(let array, let inner) = self {
            return .existsElement(try array.mapped(body, predicates), try predicates(inner))
        }
        return try mapChildren(
            predicate: { try $0.mapped(body, predicates) }, expression: { try $0.mapped(body, predicates) })
    }
}
