import LoamStorage

// Predicates about the elements of a list, which are known before any row is read.

extension QueryPredicate {
    /// The predicate of the row around that this one, about elements, is for one of them; nil where it asks for a
    /// property of the element.
    func about(_ element: QueryExpression) -> QueryPredicate? {
        var isFound = true
        let predicate = mapped { $0.about(element, depth: 0, &isFound) }
        return isFound ? predicate : nil
    }
}

extension QueryExpression {
    /// The elements, where each of them is written out.
    var listed: [QueryExpression]? {
        switch self {
        case .list(let elements): elements
        case .constant(.array(let values)): values.map(QueryExpression.constant)
        case .outer(let inner): inner.listed?.map { $0.outside(1) }
        default: nil
        }
    }

    /// - Parameters:
    ///   - depth: how many counts lie between the expression and the predicate about elements.
    ///   - isFound: becomes false where a path begins at the element.
    fileprivate func about(_ element: QueryExpression, depth: Int, _ isFound: inout Bool) -> QueryExpression {
        if case .outer(let inner) = self {
            return depth == 0 ? inner : inner.about(element, depth: depth - 1, &isFound).outside(1)
        }
        if depth == 0 {
            switch self {
            case .identifier: return element
            case .keyPath, .count, .aggregate(_, .path), .aggregate(_, .rows):
                isFound = false
                return self
            default: break
            }
        }
        var isFoundInside = isFound
        defer { isFound = isFoundInside }
        return mapScopes(
            same: { $0.about(element, depth: depth, &isFoundInside) },
            condition: { $0.mapped { $0.about(element, depth: depth, &isFoundInside) } },
            inner: { $0.mapped { $0.about(element, depth: depth + 1, &isFoundInside) } })
    }
}
