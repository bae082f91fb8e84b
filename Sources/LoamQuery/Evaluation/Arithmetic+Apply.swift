import Foundation
import LoamStorage

extension Arithmetic {
    /// The result of an operation on two numbers; nil in either gives nil.
    ///
    /// - Throws: ``QueryError`` for an overflow and for a division by zero, in whole numbers and decimals; doubles give
    ///   what IEEE 754 says.
    func apply(_ operation: ArithmeticOperator, _ left: Value, _ right: Value) throws(QueryError) -> Value {
        if left.isNull || right.isNull { return .null }
        switch self {
        case .signed, .integer: return try integer(operation, left.integer, right.integer)
        case .double: return .double(Self.double(operation, left.approximateDouble, right.approximateDouble))
        case .decimal: return .decimal(try Self.decimal(operation, left.exactDecimal, right.exactDecimal))
        }
    }

    func negate(_ value: Value) throws(QueryError) -> Value {
        if case .double = self, !value.isNull { return .double(-value.approximateDouble) }
        return try apply(.subtract, .int(0), value)
    }

    private func integer(_ operation: ArithmeticOperator, _ left: Int128, _ right: Int128) throws(QueryError) -> Value {
        if operation == .divide, right == 0 { throw QueryError(.divisionByZero) }
        let result: Int128 =
            switch operation {
            case .add: left + right
            case .subtract: left - right
            case .multiply: left * right
            case .divide: left / right
            }
        if let value = Int64(exactly: result) { return .int(value) }
        guard self == .integer, let value = UInt64(exactly: result) else { throw QueryError(.overflow) }
        return .uint(value)
    }

    private static func double(_ operation: ArithmeticOperator, _ left: Double, _ right: Double) -> Double {
        switch operation {
        case .add: left + right
        case .subtract: left - right
        case .multiply: left * right
        case .divide: left / right
        }
    }

    private static func decimal(
        _ operation: ArithmeticOperator, _ left: Decimal, _ right: Decimal
    ) throws(QueryError) -> Decimal {
        if left.isNaN || right.isNaN { return .nan }
        if operation == .divide, right.isZero { throw QueryError(.divisionByZero) }
        var (result, left, right) = (Decimal(), left, right)
        let error =
            switch operation {
            case .add: NSDecimalAdd(&result, &left, &right, .plain)
            case .subtract: NSDecimalSubtract(&result, &left, &right, .plain)
            case .multiply: NSDecimalMultiply(&result, &left, &right, .plain)
            case .divide: NSDecimalDivide(&result, &left, &right, .plain)
            }
        guard error != .overflow, !result.isNaN else { throw QueryError(.overflow) }
        return error == .underflow ? Decimal(0) : result
    }
}

extension Value {
    /// 64-bit integers never overflow 128 bits in one operation.
    fileprivate var integer: Int128 {
        switch self {
        case .int(let value): Int128(value)
        case .uint(let value): Int128(value)
        default: 0
        }
    }

    fileprivate var approximateDouble: Double {
        switch self {
        case .int(let value): Double(value)
        case .uint(let value): Double(value)
        case .float(let value): Double(value)
        case .double(let value): value
        case .decimal(let value): value.isNaN ? .nan : (Double(value.description) ?? .nan)
        default: .nan
        }
    }

    fileprivate var exactDecimal: Decimal {
        switch self {
        case .int(let value): Decimal(value)
        case .uint(let value): Decimal(value)
        case .decimal(let value): value
        default: .nan
        }
    }
}
