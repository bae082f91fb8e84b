import Foundation

// What the functions mean. None of them traps, whatever the value.

extension Value {
    func mapText(_ body: (String) -> String) -> Value {
        if case .string(let text) = self { .string(body(text)) } else { .null }
    }

    func mapDouble(_ body: (Double) -> Double) -> Value { .double(body(converted.number)) }

    /// An integer of either kind; nil for anything else.
    var integer: Int128? {
        switch self {
        case .int(let value): Int128(value)
        case .uint(let value): Int128(value)
        default: nil
        }
    }

    static func power(of base: Value, _ exponent: Value) -> Value {
        .double(pow(base.converted.number, exponent.converted.number))
    }

    /// An operation on each bit of two integers; nil where the result is none of 64 bits.
    static func bits(of left: Value, _ right: Value, _ body: (Int128, Int128) -> Int128) -> Value {
        guard let left = left.integer, let right = right.integer else { return .null }
        return exact(body(left, right))
    }

    static func shift(_ value: Value, by count: Value, isLeft: Bool) -> Value {
        guard let number = value.integer, let count = count.integer else { return .null }
        guard isLeft == (count >= 0) else { return exact(number >> Swift.min(count.magnitude, 127)) }
        guard number != 0, count.magnitude < 64 else { return number == 0 ? value : .null }
        let (result, isTooLarge) = number.multipliedReportingOverflow(by: 1 << Int128(count.magnitude))
        return isTooLarge ? .null : exact(result)
    }

    static func exact(_ number: Int128) -> Value {
        Int64(exactly: number).map(Value.int) ?? UInt64(exactly: number).map(Value.uint) ?? .null
    }

    var complement: Value {
        switch self {
        case .int(let value): .int(~value)
        case .uint(let value): .uint(~value)
        default: .null
        }
    }

    /// Nil for the least integer, whose opposite there is not.
    var absolute: Value {
        switch self {
        case .int(let value): Int64(exactly: value.magnitude).map(Value.int) ?? .null
        case .uint: self
        case .float(let value): .double(Double(value.magnitude))
        case .double(let value): .double(value.magnitude)
        case .decimal(let value): .decimal(value.isNaN ? value : value.magnitude)
        default: .null
        }
    }

    /// - Parameter side: where a decimal with a fraction goes, beside its whole part; nil where it is cut off.
    func rounded(_ rule: FloatingPointRoundingRule, _ side: DecimalSide?) -> Value {
        switch self {
        case .int, .uint: self
        case .float(let value): .double(Double(value).rounded(rule))
        case .double(let value): .double(value.rounded(rule))
        case .decimal(let value): .decimal(value.wholePart(side))
        default: .null
        }
    }

    /// How many characters, bytes or keys there are.
    var length: Value {
        switch self {
        case .string(let text): .int(Int64(text.count))
        case .data(let bytes): .int(Int64(bytes.count))
        case .dictionary(let values): .int(Int64(values.count))
        default: .null
        }
    }

    /// The element or the byte at an index from 0, or the value of a key or of a member; nil where there is none.
    func element(at key: Value) -> Value {
        switch self {
        case .array(let elements):
            guard let index = key.integer.flatMap(Int.init(exactly:)), elements.indices.contains(index) else {
                return .null
            }
            return elements[index]
        case .data(let bytes):
            guard let index = key.integer.flatMap(Int.init(exactly:)), index >= 0, index < bytes.count else {
                return .null
            }
            return .uint(UInt64(bytes[bytes.startIndex + index]))
        case .dictionary(let values): return values[key] ?? key.otherInteger.flatMap { values[$0] } ?? .null
        case .structure(let members):
            guard case .string(let name) = key else { return .null }
            return members[name] ?? .null
        default: return .null
        }
    }
}

extension Value {
    /// The same integer as a value of the other kind; nil where that does not hold it, and for what is no integer.
    fileprivate var otherInteger: Value? {
        switch self {
        case .int(let number): UInt64(exactly: number).map(Value.uint)
        case .uint(let number): Int64(exactly: number).map(Value.int)
        default: nil
        }
    }
}

/// The neighbour among whole numbers.
enum DecimalSide {
    case down, up
    /// The nearer one, from the middle the one that is further from zero.
    case nearest
}

extension Decimal {
    /// The digits before the point, which a decimal always writes in full: NSDecimalRound fails for some exponents.
    func wholePart(_ side: DecimalSide?) -> Decimal {
        guard !isNaN, exponent < 0 else { return self }
        let parts = description.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let whole = Decimal(string: String(parts[0])) else { return self }
        // A fraction leaves less than 38 digits before the point: a step by one is exact.
        switch side {
        case .down where self < 0: return whole - 1
        case .up where self > 0: return whole + 1
        case .nearest where parts[1] >= "5": return self < 0 ? whole - 1 : whole + 1
        default: return whole
        }
    }
}
