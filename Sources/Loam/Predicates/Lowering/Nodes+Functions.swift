import Foundation
import LoamQuery
import LoamStorage

extension PredicateExpressions.Arithmetic: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        let function: Function =
            switch op {
            case .add: .add
            case .subtract: .subtract
            case .multiply: .multiply
            @unknown default: throw Unsupported("an operator of a later version")
            }
        return try lowering.call(function, of: [lhs, rhs])
    }
}

extension PredicateExpressions.FloatDivision: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        try lowering.call(.divide, of: [lhs, rhs])
    }
}

extension PredicateExpressions.IntDivision: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        try lowering.call(.divide, of: [lhs, rhs])
    }
}

extension PredicateExpressions.IntRemainder: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        try lowering.call(.remainder, of: [lhs, rhs])
    }
}

extension PredicateExpressions.UnaryMinus: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        try lowering.call(.negate, of: [wrapped])
    }
}

extension PredicateExpressions._FunctionCall: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        try lowering.call(function, of: [argument])
    }
}

extension PredicateExpressions._PartOfDate: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        guard isSupported else { throw Unsupported(Self.refusal) }
        let zone = PredicateExpressions.build_Arg(calendar.timeZone.identifier)
        return try lowering.call(part.function, of: [date, zone])
    }
}

extension PredicateLowering {
    /// The function of each combination of its arguments' cases; what is nil in any of them is nil.
    fileprivate mutating func call(_ function: Function, of arguments: [any PredicateExpression]) throws -> Lowered {
        var lowered: [Lowered] = []
        for argument in arguments { lowered.append(try lower(argument)) }
        return try Self.call(function, of: [], then: lowered[...])
    }

    private static func call(
        _ function: Function, of values: [LoweredValue], then rest: ArraySlice<Lowered>
    ) throws -> Lowered {
        if let next = rest.first {
            return try next.flatMap { try call(function, of: values + [$0], then: rest.dropFirst()) }
        }
        if let absent = values.first(where: \.isNil) { return Lowered(absent) }
        return Lowered(.expression(.call(function, try values.map { try $0.expression() })))
    }
}
