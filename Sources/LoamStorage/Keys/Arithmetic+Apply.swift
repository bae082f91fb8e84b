import Foundation

extension Arithmetic {
    /// The result of an operation on two numbers. Nil in either gives nil, and so do an overflow and a division by zero
    /// in whole numbers and decimals; doubles give what IEEE 754 says.
    package func apply(_ operation: ArithmeticOperator, left: Value, right: Value) -> Value {
        if left.isNull || right.isNull { return .null }
        switch self {
        case .signed, .integer: return integer(operation, left: left.integer ?? 0, right: right.integer ?? 0)
        case .double:
            return .double(Self.double(operation, left: left.approximateDouble, right: right.approximateDouble))
        case .decimal:
            return Self.decimal(operation, left: left.exactDecimal, right: right.exactDecimal).map(Value.decimal)
                ?? .null
        }
    }

    /// What is left of an integer of any type, with its sign; nil where there is no quotient.
    func remainder(of number: Value, by divisor: Value) -> Value {
        guard let number = number.integer, let divisor = divisor.integer else { return .null }
        return remainder(number, by: divisor).map(Value.exact) ?? .null
    }

    /// What is left, no larger than the number; nil where the quotient does not fit.
    func remainder(_ number: Int128, by divisor: Int128) -> Int128? {
        // Only the least number by -1 leaves 64 bits with sign, where Swift's `%` stops the program as `/` does.
        divisor == 0 || self == .signed && divisor == -1 && number == Int128(Int64.min) ? nil : number % divisor
    }

    package func negate(_ value: Value) -> Value {
        if case .double = self, !value.isNull { return .double(-value.approximateDouble) }
        return apply(.subtract, left: .int(0), right: value)
    }

    private func integer(_ operation: ArithmeticOperator, left: Int128, right: Int128) -> Value {
        guard let result = Self.integer(operation, left: left, right: right) else { return .null }
        if let value = Int64(exactly: result) { return .int(value) }
        guard self == .integer, let value = UInt64(exactly: result) else { return .null }
        return .uint(value)
    }

    /// The result in 128 bits; nil where there is none.
    static func integer(_ operation: ArithmeticOperator, left: Int128, right: Int128) -> Int128? {
        // Two unsigned factors of 64 bits leave even 128 bits with sign.
        let (result, isTooLarge) =
            switch operation {
            case .add: left.addingReportingOverflow(right)
            case .subtract: left.subtractingReportingOverflow(right)
            case .multiply: left.multipliedReportingOverflow(by: right)
            case .divide: left.dividedReportingOverflow(by: right)
            }
        return isTooLarge ? nil : result
    }

    static func double(_ operation: ArithmeticOperator, left: Double, right: Double) -> Double {
        switch operation {
        case .add: left + right
        case .subtract: left - right
        case .multiply: left * right
        case .divide: left / right
        }
    }

    /// Whether Foundation's arithmetic, which traps for some extreme exponents, bears the number.
    private static func isUsual(_ value: Decimal) -> Bool { (-30...30).contains(value.exponent) }

    private static func decimal(
        _ operation: ArithmeticOperator, left: Decimal, right: Decimal
    ) -> Decimal? {
        if left.isNaN || right.isNaN { return .nan }
        if operation == .divide, right.isZero { return nil }
        guard isUsual(left), isUsual(right) else {
            guard let left = ExactDecimal(left), let right = ExactDecimal(right) else { return .nan }
            return ExactDecimal.result(operation, left: left, right: right)?.decimal
        }
        var (result, left, right) = (Decimal(), left, right)
        let error =
            switch operation {
            case .add: NSDecimalAdd(&result, &left, &right, .plain)
            case .subtract: NSDecimalSubtract(&result, &left, &right, .plain)
            case .multiply: NSDecimalMultiply(&result, &left, &right, .plain)
            case .divide: NSDecimalDivide(&result, &left, &right, .plain)
            }
        guard error != .overflow, !result.isNaN else { return nil }
        return error == .underflow ? Decimal(0) : result
    }
}

extension Value {
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
