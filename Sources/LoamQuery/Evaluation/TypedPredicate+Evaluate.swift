package import LoamStorage

/// The meaning of predicates, written for clarity: the compiled filter and every plan must agree with it.
extension TypedPredicate {
    /// Whether the predicate holds for a row, given as the values of all properties in the entity's order.
    ///
    /// - Throws: ``QueryError`` where arithmetic on the row fails. Parts behind the one that decides are not evaluated.
    package func holds(rowID: RowID, _ values: [Value]) throws -> Bool {
        try holds(PlainRow(rowID: rowID, values: values))
    }

    func holds<Row: RowValues & ~Escapable>(_ row: borrowing Row) throws -> Bool {
        switch self {
        case .constant(let value): return value
        case .and(let parts):
            for part in parts where try !part.holds(row) { return false }
            return true
        case .or(let parts):
            for part in parts where try part.holds(row) { return true }
            return false
        case .not(let part): return try !part.holds(row)
        case .comparison(let left, let comparison, let right, let form):
            return Self.compare(try left.value(in: row), comparison, try right.value(in: row), form)
        case .between(let value, let lower, let upper, let form):
            let value = try value.value(in: row)
            let (lower, upper) = (try lower.value(in: row), try upper.value(in: row))
            return Self.compare(value, .greaterOrEqual, lower, form) && Self.compare(value, .lessOrEqual, upper, form)
        case .isIn(let value, let elements, let form):
            let value = try value.value(in: row)
            for element in elements where Self.compare(value, .equal, try element.value(in: row), form) { return true }
            return false
        case .hasElement(let path, let element, let form):
            guard case .array(let values) = try row.value(of: path) else { return false }
            let element = try element.value(in: row)
            return values.contains { Self.compare($0, .equal, element, form) }
        case .text(let left, let text, let right, let form):
            guard case .string(let string) = try left.value(in: row),
                case .string(let pattern) = try right.value(in: row)
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
    func value<Row: RowValues & ~Escapable>(in row: borrowing Row) throws -> Value {
        switch self {
        case .constant(let value): return value
        case .property(let path): return try row.value(of: path)
        case .identifier: return .uint(row.rowID)
        case .arithmetic(let left, let operation, let right, let arithmetic):
            let left = try left.value(in: row)
            return try arithmetic.apply(operation, left, right.value(in: row))
        case .negation(let operand, let arithmetic):
            return try arithmetic.negate(operand.value(in: row))
        }
    }
}
