package import LoamStorage

/// An expression whose parts are known to fit the entity.
package indirect enum TypedExpression: Hashable, Sendable {
    case constant(Value)
    case property(PropertyPath)
    /// The row id.
    case identifier
    case arithmetic(TypedExpression, ArithmeticOperator, TypedExpression, Arithmetic)
    case negation(TypedExpression, Arithmetic)
}

/// In which numbers an operation is carried out. Nil in either operand gives nil.
package enum Arithmetic: Hashable, Sendable {
    /// 64 bits with sign: leaving them, or dividing by zero, is an error of the row.
    case signed
    /// Anything that fits into 64 bits with or without sign: where an unsigned operand takes part.
    case integer
    /// IEEE 754, also for `Float`, which is widened.
    case double
    /// Base ten with 38 digits: an overflow, or dividing by zero, is an error of the row.
    case decimal
}

extension TypedExpression {
    /// The type of the result; nil for the constant nil.
    package var type: ValueType? {
        switch self {
        case .constant(let value): value.type
        case .property(let path): path.type
        case .identifier: .uint64
        case .arithmetic(_, _, _, let arithmetic), .negation(_, let arithmetic): arithmetic.type
        }
    }

    /// Whether some row may make it nil.
    var isOptional: Bool {
        switch self {
        case .constant(let value): value.isNull
        case .property(let path): path.isOptional
        case .identifier: false
        case .arithmetic(let left, _, let right, _): left.isOptional || right.isOptional
        case .negation(let operand, _): operand.isOptional
        }
    }

    /// Whether some row may make it a NaN.
    var mayBeNaN: Bool {
        switch self {
        case .constant(.date): false
        default: type.map { $0.isFloatingPoint || $0 == .decimal || $0 == .date } ?? false
        }
    }

    var constant: Value? {
        if case .constant(let value) = self { value } else { nil }
    }

    /// Adds every property that the expression reads.
    func collectPaths(into paths: inout Set<PropertyPath>) {
        switch self {
        case .constant, .identifier: break
        case .property(let path): paths.insert(path)
        case .arithmetic(let left, _, let right, _):
            left.collectPaths(into: &paths)
            right.collectPaths(into: &paths)
        case .negation(let operand, _): operand.collectPaths(into: &paths)
        }
    }
}

extension Arithmetic {
    var type: ValueType {
        switch self {
        case .signed: .int64
        case .integer: .uint64
        case .double: .double
        case .decimal: .decimal
        }
    }
}

extension Value {
    /// The widest type of a value's kind; nil for nil and for what has no scalar type.
    var type: ValueType? {
        switch self {
        case .bool: .bool
        case .int: .int64
        case .uint: .uint64
        case .float: .float
        case .double: .double
        case .decimal: .decimal
        case .string: .string
        case .date: .date
        case .uuid: .uuid
        case .url: .url
        case .data: .data
        case .null, .array, .dictionary, .structure: nil
        }
    }
}
