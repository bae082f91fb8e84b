import Foundation

/// The Decimals on both sides of a number: mantissas of 128 bits, exponents from -128 to 127.
enum DecimalNeighbours {
    /// The greatest Decimal that is at most a number, and the smallest that is at least it; nil where there is none.
    static func of(_ number: ExactDecimal) -> (below: Value?, above: Value?) {
        guard !number.digits.isEmpty else { return (.decimal(0), .decimal(0)) }
        let (smaller, larger) = magnitudes(number)
        let (below, above) = number.isNegative ? (larger.map { -$0 }, -smaller) : (smaller, larger)
        return (below.map(Value.decimal), above.map(Value.decimal))
    }

    /// The neighbours of a number's magnitude: whole multiples of the finest power of ten whose mantissa fits, or of
    /// the next finer one where the largest mantissa there lies between.
    private static func magnitudes(_ number: ExactDecimal) -> (smaller: Decimal, larger: Decimal?) {
        // mantissa = the first `kept` digits; its unit is 10^(exponent - kept).
        var kept = min(39, number.exponent + 128)
        if kept <= 0 { return (0, decimal(1, exponent: -128)) }
        if mantissa(number, kept: kept) == nil { kept -= 1 }
        guard let mantissa = mantissa(number, kept: kept), number.exponent - kept <= 127 else {
            return (.greatestFiniteMagnitude, nil)
        }
        let unit = number.exponent - kept
        let smaller = decimal(mantissa, exponent: unit)
        if number.digits.count <= kept { return (smaller, smaller) }
        let larger =
            mantissa == .max ? decimal(mantissa / 10 + 1, exponent: unit + 1) : decimal(mantissa + 1, exponent: unit)
        guard kept == 38, unit > -128 else { return (smaller, larger) }
        let finest = decimal(.max, exponent: unit - 1)
        guard let exact = ExactDecimal(finest) else { return (smaller, larger) }
        let magnitude = ExactDecimal(isNegative: false, digits: number.digits, exponent: number.exponent)
        return exact < magnitude ? (max(smaller, finest), larger) : (smaller, larger)
    }

    /// The whole number of the first digits; nil when it has more than 128 bits.
    private static func mantissa(_ number: ExactDecimal, kept: Int) -> UInt128? {
        var result: UInt128 = 0
        for index in 0..<kept {
            let (product, over) = result.multipliedReportingOverflow(by: 10)
            let digit = index < number.digits.count ? number.digits[index] : 0
            let (sum, carry) = product.addingReportingOverflow(UInt128(digit))
            if over || carry { return nil }
            result = sum
        }
        return result
    }

    private static func decimal(_ mantissa: UInt128, exponent: Int) -> Decimal {
        var significand = Decimal(UInt64(truncatingIfNeeded: mantissa))
        if mantissa > UInt64.max {
            significand += Decimal(UInt64(truncatingIfNeeded: mantissa >> 64)) * (Decimal(UInt64.max) + 1)
        }
        return Decimal(sign: .plus, exponent: exponent, significand: significand)
    }
}
