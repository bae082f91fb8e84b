import LoamStorage

extension TypeChecker {
    /// The typed form of `expression`; what is only literals takes the type of its neighbour.
    ///
    /// - Parameter neighbour: the type of what it is compared or combined with; nil when that has none.
    func typed(
        _ expression: QueryExpression, beside neighbour: ValueType?
    ) throws(QueryError) -> TypedExpression {
        switch expression {
        case .constant(let value): return .constant(try converted(value, beside: neighbour))
        case .number(let literal): return .constant(try converted(literal, beside: neighbour))
        case .identifier: return .identifier
        case .keyPath(let names): return try keyPath(names)
        case .arithmetic(let left, let operation, let right):
            return try arithmetic(left, operation, right, beside: neighbour, in: expression)
        case .negation(let operand):
            let operand = try typed(operand, beside: neighbour)
            let type = try numericType(of: operand, in: expression)
            return folded(.negation(operand, Arithmetic(of: [type])))
        case .count(let names, let predicate): return try count(names, predicate)
        case .outer(let inner):
            return .outer(try outside(expression).typed(inner, beside: inner.isLiteral ? neighbour : nil))
        case .list: throw QueryError(.syntax(expected: "a single value, not a list"), part: expression.description)
        }
    }

    /// Parts that meet: what is only literals takes the type of the first that is not, or else of the neighbour.
    ///
    /// Each part is typed once: doing it twice at each level would double with the depth.
    func typedTogether(
        _ parts: [QueryExpression], beside neighbour: ValueType?
    ) throws(QueryError) -> [TypedExpression] {
        var known: [TypedExpression?] = []
        for part in parts { known.append(part.isLiteral ? nil : try typed(part, beside: nil)) }
        let type = known.lazy.compactMap { $0?.type }.first ?? neighbour
        var typedParts: [TypedExpression] = []
        for (part, known) in zip(parts, known) {
            if let known { typedParts.append(known) } else { typedParts.append(try typed(part, beside: type)) }
        }
        return typedParts
    }

    private func converted(_ value: Value, beside neighbour: ValueType?) throws(QueryError) -> Value {
        switch value {
        case .string(let text):
            guard let neighbour, neighbour.readsText else { return value }
            guard let converted = CastLiteral.value(of: text, as: neighbour) else {
                throw QueryError(.invalidLiteral(type: neighbour.description), part: value.formatText)
            }
            return converted
        case .array, .dictionary, .structure:
            throw QueryError(.argumentType(expected: "a single value"), part: value.formatText)
        default: return value
        }
    }

    private func converted(_ literal: NumberLiteral, beside neighbour: ValueType?) throws(QueryError) -> Value {
        let type = neighbour.flatMap { $0.isNumeric || $0 == .bool ? $0 : nil }
        guard let value = NumberTyping.value(of: literal, beside: type) else {
            throw QueryError(.invalidLiteral(type: neighbour?.description ?? "number"), part: literal.text)
        }
        return value
    }

    private func arithmetic(
        _ left: QueryExpression, _ operation: ArithmeticOperator, _ right: QueryExpression,
        beside neighbour: ValueType?, in whole: QueryExpression
    ) throws(QueryError) -> TypedExpression {
        let parts = try typedTogether([left, right], beside: neighbour)
        let (left, right) = (parts[0], parts[1])
        let types = (try numericType(of: left, in: whole), try numericType(of: right, in: whole))
        return folded(.arithmetic(left, operation, right, Arithmetic(of: [types.0, types.1])))
    }

    /// Nil counts as an integer: any operation with it gives nil.
    private func numericType(
        of expression: TypedExpression, in whole: QueryExpression
    ) throws(QueryError) -> ValueType {
        if expression.constant?.isNull == true { return .int64 }
        guard let type = expression.type, type.isNumeric, !expression.isReference else {
            throw QueryError(
                .typeMismatch("arithmetic applies to numbers, not to \(expression.type?.description ?? "collections")"),
                part: whole.description)
        }
        return type
    }

    /// The result where all operands are constants. An operation without one stays, so that its type is known.
    private func folded(_ expression: TypedExpression) -> TypedExpression {
        let computed = expression.computed
        return computed.constant?.isNull == true ? expression : computed
    }
}

extension QueryExpression {
    /// Whether it is made of numbers and constants only.
    var isLiteral: Bool {
        switch self {
        case .constant, .number: true
        case .keyPath, .identifier, .count: false
        case .outer(let expression): expression.isLiteral
        case .arithmetic(let left, _, let right): left.isLiteral && right.isLiteral
        case .negation(let operand): operand.isLiteral
        case .list(let elements): elements.allSatisfy(\.isLiteral)
        }
    }
}

extension TypedExpression {
    /// Whether it is a structure, an array or a dictionary.
    var isComposite: Bool {
        switch self {
        case .property(let path): !path.type.isOrdered
        case .related(_, let expression), .outer(let expression): expression.isComposite
        default: false
        }
    }

    /// Whether it is an array whose elements can be compared.
    var isArray: Bool {
        switch self {
        case .property(let path): path.elementType != nil
        case .related(_, let expression): expression.isArray
        default: false
        }
    }

    /// Whether it is the row id that a to-one relationship leads to.
    var isReference: Bool {
        switch self {
        case .property(let path): path.isReference
        case .reference: true
        case .related(_, let expression), .outer(let expression): expression.isReference
        default: false
        }
    }
}

extension ValueType {
    /// Whether a string literal beside this type is read as a value of it.
    var readsText: Bool {
        switch self {
        case .date, .uuid, .url, .decimal: true
        default: false
        }
    }
}
