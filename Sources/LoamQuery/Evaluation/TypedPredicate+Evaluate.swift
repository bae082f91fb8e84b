package import LoamStorage

/// The meaning of predicates, written for clarity: the compiled filter and every plan must agree with it.
extension TypedPredicate {
    /// Whether the predicate holds for a row, given as the values of all properties in the entity's order.
    ///
    /// - Throws: ``QueryError`` where arithmetic on the row fails. Parts behind the one that decides are not evaluated.
    package func holds(rowID: RowID, _ row: [Value]) throws -> Bool {
        switch self {
        case .constant(let value): return value
        case .and(let parts): return try parts.allSatisfy { try $0.holds(rowID: rowID, row) }
        case .or(let parts): return try parts.contains { try $0.holds(rowID: rowID, row) }
        case .not(let part): return try !part.holds(rowID: rowID, row)
        case .comparison(let left, let comparison, let right, let form):
            let (left, right) = (try left.value(rowID: rowID, of: row), try right.value(rowID: rowID, of: row))
            return Self.compare(left, comparison, right, form)
        case .between(let value, let lower, let upper, let form):
            let value = try value.value(rowID: rowID, of: row)
            let (lower, upper) = (try lower.value(rowID: rowID, of: row), try upper.value(rowID: rowID, of: row))
            return Self.compare(value, .greaterOrEqual, lower, form) && Self.compare(value, .lessOrEqual, upper, form)
        case .isIn(let value, let elements, let form):
            let value = try value.value(rowID: rowID, of: row)
            return try elements.contains { Self.compare(value, .equal, try $0.value(rowID: rowID, of: row), form) }
        case .hasElement(let path, let element, let form):
            guard case .array(let values) = path.value(in: row) else { return false }
            let element = try element.value(rowID: rowID, of: row)
            return values.contains { Self.compare($0, .equal, element, form) }
        case .text(let left, let text, let right, let form):
            guard case .string(let string) = try left.value(rowID: rowID, of: row),
                case .string(let pattern) = try right.value(rowID: rowID, of: row)
            else { return false }
            return try TextMatcher(text, pattern, form: form).matches(string)
        }
    }

    /// Nil equals nil and nothing else, and has no order.
    static func compare(
        _ left: Value, _ comparison: ComparisonOperator, _ right: Value, _ form: StringForm
    ) -> Bool {
        if left.isNull || right.isNull {
            switch comparison {
            case .equal: return left.isNull && right.isNull
            case .notEqual: return !(left.isNull && right.isNull)
            default: return false
            }
        }
        return ValueOrder.of(left, right, form: form).satisfies(comparison)
    }
}

extension TypedExpression {
    /// The expression's value for a row.
    package func value(rowID: RowID, of row: [Value]) throws(QueryError) -> Value {
        switch self {
        case .constant(let value): return value
        case .property(let path): return path.value(in: row)
        case .identifier: return .uint(rowID)
        case .arithmetic(let left, let operation, let right, let arithmetic):
            let left = try left.value(rowID: rowID, of: row)
            return try arithmetic.apply(operation, left, right.value(rowID: rowID, of: row))
        case .negation(let operand, let arithmetic):
            return try arithmetic.negate(operand.value(rowID: rowID, of: row))
        }
    }
}
