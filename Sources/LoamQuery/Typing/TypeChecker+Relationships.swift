import LoamStorage

/// Key paths along relationships, and what is asked of the rows at their end.
extension TypeChecker {
    /// The relationships that `names` begins with, the names behind them, and the entity at that point.
    func resolve(
        _ names: [String]
    ) throws(QueryError) -> (hops: [RelationHop], rest: [String], entity: Entity) {
        var hops: [RelationHop] = []
        var end = entity
        var rest = names[...]
        while let name = rest.first, let relationship = end.relationship(named: name) {
            let hop = try RelationHop(relationship, of: end, in: schema)
            hops.append(hop)
            end = hop.destination
            rest.removeFirst()
        }
        return (hops, Array(rest), end)
    }

    func keyPath(_ names: [String]) throws(QueryError) -> TypedExpression {
        var (hops, rest, end) = try resolve(names)
        if let many = hops.first(where: { $0.relationship.isToMany }) {
            throw QueryError(
                .typeMismatch("\(many.relationship.name) leads to many rows: use ANY, ALL, NONE or @count"),
                part: QueryExpression.keyPath(names).description)
        }
        let leaf: TypedExpression
        if rest.isEmpty, let last = hops.popLast() {
            leaf = last.mayDangle ? .reference(last) : last.reference.map(TypedExpression.property) ?? .reference(last)
        } else {
            leaf = .property(try PropertyPath(rest, in: end, as: names))
        }
        return hops.isEmpty ? leaf : .related(hops, leaf)
    }

    func count(_ names: [String], predicate: QueryPredicate?) throws(QueryError) -> TypedExpression {
        let (hops, rest, end) = try resolve(names)
        let part = QueryExpression.keyPath(names).description
        if let name = rest.first {
            _ = try PropertyPath(rest, in: end, as: names)
            throw QueryError(.typeMismatch("\(name) is no relationship: nothing is counted"), part: part)
        }
        guard let last = hops.last, last.relationship.isToMany,
            !hops.dropLast().contains(where: { $0.relationship.isToMany })
        else {
            throw QueryError(
                .typeMismatch("@count counts the rows of one to-many relationship, the last of the path"), part: part)
        }
        return .count(hops, try predicate.map { (predicate) throws(QueryError) in try inside(end).checked(predicate) })
    }

    /// The checker for predicates over rows of an entity that are counted from this one.
    func inside(_ related: Entity) -> TypeChecker {
        TypeChecker(entity: related, schema: schema, around: around + [entity])
    }

    /// The checker for expressions of the row around.
    func outside(_ expression: QueryExpression) throws(QueryError) -> TypeChecker {
        guard let entity = around.last else {
            throw QueryError(.syntax(expected: "a related row inside another one"), part: expression.description)
        }
        return TypeChecker(entity: entity, schema: schema, around: around.dropLast())
    }

    // MARK: Quantifiers

    func quantified(
        _ quantifier: Quantifier, part: QueryPredicate, in predicate: QueryPredicate
    ) throws(QueryError) -> TypedPredicate {
        guard let left = part.left else {
            throw QueryError(.typeMismatch("a quantifier stands before a comparison"), part: predicate.description)
        }
        guard case .keyPath(let names) = left else {
            throw QueryError(
                .typeMismatch("a quantifier needs a key path from the row that is tested"), part: predicate.description)
        }
        var hops = try resolve(names).hops
        guard let last = hops.lastIndex(where: { $0.relationship.isToMany }) else {
            return try quantifiedElements(quantifier, part: part, names: names, in: predicate)
        }
        // To-one relationships behind it belong to what is compared: where they lead nowhere, it is nil.
        hops.removeSubrange((last + 1)...)
        let rest = Array(names[hops.count...])
        let member: QueryExpression = rest.isEmpty ? .identifier : .keyPath(rest)
        let inner = try inside(hops[last].destination).checked(part.outer.replacingLeft(member))
        switch quantifier {
        case .any: return .exists(hops, inner)
        case .none: return .not(.exists(hops, inner))
        case .all: return .not(.exists(hops, .not(inner)))
        }
    }

    /// `ANY tags == 'x'` over an array.
    private func quantifiedElements(
        _ quantifier: Quantifier, part: QueryPredicate, names: [String], in predicate: QueryPredicate
    ) throws(QueryError) -> TypedPredicate {
        guard quantifier != .all, case .comparison(let left, .equal, let right, let options) = part,
            try typed(left, beside: nil).isArray
        else {
            throw QueryError(
                .typeMismatch("\(quantifier.rawValue) needs a key path through a to-many relationship"),
                part: predicate.description)
        }
        let found = try checked(.isIn(right, left, options))
        return quantifier == .any ? found : .not(found)
    }

    /// `value IN cities`: the value is the row id of a related row.
    func member(
        _ value: QueryExpression, of hops: [RelationHop], end: Entity
    ) throws(QueryError) -> TypedPredicate {
        .exists(hops, try inside(end).checked(.comparison(.identifier, .equal, value.outer, .none)))
    }
}

extension PropertyPath {
    /// Follows the names of a path; an error names the whole path.
    init(_ names: [String], in entity: Entity, as whole: [String]) throws(QueryError) {
        do {
            try self.init(names, in: entity)
        } catch {
            throw QueryError(error.kind, part: QueryExpression.keyPath(whole).description)
        }
    }
}

extension QueryExpression {
    /// The expression as it is written one count further in; literals are the same everywhere.
    var outer: QueryExpression {
        switch self {
        case .constant, .number: self
        case .list(let elements): .list(elements.map(\.outer))
        default: .outer(self)
        }
    }
}

extension QueryPredicate {
    fileprivate var outer: QueryPredicate { mapped(\.outer) }

    func replacingLeft(_ left: QueryExpression) -> QueryPredicate {
        switch self {
        case .comparison(_, let comparison, let right, let options): .comparison(left, comparison, right, options)
        case .text(_, let text, let right, let options): .text(left, text, right, options)
        case .between(_, let lower, let upper, let options): .between(left, lower, upper, options)
        case .isIn(_, let list, let options): .isIn(left, list, options)
        case .constant, .and, .or, .not, .quantified: self
        }
    }
}
