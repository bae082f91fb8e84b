import LoamStorage

/// What is made of the values of a collection.
extension TypeChecker {
    func aggregate(
        _ aggregate: Aggregate, of collection: QueryCollection, beside neighbour: ValueType?,
        in whole: QueryExpression
    ) throws(QueryError) -> TypedExpression {
        switch collection {
        case .list(let elements):
            let isNumber = aggregate != .count && neighbour?.isNumeric == true
            let typed = try typedTogether(elements, beside: isNumber ? neighbour : nil)
            if let array = typed.first, typed.count == 1, array.isArray {
                return try self.aggregate(aggregate, of: array, where: nil, in: whole)
            }
            if aggregate == .count { return try self.aggregate(.count, of: .list(typed), valueType: .int64, in: whole) }
            let (values, type) = try inOneType(typed, in: whole)
            return try self.aggregate(aggregate, of: .list(values), valueType: type ?? .int64, in: whole)
        case .path(let names): return try self.aggregate(aggregate, at: names, in: whole)
        case .rows(let names, let predicate, let value):
            let (hops, rest, _) = try resolve(names)
            if !rest.isEmpty {
                let members: [String]? = if case .keyPath(let members) = value { members } else { nil }
                guard value == .identifier || members != nil else {
                    throw QueryError(
                        .typeMismatch("an aggregate is made of elements or of members of them"), part: whole.description
                    )
                }
                return try self.aggregate(
                    aggregate, of: keyPath(names), where: predicate, members: members ?? [], in: whole)
            }
            guard hops.contains(where: { $0.relationship.isToMany }) else { throw noCollection(names) }
            return try self.aggregate(aggregate, of: hops, where: predicate, value: value, in: whole)
        case .elements(let array, let predicate, let members):
            if let list = array.listed {
                guard members.isEmpty else {
                    throw QueryError(.typeMismatch("elements of a list have no properties"), part: whole.description)
                }
                return try self.aggregate(aggregate, ofThose: list, where: predicate ?? .constant(true), in: whole)
            }
            if let rows = try furtherOut(array, in: whole) {
                return try self.aggregate(
                    aggregate, of: rows.hops, from: TypedExpression.identifier.outside(array.outerLevels),
                    where: predicate ?? .constant(true), value: members.isEmpty ? .identifier : .keyPath(members),
                    in: whole)
            }
            if let rows = try ofEndRow(relationship: array, in: whole) {
                return try self.aggregate(
                    aggregate, of: rows.hops, from: rows.start, where: predicate ?? .constant(true),
                    value: members.isEmpty ? .identifier : .keyPath(members), in: whole)
            }
            return try self.aggregate(
                aggregate, of: typed(array, beside: nil), where: predicate, members: members, in: whole)
        }
    }

    /// Of the elements of a list for which a predicate holds: each is given a predicate of its own, and where that does not
    /// hold it is nil, which no aggregate is made of.
    private func aggregate(
        _ aggregate: Aggregate, ofThose elements: [QueryExpression], where predicate: QueryPredicate,
        in whole: QueryExpression
    ) throws(QueryError) -> TypedExpression {
        let one = QueryExpression.number(NumberLiteral(1 as Int64))
        var kept: [QueryExpression] = []
        for element in elements {
            guard let test = predicate.about(element) else {
                throw QueryError(.typeMismatch("elements of a list have no properties"), part: whole.description)
            }
            kept.append(.conditional(test, aggregate == .count ? one : element, .constant(.null)))
        }
        return try self.aggregate(aggregate, of: .list(kept), beside: nil, in: whole)
    }

