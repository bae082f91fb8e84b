import Foundation

/// Quotients of decimals, without memory from the heap.
extension DecimalParts {
    /// The quotient where it is exact and has at most 38 digits; nil for any other.
    static func exactQuotient(_ left: DecimalParts, _ right: DecimalParts) -> DecimalParts? {
        guard right.mantissa != 0 else { return nil }
        guard left.mantissa != 0 else { return left }
        let digits = digitCount(left.mantissa)
        let shift = 38 - digits
        guard shift >= 0, isDividedAsItIs(left, right) || digits + Int(left.exponent) - Int(right.exponent) <= 38 else {
            return nil
        }
        let scaled = left.mantissa * powersOfTen[shift]
        let (mantissa, rest) = scaled.quotientAndRemainder(dividingBy: right.mantissa)
        guard rest == 0 else { return nil }
        let isNegative = left.isNegative != right.isNegative
        return compact(isNegative, exponent: Int(left.exponent) - shift - Int(right.exponent), mantissa: mantissa)
            .flatMap {
                usual(isNegative, exponent: Int($0.exponent), mantissa: $0.mantissa)
            }
    }

    /// The quotient without an end as Foundation rounds it: cut behind as many digits as 128 bits hold. Nil where
    /// Foundation makes it in another way, or is one that rounds in another way.
    static func cutQuotient(_ left: DecimalParts, _ right: DecimalParts) -> DecimalParts? {
        cutsQuotients ? quotient(left, cutting: right) : nil
    }

    /// A number whose exponent is higher than that of the divisor by so much is brought to the divisor's first, which
    /// may cost either some digits.
    private static func isDividedAsItIs(_ left: DecimalParts, _ right: DecimalParts) -> Bool {
        Int(left.exponent) - Int(right.exponent) < 19
    }

    private static func quotient(_ left: DecimalParts, cutting right: DecimalParts) -> DecimalParts? {
        guard right.mantissa != 0, let left = left.withoutZeros, let right = right.withoutZeros,
            (-30...30).contains(left.exponent), (-30...30).contains(right.exponent), isDividedAsItIs(left, right)
        else { return nil }
        let scaled = left.mantissa.multipliedFullWidth(by: powersOfTen[38])
        let (high, rest) = scaled.high.quotientAndRemainder(dividingBy: right.mantissa)
        var limbs = QuotientLimbs(high, right.mantissa.dividingFullWidth((rest, scaled.low)).quotient)
        var exponent = Int(left.exponent) - Int(right.exponent) - 38
        // By ten thousand for as long as more than nine limbs of 16 bits are left, as Foundation does.
        while limbs.high >= 1 << 16 {
            limbs.divide(by: 10_000)
            exponent += 4
        }
        while limbs.high > 0 {
            limbs.divide(by: 10)
            exponent += 1
        }
        // Of too few digits for one to be left Foundation makes zero, or no number where the signs differ.
        guard limbs.low != 0 else { return nil }
        return compact(left.isNegative != right.isNegative, exponent: exponent, mantissa: limbs.low)
    }

    /// The same number without zeros at the end of its mantissa, as Foundation keeps it.
    private var withoutZeros: DecimalParts? { Self.compact(isNegative, exponent: Int(exponent), mantissa: mantissa) }

    /// A number without zeros at the end of its mantissa; nil where its exponent is out of range.
    private static func compact(_ isNegative: Bool, exponent: Int, mantissa: UInt128) -> DecimalParts? {
        guard mantissa != 0 else { return DecimalParts(isNegative: false, mantissa: 0) }
        var (exponent, mantissa) = (exponent, mantissa)
        var zeros = 32
        while zeros > 0 {
            // 10^n is a multiple of 2^n.
            if mantissa.trailingZeroBitCount >= zeros {
                let (shorter, rest) = mantissa.quotientAndRemainder(dividingBy: powersOfTen[zeros])
                if rest == 0 {
                    mantissa = shorter
                    exponent += zeros
                }
            }
            zeros /= 2
        }
        return Int8(exactly: exponent).map { DecimalParts(isNegative: isNegative, exponent: $0, mantissa: mantissa) }
    }

    /// Whether the linked Foundation cuts quotients as ``cutQuotient(_:_:)`` does: its versions differ in the last
    /// digit.
    private static let cutsQuotients = [
        ("1", "3"), ("2", "3"), ("1e5", "-7e-3"), ("14174e-6", "759"), ("70099391792085426789135e-19", "134713981e-6"),
        ("571486671486625381407568328599e-22", "153814987595959e14"), ("850633764516561767656097314378762e6", "671"),
        ("340282366920938463463374607431768211455", "9"), ("9", "340282366920938463463374607431768211455"),
    ].allSatisfy { left, right in
        guard var left = Decimal(string: left), var right = Decimal(string: right), let first = DecimalParts(left),
            let second = DecimalParts(right), let found = quotient(first, cutting: second)
        else { return false }
        var result = Decimal()
        return NSDecimalDivide(&result, &left, &right, .plain) != .overflow && DecimalParts(result) == found
    }
}

/// A whole number of 256 bits.
private struct QuotientLimbs {
    private var limbs: (UInt64, UInt64, UInt64, UInt64)

    init(_ high: UInt128, _ low: UInt128) {
        limbs = (
            UInt64(truncatingIfNeeded: high >> 64), UInt64(truncatingIfNeeded: high),
            UInt64(truncatingIfNeeded: low >> 64), UInt64(truncatingIfNeeded: low)
        )
    }

    var high: UInt128 { UInt128(limbs.0) << 64 | UInt128(limbs.1) }
    var low: UInt128 { UInt128(limbs.2) << 64 | UInt128(limbs.3) }

    mutating func divide(by divisor: UInt64) {
        var rest: UInt64 = 0
        (limbs.0, rest) = divisor.dividingFullWidth((rest, limbs.0))
        (limbs.1, rest) = divisor.dividingFullWidth((rest, limbs.1))
        (limbs.2, rest) = divisor.dividingFullWidth((rest, limbs.2))
        (limbs.3, rest) = divisor.dividingFullWidth((rest, limbs.3))
    }
}
