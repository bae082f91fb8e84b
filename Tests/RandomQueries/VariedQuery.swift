package import LoamQuery
import LoamStorage
package import SeededRandom

extension Query {
    /// The same query with other constants of the same kinds, another limit and another offset, where it has any.
    package func varied(_ generator: inout SeededGenerator) -> Query {
        var query = self
        query.predicate = predicate?.varied(&generator)
        if limit != nil { query.limit = ValuePool.pick([1, 3, 20, 1000], &generator) }
        if offset > 0 { query.offset = ValuePool.pick([1, 2, 7, 400], &generator) }
        return query
    }
}

extension QueryPredicate {
    fileprivate func varied(_ generator: inout SeededGenerator) -> QueryPredicate {
        switch self {
        case .and(let parts): return .and(parts.map { $0.varied(&generator) })
        case .or(let parts): return .or(parts.map { $0.varied(&generator) })
        case .not(let part): return .not(part.varied(&generator))
        case .comparison(let left, let comparison, let right, let options):
            return .comparison(left.varied(&generator), comparison, right.varied(&generator), options)
        case .between(let value, let lower, let upper, let options):
            return .between(value, lower.varied(&generator), upper.varied(&generator), options)
        case .isIn(let value, .list(let elements), let options):
            return .isIn(value, .list(elements.map { $0.varied(&generator) }), options)
        case .text(let value, let text, let operand, let options) where text != .like && text != .matches:
            return .text(value, text, operand.varied(&generator), options)
        case .constant, .text, .isIn, .quantified: return self
        }
    }
}

extension QueryExpression {
    fileprivate func varied(_ generator: inout SeededGenerator) -> QueryExpression {
        guard case .constant(let value) = self, let type = value.scalarType else { return self }
        if case .uint(let value) = value, Bool.random(using: &generator) {
            return .constant(.uint(value &+ UInt64.random(in: 0..<5, using: &generator) &- 2))
        }
        return .constant(ValuePool.value(of: type, &generator))
    }
}
