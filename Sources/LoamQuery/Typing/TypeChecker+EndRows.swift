import LoamStorage

/// The first and the last of related rows, and what is asked of them.
extension TypeChecker {
    /// The relationships that a path of this row, or of one further out, leads along to rows; nil where it leads to no rows.
    func furtherOut(
        _ path: QueryExpression, in whole: QueryExpression
    ) throws(QueryError) -> (hops: [RelationHop], names: [String])? {
        guard case .keyPath(let names) = path.withoutOuter else { return nil }
        var around = self
        for _ in 0..<path.outerLevels { around = try around.outside(path) }
        let (hops, rest, _) = try around.resolve(names)
        guard hops.contains(where: { $0.relationship.isToMany }) else { return nil }
        guard rest.isEmpty else {
            throw QueryError(
                .typeMismatch("a subquery is about the rows of a relationship, or the elements of an array"),
                part: whole.description)
        }
        return (hops, names)
    }

    /// The first or the last of related rows, `items[FIRST]`, or a member of it, `items[FIRST].name`; nil for anything
    /// else.
    func ofEndRow(_ whole: QueryExpression) throws(QueryError) -> TypedExpression? {
        let (base, members) = whole.membersOfElement
        let levels = base.outerLevels
        var around = self
        for _ in 0..<levels { around = try around.outside(whole) }
        return try around.endRow(base.withoutOuter, members: members, in: whole)?.outside(levels)
    }

    private func endRow(
        _ base: QueryExpression, members: [String], in whole: QueryExpression
    ) throws(QueryError) -> TypedExpression? {
        let value: QueryExpression = members.isEmpty ? .identifier : .keyPath(members)
        switch base {
        case .call(let function, let arguments):
            guard function == .first || function == .last, let path = arguments.first else { return nil }
            let end: Aggregate = function == .first ? .first : .last
            if try hops(ofEndRow: path, in: whole) != nil {
                return try aggregate(
                    end, of: .elements(path, where: nil, members: members), beside: nil, in: whole)
            }
            guard case .keyPath(let names) = path.withoutOuter, try furtherOut(path, in: whole) != nil else {
                return nil
            }
            let rows = QueryCollection.rows(names, where: .constant(true), value: value)
            return try typed(QueryExpression.aggregate(end, of: rows).outside(path.outerLevels), beside: nil)
        case .aggregate(let end, .rows(let names, let condition, .identifier)) where end.isEnd && !members.isEmpty:
            guard try furtherOut(.keyPath(names), in: whole) != nil else { return nil }
            return try aggregate(end, of: .rows(names, where: condition, value: value), beside: nil, in: whole)
        case .aggregate(let end, .elements(let path, let condition, [])) where end.isEnd && !members.isEmpty:
            guard try rowEntity(path, in: whole) != nil else { return nil }
            return try aggregate(end, of: .elements(path, where: condition, members: members), beside: nil, in: whole)
        default: return nil
        }
    }

    /// The to-many relationship of the first or the last of related rows, or of a row that it leads to, as
    /// `items[FIRST].parts` and `items[FIRST].maker.items` are: the row's id, and the way from there. Nil for anything
    /// else.
    func ofEndRow(
        relationship path: QueryExpression, in whole: QueryExpression
    ) throws(QueryError) -> (start: TypedExpression, hops: [RelationHop])? {
        guard let hops = try hops(ofEndRow: path, in: whole) else { return nil }
        let base = path.membersOfElement.base
        var around = self
        for _ in 0..<base.outerLevels { around = try around.outside(whole) }
        return (try around.typed(base.withoutOuter, beside: nil).outside(base.outerLevels), hops)
    }

    /// The way along such a relationship, without a look at the types: O(path), so that a path of many of them is checked
    /// in the time of its square.
    private func hops(
        ofEndRow path: QueryExpression, in whole: QueryExpression
    ) throws(QueryError) -> [RelationHop]? {
        let (base, members) = path.membersOfElement
        guard !members.isEmpty else { return nil }
        var around = self
        for _ in 0..<base.outerLevels { around = try around.outside(whole) }
        guard let destination = try around.endRowEntity(base.withoutOuter, in: whole) else { return nil }
        let (hops, rest, _) = try inside(destination).resolve(members)
        guard rest.isEmpty, let last = hops.last, last.relationship.isToMany,
            !hops.dropLast().contains(where: { $0.relationship.isToMany })
        else { return nil }
        return hops
    }

    /// The entity of the first or the last of related rows; nil for anything else.
    private func endRowEntity(
        _ row: QueryExpression, in whole: QueryExpression
    ) throws(QueryError) -> Entity? {
        switch row {
        case .call(let function, let arguments):
            guard function == .first || function == .last, let path = arguments.first else { return nil }
            return try rowEntity(path, in: whole)
        case .aggregate(let end, .rows(let names, _, .identifier)) where end.isEnd:
            return try rowEntity(.keyPath(names), in: whole)
        case .aggregate(let end, .elements(let path, _, [])) where end.isEnd: return try rowEntity(path, in: whole)
        default: return nil
        }
    }

    /// The entity of the rows that a path leads to; nil where it leads to no rows.
    private func rowEntity(
        _ path: QueryExpression, in whole: QueryExpression
    ) throws(QueryError) -> Entity? {
        if let rows = try furtherOut(path, in: whole) { return rows.hops.last?.destination }
        return try hops(ofEndRow: path, in: whole)?.last?.destination
    }
}

extension QueryExpression {
    /// The expression that names of members stand behind, and the names: `lists[0]` and `['name']` of `lists[0].name`.
    fileprivate var membersOfElement: (base: QueryExpression, members: [String]) {
        guard case .call(.element, let arguments) = self, arguments.count == 2,
            case .constant(.string(let name)) = arguments[1]
        else { return (self, []) }
        let (base, members) = arguments[0].membersOfElement
        return (base, members + [name])
    }
}
