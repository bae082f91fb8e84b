import Foundation
import LoamQuery

extension PredicateExpressions.Conjunction: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        Lowered(.predicate(.both(try lowering.lower(lhs).predicate(), try lowering.lower(rhs).predicate())))
    }
}

extension PredicateExpressions.Disjunction: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        Lowered(.predicate(.either(try lowering.lower(lhs).predicate(), try lowering.lower(rhs).predicate())))
    }
}

extension PredicateExpressions.Negation: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        Lowered(.predicate(try lowering.lower(wrapped).predicate().negated))
    }
}

extension PredicateExpressions.Conditional: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        let test = try lowering.lower(test).predicate()
        let first = Lowered(cases: [.init(condition: test, value: .constant(()))])
        let second = Lowered(cases: [.init(condition: test.negated, value: .constant(()))])
        let values = (try lowering.lower(trueBranch), try lowering.lower(falseBranch))
        return Lowered(
            cases: try first.flatMap { _ in values.0 }.cases + second.flatMap { _ in values.1 }.cases)
    }
}

extension PredicateExpressions._PredicateEvaluation: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        try lowering.binding([(predicate.variable.key, lowering.lower(input))], predicate.expression)
    }
}

extension PredicateExpressions._ExpressionEvaluation: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        var variables: [PredicateExpressions.VariableID] = []
        for variable in repeat each expression.variable { variables.append(variable.key) }
        var inputs: [Lowered] = []
        for input in repeat each input { inputs.append(try lowering.lower(input)) }
        return try lowering.binding(zip(variables, inputs).map { (key: $0, value: $1) }[...], expression.expression)
    }
}
