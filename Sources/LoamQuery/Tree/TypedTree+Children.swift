// What lies directly inside what, in the trees with types. A pass names the cases that it treats in a way of its own,
// and leaves the others to these.

extension TypedExpression {
    /// Calls `body` with each expression directly inside, whichever row it is of: that of `related` is of the row at
    /// the end, that of `outer` of the row around. The predicate of a count is none of them.
    func forEachChild(_ body: (TypedExpression) -> Void) {
        switch self {
        case .constant, .property, .identifier, .reference, .count: break
        case .call(_, let arguments): for argument in arguments.all { body(argument) }
        case .related(_, let child), .outer(let child): body(child)
        }
    }

    /// The expression with each expression directly inside replaced; see ``forEachChild(_:)``.
    func mapChildren(_ body: (TypedExpression) throws -> TypedExpression) rethrows -> TypedExpression {
        switch self {
        case .constant, .property, .identifier, .reference, .count: self
        case .call(let function, let arguments): .call(function, try arguments.map(body))
        case .related(let hops, let child): .related(hops, try body(child))
        case .outer(let child): .outer(try body(child))
        }
    }

    /// The expression with each part that ends a branch replaced, and with each predicate. A call that this leaves with
    /// constants alone is computed.
    func mapped(
        _ body: (TypedExpression) throws -> TypedExpression, _ predicates: (TypedPredicate) throws -> TypedPredicate
    ) rethrows -> TypedExpression {
        switch self {
        case .call: try mapChildren { try $0.mapped(body, predicates) }.computed
        case .count(let hops, let predicate?): try body(.count(hops, predicates(predicate)))
        case .constant, .property, .identifier, .related, .reference, .count(_, nil), .outer: try body(self)
        }
    }
}

extension TypedPredicate {
    /// Calls `predicate` with each predicate directly inside, and `expression` with each expression directly inside,
    /// from left to right.
    ///
    /// The predicate of `exists` is among them, though it is of another row. The elements of a list of constants are
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
        return try mapChildren(
            predicate: { try $0.mapped(body, predicates) }, expression: { try $0.mapped(body, predicates) })
    }
}
