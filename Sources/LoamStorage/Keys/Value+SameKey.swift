import Foundation

extension Value {
    /// The value by which it is a key of a dictionary, where dictionaries of several types meet: two keys are the same
    /// where these are equal. Numbers are the same by their value, whatever their types; every NaN is.
    ///
    /// As ``UnboxedValue/isSameKey(as:depth:)`` has it. O(parts), and for a decimal what it costs to take its digits.
    package var asKey: Value {
        switch self {
        case .uint(let number): Int64(exactly: number).map(Value.int) ?? self
        case .float(let number): Value.double(Double(number)).asKey
        case .double(let number):
            Int64(exactly: number).map(Value.int) ?? UInt64(exactly: number).map(Value.uint) ?? self
        case .decimal(let number): number.asKey
        case .array(let elements): .array(elements.map(\.asKey))
        case .dictionary(let pairs):
            .dictionary(Dictionary(pairs.map { ($0.key.asKey, $0.value.asKey) }) { first, _ in first })
        case .structure(let members): .structure(members.filter { !$0.value.isNull }.mapValues(\.asKey))
        case .null, .bool, .int, .string, .date, .uuid, .url, .data: self
        }
    }
}

extension Decimal {
    /// An integer or a double where one is the same number.
    fileprivate var asKey: Value {
        guard let exact = ExactDecimal(self) else { return .double(.nan) }
        if exact.exponent >= exact.digits.count, exact.exponent <= 20 {
            let zeros = repeatElement(0 as UInt8, count: exact.exponent - exact.digits.count)
            let whole = (exact.digits + zeros).reduce(0 as Int128) { $0 * 10 + Int128($1) }
            let number = exact.isNegative ? -whole : whole
            if let number = Int64(exactly: number) { return .int(number) }
            if let number = UInt64(exactly: number) { return .uint(number) }
        }
        guard let nearest = Double(exact.literal), ExactDecimal(nearest) == exact else { return .decimal(trimmed) }
        return .double(nearest)
    }

    /// The number without zeros behind its last digit. Foundation hashes a decimal by the double that it makes of its
    /// digits, which may differ with the zeros.
    private var trimmed: Decimal {
        guard var parts = DecimalParts(self), parts.mantissa != 0 else { return self }
        while parts.mantissa.isMultiple(of: 10), parts.exponent < .max {
            parts.mantissa /= 10
            parts.exponent += 1
        }
        return parts.value ?? self
    }
}
