import Foundation

/// What a comparison of a property with a constant of another numeric type comes to in the property's own type.
///
/// The comparison is exact, as between numbers: an integer property below 5.5 is at most 5, an unsigned one is always
/// above -1, an `Int8` always below 300, a `Double` equals 2^53 + 1 never. NaN compares with nothing; an infinity is
/// beyond every number, and equals a `Float`'s or `Double`'s own.
package enum NumericBound: Hashable, Sendable {
    /// The comparison of the property with this value of its own type.
    case compare(Comparison, Value)
    /// Holds for every value but nil and NaN.
    case always
    /// Holds for no value.
    case never

    package enum Comparison: Hashable, Sendable, CaseIterable {
        case less, lessOrEqual, equal, greaterOrEqual, greater
    }

    /// - Parameter type: the property's, a numeric one.
    /// - Returns: nil when the type or the constant is not numeric.
    package static func bound(_ type: ValueType, comparison: Comparison, constant: Value) -> NumericBound? {
        guard type.isNumeric else { return nil }
        switch constant {
        case .float(let value) where !value.isFinite:
            return beyond(type, comparison: comparison, constant: Double(value))
        case .double(let value) where !value.isFinite: return beyond(type, comparison: comparison, constant: value)
        case .decimal(let value) where value.isNaN: return .never
        default: break
        }
        if let same = same(constant, in: type) { return .compare(comparison, same) }
        guard let number = ExactDecimal(constant) else { return nil }
        let (below, above) = neighbours(of: number, in: type)
        if let below, below == above { return .compare(comparison, below) }
        switch comparison {
        case .equal: return .never
        case .less, .lessOrEqual:
            guard let below else { return .never }
            return above == nil ? .always : .compare(.lessOrEqual, below)
        case .greater, .greaterOrEqual:
            guard let above else { return .never }
            return below == nil ? .always : .compare(.greaterOrEqual, above)
        }
    }

    /// The constant as a value of the type where that is the same number and no digits are needed to know it: what
    /// constants mostly are.
    private static func same(_ constant: Value, in type: ValueType) -> Value? {
        switch (type, constant) {
        // Zero has one sign in keys.
        case (.double, .double(let value)): .double(value + 0)
        case (.float, .float(let value)): .float(value + 0)
        case (.double, .int(let value)): Double(exactly: value).map { .double($0) }
        case (_, .int(let value)): integer(value, in: type)
        case (_, .uint(let value)): integer(value, in: type)
        default: nil
        }
    }

    private static func integer(_ number: some FixedWidthInteger, in type: ValueType) -> Value? {
        switch type {
        case .int8: Int8(exactly: number).map { .int(Int64($0)) }
        case .int16: Int16(exactly: number).map { .int(Int64($0)) }
        case .int32: Int32(exactly: number).map { .int(Int64($0)) }
        case .int64: Int64(exactly: number).map { .int($0) }
        case .uint8: UInt8(exactly: number).map { .uint(UInt64($0)) }
        case .uint16: UInt16(exactly: number).map { .uint(UInt64($0)) }
        case .uint32: UInt32(exactly: number).map { .uint(UInt64($0)) }
        case .uint64: UInt64(exactly: number).map { .uint($0) }
        default: nil
        }
    }

    private static func beyond(_ type: ValueType, comparison: Comparison, constant: Double) -> NumericBound {
        if constant.isNaN { return .never }
        switch type {
        case .float: return .compare(comparison, .float(Float(constant)))
        case .double: return .compare(comparison, .double(constant))
        default: break
        }
        switch comparison {
        case .equal: return .never
        case .less, .lessOrEqual: return constant > 0 ? .always : .never
        case .greater, .greaterOrEqual: return constant < 0 ? .always : .never
        }
    }

    /// The greatest value of a type that is at most a number, and the smallest that is at least it; nil where there is
    /// none. Both are the number itself where the type has it.
    private static func neighbours(of number: ExactDecimal, in type: ValueType) -> (below: Value?, above: Value?) {
        switch type {
        case .int8: integers(number, Int8.self) { .int(Int64($0)) }
        case .int16: integers(number, Int16.self) { .int(Int64($0)) }
        case .int32: integers(number, Int32.self) { .int(Int64($0)) }
        case .int64: integers(number, Int64.self) { .int($0) }
        case .uint8: integers(number, UInt8.self) { .uint(UInt64($0)) }
        case .uint16: integers(number, UInt16.self) { .uint(UInt64($0)) }
        case .uint32: integers(number, UInt32.self) { .uint(UInt64($0)) }
        case .uint64: integers(number, UInt64.self) { .uint($0) }
        case .float: floats(number, nearest: Float(number.literal) ?? .nan) { .float($0) }
        case .double: floats(number, nearest: Double(number.literal) ?? .nan) { .double($0) }
        default: DecimalNeighbours.of(number)
        }
    }

    private static func integers<I: FixedWidthInteger>(
        _ number: ExactDecimal, _: I.Type, _ value: (I) -> Value
    ) -> (Value?, Value?) {
        if number > ExactDecimal(I.max) { return (value(.max), nil) }
        if number < ExactDecimal(I.min) { return (nil, value(.min)) }
        let whole = number.truncated
        let digits = whole.digits + [UInt8](repeating: 0, count: max(whole.exponent - whole.digits.count, 0))
        let parsed = I((whole.isNegative ? "-" : "") + "0" + digits.map(String.init).joined()) ?? 0
        if whole == number { return (value(parsed), value(parsed)) }
        // A number between two integers of the type has both: it lies strictly inside its range.
        return number.isNegative ? (value(parsed - 1), value(parsed)) : (value(parsed), value(parsed + 1))
    }

    private static func floats<F: BinaryFloatingPoint>(
        _ number: ExactDecimal, nearest: F, _ value: (F) -> Value
    ) -> (Value?, Value?) {
        guard let exact = ExactDecimal(Double(nearest)) else {
            // Beyond the greatest finite number: between it and infinity.
            return number.isNegative
                ? (value(-.infinity), value(-.greatestFiniteMagnitude))
                : (value(.greatestFiniteMagnitude), value(.infinity))
        }
        if exact == number { return (value(nearest), value(nearest)) }
        return exact < number ? (value(nearest), value(nearest.nextUp)) : (value(nearest.nextDown), value(nearest))
    }
}
