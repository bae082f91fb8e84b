/// The same results on values that need no memory.
extension Arithmetic {
    /// The result of an operation, as ``apply(_:left:right:)`` on values has it.
    ///
    /// Nothing is allocated, but where a decimal sum, difference or product has to be rounded, which is Foundation's,
    /// and so are quotients of numbers with exponents far apart.
    package func apply(
        _ operation: ArithmeticOperator, left: UnboxedValue, right: UnboxedValue
    ) throws -> UnboxedValue {
        if left.isNull || right.isNull { return .null }
        switch self {
        case .signed where left.kind == .int && right.kind == .int:
            return Self.signed(operation, left: left.int, right: right.int)
        case .signed, .integer: return integer(operation, left: left.integer ?? 0, right: right.integer ?? 0)
        case .double:
            let (left, right) = (left.approximateDouble, right.approximateDouble)
            return .double(Self.double(operation, left: left, right: right))
        case .decimal: return try Self.decimal(operation, left: left, right: right)
        }
    }

    func negate(_ value: UnboxedValue) throws -> UnboxedValue {
        if case .double = self, !value.isNull { return .double(-value.approximateDouble) }
        return try apply(.subtract, left: .int(0), right: value)
    }

    /// What is left of an integer of any type, as ``remainder(of:by:)`` on values has it.
    func remainder(of number: UnboxedValue, by divisor: UnboxedValue) -> UnboxedValue {
        guard let number = number.integer, let divisor = divisor.integer else { return .null }
        return remainder(number, by: divisor).flatMap(Self.unboxed) ?? .null
    }

    private static func signed(_ operation: ArithmeticOperator, left: Int64, right: Int64) -> UnboxedValue {
        let (result, isTooLarge) =
            switch operation {
            case .add: left.addingReportingOverflow(right)
            case .subtract: left.subtractingReportingOverflow(right)
            case .multiply: left.multipliedReportingOverflow(by: right)
            case .divide: left.dividedReportingOverflow(by: right)
            }
        return isTooLarge ? .null : .int(result)
    }

    private func integer(_ operation: ArithmeticOperator, left: Int128, right: Int128) -> UnboxedValue {
        guard let result = Self.integer(operation, left: left, right: right), let value = Self.unboxed(result) else {
            return .null
        }
        return self == .signed && value.kind == .uint ? .null : value
    }

    private static func unboxed(_ number: Int128) -> UnboxedValue? {
        Int64(exactly: number).map(UnboxedValue.int) ?? UInt64(exactly: number).map(UnboxedValue.uint)
    }

    private static func decimal(
        _ operation: ArithmeticOperator, left: UnboxedValue, right: UnboxedValue
    ) throws -> UnboxedValue {
        let (first, second) = (left.exactDecimal, right.exactDecimal)
        if first.isNaN || second.isNaN { return .decimal(.nan) }
        if operation == .divide, second.mantissa == 0 { return .null }
        if let result = DecimalParts.exactResult(operation, left: first, right: second) { return .decimal(result) }
        if operation == .divide, let result = DecimalParts.cutQuotient(first, second) { return .decimal(result) }
        let result = Arithmetic.decimal.apply(operation, left: try left.boxed(), right: try right.boxed())
        return UnboxedValue(result) ?? .null
    }
}

extension UnboxedValue {
    fileprivate var exactDecimal: DecimalParts {
        if kind == .decimal { return decimal }
        return integer.map(DecimalParts.init) ?? .nan
    }
}
