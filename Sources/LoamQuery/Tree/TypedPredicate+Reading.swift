import LoamStorage

/// What a predicate or an expression asks of a row.
enum RowReading: Hashable {
    case path(PropertyPath)
    case identifier
    /// A row of another entity.
    case relation(RelationHop)
}

extension TypedExpression {
    /// Calls `body` with all that the expression reads of the row that lies `depth` counts further out.
    func forEachReading(depth: Int = 0, _ body: (RowReading) -> Void) {
        switch self {
        case .constant: break
        case .property(let path): if depth == 0 { body(.path(path)) }
        case .identifier: if depth == 0 { body(.identifier) }
        case .arithmetic(let left, _, let right, _):
            left.forEachReading(depth: depth, body)
            right.forEachReading(depth: depth, body)
        case .negation(let operand, _): operand.forEachReading(depth: depth, body)
        case .related(let hops, _): if depth == 0 { Self.read(hops, body) }
        case .reference(let hop): if depth == 0 { Self.read([hop], body) }
        case .count(let hops, let predicate):
            if depth == 0 { Self.read(hops, body) }
            predicate?.forEachReading(depth: depth + 1, body)
        case .outer(let expression): if depth > 0 { expression.forEachReading(depth: depth - 1, body) }
        }
    }

    fileprivate static func read(_ hops: [RelationHop], _ body: (RowReading) -> Void) {
        guard let first = hops.first else { return }
        body(first.reference.map(RowReading.path) ?? .identifier)
        for hop in hops { body(.relation(hop)) }
    }

    /// The expression with each part that ends a branch replaced, and with each predicate. An operation that this
    /// leaves with constants alone is computed.
    func mapped(
        _ body: (TypedExpression) throws -> TypedExpression, _ predicates: (TypedPredicate) throws -> TypedPredicate
    ) rethrows -> TypedExpression {
        switch self {
        case .arithmetic(let left, let operation, let right, let arithmetic):
            TypedExpression.arithmetic(
                try left.mapped(body, predicates), operation, try right.mapped(body, predicates), arithmetic
            ).computed
        case .negation(let operand, let arithmetic):
            TypedExpression.negation(try operand.mapped(body, predicates), arithmetic).computed
        case .count(let hops, let predicate?): try body(.count(hops, predicates(predicate)))
        case .constant, .property, .identifier, .related, .reference, .count(_, nil), .outer: try body(self)
        }
    }
}

extension TypedPredicate {
    /// Calls `body` with all that the predicate reads of the row that lies `depth` counts further out.
    func forEachReading(depth: Int = 0, _ body: (RowReading) -> Void) {
        switch self {
        case .constant: break
        case .comparison(let left, _, let right, _), .text(let left, _, let right, _):
            left.forEachReading(depth: depth, body)
            right.forEachReading(depth: depth, body)
        case .between(let value, let lower, let upper, _):
            for part in [value, lower, upper] { part.forEachReading(depth: depth, body) }
        case .isIn(let value, let elements, _):
            value.forEachReading(depth: depth, body)
            guard !elements.areConstants else { break }
            for element in elements { element.forEachReading(depth: depth, body) }
        case .hasElement(let path, let element, _):
            if depth == 0 { body(.path(path)) }
            element.forEachReading(depth: depth, body)
        case .exists(let hops, let predicate):
            if depth == 0 { TypedExpression.read(hops, body) }
            predicate.forEachReading(depth: depth + 1, body)
        case .and(let parts), .or(let parts): for part in parts { part.forEachReading(depth: depth, body) }
        case .not(let part): part.forEachReading(depth: depth, body)
        }
    }

    /// Every property of the row itself that the predicate reads.
    package var paths: Set<PropertyPath> {
        var paths: Set<PropertyPath> = []
        forEachReading { if case .path(let path) = $0 { paths.insert(path) } }
        return paths
    }

    /// The relationships along which it goes from the row whose predicate it is, on any way.
    var ownHops: Set<RelationHop> {
        var hops: Set<RelationHop> = []
        forEachReading { if case .relation(let hop) = $0 { hops.insert(hop) } }
        return hops
    }

    var withoutNot: TypedPredicate {
        if case .not(let part) = self { part.withoutNot } else { self }
    }

    /// Whether the row id takes part.
    var readsIdentifier: Bool { reads { $0 == .identifier } }

    /// Whether other rows take part.
    package var readsRelations: Bool {
        reads { if case .relation = $0 { true } else { false } }
    }

    /// Whether it stands in a count and reads the row around it.
    var readsOuter: Bool {
        var found = false
        forEachReading(depth: 1) { _ in found = true }
        return found
    }

    private func reads(_ test: (RowReading) -> Bool) -> Bool {
        var found = false
        forEachReading { found = found || test($0) }
        return found
    }

    /// The predicate with its expressions replaced; those of predicates inside a count are not among them.
    func mapped(
        _ body: (TypedExpression) throws -> TypedExpression, _ predicates: (TypedPredicate) throws -> TypedPredicate
    ) rethrows -> TypedPredicate {
        func map(_ expression: TypedExpression) throws -> TypedExpression { try expression.mapped(body, predicates) }
        switch self {
        case .constant: return self
        case .comparison(let left, let comparison, let right, let form):
            return .comparison(try map(left), comparison, try map(right), form)
        case .text(let left, let text, let right, let form): return .text(try map(left), text, try map(right), form)
        case .between(let value, let lower, let upper, let form):
            return .between(try map(value), try map(lower), try map(upper), form)
        case .isIn(let value, let elements, let form):
            return .isIn(try map(value), try elements.replacing(map), form)
        case .hasElement(let path, let element, let form): return .hasElement(path, try map(element), form)
        case .exists(let hops, let predicate): return .exists(hops, try predicates(predicate))
        case .and(let parts): return .and(try parts.map { try $0.mapped(body, predicates) })
        case .or(let parts): return .or(try parts.map { try $0.mapped(body, predicates) })
        case .not(let part): return .not(try part.mapped(body, predicates))
        }
    }
}
