/// An operation on two numbers.
package enum ArithmeticOperator: Hashable, Sendable {
    case add, subtract, multiply, divide
}

/// In which numbers an operation is carried out. Nil in either operand gives nil, and so does a result that there is
/// not: a row never raises an error.
package enum Arithmetic: Hashable, Sendable {
    /// 64 bits with sign: leaving them, or dividing by zero, gives nil. The remainder is nil where the quotient is.
    case signed
    /// Anything that fits into 64 bits with or without sign, else nil: where an unsigned operand takes part.
    case integer
    /// IEEE 754, also for `Float`, which is widened.
    case double
    /// Base ten with 38 digits: an overflow, or dividing by zero, gives nil.
    case decimal

    /// The numbers in which those of `types` meet: the wider kind decides, and floating point is the widest.
    package init(of types: some Sequence<ValueType>) {
        self = types.reduce(.signed) { numbers, type in
            if type.isFloatingPoint || numbers == .double { return .double }
            if type == .decimal || numbers == .decimal { return .decimal }
            return type.isUnsignedInteger ? .integer : numbers
        }
    }

    /// The type of the results.
    package var type: ValueType {
        switch self {
        case .signed: .int64
        case .integer: .uint64
        case .double: .double
        case .decimal: .decimal
        }
    }
}
