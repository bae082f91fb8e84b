package import LoamStorage

/// The meaning of predicates, written for clarity: the compiled filter and every plan must agree with it.
extension TypedPredicate {
    /// Whether the predicate holds for a row, given as the values of all properties in the entity's order.
    ///
    /// - Throws: ``QueryError`` for a MATCHES that takes too much work; a row's values are never an error. Parts behind
    ///   the one that decides are not evaluated.
    package func holds(
        rowID: RowID, values: [Value], related: (any RelatedRows)? = nil
    ) throws -> Bool {
        try holds(PlainRow(rowID: rowID, values: values), related: related)
    }

    func holds<Row: RowValues & ~Escapable>(
        _ row: borrowing Row, related: (any RelatedRows)?
    ) throws -> Bool {
        switch self {
        case .constant(let value): return value
        case .and(let parts):
            for part in parts where try !part.holds(row, related: related) { return false }
            return true
        case .or(let parts):
            for part in parts where try part.holds(row, related: related) { return true }
            return false
        case .not(let part): return try !part.holds(row, related: related)
        case .comparison(let left, let comparison, let right, let form):
            return Self.compare(
                try left.value(in: row, related), comparison: comparison, right: try right.value(in: row, related),
                form: form)
        case .between(let value, let lower, let upper, let form):
            let value = try value.value(in: row, related)
            let (lower, upper) = (try lower.value(in: row, related), try upper.value(in: row, related))
            return Self.compare(value, comparison: .greaterOrEqual, right: lower, form: form)
                && Self.compare(value, comparison: .lessOrEqual, right: upper, form: form)
        case .isIn(let value, let elements, let form):
            let value = try value.value(in: row, related)
            if let lookup = elements.lookup { return lookup.contains(value) }
            if let constants = elements.constants {
                return constants.contains { Self.compare(value, comparison: .equal, right: $0, form: form) }
            }
            for element in elements
            where Self.compare(value, comparison: .equal, right: try element.value(in: row, related), form: form) {
                return true
            }
            return false
        case .hasElement(let path, let element, let form):
            guard case .array(let values) = try row.value(of: path) else { return false }
            let element = try element.value(in: row, related)
            return values.contains { Self.compare($0, comparison: .equal, right: element, form: form) }
        case .text(let left, let text, let right, let form):
            let (value, pattern) = (try left.value(in: row, related), try right.value(in: row, related))
            guard case .string(let string) = value, case .string(let operand) = pattern else {
                return text.findsRuns && value.has(pattern, text, form: form)
            }
            return try TextMatcher(text, operand: operand, form: form).matches(string)
        case .existsElement(let array, let predicate):
            guard let elements = try array.value(in: row, related).parts, !elements.isEmpty else { return false }
            let predicate = try predicate.bound(to: row, related)
            for element in elements
            where try predicate.holds(PlainRow(rowID: 0, values: [element]), related: related) { return true }
            return false
        case .exists(let hops, let predicate):
            return try Relations.exists(from: row, along: hops, predicate: predicate, related: related)
        }
    }

    /// Nil equals nil and nothing else, and has no order.
    static func compare(
        _ left: Value, comparison: ComparisonOperator, right: Value, form: StringForm
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
    /// - Throws: ``QueryError`` for a MATCHES that takes too much work, and what the row throws.
    package func value<Row: RowValues & ~Escapable>(
        in row: borrowing Row, _ related: (any RelatedRows)? = nil
    ) throws -> Value {
        switch self {
        case .constant(let value): return value
        case .property(let path): return try row.value(of: path)
        case .identifier: return .uint(row.rowID)
        case .call(let function, .one(let argument)):
            return function.result(of: try argument.value(in: row, related))
        case .call(let function, .two(let left, let right)):
            let first = try left.value(in: row, related)
            return function.result(of: first, and: try right.value(in: row, related))
        case .related(let hops, let expression):
            guard let related, let last = hops.last else { throw Relations.missing }
            guard let target = try Relations.target(of: row, along: hops, related) else { return .null }
            return try related.value(of: expression, at: target, of: last.destination) ?? .null
        case .reference(let hop):
            guard let related else { throw Relations.missing }
            guard let target = try Relations.target(of: row, along: [hop], related),
                try related.contains(target, of: hop.destination)
            else { return .null }
            return .uint(target)
        case .count(let hops, let predicate):
            return try Relations.count(from: row, along: hops, predicate: predicate, related: related).map {
                .int(Int64($0))
            } ?? .null
        case .conditional(let predicate, let first, let second):
            return try predicate.holds(row, related: related)
                ? first.value(in: row, related) : second.value(in: row, related)
        case .aggregate(let aggregate): return try aggregate.value(in: row, related)
        case .outer: throw QueryError(.unsupported("a row around where there is none"))
        }
    }
}
