import LoamStorage

extension QueryPredicate {
    /// The predicate with values in the places of variables. Names that it does not have are passed over, and variables
    /// without a value stay.
    package func substituting(_ values: [String: QueryExpression]) -> QueryPredicate {
        values.isEmpty ? self : replacingVariables { values[$0] }
    }

    /// The names of the variables that have no value yet.
    package var variables: Set<String> {
        var names: Set<String> = []
        _ = replacingVariables {
            names.insert($0)
            return nil
        }
        return names
    }

    private func replacingVariables(_ body: (String) -> QueryExpression?) -> QueryPredicate {
        mapChildren(
            predicate: { $0.replacingVariables(body) }, expression: { $0.replacingVariables(body) })
    }
}

extension QueryExpression {
    fileprivate func replacingVariables(_ body: (String) -> QueryExpression?) -> QueryExpression {
        switch self {
        case .variable(let name): return body(name) ?? self
        case .call(.element, let arguments):
            let arguments = arguments.map { $0.replacingVariables(body) }
            return Self.bound(arguments) ?? .call(.element, arguments)
        case .aggregate(let aggregate, of: .elements(let array, where: nil, members: [])) where array.isOfVariable:
            return .aggregate(aggregate, ofBound: array.replacingVariables(body))
        default:
            return mapScopes(
                same: { $0.replacingVariables(body) }, condition: { $0.mapParts { $0.replacingVariables(body) } },
                inner: { $0.mapParts { $0.replacingVariables(body) } })
        }
    }

    /// An aggregate of the elements that a variable stands for, which are known once it has a value.
    private static func aggregate(_ aggregate: Aggregate, ofBound array: QueryExpression) -> QueryExpression {
        switch array {
        case .constant(.array(let values)): .aggregate(aggregate, of: .list(values.map(QueryExpression.constant)))
        case .list(let elements): .aggregate(aggregate, of: .list(elements))
        case .constant(.null): array
        default: .aggregate(aggregate, of: .elements(array, where: nil))
        }
    }

    /// The element of a constant array: `a BETWEEN $range` reads two.
    private static func bound(_ arguments: [QueryExpression]) -> QueryExpression? {
        guard arguments.count == 2, case .constant(.array(let values)) = arguments[0],
            case .number(let literal) = arguments[1], let index = Int(literal.text)
        else { return nil }
        return .constant(values.indices.contains(index) ? values[index] : .null)
    }
}

extension QueryPredicate {
    /// The predicate with each expression in it replaced, those of predicates inside it too.
    fileprivate func mapParts(_ body: (QueryExpression) -> QueryExpression) -> QueryPredicate {
        mapChildren(predicate: { $0.mapParts(body) }, expression: body)
    }
}
