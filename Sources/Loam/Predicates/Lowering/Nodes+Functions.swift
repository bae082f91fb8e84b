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
    /// The function of each combination of its arguments' cases; what is nil in any of them is nil. Of arguments with many
    /// cases each is made one value first: no index has what is computed.
    ///
    /// - Parameter type: of the result in Swift, where a result that leaves it is nil: the store computes integers in 64
    ///   bits, and unsigned ones below zero.
    fileprivate mutating func call(
        _ function: Function, of arguments: [any PredicateExpression], as type: any Any.Type
    ) throws -> Lowered {
        var lowered: [Lowered] = []
        for argument in arguments { lowered.append(try lower(argument)) }
        if lowered.reduce(1, { $0 * $1.count }) > Self.fewCombinations { lowered = lowered.map(\.merged) }
        return try Self.call(function, Function(narrowingTo: type), of: [], then: lowered[...])
    }

    private static var fewCombinations: Int { 16 }

    private static func call(
        _ function: Function, _ narrowing: Function?, of values: [LoweredValue], then rest: ArraySlice<Lowered>
    ) throws -> Lowered {
        if let next = rest.first {
            return try next.flatMap { try call(function, narrowing, of: values + [$0], then: rest.dropFirst()) }
        }
        if let absent = values.first(where: \.isNil) { return Lowered(absent) }
        let arguments = try values.map { try $0.expression() }
        guard let narrowing else { return Lowered(.expression(.call(function, arguments))) }
        let result = try arguments.remainder(function, narrowing) ?? .call(function, arguments)
        return Lowered(.expression(.call(narrowing, [result])))
    }
}

extension [QueryExpression] {
    private static var mostParts: Int { 1_000 }

    /// The remainder of two integers of a narrow type; nil for another function, and where 64 bits say the same.
    ///
    /// Swift stops at the least number by -1: the quotient leaves the type, and so there is nothing left of it.
    ///
    /// - Throws: ``Unsupported`` where the expressions are too large to be written twice.
    func remainder(_ function: Function, _ narrowing: Function) throws -> QueryExpression? {
        guard function == .remainder, count == 2, let least = narrowing.leastNumber else { return nil }
        let (number, divisor) = (self[0], self[1])
        guard number.mayBe(least), divisor.mayBe(-1) else { return nil }
        // Both stand twice in what comes of it.
        guard number.partCount + divisor.partCount <= Self.mostParts else {
            throw Unsupported("so many remainders of small integers inside each other: use Int for them")
        }
        let isTooFar = QueryPredicate.and([
            .comparison(divisor, .equal, .constant(.int(-1)), .none),
            .comparison(number, .equal, .constant(.int(least)), .none),
        ])
        return .conditional(isTooFar, .constant(.null), .call(.remainder, self))
    }
}

extension QueryExpression {
    /// Whether some row may make it this number.
    fileprivate func mayBe(_ number: Int64) -> Bool {
        switch self {
        case .constant(let value): value == .int(number)
        // Nothing that is left is the least number.
        case .call(let conversion, let arguments) where conversion.leastNumber == number:
            arguments.first.map { !$0.isRemainder } ?? true
        default: true
        }
    }

    private var isRemainder: Bool {
        switch self {
        case .call(.remainder, _), .conditional(_, .constant(.null), .call(.remainder, _)): true
        default: false
        }
    }
}

extension Function {
    /// The least number of a narrow type with sign that it converts to.
    fileprivate var leastNumber: Int64? {
        switch self {
        case .toInt8: Int64(Int8.min)
        case .toInt16: Int64(Int16.min)
        case .toInt32: Int64(Int32.min)
        default: nil
        }
    }

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
