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
            leaf = .property(hops.isEmpty ? try property(rest) : try PropertyPath(rest, in: end, as: names))
        }
        return hops.isEmpty ? leaf : .related(hops, leaf)
    }

    /// An attribute of the row, or a member of the element that is tested.
    func property(_ names: [String]) throws(QueryError) -> PropertyPath {
        guard let element else { return try PropertyPath(names, in: entity) }
        return try PropertyPath(names, ofElement: element)
    }

    func count(_ names: [String], predicate: QueryPredicate?) throws(QueryError) -> TypedExpression {
        let (hops, rest, end) = try resolve(names)
        let part = QueryExpression.keyPath(names).description
        if let name = rest.first {
            let path = hops.isEmpty ? try property(rest) : try PropertyPath(rest, in: end, as: names)
            if path.isArray || predicate != nil && path.type.parts != nil {
                return try aggregate(
                    .count, of: keyPath(names), where: predicate, in: .count(names, where: predicate))
            }
            throw QueryError(.typeMismatch("\(name) is no relationship and no array: nothing is counted"), part: part)
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
        TypeChecker(entity: related, schema: schema, around: around + [self], now: now)
    }

    /// The checker for predicates over the elements of an array, the pairs of a dictionary, the characters of a text or
    /// the bytes of data.
    func inside(_ array: TypedExpression) throws(QueryError) -> TypeChecker {
        guard let (type, isOptional) = array.type?.parts, !array.isReference else {
            throw QueryError(
                .typeMismatch("only arrays, dictionaries, texts and data have elements"), part: array.description)
        }
        return TypeChecker(
            entity: Entity(id: 0, name: "element", properties: []), schema: schema,
            element: .element(of: type, isOptional: isOptional), around: around + [self], now: now)
    }

    /// The checker for expressions of the row around.
    func outside(_ expression: QueryExpression) throws(QueryError) -> TypeChecker {
        guard let outside = around.last else {
            throw QueryError(.syntax(expected: "a related row inside another one"), part: expression.description)
        }
        return outside
    }

    // MARK: Quantifiers

    func quantified(
        _ quantifier: Quantifier, part: QueryPredicate, in predicate: QueryPredicate
    ) throws(QueryError) -> TypedPredicate {
        guard let left = part.left else {
            throw QueryError(.typeMismatch("a quantifier stands before a comparison"), part: predicate.description)
        }
        let isAll = quantifier == .all
        let found: TypedPredicate
        switch left {
        case .list(let elements):
            var parts: [TypedPredicate] = []
            for element in elements {
                let part = try checked(part.replacingLeft(element))
                parts.append(isAll ? .not(part) : part)
            }
            found = .or(parts)
        case .keyPath(let names): found = try ends(names, where: part, negated: isAll, in: predicate)
        default:
            let array = try typed(left, beside: nil)
            guard array.isArray else {
                throw QueryError(
                    .typeMismatch("a quantifier needs a key path from the row that is tested, an array or a list"),
                    part: predicate.description)
            }
            found = try elements(of: array, written: left, where: part, negated: isAll)
        }
        return quantifier == .any ? found : .not(found)
    }

    /// Whether a comparison holds for a value that a path leads to, through a to-many relationship or in an array; or
    /// whether it does not, for one of them.
    ///
    /// To-one relationships behind the last of these belong to what is compared: where they lead nowhere, it is nil.
    func ends(
        _ names: [String], where part: QueryPredicate, negated: Bool, in whole: QueryPredicate
    ) throws(QueryError) -> TypedPredicate {
        var hops = try resolve(names).hops
        if let last = hops.lastIndex(where: { $0.relationship.isToMany }) {
            hops.removeSubrange((last + 1)...)
            let rest = Array(names[hops.count...])
            let inside = inside(hops[last].destination)
            if !rest.isEmpty, case .property(let path) = try inside.member(rest, of: names), path.isArray {
                return .exists(hops, try inside.ends(rest, where: part.outer, negated: negated, in: whole))
            }
            let member: QueryExpression = rest.isEmpty ? .identifier : .keyPath(rest)
            let inner = try inside.checked(part.outer.replacingLeft(member))
            return .exists(hops, negated ? .not(inner) : inner)
        }
        let array = try keyPath(names)
        guard array.isArray else {
            throw QueryError(
                .typeMismatch("a quantifier needs a key path through a to-many relationship, or to an array"),
                part: whole.description)
        }
        return try elements(of: array, written: .keyPath(names), where: part, negated: negated)
    }

    /// Whether a comparison holds for an element of an array; or whether it does not, for one of them.
    private func elements(
        of array: TypedExpression, written: QueryExpression, where part: QueryPredicate, negated: Bool
    ) throws(QueryError) -> TypedPredicate {
        if !negated, case .comparison(_, .equal, let right, let options) = part {
            return try checked(.isIn(right, written, options))
        }
        let inner = try inside(array).checked(part.outer.replacingLeft(.identifier))
        return .existsElement(array, negated ? .not(inner) : inner)
    }

    /// What a path leads to; an error names the whole path.
    private func member(_ rest: [String], of names: [String]) throws(QueryError) -> TypedExpression {
        do {
            return try keyPath(rest)
        } catch {
            throw QueryError(error.kind, part: QueryExpression.keyPath(names).description, suggestion: error.suggestion)
        }
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
            let before = whole.dropLast(names.count).map { $0 + "." }.joined()
            throw QueryError(
                error.kind, part: QueryExpression.keyPath(whole).description,
                suggestion: error.suggestion.map { before + $0 })
        }
    }
}

extension QueryExpression {
    /// The expression as it is written one count further in.
    var outer: QueryExpression { outside(1) }
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
