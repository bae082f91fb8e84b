import Foundation
import LoamQuery
import LoamStorage

extension PredicateExpressions.Arithmetic: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        let operation: LoamStorage.ArithmeticOperator =
            switch op {
            case .add: .add
            case .subtract: .subtract
            case .multiply: .multiply
            @unknown default: throw Unsupported("an operator of a later version")
            }
        return try lowering.arithmetic(lhs, operation, rhs)
    }
}

extension PredicateExpressions.FloatDivision: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        try lowering.arithmetic(lhs, .divide, rhs)
    }
}

extension PredicateExpressions.IntDivision: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        try lowering.arithmetic(lhs, .divide, rhs)
    }
}

extension PredicateExpressions.IntRemainder: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        throw Unsupported("the remainder of a division")
    }
}

extension PredicateExpressions.UnaryMinus: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        try lowering.lower(wrapped).map { $0.isNil ? $0 : .expression(.negation(try $0.expression())) }
    }
}

extension PredicateLowering {
    fileprivate mutating func arithmetic(
        _ left: any PredicateExpression, _ operation: LoamStorage.ArithmeticOperator, _ right: any PredicateExpression
    ) throws -> Lowered {
        try .combine(lower(left), lower(right)) { left, right in
            if let absent = [left, right].first(where: \.isNil) { return absent }
            return .expression(.arithmetic(try left.expression(), operation, try right.expression()))
        }
    }
}
