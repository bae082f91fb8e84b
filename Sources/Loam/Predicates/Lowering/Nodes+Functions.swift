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
        return try lowering.call(function, of: [lhs, rhs], as: Output.self)
    }
}

extension PredicateExpressions.FloatDivision: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        try lowering.call(.divide, of: [lhs, rhs], as: Output.self)
    }
}

extension PredicateExpressions.IntDivision: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        try lowering.call(.divide, of: [lhs, rhs], as: Output.self)
    }
}

extension PredicateExpressions.IntRemainder: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        try lowering.call(.remainder, of: [lhs, rhs], as: Output.self)
    }
}

extension PredicateExpressions.UnaryMinus: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        try lowering.call(.negate, of: [wrapped], as: Output.self)
    }
}

extension PredicateExpressions._FunctionCall: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        try lowering.call(function, of: [argument], as: Output.self)
    }
}

extension PredicateExpressions._PartOfDate: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        guard isSupported else { throw Unsupported(Self.refusal) }
        let zone = PredicateExpressions.build_Arg(calendar.timeZone.identifier)
        return try lowering.call(part.function, of: [date, zone], as: Output.self)
    }
}

extension PredicateLowering {
    /// The function of each combination of its arguments' cases; what is nil in any of them is nil.
    ///
    /// - Parameter type: of the result in Swift, where a result that leaves it is nil: the store computes integers in 64
    ///   bits, and unsigned ones below zero.
    fileprivate mutating func call(
        _ function: Function, of arguments: [any PredicateExpression], as type: any Any.Type
    ) throws -> Lowered {
        var lowered: [Lowered] = []
        for argument in arguments { lowered.append(try lower(argument)) }
        return try Self.call(function, Function(narrowingTo: type), of: [], then: lowered[...])
    }

    private static func call(
        _ function: Function, _ narrowing: Function?, of values: [LoweredValue], then rest: ArraySlice<Lowered>
    ) throws -> Lowered {
        if let next = rest.first {
            return try next.flatMap { try call(function, narrowing, of: values + [$0], then: rest.dropFirst()) }
        }
        if let absent = values.first(where: \.isNil) { return Lowered(absent) }
        let result = QueryExpression.call(function, try values.map { try $0.expression() })
        return Lowered(.expression(narrowing.map { .call($0, [result]) } ?? result))
    }
}

extension Function {
    /// The conversion that gives nil where a type of integers does not hold a number; nil for types that hold all that
    /// arithmetic makes of their values.
    fileprivate init?(narrowingTo type: any Any.Type) {
        switch type {
        case is Int8.Type: self = .toInt8
        case is Int16.Type: self = .toInt16
        case is Int32.Type: self = .toInt32
        case is UInt8.Type: self = .toUInt8
        case is UInt16.Type: self = .toUInt16
        case is UInt32.Type: self = .toUInt32
        case is UInt.Type, is UInt64.Type: self = .toUnsigned
        default: return nil
        }
    }
}
