import Foundation
import LoamQuery

extension PredicateExpressions._Format: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        for variable in repeat each variables {
            return try lowering.lower(variable).map { value in
                guard case .row(let path, _) = value else { throw Unsupported("a predicate from a format of no row") }
                return .predicate(template.tree(in: path.store).moved(behind: path.names, levels: path.levels))
            }
        }
        throw Unsupported("a predicate from a format without a model")
    }
}

extension PredicateExpressions._Compound: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        var inputs: [Lowered] = []
        for variable in repeat each variables { inputs.append(try lowering.lower(variable)) }
        var result = QueryPredicate.constant(kind != .or)
        for predicate in predicates {
            var keys: [PredicateExpressions.VariableID] = []
            for variable in repeat each predicate.variable { keys.append(variable.key) }
            let pairs = zip(keys, inputs).map { (key: $0, value: $1) }
            let part = try lowering.binding(pairs[...], predicate.expression).predicate()
            switch kind {
            case .and: result = .both(result, part)
            case .or: result = .either(result, part)
            case .not: result = part.negated
            }
        }
        return Lowered(.predicate(result))
    }
}
