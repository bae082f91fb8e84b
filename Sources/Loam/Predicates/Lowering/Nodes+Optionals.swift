import Foundation
import LoamQuery

extension PredicateExpressions.OptionalFlatMap: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        let outer = try lowering.lower(wrapped)
        return try outer.flatMap { value in
            if case .constant(let constant) = value, ConstantValue.unwrapped(constant) == nil {
                return Lowered(.constant(Any?.none as Any))
            }
            let result = try lowering.binding(variable.key, to: value, transform)
            if let only = result.value, only.isNullWhenever(value) { return result }
            let isNull = try value.isNull()
            let present = Lowered(cases: [.init(condition: isNull.negated, value: value)])
            let absent = Lowered.Case(condition: isNull, value: .constant(Any?.none as Any))
            return Lowered(cases: try present.flatMap { _ in result }.cases + [absent])
        }
    }
}

extension PredicateExpressions.NilCoalesce: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        let fallback = try lowering.lower(rhs)
        return try lowering.lower(lhs).coalescing(fallback)
    }
}

extension Lowered {
    /// The value, or another one where it is nil.
    func coalescing(_ fallback: Lowered) throws -> Lowered {
        try flatMap { value in
            let isNull = try value.isNull()
            if isNull == .constant(true) { return fallback }
            if isNull == .constant(false) { return Lowered(value) }
            let absent = Lowered(cases: [.init(condition: isNull, value: value)])
            return Lowered(
                cases: [.init(condition: isNull.negated, value: value)] + (try absent.flatMap { _ in fallback }.cases))
        }
    }
}

extension PredicateExpressions.ForcedUnwrap: LoweredNode {
    /// A row never raises an error: where Swift would stop the value is nil, and equals nothing but nil.
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        try lowering.lower(inner)
    }
}

extension PredicateExpressions.ConditionalCast: LoweredNode {
    /// The cast of a value to its own type makes it optional.
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        guard Input.Output.self == Desired.self else { throw Unsupported("as? \(Desired.self)") }
        return try lowering.lower(input)
    }
}

extension LoweredValue {
    /// Whether it is nil where `other`, which it was made from, is.
    fileprivate func isNullWhenever(_ other: LoweredValue) -> Bool {
        guard let root = try? other.expression(), let expression = try? self.expression() else { return false }
        return expression.isNullWhenever(root)
    }
}

extension QueryExpression {
    fileprivate func isNullWhenever(_ root: QueryExpression) -> Bool {
        switch (self, root) {
        case _ where self == root: true
        case (.keyPath(let names), .keyPath(let start)): names.starts(with: start)
        case (.outer(let inner), .outer(let root)): inner.isNullWhenever(root)
        case (.call(_, let arguments), _): arguments.contains { $0.isNullWhenever(root) }
        default: false
        }
    }
}