    /// Of the elements of an array for which a predicate holds. Only a subquery asks for those of a text or of data:
    /// whoever writes `max(name)` means something else.
    func aggregate(
        _ aggregate: Aggregate, of array: TypedExpression, where predicate: QueryPredicate?, members: [String] = [],
        in whole: QueryExpression
    ) throws(QueryError) -> TypedExpression {
        let inside = try inside(array)
        guard predicate != nil || array.isArray else {
            throw QueryError(
                .typeMismatch("an aggregate is made of an array, or of a subquery"), part: whole.description)
        }
        if aggregate.isEnd, array.type?.isDictionary == true {
            throw QueryError(
                .typeMismatch("the pairs of a dictionary have no order, and none of them is the first"),
                part: whole.description)
        }
        let member = members.isEmpty ? nil : try inside.property(members)
        guard let element = member ?? inside.element, aggregate == .count || aggregate.isEnd || element.type.isOrdered
        else {
            throw QueryError(
                .typeMismatch("there is no \(aggregate.rawValue) of collections and structures"),
                part: whole.description)
        }
        let condition = try predicate.map { (predicate) throws(QueryError) in try inside.checked(predicate) }
        return try self.aggregate(
            aggregate, of: .elements(array, condition ?? .constant(true)), valueType: element.type, member: member,
            in: whole)
    }

    /// Of what a path leads to: the values behind its last to-many relationship, or the elements of an array.
    private func aggregate(
        _ aggregate: Aggregate, at names: [String], in whole: QueryExpression
    ) throws(QueryError) -> TypedExpression {
        var hops = try resolve(names).hops
        guard let last = hops.lastIndex(where: { $0.relationship.isToMany }) else {
            let (array, members) = try array(at: names)
            guard array.isArray else { throw noCollection(names) }
            return try self.aggregate(aggregate, of: array, where: nil, members: members, in: whole)
        }
        hops.removeSubrange((last + 1)...)
        let rest = Array(names[hops.count...])
        if rest.isEmpty, aggregate == .count { return try count(names, predicate: nil) }
        return try self.aggregate(
            aggregate, of: hops, where: .constant(true), value: rest.isEmpty ? .identifier : .keyPath(rest), in: whole)
    }

    /// The array that a path leads to, or leads through to members of its elements.
    private func array(at names: [String]) throws(QueryError) -> (TypedExpression, members: [String]) {
        for count in 1..<max(1, names.count) {
            let (hops, rest, end) = try resolve(Array(names.prefix(count)))
            guard !rest.isEmpty, let path = try? hops.isEmpty ? property(rest) : PropertyPath(rest, in: end),
                path.isArray
            else { continue }
            return (try keyPath(Array(names.prefix(count))), Array(names.dropFirst(count)))
        }
        return (try keyPath(names), [])
    }

    /// - Parameters:
    ///   - start: the id of the row at which the relationships begin; nil where they begin at this one.
    ///   - value: of each row.
    private func aggregate(
        _ aggregate: Aggregate, of hops: [RelationHop], from start: TypedExpression? = nil,
        where predicate: QueryPredicate, value: QueryExpression, in whole: QueryExpression
    ) throws(QueryError) -> TypedExpression {
        guard let last = hops.last else {
            throw QueryError(.typeMismatch("an aggregate is made of related rows"), part: whole.description)
        }
        let inside = inside(last.destination)
        let (condition, value) = (try inside.checked(predicate), try inside.typed(value, beside: nil))
        let isTaken =
            aggregate.isEnd || aggregate == .count || !value.isReference && value != .identifier && !value.isComposite
        guard isTaken, let type = value.type else {
            throw QueryError(
                .typeMismatch("\(aggregate.rawValue) is made of the values of an attribute"), part: whole.description)
        }
        let collection = TypedCollection.rows(hops, condition, value: value, from: start)
        return try self.aggregate(aggregate, of: collection, valueType: type, in: whole)
    }

    func aggregate(
        _ aggregate: Aggregate, of collection: TypedCollection, valueType type: ValueType, member: PropertyPath? = nil,
        in whole: QueryExpression
    ) throws(QueryError) -> TypedExpression {
        guard let typed = TypedAggregate(aggregate, of: collection, valueType: type, member: member) else {
            throw QueryError(
                .typeMismatch("there is no \(aggregate.rawValue) of values of type \(type)"), part: whole.description)
        }
        return .aggregate(typed)
    }

    private func noCollection(_ names: [String]) -> QueryError {
        QueryError(
            .typeMismatch("an aggregate is made of a to-many relationship, an array or a list"),
            part: QueryExpression.keyPath(names).description)
    }
}
