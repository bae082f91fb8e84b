import LoamQuery
import LoamStorage

extension Query {
    /// The keys of the order before that of the identifier, which leaves nothing open.
    func keysBeforeIdentifier(in entity: Entity) -> ArraySlice<SortKey> {
        sort.prefix { !$0.isIdentifier(of: entity) }
    }

    /// The order as text, which a cursor keeps.
    func orderText(in entity: Entity) -> [String] {
        keysBeforeIdentifier(in: entity).map { ($0.direction == .descending ? "-" : "") + $0.path }
            + (identifierDirection(in: entity) == .descending ? ["-SELF"] : ["SELF"])
    }

    private func identifierDirection(in entity: Entity) -> SortDirection {
        (sort.first { $0.isIdentifier(of: entity) } ?? sort.last)?.direction ?? .ascending
    }

    /// What holds for the rows behind a place in the order: they are behind it in the first key, or equal in that and
    /// behind in the next, and so on; those that are equal in all keys go by identifier.
    ///
    /// It begins with what follows from that for the first key: a range, at whose beginning an index is entered.
    ///
    /// - Parameters:
    ///   - values: of the keys before the identifier.
    ///   - entity: the query's.
    ///   - schema: what the keys are names in.
    /// - Throws: `QueryError` for a key that the entity has not.
    func predicateBehind(
        _ values: [Value], row: RowID, of entity: Entity, in schema: LoamStorage.Schema
    ) throws -> QueryPredicate {
        let places = try zip(keysBeforeIdentifier(in: entity), values).map { key, value in
            PlaceInOrder(
                try key.expression(in: entity, schema: schema), value: value,
                isAscending: key.direction == .ascending)
        }
        var behind = QueryPredicate.comparison(
            .identifier, identifierDirection(in: entity) == .ascending ? .greater : .less, .constant(.uint(row)), .none)
        for place in places.reversed() { behind = .or([place.isBehind, .and([place.isEqual, behind])]) }
        guard let first = places.first else { return behind }
        return .and([first.isNotBefore, behind])
    }
}

/// How rows stand to a value in one key of an order: nil comes before every value, NaN behind.
private struct PlaceInOrder {
    private let path: QueryExpression
    private let value: Value
    private let isAscending: Bool

    init(_ path: QueryExpression, value: Value, isAscending: Bool) {
        (self.path, self.value, self.isAscending) = (path, value, isAscending)
    }

    private func isPath(_ comparison: ComparisonOperator, _ value: Value) -> QueryPredicate {
        .comparison(path, comparison, .constant(value), .none)
    }

    private var isNil: QueryPredicate { isPath(.equal, .null) }
    private var hasValue: QueryPredicate { isPath(.notEqual, .null) }
    /// Nothing else differs from itself.
    private var isNaN: QueryPredicate { .comparison(path, .notEqual, path, .none) }

    /// Whether values of the type may be NaN.
    private var mayBeNaN: Bool {
        switch value {
        case .float, .double, .decimal, .date: true
        default: false
        }
    }

    var isEqual: QueryPredicate { value.isNaN ? isNaN : isPath(.equal, value) }

    var isBehind: QueryPredicate {
        if isAscending {
            if value.isNull { return hasValue }
            if value.isNaN { return .constant(false) }
            // NaN comes last and is not below anything; what is not below a value is a range of an index.
            return mayBeNaN ? .and([hasValue, .not(isPath(.lessOrEqual, value))]) : isGreater
        }
        if value.isNull { return .constant(false) }
        if value.isNaN { return .not(isNaN) }
        return .or([isLess, isNil])
    }

    var isNotBefore: QueryPredicate {
        if isAscending, value.isNull { return .constant(true) }
        if !isAscending, value.isNaN { return .constant(true) }
        if isAscending, mayBeNaN, !value.isNaN { return .and([hasValue, .not(isPath(.less, value))]) }
        return .or([isEqual, isBehind])
    }

    /// Predicates know no order of Bool: false comes before true.
    private var isGreater: QueryPredicate {
        guard case .bool(let bool) = value else { return isPath(.greater, value) }
        return bool ? .constant(false) : isPath(.equal, .bool(true))
    }

    private var isLess: QueryPredicate {
        guard case .bool(let bool) = value else { return isPath(.less, value) }
        return bool ? isPath(.equal, .bool(false)) : .constant(false)
    }
}
